"""Gives elements of a split stream the names of their outputs (of Flink 1.x)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

from windrow.datastream.functions.base import Function


class OutputSelector(Function):
    """Says which outputs of a split stream an element goes to.

    Example:
        >>> class Parity(OutputSelector):
        ...     def select(self, value):
        ...         return ["odd"] if value % 2 else ["even"]
        >>> Parity().select(3)
        ['odd']
    """

    @abstractmethod
    def select(self, value: Any) -> Iterable[str] | None:
        """The names of the element's outputs; None or no name: it goes to none."""
