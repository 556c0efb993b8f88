"""The window functions that cases name by a ``function_id``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from windrow.datastream.functions import ProcessWindowFunction, WindowFunction
from windrow.operators.window.window_functions import UserWindowFunction


def sum_field_1(left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
    """Two ``(key, number)`` pairs as one: the key of the second, the sum of both numbers."""
    return right[0], left[1] + right[1]


class Sum(WindowFunction[Any, Any, Any, Any]):
    """One pair of the key and the sum of field 1."""

    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        yield key, sum(element[1] for element in inputs)


class SessionSum(WindowFunction[Any, Any, Any, Any]):
    """One triple: key and sum of field 1 joined by a dash, the window's start, its end."""

    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        yield f"{key}-{sum(element[1] for element in inputs)}", window.start, window.end


class ReduceSum(WindowFunction[Any, Any, Any, Any]):
    """One pair: the elements reduced in order by :func:`sum_field_1`."""

    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        yield reduce(sum_field_1, inputs)


class PassThrough(WindowFunction[Any, Any, Any, Any]):
    """Every element, in order of insertion."""

    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        return inputs


class GotString(WindowFunction[Any, Any, Any, Any]):
    """One string that lists the elements."""

    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        yield "GOT: " + ",".join(f"({','.join(map(str, element))})" for element in inputs)


class Nothing(WindowFunction[Any, Any, Any, Any]):
    """No result at all."""

    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        return ()


class IntSumWithWindow(WindowFunction[Any, Any, Any, Any]):
    """One pair: the window's start and end, the sum of the elements."""

    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        yield (window.start, window.end), sum(inputs)


class AsProcessFunction(ProcessWindowFunction[Any, Any, Any, Any]):
    """A window function through the other interface, for cases whose source uses that one."""

    def __init__(self, function: WindowFunction[Any, Any, Any, Any]) -> None:
        self._function = function

    def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any] | None:
        return self._function.apply(key, context.window(), elements)

    def clear(self, context: Any) -> None:
        """It keeps nothing per window."""


@dataclass(frozen=True)
class CaseFunction:
    """Does what a case does with a window: combine elements as they come, call a function when it fires, or both.

    Without ``reduce`` all elements are kept; without ``function`` the reduced value itself is emitted.
    """

    reduce: Callable[[Any, Any], Any] | None
    function: UserWindowFunction | None


_FUNCTIONS: dict[str, CaseFunction] = {
    "reduce_sum": CaseFunction(sum_field_1, None),
    "reduce_session_sum": CaseFunction(sum_field_1, SessionSum()),
    "list_sum": CaseFunction(None, Sum()),
    "list_session_sum": CaseFunction(None, SessionSum()),
    "list_passthrough": CaseFunction(None, PassThrough()),
    "list_got_string": CaseFunction(None, GotString()),
    "list_empty": CaseFunction(None, Nothing()),
    "list_reduce_sum": CaseFunction(None, ReduceSum()),
    "list_int_sum_with_window": CaseFunction(None, IntSumWithWindow()),
}


def function_of(operator: dict[str, Any]) -> CaseFunction:
    """The function of a case's ``operator``, by ``function_id`` and ``function_api``.

    Raises:
        ValueError: the id is not known.
    """
    function_id = operator["function_id"]
    if function_id not in _FUNCTIONS:
        msg = f"function_id {function_id!r} is not known; known are {', '.join(_FUNCTIONS)}"
        raise ValueError(msg)
    found = _FUNCTIONS[function_id]
    if operator.get("function_api") == "ProcessWindowFunction" and isinstance(found.function, WindowFunction):
        return CaseFunction(found.reduce, AsProcessFunction(found.function))
    return found
