"""Rows that an operator keeps for later, as columns."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from windrow.operators.column_folds.field_fold import Longs

#: Parts that have at most so many times the rows that are wanted, and so many bytes, are joined to take these.
_SPARSE = 4
_LARGE = 1 << 29
#: How many rows a part has when others are forgotten.
_PART = 1 << 16


class HeldRows:
    """Rows with numbers, in the order in which they came.

    Args:
        schema: What they are made of.

    Example:
        >>> rows = HeldRows(pa.schema([("f0", pa.int64())]))
        >>> for numbers in [10, 11], [12]:
        ...     rows.add(pa.record_batch([pa.array(numbers)], schema=rows.schema))
        >>> rows.take(np.array([2, 0])).column(0).to_pylist()
        [12, 10]
        >>> rows.keep(np.array([1, 2]))
        >>> rows.count, rows.take(np.array([0])).column(0).to_pylist()
        (2, [11])
    """

    def __init__(self, schema: pa.Schema) -> None:
        self.schema = schema
        #: How many there are: the number of the next one.
        self.count = 0
        self._parts: list[pa.RecordBatch] = []
        self._starts: list[int] = []

    def add(self, rows: pa.RecordBatch) -> None:
        """Take rows behind the others."""
        if rows.num_rows:
            self._parts.append(rows)
            self._starts.append(self.count)
            self.count += rows.num_rows

    def take(self, numbers: Longs) -> pa.RecordBatch:
        """The rows with these numbers, in this order."""
        if not numbers.size:
            return pa.RecordBatch.from_pylist([], self.schema)
        starts = np.array(self._starts)
        first, last = np.searchsorted(starts, [int(numbers.min()), int(numbers.max())], "right").tolist()
        begin = self._starts[first - 1]
        if first == last:
            return self._parts[first - 1].take(pa.array(numbers - begin))
        parts = self._parts[first - 1 : last]
        size = sum(part.num_rows for part in parts)
        if size <= _SPARSE * numbers.size and sum(part.nbytes for part in parts) <= _LARGE:
            return _joined(parts).take(pa.array(numbers - begin))
        of_parts = np.searchsorted(starts, numbers, "right") - 1
        order = np.argsort(of_parts, kind="stable")
        ends = np.flatnonzero(np.diff(of_parts[order], append=-1)) + 1
        taken, begun = [], 0
        for end in ends.tolist():
            chosen = numbers[order[begun:end]]
            part = int(of_parts[order[begun]])
            taken.append(self._parts[part].take(pa.array(chosen - self._starts[part])))
            begun = end
        back = np.empty_like(order)
        back[order] = np.arange(order.size)
        return _joined(taken).take(pa.array(back))

    def keep(self, numbers: Longs) -> None:
        """Forget all rows but these, whose numbers rise: they are 0, 1, and so on from now on."""
        kept = [self.take(numbers[start : start + _PART]) for start in range(0, numbers.size, _PART)]
        self.count, self._parts, self._starts = 0, [], []
        for part in kept:
            self.add(part)


def _joined(parts: list[pa.RecordBatch]) -> pa.RecordBatch:
    (joined,) = pa.Table.from_batches(parts).combine_chunks().to_batches()
    return joined
