"""The interfaces of accumulators (Flink's ``Accumulator`` and ``SimpleAccumulator``)."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from typing import Any, Generic, Self, TypeVar

from windrow.errors import ConfigurationTypeError

V = TypeVar("V")
R = TypeVar("R")


class Accumulator(ABC, Generic[V, R]):
    """Takes values of type V, one by one, and has a result of type R; two of them can be merged.

    Register one with ``RuntimeContext.add_accumulator``. Each subtask has an object of its own; what the subtasks
    have added is merged under the accumulator's name.

    Merging must not depend on the order, and what :meth:`reset_local` leaves, merged into another one, must change
    nothing: a subtask's object is cloned and reset each time its part is handed over.

    Example:
        >>> class Longest(Accumulator[str, int]):
        ...     def __init__(self):
        ...         self.length = 0
        ...
        ...     def add(self, value):
        ...         self.length = max(self.length, len(value))
        ...
        ...     def get_local_value(self):
        ...         return self.length
        ...
        ...     def reset_local(self):
        ...         self.length = 0
        ...
        ...     def merge(self, other):
        ...         self.length = max(self.length, other.length)
        >>> one, other = Longest(), Longest()
        >>> one.add("four"), other.add("eleven")
        (None, None)
        >>> one.merge(other)
        >>> one.get_local_value()
        6
    """

    @abstractmethod
    def add(self, value: V) -> None:
        """Take one value."""

    @abstractmethod
    def get_local_value(self) -> R:
        """The result of what this object was given.

        Inside a job that is what a subtask has added and not yet handed over; the whole is in the job's result.
        """

    @abstractmethod
    def reset_local(self) -> None:
        """Forget all that was added."""

    @abstractmethod
    def merge(self, other: Any) -> None:
        """Take what ``other``, an accumulator of this class, was given; ``other`` stays as it is."""

    def clone(self) -> Self:
        """An accumulator with the same content that shares nothing with this one; a deep copy unless overridden."""
        return copy.deepcopy(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.get_local_value()!r})"


class SimpleAccumulator(Accumulator[V, V]):
    """An accumulator whose result has the type of what is added, as a sum or a maximum has."""


def check_same_class(one: Accumulator[Any, Any], other: object) -> None:
    """Refuse to merge accumulators of different classes.

    Raises:
        ConfigurationTypeError: ``other`` is not of the class of ``one``.
    """
    if not isinstance(other, type(one)):
        msg = f"a {type(one).__name__} can be merged with another one only; got {other!r} ({type(other).__name__})"
        raise ConfigurationTypeError(msg)
