"""Tracing a function of two groups of elements: what it gives for each element of one, by whether the other has any.

It is run with a group of one stand-in. That it does the same for each of many follows from what it may do with a
group: ask whether it is empty, give it as its results, or go through it once, to the end, by a ``for`` of its own that
keeps nothing from one element to the next. Each result is given while the element is at hand that it is made of.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, GeneratorType, MethodType
from typing import Any, NamedTuple, NoReturn

from windrow.elements.shape import Shape
from windrow.tracing.expressions import Graph
from windrow.tracing.outcome import NotTraceable, Refused
from windrow.tracing.recorder import Recorder
from windrow.tracing.results import TracedResults, only_result
from windrow.tracing.surroundings import Surroundings
from windrow.tracing.tracer import Traced, arguments_for, explored
from windrow.tracing.tree import Tree, check_same_form, joined, leaves

#: Instructions that assign one variable.
_STORES = frozenset({"STORE_FAST", "STORE_FAST_LOAD_FAST"})


class OfGroup(NamedTuple):
    """The results of a function for two groups of which it is known which are empty.

    Attributes:
        is_first: Whether its results are of elements of the first group.
        function: What it gives for each of them, at most one result; None: nothing.
    """

    is_first: bool
    function: TracedResults | None


class TracedGroups(NamedTuple):
    """A function of two groups on columns.

    Attributes:
        both: Where both have elements.
        first: Where only the first has.
        second: Where only the second has.
    """

    both: OfGroup
    first: OfGroup
    second: OfGroup


def trace_groups(function: Any, first: Shape, second: Shape) -> TracedGroups | NotTraceable:
    """Trace a function of two lists, of which at most one is empty, that gives its results as a generator, or a list.

    Args:
        function: A function or a bound method.
        first: What the elements of the first group are made of.
        second: The same of the second.

    Example:
        >>> from windrow.elements.shape import LONG
        >>> def unanswered(questions, answers):
        ...     if not answers:
        ...         for question in questions:
        ...             yield question * 2
        >>> traced = trace_groups(unanswered, LONG, LONG)
        >>> traced.both.function, traced.second.function
        (None, None)
        >>> import numpy as np
        >>> traced.first.function.result.evaluate([np.array([4, 5])])
        [array([ 8, 10])]
    """
    shapes = first, second
    try:
        code = _code_of(function)
        _check_keeps_nothing(code)
        return TracedGroups(
            _of_both(function, code, shapes),
            _of_group(function, code, shapes, is_first=True, has_other=False),
            _of_group(function, code, shapes, is_first=False, has_other=False),
        )
    except Refused as refused:
        return NotTraceable(refused.reason)


def _of_both(function: Any, code: CodeType, shapes: tuple[Shape, Shape]) -> OfGroup:
    try:
        return _of_group(function, code, shapes, is_first=True, has_other=True)
    except Refused as refused:
        try:
            return _of_group(function, code, shapes, is_first=False, has_other=True)
        except Refused:
            raise refused from None


def _of_group(
    function: Any, code: CodeType, shapes: tuple[Shape, Shape], *, is_first: bool, has_other: bool
) -> OfGroup:
    shape = shapes[0] if is_first else shapes[1]
    if not shape.types:
        msg = "takes elements without fields"
        raise Refused(msg)

    def traced(finish: Callable[[Any, _Group], Any]) -> tuple[Tree, Graph, Surroundings]:
        graph, surroundings = Graph(), Surroundings(may_yield=True)
        run = surroundings.runnable(function)

        def call(recorder: Recorder) -> Any:
            mine = _Group(code, arguments_for(recorder, [shape]), recorder)
            other = _Group(code, [_Unseen()] if has_other else [], None)
            return finish(run(*((mine, other) if is_first else (other, mine))), mine)

        tree = explored(graph, surroundings, call)
        check_same_form(leaves(tree))
        return joined(tree, graph), graph, surroundings

    # What gives nothing may end its loop wherever it likes.
    tree, *_ = traced(lambda given, _: bool(_listed(given)))
    if not any(leaf.fields[0] for leaf in leaves(tree)):
        return OfGroup(is_first, None)
    tree, graph, surroundings = traced(lambda given, group: bool(_results(given, group)))
    is_always = all(leaf.fields[0] is True for leaf in leaves(tree))
    has_result = None if is_always else Traced(tree, [shape], graph, surroundings)
    tree, graph, surroundings = traced(lambda given, group: only_result(_results(given, group)))
    return OfGroup(is_first, TracedResults(has_result, Traced(tree, [shape], graph, surroundings)))


class _Group:
    """Stands for a list of elements: it is empty or not, and a loop may go through it, to the end and once.

    Args:
        code: The function's: loops of others are none.
        elements: One stand-in, or none.
        recorder: What records the questions asked about it; None: of an element here nothing may be asked, and whether
            more follow is not known.
    """

    __slots__ = ("_code", "_items", "_loops", "_position", "_questions", "_recorder")

    def __init__(self, code: CodeType, elements: list[Any], recorder: Recorder | None) -> None:
        self._code = code
        # Names begin like this because code that uses such is not traced.
        self._items: list[Any] = elements
        self._recorder = recorder
        self._loops = {each.offset for each in dis.get_instructions(code) if each.opname == "FOR_ITER"}
        #: How many questions were asked when it was gone through.
        self._questions = 0
        #: -1 before a loop, 0 at the element, 1 behind the last one.
        self._position = -1

    def __bool__(self) -> bool:
        return bool(self._items)

    def __iter__(self) -> Iterator[Any]:
        if self._recorder is not None and self._position >= 0:
            msg = "goes through a group several times"
            raise Refused(msg)
        return _Loop(self)

    def _next_of(self, taken: int, caller: Any) -> Any:
        """The element, or the end of the loop."""
        if caller.f_code is not self._code or caller.f_lasti not in self._loops:
            msg = "goes through a group by something else than a loop of its own"
            raise Refused(msg)
        if self._recorder is None:
            if taken and self._items:
                msg = "counts the elements of a group, or looks at several"
                raise Refused(msg)
        else:
            if taken == 0 and self._position >= 0:
                msg = "goes through a group several times"
                raise Refused(msg)
            self._position = taken
            self._questions = len(self._recorder.questions)
        if taken < len(self._items):
            return self._items[taken]
        if self._recorder is not None:
            self._position = 1
        raise StopIteration

    def _check_done(self) -> None:
        """Check that a loop has gone through it to the end, if one has begun, and nothing was asked since."""
        if self._position == 0:
            msg = "does not go through a group to its end"
            raise Refused(msg)
        if self._recorder is not None and self._recorder.questions[self._questions :]:
            msg = "asks something of an element behind its loop"
            raise Refused(msg)

    def __getattr__(self, name: str) -> NoReturn:
        msg = f"uses .{name} of a group"
        raise Refused(msg)


class _Loop:
    """Goes through a group."""

    __slots__ = ("_group", "_taken")

    def __init__(self, group: _Group) -> None:
        self._group = group
        self._taken = 0

    def __iter__(self) -> _Loop:
        return self

    def __next__(self) -> Any:
        self._taken += 1
        return self._group._next_of(self._taken - 1, sys._getframe(1))


class _Unseen:
    """Stands for an element at which nobody looks."""

    __slots__ = ()

    def __getattr__(self, name: str) -> NoReturn:
        msg = f"uses .{name} of an element of the other group"
        raise Refused(msg)


def _refusing(name: str) -> Any:
    def refusing(self: object, *_: object, **__: object) -> NoReturn:
        msg = f"does __{name}__ with a group"
        raise Refused(msg)

    return refusing


_ALL_REFUSED = (
    *("eq", "ne", "lt", "le", "gt", "ge", "hash", "str", "repr", "format", "len", "getitem", "contains", "call"),
    *("reversed", "add", "radd", "mul", "rmul", "mod", "rmod", "length_hint", "index", "int", "float"),
)
for _name in _ALL_REFUSED:
    setattr(_Group, f"__{_name}__", _refusing(_name))
for _name in (*_ALL_REFUSED, "bool", "iter"):
    setattr(_Unseen, f"__{_name}__", _refusing(_name))


def _listed(given: Any) -> list[Any]:
    if isinstance(given, _Group):
        return given._items
    if isinstance(given, GeneratorType):
        return [*given]
    return [] if given is None else [given]


def _results(given: Any, group: _Group) -> list[Any]:
    """The results of a run, each given while the group's element is at hand."""
    if given is None:
        group._check_done()
        return []
    if given is group:
        if group._position >= 0:
            msg = "goes through a group, and gives it"
            raise Refused(msg)
        return [*group._items]
    if not isinstance(given, GeneratorType):
        msg = f"returns {type(given).__name__}, and no results one after the other"
        raise Refused(msg)
    results = []
    for result in given:
        if group._position != 0:
            msg = "gives a result that is of no element of a group"
            raise Refused(msg)
        results.append(result)
    group._check_done()
    if len(results) > 1:
        msg = "gives several results at a time"
        raise Refused(msg)
    return results


def _code_of(function: Any) -> CodeType:
    plain = function.__func__ if isinstance(function, MethodType) else function
    if not isinstance(plain, FunctionType):
        msg = f"is no function, but {type(function).__name__}"
        raise Refused(msg)
    return plain.__code__


def _check_keeps_nothing(code: CodeType) -> None:
    """Check that variables are assigned by one ``for`` each and nowhere else, and that no list grows.

    So a variable is not there before the element at hand, or what is made of it, is put into it.

    Raises:
        Refused: what happens to one element may be seen at the next one.
    """
    before, fields = "", 0
    assigned = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    for instruction in dis.get_instructions(code):
        name = instruction.opname
        if name in ("CACHE", "EXTENDED_ARG", "NOT_TAKEN", "NOP"):
            continue
        if name == "LIST_APPEND":
            msg = "makes a list in a loop"
            raise Refused(msg)
        if name == "DELETE_FAST" or (name.startswith("STORE_FAST") and name not in _STORES):
            msg = "assigns a variable"
            raise Refused(msg)
        if name in _STORES:
            # Where an instruction stores and loads the names are two.
            stored = instruction.argval[0] if isinstance(instruction.argval, tuple) else instruction.argval
            if (before != "FOR_ITER" and not fields) or stored in assigned:
                msg = "assigns a variable"
                raise Refused(msg)
            assigned.append(stored)
            fields = max(fields - 1, 0)
        else:
            fields = int(instruction.arg or 0) if name == "UNPACK_SEQUENCE" and before == "FOR_ITER" else 0
        before = name
