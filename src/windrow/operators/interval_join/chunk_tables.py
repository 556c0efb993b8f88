"""Elements of a side of an interval join as tables of state, and out of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from windrow.elements.columns import Columns
from windrow.elements.shape import Shape
from windrow.operators.column_folds.described import described_shape
from windrow.operators.column_folds.key_index import KeyIndex
from windrow.operators.column_folds.slot_groups import key_array, slots_of_array
from windrow.operators.interval_join.column_buffers import ReadSide
from windrow.operators.interval_join.growing import Longs, are_numbers
from windrow.operators.interval_join.side_columns import SideColumns
from windrow.state.column_page import Array, Table
from windrow.state.kept_columns import Groups


def table_of(side: SideColumns, keys: KeyIndex, of_slots: Groups, places: Longs) -> tuple[Table, Groups]:
    """Some elements of a side by the key groups of their keys, and these."""
    slots = side.slots_at(places)
    groups = of_slots[slots]
    order = np.argsort(groups.astype(np.uint16), kind="stable")
    places, slots, groups = places[order], slots[order], groups[order]
    fields = [_array(side.field(number, places)) for number in range(len(side.shape.types))]
    return Table(key_array(keys, slots), [side.arrivals_at(places), side.times(places), *fields]), groups


class Stored(NamedTuple):
    """A table of elements, and up to which time they are over; None: none is."""

    table: Table
    over: int | None

    def present(self) -> Table:
        """The elements that are not over."""
        return self.table if self.over is None else chosen(self.table, self.table.columns[1] > self.over)


def read_side(
    keys: KeyIndex, shape: Shape, stored: Sequence[Stored], next_arrival: int = 0, expired_to: int | None = None
) -> ReadSide:
    """The elements of tables that are not over, in the order of arrival.

    Args:
        keys: Gives slots to their keys.
        shape: What they are made of.
        stored: What was read.
        next_arrival: The least place that what comes next may have.
        expired_to: Up to which time all that were stored are over.
    """
    if not stored:
        nothing = np.zeros(0, np.int64)
        return ReadSide(
            nothing,
            nothing,
            nothing,
            Columns.of(shape, [pa.array([], kind) for kind in shape.types]),
            next_arrival,
            expired_to,
        )
    next_arrival = max(next_arrival, *(int(each.table.columns[0].max(initial=-1)) + 1 for each in stored))
    tables = [each.present() for each in stored]
    slots = slots_of_array(keys, np.concatenate([table.keys for table in tables]))
    arrivals, times, *fields = (np.concatenate(parts) for parts in zip(*(each.columns for each in tables), strict=True))
    order = np.argsort(arrivals, kind="stable")
    elements = Columns.of(shape, [_column(field[order], of) for field, of in zip(fields, shape.types, strict=True)])
    return ReadSide(slots[order], times[order], arrivals[order], elements, next_arrival, expired_to)


def chosen(table: Table, rows: Any) -> Table:
    """Some rows of a table."""
    return Table(table.keys[rows], [column[rows] for column in table.columns])


def described(shape: Shape) -> tuple[Any, ...] | None:
    """A shape as plain data; None if arrays do not give back exactly what its fields are."""
    return described_shape(shape) if all(map(_is_plain, shape.types)) else None


def _is_plain(of: pa.DataType) -> bool:
    is_text = pa.types.is_string(of) or pa.types.is_large_string(of)
    return are_numbers(of) or is_text or pa.types.is_boolean(of) or pa.types.is_temporal(of)


def _array(values: Any) -> Array:
    """As a table has them: of times their ticks, and objects where one is null."""
    if isinstance(values, np.ndarray):
        return values
    if pa.types.is_temporal(values.type):
        ticks = values.view(pa.int32() if values.type.bit_width == 32 else pa.int64()).cast(pa.int64())
        if not ticks.null_count:
            found: Array = ticks.to_numpy()
            return found
        values = ticks
    return np.fromiter(values.to_pylist(), object, len(values))


def _column(stored: Array, of: pa.DataType) -> pa.Array:
    if not pa.types.is_temporal(of):
        return pa.array(stored, of)
    return pa.array(stored, pa.int64()).cast(pa.int32() if of.bit_width == 32 else pa.int64()).view(of)
