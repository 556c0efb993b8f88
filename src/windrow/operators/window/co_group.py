"""The window functions that a join and a co-group of two streams become, and where their late elements go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

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

    def open(self, runtime_context: RuntimeContext) -> None:
        self._operator = runtime_context.get_task_name()
        if isinstance(self._function, Function):
            self._function.open(runtime_context)

    def close(self) -> None:
        if isinstance(self._function, Function):
            self._function.close()

    def apply(self, key: Any, window: Any, inputs: Iterable[TaggedUnion]) -> Iterator[Any]:
        del key, window
        firsts, seconds = split(inputs)
        join, flat = self._join, self._flat
        first = second = None
        try:
            for first in firsts:
                for second in seconds:
                    result = join(first, second)
                    if not flat:
                        yield result
                    elif result is not None:
                        check_results(self._operator, result, "join function")
                        yield from result
        except WindrowError:
            raise
        except (Exception, SystemExit, KeyboardInterrupt) as error:  # a GeneratorExit may be that of this generator
            raise user_function_error(self._operator, (first, second), error) from error


def split(elements: Iterable[TaggedUnion]) -> tuple[list[Any], list[Any]]:
    """The elements of each stream, in their order.

    >>> split([TaggedUnion.two(1), TaggedUnion.one(2), TaggedUnion.two(3)])
    ([2], [1, 3])
    """
    first: list[Any] = []
    second: list[Any] = []
    for element in elements:
        (first if element.is_one() else second).append(element.value)
    return first, second


@dataclass(frozen=True)
class LateTags:
    """Where late elements go: those of each stream to a side output, as they came in.

    >>> LateTags("late clicks", "late views")(TaggedUnion.two("view"))
    ('late views', 'view')
    """

    first: str
    second: str

    def __call__(self, element: TaggedUnion) -> tuple[str, Any]:
        return (self.first if element.is_one() else self.second), element.value
