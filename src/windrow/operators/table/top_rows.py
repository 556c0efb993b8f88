"""The first rows of each window, in an order (Flink's ``WindowRank``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from windrow.expressions.logical_types import BIGINT
from windrow.operators.table.calc import tuples_of
from windrow.operators.window.whole_windows import WholeWindowFunction, WindowColumns
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    from windrow.elements.shape import Shape

#: Places of fields, each with whether it is descending, and whether NULL comes first.
Order = Sequence[tuple[int, bool, bool]]


class TopRows(WholeWindowFunction):
    """The first tuples of a window with their numbers behind their fields.

    Args:
        order: Places of fields by which tuples are put in order, each with whether it is descending, and whether NULL
            comes first.
        count: How many there are at most; None: all.
        types: The types of the tuples' fields.
    """

    def __init__(self, order: Order, count: int | None, types: Sequence[DataType]) -> None:
        self._order = list(order)
        self._count = count
        self._types = list(types)

    def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
        rows = in_order(list(elements), self._order)
        return [(*row, number) for number, row in enumerate(rows[: self._count], 1)]

    def on_columns(self) -> WindowColumns:
        from windrow.operators.table.top_columns import TopColumns  # imports Arrow

        return TopColumns(self._order, self._count, self._types)

    def shape(self) -> Shape:
        return tuples_of([*self._types, BIGINT.not_null()])


def in_order(rows: list[Any], order: Order) -> list[Any]:
    """Tuples in an order; those that are equal stay in the order they are in.

    Example:
        >>> in_order([(1, "b"), (None, "c"), (2, "a")], [(0, True, False)])
        [(2, 'a'), (1, 'b'), (None, 'c')]
    """
    for place, descending, nulls_first in reversed(order):
        known = [row for row in rows if row[place] is not None]
        nulls = [row for row in rows if row[place] is None]
        # A stable order of equal rows both ways: reverse=True keeps it as well.
        known.sort(key=lambda row, place=place: row[place], reverse=descending)  # type: ignore[misc]
        rows = [*nulls, *known] if nulls_first else [*known, *nulls]
    return rows
