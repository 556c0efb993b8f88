"""The window functions that a join and a co-group of two streams become, and where their late elements go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from windrow.common.copies import copied
from windrow.common.unchangeable import all_never_change
from windrow.datastream.functions import (
    CoGroupFunction,
    FlatJoinFunction,
    Function,
    JoinFunction,
    RuntimeContext,
    WindowFunction,
)
from windrow.errors import WindrowError, user_function_error
from windrow.operators.results import check_results
from windrow.operators.tagged_union import TaggedUnion
from windrow.operators.window.window_functions import UserFunctionAdapter


class CoGroupWindowFunction(WindowFunction[TaggedUnion, Any, Any, Any]):
    """Calls a function with the elements of each stream (Flink's ``CoGroupedStreams.CoGroupWindowFunction``).

    Args:
        function: A ``CoGroupFunction``, or a function of two lists.
    """

    def __init__(self, function: CoGroupFunction | Callable[[list[Any], list[Any]], Iterable[Any] | None]) -> None:
        self._function = function
        self._co_group = function.co_group if isinstance(function, CoGroupFunction) else function

    def open(self, runtime_context: RuntimeContext) -> None:
        if isinstance(self._function, Function):
            self._function.open(runtime_context)

    def close(self) -> None:
        if isinstance(self._function, Function):
            self._function.close()

    def apply(self, key: Any, window: Any, inputs: Iterable[TaggedUnion]) -> Iterable[Any] | None:
        del key, window
        return self._co_group(*split(inputs))

    @property
    def co_group(self) -> Callable[[list[Any], list[Any]], Iterable[Any] | None]:
        """The user's function, which is called with two lists."""
        return self._co_group


def co_group_of(function: object) -> Callable[[list[Any], list[Any]], Iterable[Any] | None] | None:
    """Find the function that a co-group's window function calls with two lists; None if it is not a co-group's."""
    called = function.function if isinstance(function, UserFunctionAdapter) else None
    return called.co_group if isinstance(called, CoGroupWindowFunction) else None


class JoinWindowFunction(WindowFunction[TaggedUnion, Any, Any, Any]):
    """Calls a function with each pair: for each element of the first stream, with each of the second.

    Flink's ``JoinedStreams.JoinCoGroupFunction`` and ``FlatJoinCoGroupFunction``.

    Args:
        function: A ``JoinFunction`` or ``FlatJoinFunction``, or a function of two elements.
        flat: Whether it gives any number of results for a pair, and not one.
    """

    def __init__(
        self, function: JoinFunction | FlatJoinFunction | Callable[[Any, Any], Any], *, flat: bool = False
    ) -> None:
        self._function = function
        self._join = function.join if isinstance(function, JoinFunction | FlatJoinFunction) else function
        self._flat = flat
        self._operator = ""
        self._reuse = False

    def open(self, runtime_context: RuntimeContext) -> None:
        self._operator = runtime_context.get_task_name()
        self._reuse = runtime_context.is_object_reuse_enabled()
        if isinstance(self._function, Function):
            self._function.open(runtime_context)

    def close(self) -> None:
        if isinstance(self._function, Function):
            self._function.close()

    def apply(self, key: Any, window: Any, inputs: Iterable[TaggedUnion]) -> Iterator[Any]:
        del key, window
        firsts, seconds = split(inputs)
        join, flat = self._join, self._flat
        # What a function does to an element in one pair is not to be seen in another.
        own_first = _itself if self._reuse or len(seconds) == 1 or all_never_change(firsts) else copied
        own_second = _itself if self._reuse or len(firsts) == 1 or all_never_change(seconds) else copied
        first = second = None
        try:
            for first in firsts:
                for second in seconds:
                    if not flat:
                        yield join(own_first(first), own_second(second))
                        continue
                    results = join(own_first(first), own_second(second))
                    if results is not None:
                        check_results(self._operator, results, "join function")
                        yield from results
        except WindrowError:
            raise
        except (Exception, SystemExit, KeyboardInterrupt) as error:  # a GeneratorExit may be that of this generator
            raise user_function_error(self._operator, (first, second), error) from error


def _itself(value: Any) -> Any:
    return value


def split(elements: Iterable[TaggedUnion]) -> tuple[list[Any], list[Any]]:
    """The elements of each stream, in their order.

    >>> split([TaggedUnion.two(1), TaggedUnion.one(2), TaggedUnion.two(3)])
    ([2], [1, 3])
    """
    listed = list(elements)
    first = [element.value for element in listed if element.from_first]
    return first, [element.value for element in listed if not element.from_first]


@dataclass(frozen=True)
class LateTags:
    """The side outputs of late elements: those of each stream go to one of their own, as they came in.

    >>> LateTags("late clicks", "late views")(TaggedUnion.two("view"))
    ('late views', 'view')
    """

    first: str
    second: str

    def __call__(self, element: TaggedUnion) -> tuple[str, Any]:
        return (self.first if element.is_one() else self.second), element.value
