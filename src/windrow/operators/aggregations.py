"""sum, min, max, min_by and max_by as reduce functions (Flink's ``SumAggregator`` and ``ComparableAggregator``)."""

from __future__ import annotations

from typing import Any

from windrow.datastream.functions import ReduceFunction
from windrow.operators.fields import Field


class SumAggregator(ReduceFunction):
    """Adds up one field; the others stay as in the first element.

    Example:
        >>> SumAggregator(1).reduce(("a", 1), ("b", 2))
        ('a', 3)
    """

    def __init__(self, position: int | str = 0) -> None:
        self._field = Field(position)

    def reduce(self, value1: Any, value2: Any) -> Any:
        field = self._field
        return field.replaced(value1, field.get(value1) + field.get(value2))


class ComparableAggregator(ReduceFunction):
    """The least or greatest value of one field.

    Args:
        position: The field's index or name.
        greatest: Look for the greatest, not the least.
        whole_element: Give the element with that value (``min_by``, ``max_by``); else the first element with that
            value in it (``min``, ``max``).
        first: Of several such elements the first; else the last.

    Example:
        >>> ComparableAggregator(1, greatest=False).reduce(("a", 2), ("b", 1))
        ('a', 1)
        >>> ComparableAggregator(1, greatest=False, whole_element=True).reduce(("a", 2), ("b", 1))
        ('b', 1)
    """

    def __init__(
        self, position: int | str = 0, *, greatest: bool, whole_element: bool = False, first: bool = True
    ) -> None:
        self._field = Field(position)
        self._greatest = greatest
        self._whole_element = whole_element
        self._first = first

    def reduce(self, value1: Any, value2: Any) -> Any:
        field = self._field
        old, new = field.get(value1), field.get(value2)
        better = new > old if self._greatest else new < old
        if self._whole_element:
            return value2 if better or (not self._first and new == old) else value1
        return field.replaced(value1, new) if better else value1
