"""Finds what keeps a user's function from going to the workers, and says it with the operator's name.

A function goes to Spark's workers as bytes, with all that it holds: variables of its closure, attributes, defaults,
globals of the main program. A lock, a socket or a session in there cannot go.
"""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator
from functools import partial
from types import CodeType, FunctionType, MethodType
from typing import Any, NamedTuple

from windrow.elements.codec import dumps_with_code
from windrow.errors import UsageError, shorten
from windrow.graph.job_graph import JobGraph, walk

#: Deeper than that nobody looks: the path is then as long as it is.
_DEPTH = 50


class Captured(NamedTuple):
    """Something that cannot be pickled, and where it was found."""

    #: As the user would write it: "self.client.lock", "closure variable 'lock'".
    path: str
    value: Any
    reason: str


def unpicklable_error(job: JobGraph) -> UsageError | None:
    """The error for the first operator, source or sink of the job that cannot be pickled; None if all of them can."""
    for entry in (entry for level in job.levels for entry in level):
        parts = [(f"operator {node.name!r}", node.factory) for node in walk(entry.node) if node.factory is not None]
        for who, value in [(f"source {entry.node.name!r}", (entry.strategy, entry.source)), *parts]:
            found = find(value)
            if found is not None:
                return _error(who, found)
    for sink in job.sinks:
        found = find(sink.sink)
        if found is not None:
            return _error(f"sink {sink.name!r}", found)
    return None


def unpicklable_element_error(who: str, values: Iterable[Any]) -> UsageError | None:
    """The error for the first of the elements that cannot be pickled; None if all of them can."""
    for value in values:
        found = find(value)
        if found is not None:
            return UsageError(
                f"{who} has made the element {shorten(value)}, which cannot go to another process "
                f"({found.reason}); make elements of plain values"
            )
    return None


def find(value: Any) -> Captured | None:
    """Find what in ``value`` cannot be pickled; None if all of it can.

    Example:
        >>> from threading import Lock
        >>> lock = Lock()
        >>> find(lambda number: lock.locked()).path
        "global variable 'lock'"
    """
    reason = _why_not(value)
    return None if reason is None else _search(value, "", reason, [])


_OPEN = "create it in the function's open(), which runs in the worker, or where it is used"


def _error(who: str, found: Captured) -> UsageError:
    what = f"its {found.path} is a {_kind(found.value)}" if found.path else f"it holds a {_kind(found.value)}"
    if _is_sparks(found.value):
        return UsageError(
            f"{who} cannot go to Spark's workers: {what}, which lives in the program's own process only; collect what "
            "the function needs before the job starts, or make a stream of it with from_dataframe"
        )
    return UsageError(f"{who} cannot go to Spark's workers: {what} ({found.reason}); {_OPEN}")


def _kind(value: Any) -> str:
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _is_sparks(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] in ("pyspark", "py4j")


def _why_not(value: Any) -> str | None:
    try:
        dumps_with_code(value)
    except Exception as error:  # whatever a class's own __reduce__ raises
        return str(error).strip().partition("\n")[0][:200] or type(error).__name__
    return None


def _search(value: Any, path: str, reason: str, above: list[Any]) -> Captured:
    """The innermost part of ``value`` that cannot be pickled by itself."""
    if len(above) < _DEPTH and not _is_sparks(value):
        for label, part in _parts(value, path):
            if any(part is each for each in above):
                continue
            why = _why_not(part)
            if why is not None:
                return _search(part, label, why, [*above, value])
    return Captured(path, value, reason)


def _parts(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Give what pickling ``value`` pickles with it, and how to name each part."""
    if isinstance(value, partial):
        yield from ((path, part) for part in (value.func, *value.args, *value.keywords.values()))
    elif isinstance(value, MethodType):
        yield path or "self", value.__self__
        yield path, value.__func__
    elif isinstance(value, FunctionType):
        yield from _parts_of_function(value, path)
    elif isinstance(value, dict):
        yield from ((f"{path}[{shorten(key, 40)}]" if path else path, part) for key, part in value.items())
    elif isinstance(value, list | tuple | set | frozenset):
        yield from ((f"{path}[{index}]" if path else path, part) for index, part in enumerate(value))
    elif isinstance(value, type):
        yield from _parts_of_class(value, path)
    else:
        yield from _parts_of_object(value, path)


def _parts_of_function(function: FunctionType, path: str) -> Iterator[tuple[str, Any]]:
    prefix = f"{path}: " if path else ""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield f"{prefix}closure variable {name!r}", cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    for name, default in _defaults(function).items():
        yield f"{prefix}default of parameter {name!r}", default
    for name, attribute in vars(function).items():
        yield f"{prefix}attribute {name!r} of the function", attribute
    for name in _globals_of(function.__code__):
        if name in function.__globals__:
            yield f"{prefix}global variable {name!r}", function.__globals__[name]


def _defaults(function: FunctionType) -> dict[str, Any]:
    code, positional = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[code.co_argcount - len(positional) : code.co_argcount]
    return {**dict(zip(names, positional, strict=True)), **(function.__kwdefaults__ or {})}


def _globals_of(code: CodeType) -> Iterator[str]:
    """The names that the code, and what is defined in it, looks up among the module's variables."""
    names = {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    yield from sorted(names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _globals_of(constant)


def _parts_of_class(cls: type, path: str) -> Iterator[tuple[str, Any]]:
    for name, attribute in vars(cls).items():
        plain = attribute.__func__ if isinstance(attribute, classmethod | staticmethod) else attribute
        if not isinstance(plain, property):
            yield (path if isinstance(plain, FunctionType) else f"{cls.__name__}.{name}"), plain
    yield from ((path, base) for base in cls.__bases__)


def _parts_of_object(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    attributes = dict(getattr(value, "__dict__", {}))
    for cls in type(value).__mro__:
        slots = vars(cls).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(value, name):
                attributes[name] = getattr(value, name)
    of_library = type(value).__module__.partition(".")[0] == "windrow"
    for name, part in attributes.items():
        # Fields of Windrow's own objects are no names that the user has given.
        yield (path if of_library else f"{path or 'self'}.{name}"), part
    if not of_library:
        yield path, type(value)
