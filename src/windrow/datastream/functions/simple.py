"""Functions of elements alone: map, filter, reduce, aggregate, and how keys and partitions are chosen."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from windrow.datastream.functions.base import Function
from windrow.errors import ConfigurationTypeError


class MapFunction(Function):
    """Makes one element of each element.

    Example:
        >>> class Length(MapFunction):
        ...     def map(self, value):
        ...         return len(value)
        >>> Length().map("abc")
        3
    """

    @abstractmethod
    def map(self, value: Any) -> Any:
        """Make the new element."""


class FlatMapFunction(Function):
    """Makes any number of elements of each element.

    Example:
        >>> class Words(FlatMapFunction):
        ...     def flat_map(self, value):
        ...         yield from value.split()
        >>> list(Words().flat_map("to be"))
        ['to', 'be']
    """

    @abstractmethod
    def flat_map(self, value: Any) -> Iterable[Any] | None:
        """Make the new elements; a generator will do, None is none."""


class FilterFunction(Function):
    """Keeps some elements.

    Example:
        >>> class Long(FilterFunction):
        ...     def filter(self, value):
        ...         return len(value) > 3
        >>> Long().filter("abc")
        False
    """

    @abstractmethod
    def filter(self, value: Any) -> bool:
        """Tell whether to keep the element."""


class ReduceFunction(Function):
    """Combines two elements to one of the same type; must be associative.

    Example:
        >>> class Longest(ReduceFunction):
        ...     def reduce(self, value1, value2):
        ...         return max(value1, value2, key=len)
        >>> Longest().reduce("a", "bc")
        'bc'
    """

    @abstractmethod
    def reduce(self, value1: Any, value2: Any) -> Any:
        """Combine ``value1``, the earlier one, and ``value2``."""


class FoldFunction(Function):
    """Adds elements to a value, which may be of another type (Flink 1.x's ``FoldFunction``).

    Example:
        >>> class Spelled(FoldFunction):
        ...     def fold(self, accumulator, value):
        ...         return accumulator + str(value)
        >>> Spelled().fold("start-", 1)
        'start-1'
    """

    @abstractmethod
    def fold(self, accumulator: Any, value: Any) -> Any:
        """Add ``value`` to ``accumulator``, the value so far; it may be the same object, changed."""


class AggregateFunction(Function):
    """Folds elements into an accumulator and makes the result from it.

    Example:
        >>> class Mean(AggregateFunction):
        ...     def create_accumulator(self):
        ...         return 0, 0
        ...     def add(self, value, accumulator):
        ...         return accumulator[0] + value, accumulator[1] + 1
        ...     def get_result(self, accumulator):
        ...         return accumulator[0] / accumulator[1]
        ...     def merge(self, acc_a, acc_b):
        ...         return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]
        >>> mean = Mean()
        >>> mean.get_result(mean.add(4, mean.add(2, mean.create_accumulator())))
        3.0
    """

    @abstractmethod
    def create_accumulator(self) -> Any:
        """Make an accumulator that nothing was added to."""

    @abstractmethod
    def add(self, value: Any, accumulator: Any) -> Any:
        """Give the accumulator with ``value`` in it; it may be the same object, changed."""

    @abstractmethod
    def get_result(self, accumulator: Any) -> Any:
        """Make the result of an accumulator, to which more may be added afterwards."""

    @abstractmethod
    def merge(self, acc_a: Any, acc_b: Any) -> Any:
        """Make one accumulator of two; called only where windows merge. Either may be changed and returned."""


class KeySelector(Function):
    """Says which key an element belongs to.

    Example:
        >>> class First(KeySelector):
        ...     def get_key(self, value):
        ...         return value[0]
        >>> First().get_key(("a", 1))
        'a'
    """

    @abstractmethod
    def get_key(self, value: Any) -> Any:
        """Find the key: hashable, and the same for the same element, always."""


class NullByteKeySelector(KeySelector):
    """One key for all: how windows over a whole stream are made."""

    def get_key(self, value: Any) -> int:
        del value  # all elements have the same key
        return 0


class Partitioner(Function):
    """Says which downstream subtask an element goes to.

    Example:
        >>> class Even(Partitioner):
        ...     def partition(self, key, num_partitions):
        ...         return key % num_partitions
        >>> Even().partition(7, 4)
        3
    """

    @abstractmethod
    def partition(self, key: Any, num_partitions: int) -> int:
        """Choose the number of the subtask, from 0 to ``num_partitions`` - 1."""


class _CallableReduceFunction(ReduceFunction):
    def __init__(self, function: Callable[[Any, Any], Any]) -> None:
        # The attribute hides the method: a call of reduce is then a call of the user's function and nothing else.
        self.reduce = function  # type: ignore[method-assign, assignment]

    def reduce(self, value1: Any, value2: Any) -> Any:
        raise NotImplementedError


def as_reduce_function(function: Any, parameter: str) -> ReduceFunction:
    """A ``ReduceFunction``, given as such or as a plain function of two values.

    Raises:
        ConfigurationTypeError: it is neither.
    """
    if isinstance(function, ReduceFunction):
        return function
    if isinstance(function, type) or not callable(function):
        hint = ": make an object of the class" if isinstance(function, type) else ""
        msg = f"{parameter} takes a ReduceFunction or a function of two values; got {function!r}{hint}"
        raise ConfigurationTypeError(msg)
    return _CallableReduceFunction(function)
