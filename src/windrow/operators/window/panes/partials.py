"""Partial results by pane and key: arrays in which each row is a pane and each column the slot of a key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from windrow.operators.column_folds.choosing import NEVER, Choosing
from windrow.operators.column_folds.field_fold import Array, FieldFold, Longs
from windrow.operators.column_folds.radix import stable_order

#: The last number of 16 bits, which are sorted by radix.
_LAST = (1 << 16) - 1


class Row(NamedTuple):
    """The partial results of one pane, or of several panes that follow each other, by slot."""

    #: When the first element of the key came, in the order of arrival; NEVER if there is none.
    first: Longs
    #: When the last one came; -1 if there is none. An empty array where no fold asks for it.
    last: Longs
    #: The values of each fold; an empty array for ``key``.
    fields: list[Array]


class Partials:
    """Rows of partial results, all of one width, in one array for each field.

    Args:
        folds: What becomes of each field.
        needs_last: Whether rows are merged by the order in which their last elements came.
        width: The number of slots.
    """

    def __init__(self, folds: Sequence[FieldFold], *, needs_last: bool, width: int = 1024) -> None:
        self.folds = folds
        self._choosing = Choosing.of(folds)
        self.width = width
        #: For how many rows and slots there is something.
        self.entries = 0
        self._needs_last = needs_last
        self._free: list[int] = []
        self._rows = 0
        self._first = self._made(0, np.dtype(np.int64), NEVER)
        self._last = self._made(0, np.dtype(np.int64), -1, wanted=needs_last)
        self._fields = [self._made(0, fold.dtype, fold.identity, wanted=fold.kind != "key") for fold in folds]

    def new_row(self) -> int:
        """The number of a row in which nothing is yet."""
        if not self._free:
            self._resize(max(4, 2 * self._rows), self.width)
        return self._free.pop()

    def release(self, row: int) -> None:
        """Empty a row, which is given out again."""
        self.entries -= int(np.count_nonzero(self._first[row] != NEVER))
        self._first[row] = NEVER
        if self._needs_last:
            self._last[row] = -1
        for fold, values in zip(self.folds, self._fields, strict=True):
            # What is there of a first or a last value is not looked at; an object would be held.
            if values.size and (fold.kind not in ("first", "last", "chosen") or fold.dtype.hasobject):
                values[row] = fold.identity
        self._free.append(row)

    def forget(self, row: int, slots: Longs) -> None:
        """Empty slots of a row."""
        self.entries -= int(np.count_nonzero(self._first[row, slots] != NEVER))
        self._first[row, slots] = NEVER
        if self._needs_last:
            self._last[row, slots] = -1
        for fold, values in zip(self.folds, self._fields, strict=True):
            if values.size:
                values[row, slots] = fold.identity

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return sum(array.nbytes for array in (self._first, self._last, *self._fields))

    def columns(self, row: int, slots: Longs) -> list[Array]:
        """Give what is in some slots of a row: the places of first and last elements, and the values of each fold."""
        whole = self.row(row)
        return [column[slots] for column in (whole.first, whole.last, *whole.fields) if column.size]

    def put(self, row: int, slots: Longs, columns: Sequence[Array]) -> None:
        """Have in slots in which nothing is yet what :meth:`columns` has given."""
        whole = self.row(row)
        for target, column in zip(
            [target for target in (whole.first, whole.last, *whole.fields) if target.size], columns, strict=True
        ):
            target[slots] = column
        self.entries += slots.size

    def row(self, row: int) -> Row:
        """Give what is in a row: views, not copies."""
        last = self._last[row] if self._needs_last else self._last[:0]
        return Row(self._first[row], last, [values[row] if values.size else values for values in self._fields])

    def empty(self) -> Row:
        """A row in which nothing is."""
        width = self.width
        last = np.full(width if self._needs_last else 0, -1, np.int64)
        fields = [np.full(0 if fold.kind == "key" else width, fold.identity, fold.dtype) for fold in self.folds]
        return Row(np.full(width, NEVER, np.int64), last, fields)

    def add(self, places: Longs, sequence: Longs, inputs: Sequence[Array | None]) -> None:
        """Combine elements with what is at their places.

        Args:
            places: row times width plus slot, for each element in the order of arrival.
            sequence: the elements' places in the order of arrival.
            inputs: a column for each fold; None where none is needed.
        """
        first = self._first.reshape(-1)
        is_fresh = first[places] == NEVER
        fresh = np.flatnonzero(is_fresh)
        # Of several for one place the first one stays, because it is written last.
        fresh = fresh[::-1]
        fresh_places = places[fresh]
        came = sequence[fresh]
        first[fresh_places] = came
        self.entries += int(np.count_nonzero(first[fresh_places] == came))
        for fold, values, added in zip(self.folds, self._fields, inputs, strict=True):
            if fold.kind == "first":
                assert added is not None, "a first value is a value"
                values.reshape(-1)[fresh_places] = added[fresh]
            elif fold.kind != "key":
                fold.add(values.reshape(-1), places, added)
        if self._choosing is not None:
            held = [values.reshape(-1) for values in self._fields]
            self._choosing.add(held, places, is_fresh, sequence, inputs)
        if self._needs_last:
            self._last.reshape(-1)[places] = sequence

    def at(self, rows: Sequence[int], slot: int) -> list[Any] | None:
        """The values of one slot in some rows together, as Python's; None if there are none.

        Of rows with elements that came at one place the first has the first value, and the last one the last.
        """
        first = self._first[rows, slot]
        if not first.size or int(first.min()) == NEVER:
            return None
        values: list[Any] = []
        chosen = 0
        if self._choosing is not None:
            keys, came = (self._fields[number][rows, slot].tolist() for number in self._choosing[:2])
            chosen = self._choosing.best(keys, came)
        for fold, field in zip(self.folds, self._fields, strict=True):
            column = field[rows, slot].tolist() if field.size else []
            match fold.kind:
                case "sum" | "count":
                    # Of floats that are in several rows nobody asks: their sum depends on the order of elements.
                    values.append(column[0] if len(column) == 1 else sum(column))
                case "min":
                    values.append(min(column))
                case "max":
                    values.append(max(column))
                case "first":
                    values.append(column[int(first.argmin())])
                case "chosen" | "least" | "greatest" | "came":
                    values.append(column[chosen])
                case "last":
                    values.append(column[-1 - int(self._last[rows, slot][::-1].argmax()) if self._needs_last else 0])
                case _:
                    values.append(None)
        return values

    def copy(self, row: Row) -> Row:
        """A row of its own."""
        return Row(row.first.copy(), row.last.copy(), [values.copy() for values in row.fields])

    def merged(self, earlier: Row, later: Row) -> Row:
        """A row of its own out of ``earlier`` and ``later``, whose panes come behind those of ``earlier``."""
        comes_first = comes_last = None
        fields: list[Array] = []
        for fold, values, others in zip(self.folds, earlier.fields, later.fields, strict=True):
            match fold.kind:
                case "sum" | "count":
                    fields.append(np.add(values, others))
                case "min":
                    fields.append(np.minimum(values, others))
                case "max":
                    fields.append(np.maximum(values, others))
                case "first":
                    comes_first = later.first < earlier.first if comes_first is None else comes_first
                    fields.append(np.where(comes_first, others, values))
                case "last":
                    comes_last = later.last >= earlier.last if comes_last is None else comes_last
                    fields.append(np.where(comes_last, others, values))
                case _:
                    fields.append(values.copy())
        if self._choosing is not None:
            self._choosing.merge_into(fields, later.fields)
        last = np.maximum(earlier.last, later.last) if self._needs_last else earlier.last
        return Row(np.minimum(earlier.first, later.first), last, fields)

    def greatest(self, field: int) -> int:
        """A bound on the magnitude of a sum over all rows, whatever slot."""
        values = self._fields[field]
        if not self._rows:
            return 0
        most, least = values.max(axis=1).tolist(), values.min(axis=1).tolist()
        return sum(max(abs(a), abs(b)) for a, b in zip(most, least, strict=True))

    def present(self) -> npt.NDArray[np.bool_]:
        """Tell of each slot whether it has something in any row."""
        there: npt.NDArray[np.bool_] = (self._first != NEVER).any(axis=0)
        return there

    def widen(self, width: int) -> None:
        """Make room for more slots."""
        self._resize(self._rows, width)

    def keep(self, slots: Longs, width: int) -> None:
        """Keep what is in ``slots`` only, which become 0, 1, and so on."""
        self._first = self._first[:, slots]
        self._last = self._last[:, slots] if self._needs_last else self._last
        self._fields = [values[:, slots] if values.size else values for values in self._fields]
        self.width = slots.size
        self._resize(self._rows, width)

    def _resize(self, rows: int, width: int) -> None:
        before, self.width = self.width, width
        old_first, old_last, old_fields = self._first, self._last, self._fields
        self._first = self._made(rows, np.dtype(np.int64), NEVER)
        self._first[: self._rows, :before] = old_first
        self._last = self._made(rows, np.dtype(np.int64), -1, wanted=self._needs_last)
        if self._needs_last:
            self._last[: self._rows, :before] = old_last
        self._fields = []
        for fold, old in zip(self.folds, old_fields, strict=True):
            made = self._made(rows, fold.dtype, fold.identity, wanted=fold.kind != "key")
            if fold.kind != "key":
                made[: self._rows, :before] = old
            self._fields.append(made)
        self._free[:0] = range(rows - 1, self._rows - 1, -1)
        self._rows = rows

    def _made(self, rows: int, dtype: np.dtype[Any], value: Any, *, wanted: bool = True) -> Array:
        return np.full((rows, self.width) if wanted else (0, 0), value, dtype)


def in_order_of_arrival(first: Longs, beyond: int = NEVER) -> Longs:
    """The slots whose keys have a first element, which came at the place in ``first``, in the order of these places.

    All these places are before ``beyond``.

    Example:
        >>> in_order_of_arrival(np.array([NEVER, 7, NEVER, 3])).tolist()
        [3, 1]
    """
    least = int(first.min(initial=NEVER))
    if least < beyond <= least + _LAST < NEVER:
        # Those without are behind all others.
        distances = np.minimum(first, least + _LAST).astype(np.uint16) - np.uint16(least & _LAST)
        order: Longs = np.argsort(distances, kind="stable")
        return order[: order.size - int(np.count_nonzero(distances == _LAST))]
    slots = np.flatnonzero(first != NEVER)
    return slots if slots.size < 2 else slots.take(stable_order(first.take(slots)))
