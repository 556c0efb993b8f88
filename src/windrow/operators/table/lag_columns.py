"""``LAG`` on columns: the values of earlier rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from windrow.expressions.logical_types import arrow_of
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.runs import Runs
from windrow.operators.table.column_accumulators import (
    ColumnAccumulator,
    Lives,
    Step,
    Values,
    can_pick,
    dtype_of,
    numbers_of,
    wider,
)
from windrow.operators.table.row_aggregates import RowCall
from windrow.table.data_types import DataType

#: So many rows back at most: as many values are held of each key.
_MOST = 64


class Lagged(ColumnAccumulator):
    """``LAG`` of numbers, times and text: of each slot the last values, as many as it looks back and one."""

    def __init__(self, call: RowCall) -> None:
        super().__init__(call)
        self._offset, default = call.options
        self._width: int = self._offset + 1
        #: Those of a slot behind each other, the last one at the end; of fewer the first ones are none.
        self._held: Array = np.zeros(0, dtype_of(call.type))
        self._is_there: Array = np.zeros(0, np.bool_)
        self._default: Any = None
        if default is not None:
            self._default = numbers_of(pa.array([default], arrow_of(call.type)), call.type)[0]

    def widen(self, size: int) -> None:
        super().widen(size)
        self._held = wider(self._held, size * self._width, None if self._held.dtype.hasobject else 0)
        self._is_there = wider(self._is_there, size * self._width, False)

    def load(self, slots: Longs, states: Sequence[list[Any]]) -> None:
        self.counts[slots] = [len(values) for (values,) in states]
        listed = [value for (values,) in states for value in [*[None] * (self._width - len(values)), *values]]
        column = pa.array(listed, arrow_of(self.call.type))
        places = self._places(slots).ravel()
        self._held[places], self._is_there[places] = numbers_of(column, self.call.type), np.asarray(column.is_valid())

    def states(self, slots: Longs) -> list[list[Any]]:
        places, width = self._places(slots).ravel(), self._width
        listed = Values(self._held[places], self._is_there[places]).array(self.call.type).to_pylist()
        counts = self.counts[slots].tolist()
        return [[listed[(place + 1) * width - count : (place + 1) * width]] for place, count in enumerate(counts)]

    def add(self, lives: Lives, fields: Sequence[pa.Array]) -> Step:
        runs = lives.runs
        column = fields[self.call.arguments[0]]
        is_there = np.asarray(column.is_valid())[runs.order]
        values = numbers_of(column, self.call.type)[runs.order]
        sizes, places = runs.ends - runs.starts + 1, np.arange(values.size)
        within, slots = places - np.repeat(runs.starts, sizes), np.repeat(runs.slots, sizes)
        is_new = within >= self._offset
        new = np.maximum(places - self._offset, 0)
        # So far back from the last value that was held before.
        old = slots * self._width + np.minimum(within + 1, self._offset)
        has_value = is_new | (self._offset - within <= self.counts[slots])
        numbers = np.where(is_new, values[new], self._held[old])
        valid = has_value & np.where(is_new, is_there[new], self._is_there[old])
        if self._default is not None:
            numbers, valid = np.where(has_value, numbers, self._default), valid | ~has_value
        self._hold(runs, values, is_there)
        found = Values(numbers, valid)
        # Of rows in an order: nobody asks what was before.
        return Step(found, found, np.zeros(values.size, np.bool_))

    def _hold(self, runs: Runs, values: Array, is_there: Array) -> None:
        """Let the last values be those of the last rows, behind as many of those before as are left."""
        sizes = (runs.ends - runs.starts + 1)[:, None]
        shifted = sizes + np.arange(self._width)
        is_old = shifted < self._width
        places = self._places(runs.slots)
        old = places[:, :1] + np.minimum(shifted, self._width - 1)
        new = np.where(is_old, 0, runs.starts[:, None] + shifted - self._width)
        held = np.where(is_old, self._held[old], values[new])
        self._is_there[places] = np.where(is_old, self._is_there[old], is_there[new])
        self._held[places] = held
        self.counts[runs.slots] = np.minimum(self.counts[runs.slots] + sizes[:, 0], self._width)

    def _places(self, slots: Longs) -> Longs:
        places: Longs = slots[:, None] * self._width + np.arange(self._width)
        return places


def has_lag(call: RowCall, types: Sequence[DataType]) -> bool:
    """Tell whether a call is a ``LAG`` that has a form on columns.

    Args:
        call: The aggregate.
        types: The types of the rows' fields.
    """
    if call.name != "LAG":
        return False
    offset, default = call.options
    kind = types[call.arguments[0]]
    is_plain = default is None or isinstance(default, int | float | str)
    return type(kind) is type(call.type) and can_pick(kind) and offset <= _MOST and is_plain
