"""Rows of columns in tables by the key groups of their keys: a table for some neighbouring key groups.

There are as many tables as rows ask for: few rows are in one, and where there are many a batch that touches few of them
does not write all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from windrow.state.column_page import Table
from windrow.state.kept_columns import Groups, KeptColumns, Name

#: So many rows a table has, or up to twice as many.
_TABLE_ROWS = 1 << 12


class TablesByGroup:
    """Knows between the batches of an operator how its rows are cut into tables.

    Args:
        section: The name of the tables.
    """

    def __init__(self, section: str) -> None:
        self._section = section
        #: So many key groups that follow each other are in a table; 0: it is not known.
        self.span = 0

    def names(self, columns: KeptColumns) -> list[Name]:
        """Those of its tables that are stored."""
        return [name for name in columns.names if name[0] == self._section]

    def write(
        self,
        columns: KeptColumns,
        description: tuple[Any, ...],
        groups: Groups,
        touched: Groups | None,
        table_of: Callable[[slice], Table],
    ) -> None:
        """Write the tables in which rows have changed.

        Args:
            columns: Where to.
            description: How to read them; the span comes behind it.
            groups: The key groups of all rows, in ascending order.
            touched: Key groups of rows that have changed or are gone; None: any.
            table_of: Gives the rows of a range.
        """
        if not groups.size:
            self.span = 0
            if columns.are_stored():
                columns.clear()
            return
        span = _span(groups)
        if span != self.span:
            touched, self.span = None, span
        present = np.unique(groups // span)
        wanted = present if touched is None else np.intersect1d(present, touched // span)
        names = {(self._section, number) for number in present.tolist()}
        gone = [name for name in self.names(columns) if name not in names]
        if not wanted.size and not gone:
            return
        begins = np.searchsorted(groups, wanted * span).tolist()
        ends = np.searchsorted(groups, (wanted + 1) * span).tolist()
        ranges = [slice(*each) for each in zip(begins, ends, strict=True)]
        changed = [
            ((self._section, number), table_of(rows), groups[rows])
            for number, rows in zip(wanted.tolist(), ranges, strict=True)
        ]
        columns.write((*description, span), changed, gone)


def _span(groups: Groups) -> int:
    """Choose how many key groups a table has: a power of two, so that the number seldom changes."""
    distinct = 1 + int(np.count_nonzero(groups[1:] != groups[:-1]))
    return 1 << (distinct * _TABLE_ROWS // groups.size).bit_length()
