"""Finds what a PyFlink program uses that Windrow does not have, or that does something else there."""

from __future__ import annotations

import ast
import functools
import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from windrow.absent.explained import reason_for
from windrow.absent.methods import METHODS
from windrow.absent.modules import reason_for_module
from windrow.absent.names import NAMES

#: Where the classes are that programs call methods of.
_PUBLIC = (
    "windrow.common",
    "windrow.common.watermark_strategy",
    "windrow.datastream",
    "windrow.datastream.data_stream",
    "windrow.datastream.functions",
    "windrow.datastream.window",
    "windrow.datastream.state",
)
#: The methods that do otherwise than PyFlink's, where a program is likely to see it.
DIFFERENCES: Final[Mapping[str, str]] = {
    "add_classpaths": "Spark loads jars, and Flink's connectors are none of Spark's: Windrow's own are in Python",
    "add_jars": "Spark loads them, and Flink's connectors are none of Spark's: Windrow's own are in Python",
    "execute_and_collect": "of a keyed stream it gives the elements, where PyFlink gives rows of key and element",
}
_NO_RESTARTS = "a job that fails stays so unless the program names a restart strategy; Flink restarts it for ever"
#: A text that is the name of a module, or of something in it.
_MODULE = re.compile(r"pyflink(\.\w+)+(:\w+)?")


class Kind(Enum):
    """Says what a finding is about."""

    #: The program fails where it uses it.
    ABSENT = "absent"
    #: It runs, and does something else than with PyFlink.
    DIFFERS = "differs"
    #: A person has to look: what it is cannot be told from the text.
    LOOK = "look"


@dataclass(frozen=True, order=True)
class Finding:
    """A line of a program, and what is to be known of it."""

    line: int
    #: What is used there: ``pyflink.table``, ``StreamExecutionEnvironment.add_source``.
    what: str
    text: str
    kind: Kind = Kind.ABSENT

    def __str__(self) -> str:
        return f"{self.line}: {self.kind.value}: {self.what}: {self.text}"


def findings(program: str) -> list[Finding]:
    """Find what to know of a PyFlink program before it runs on Windrow, by line.

    Modules and names are looked up in Windrow; methods by their names, and those of the environment as its own where a
    variable is assigned from ``get_execution_environment``.

    Raises:
        SyntaxError: the program's text is no Python.

    Example:
        >>> for each in findings("from pyflink.common import Row, InputDependencyConstraint"):
        ...     print(each)
        1: absent: pyflink.common.InputDependencyConstraint: Spark decides when a task starts
    """
    tree = ast.parse(program)
    if not any(_imports_pyflink(node) for node in ast.walk(tree)):
        return []
    found = [*_of_imports(tree), *_of_texts(tree), *_of_methods(tree)]
    return sorted(set(found), key=lambda each: (each.line, each.what))


def _imports_pyflink(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.level == 0 and _is_pyflink(node.module or "")
    return isinstance(node, ast.Import) and any(_is_pyflink(each.name) for each in node.names)


def _is_pyflink(module: str) -> bool:
    return module == "pyflink" or module.startswith("pyflink.")


def _of_imports(tree: ast.AST) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if not _imports_pyflink(node):
            continue
        if isinstance(node, ast.Import):
            for each in node.names:
                if _is_pyflink(each.name):
                    yield from _of_module(node.lineno, each.name)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            missing = list(_of_module(node.lineno, node.module))
            yield from missing or _of_names(node, node.module)


def _of_module(line: int, module: str) -> Iterator[Finding]:
    windrow = _in_windrow(module)
    if _module(windrow) is None:
        yield Finding(line, module, reason_for_module(windrow) or f"there is no {windrow}")


def _of_names(node: ast.ImportFrom, module: str) -> Iterator[Finding]:
    windrow = _in_windrow(module)
    for each in node.names:
        if each.name == "*" or hasattr(_module(windrow), each.name) or _module(f"{windrow}.{each.name}"):
            continue
        within = f"{windrow}.{each.name}"
        reason = NAMES.get(windrow, {}).get(each.name) or reason_for_module(within) or reason_for_module(windrow)
        yield Finding(each.lineno, f"{module}.{each.name}", reason or f"there is no {within}")


def _in_windrow(module: str) -> str:
    return f"windrow{module.removeprefix('pyflink')}"


@functools.cache
def _module(name: str) -> Any:
    """A module of Windrow's; None if there is none."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        # Another one is a package that is not installed, such as a connector's client.
        if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("windrow"):
            raise
        return None


def _of_texts(tree: ast.AST) -> Iterator[Finding]:
    """Names of PyFlink's modules in texts: what imports by name, or configures a log."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _MODULE.fullmatch(node.value):
            yield Finding(node.lineno, repr(node.value), "texts are left as they are; change it by hand", Kind.LOOK)


def _of_methods(tree: ast.AST) -> Iterator[Finding]:
    environments = set(_environments(tree))
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    called = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    names = {node.attr for node in called}
    for node in called:
        if node.attr in own:
            continue
        line = node.end_lineno or node.lineno
        if isinstance(node.value, ast.Name) and node.value.id in environments:
            yield from _of_environment(line, node.attr)
        elif node.attr in _absent_methods():
            owner, reason = _absent_methods()[node.attr]
            yield Finding(line, f"{owner}.{node.attr}", reason)
        if node.attr in DIFFERENCES:
            yield Finding(line, node.attr, DIFFERENCES[node.attr], Kind.DIFFERS)
        if node.attr == "enable_checkpointing" and "set_restart_strategy" not in names:
            yield Finding(line, node.attr, _NO_RESTARTS, Kind.DIFFERS)


def _environments(tree: ast.AST) -> Iterator[str]:
    """Variables that hold the environment."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            function = node.value.func
            if isinstance(function, ast.Attribute) and function.attr == "get_execution_environment":
                yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _of_environment(line: int, method: str) -> Iterator[Finding]:
    from windrow.datastream import StreamExecutionEnvironment

    reason = reason_for(StreamExecutionEnvironment, method)
    if reason is not None and not hasattr(StreamExecutionEnvironment, method):
        yield Finding(line, f"StreamExecutionEnvironment.{method}", reason)


@functools.cache
def _absent_methods() -> dict[str, tuple[str, str]]:
    """By methods that no class of Windrow's has: the first of Flink's classes that has it, and why it is absent."""
    there = {name for cls in _public_classes() for name in dir(cls)}
    return {
        method: (owner, reason)
        for owner, methods in reversed(list(METHODS.items()))
        for method, reason in methods.items()
        if method not in there
    }


def _public_classes() -> Iterable[type]:
    is_class: Callable[[Any], bool] = lambda value: isinstance(value, type)  # noqa: E731
    for name in _PUBLIC:
        module = importlib.import_module(name)
        names = getattr(module, "__all__", None) or vars(module)
        yield from filter(is_class, (getattr(module, each) for each in list(names)))
