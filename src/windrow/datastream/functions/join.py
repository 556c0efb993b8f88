"""Functions of the elements of two streams that have the same key and are in the same window."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

from windrow.datastream.functions.base import Function


class JoinFunction(Function):
    """Makes one element of each pair (Flink's ``JoinFunction``).

    Example:
        >>> class Both(JoinFunction):
        ...     def join(self, first, second):
        ...         return first + second
        >>> Both().join(("a", 1), ("a", 2))
        ('a', 1, 'a', 2)
    """

    @abstractmethod
    def join(self, first: Any, second: Any) -> Any:
        """The new element for ``first``, of the first stream, and ``second``, of the second one."""


class FlatJoinFunction(Function):
    """Makes any number of elements of each pair (Flink's ``FlatJoinFunction``); they are yielded.

    Example:
        >>> class Cheaper(FlatJoinFunction):
        ...     def join(self, first, second):
        ...         if second["price"] < first["price"]:
        ...             yield second["shop"]
        >>> list(Cheaper().join({"price": 3}, {"price": 2, "shop": "corner"}))
        ['corner']
    """

    @abstractmethod
    def join(self, first: Any, second: Any) -> Iterable[Any] | None:
        """The new elements; an ``(OutputTag, value)`` among them goes to that side output, None is none."""


class CoGroupFunction(Function):
    """Makes any number of elements of all that a window has of a key (Flink's ``CoGroupFunction``).

    It is also called where only one of the streams has elements, so it can do what outer joins do.

    Example:
        >>> class Unanswered(CoGroupFunction):
        ...     def co_group(self, first, second):
        ...         if not second:
        ...             yield from first
        >>> list(Unanswered().co_group(["question"], []))
        ['question']
    """

    @abstractmethod
    def co_group(self, first: list[Any], second: list[Any]) -> Iterable[Any] | None:
        """The new elements; an ``(OutputTag, value)`` among them goes to that side output, None is none.

        Args:
            first: The first stream's elements in the order in which they came; may be empty, and may be changed.
            second: The second stream's.
        """
