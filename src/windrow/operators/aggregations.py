"""sum, min, max, min_by and max_by as reduce functions (Flink's ``SumAggregator`` and ``ComparableAggregator``)."""

from __future__ import annotations

from typing import Any

from windrow.datastream.functions import ReduceFunction
from windrow.operators.fields import Field


class FieldAggregator(ReduceFunction):
    """Combines elements by one of their fields.

    Args:
        position: The field's index or name.
    """

    def __init__(self, position: int | str) -> None:
        self.position = position
        self._field = Field(position)

    def first(self, value: Any) -> Any:
        """The result of the first element: itself; without the field it is none that a later one can be added to.

        Raises:
            ElementError: it has no such field.
        """
        self._field.get(value)
        return value


class SumAggregator(FieldAggregator):
    """Adds up one field; the others stay as in the first element.

    Example:
        >>> SumAggregator(1).reduce(("a", 1), ("b", 2))
        ('a', 3)
    """

    def __init__(self, position: int | str = 0) -> None:
        super().__init__(position)

    def reduce(self, value1: Any, value2: Any) -> Any:
        field = self._field
        return field.replaced(value1, field.get(value1) + field.get(value2))


class ComparableAggregator(FieldAggregator):
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
        super().__init__(position)
        self.greatest = greatest
        self.whole_element = whole_element
        self.keeps_first = first

    def reduce(self, value1: Any, value2: Any) -> Any:
        field = self._field
        old, new = field.get(value1), field.get(value2)
        better = new > old if self.greatest else new < old
        if self.whole_element:
            return value2 if better or (not self.keeps_first and new == old) else value1
        return field.replaced(value1, new) if better else value1
