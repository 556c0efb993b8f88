"""Aggregates of groups on columns: what an accumulator has after each row of its group, and before it.

Each stands for an accumulator over rows (``accumulators.py``): it takes its state over, and gives it back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pyarrow as pa

from windrow.expressions.logical_types import arrow_of, is_integer, is_temporal
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.result_form import objects_of
from windrow.operators.column_folds.runs import Runs, accumulate
from windrow.operators.table.row_aggregates import BITS, RowCall
from windrow.table import data_types as t
from windrow.table.data_types import DataType


class Values(NamedTuple):
    """The results of a call for some rows: numbers, or objects that are text.

    Where ``valid`` is false they are NULL; None is nowhere.
    """

    numbers: Array
    valid: Array | None

    def array(self, kind: DataType) -> pa.Array:
        """As a column of a type."""
        wanted = arrow_of(kind)
        mask = None if self.valid is None else ~self.valid
        if self.numbers.dtype.hasobject:
            return pa.array(self.numbers, wanted, mask=mask)
        made = pa.array(self.numbers, mask=mask)
        if pa.types.is_date32(wanted) or pa.types.is_time32(wanted):
            made = made.cast(pa.int32())
        return made.cast(wanted)


class Step(NamedTuple):
    """The values of a call before and behind each row, in the order of runs, and where they differ."""

    before: Values
    behind: Values
    differs: Array


class Lives(NamedTuple):
    """Rows of groups as runs. A group that loses its last row and gets another has two of them."""

    runs: Runs
    #: Which runs begin with the first row of a group.
    are_new: Array
    #: Of each row, in the order of runs, 1, or -1 if it takes another back; None: none does.
    signs: Longs | None
    #: Behind which rows, in the order of runs, the group has none any more; None: behind none.
    are_over: Array | None

    def held(self, values: Array, beginning: Any) -> Array:
        """The values that runs begin with.

        Args:
            values: What there is, by slot.
            beginning: What a group begins with.
        """
        found = values[self.runs.slots]
        if self.signs is not None:
            found[self.are_new] = beginning
        return found


class ColumnAccumulator(ABC):
    """A call of all groups: arrays by the slots of their keys.

    Args:
        call: The aggregate.
    """

    #: Which one of the aggregates of :class:`~windrow.operators.column_folds.result_form.GroupForm` it is.
    kind: ClassVar[str] = "value"

    def __init__(self, call: RowCall) -> None:
        self.call = call
        #: How many values have counted.
        self.counts: Longs = np.zeros(0, np.int64)

    def widen(self, size: int) -> None:
        """Make room for so many slots."""
        self.counts = wider(self.counts, size, 0)

    @abstractmethod
    def load(self, slots: Longs, states: Sequence[list[Any]]) -> None:
        """Go on with the states of accumulators over rows."""

    def arrays(self) -> list[Array]:
        """The values that there are, by slot, in the form of such an aggregate."""
        return [self.counts]

    def stored(self) -> list[Array]:
        """The arrays that are stored in place of :meth:`arrays`."""
        return self.arrays()

    def put(self, slots: Longs, stored: Iterator[Array]) -> None:
        """Go on with what :meth:`stored` has given for these slots: as many arrays are taken."""
        for mine in self.arrays():
            mine[slots] = next(stored)

    @abstractmethod
    def states(self, slots: Longs) -> list[list[Any]]:
        """The states that accumulators over rows go on with."""

    @abstractmethod
    def add(self, lives: Lives, fields: Sequence[pa.Array]) -> Step:
        """Take some rows, whose fields are columns."""

    def _counted(self, fields: Sequence[pa.Array]) -> Array:
        """A mask of the rows that count, in their order."""
        counted = np.ones(len(fields[0]), np.bool_)
        for place in self.call.arguments:
            if fields[place].null_count:
                counted &= np.asarray(fields[place].is_valid())
        if self.call.filter is not None:
            counted &= np.asarray(fields[self.call.filter].fill_null(False))
        return counted

    def _count(self, lives: Lives, counted: Array) -> tuple[Longs, Longs]:
        """Count rows up to each one, without it and with it; ``counted`` is in the order of runs."""
        added = counted.astype(np.int64) if lives.signs is None else counted * lives.signs
        found = running_sums(added, lives.held(self.counts, 0), lives.runs)
        self.counts[lives.runs.slots] = found[lives.runs.ends]
        return found - added, found


class Counted(ColumnAccumulator):
    """``COUNT``."""

    kind = "count"

    def load(self, slots: Longs, states: Sequence[list[Any]]) -> None:
        self.counts[slots] = [state[0] for state in states]

    def states(self, slots: Longs) -> list[list[Any]]:
        return [[count] for count in self.counts[slots].tolist()]

    def add(self, lives: Lives, fields: Sequence[pa.Array]) -> Step:
        counted = self._counted(fields)[lives.runs.order]
        before, found = self._count(lives, counted)
        return Step(Values(before, None), Values(found, None), counted)


class Summed(ColumnAccumulator):
    """``SUM`` and ``AVG`` of whole numbers, which wrap around as Java's do, and of DOUBLE, added in their order."""

    kind = "sum"

    def __init__(self, call: RowCall) -> None:
        super().__init__(call)
        self._is_whole = is_integer(call.type)
        # -0.0 and any number are that number.
        self._zero: Any = 0 if self._is_whole else -0.0
        self._sums: Array = np.zeros(0, np.int64 if self._is_whole else np.float64)

    def widen(self, size: int) -> None:
        super().widen(size)
        self._sums = wider(self._sums, size, self._zero)

    def load(self, slots: Longs, states: Sequence[list[Any]]) -> None:
        self._sums[slots] = [self._zero if state[0] is None else state[0] for state in states]
        self.counts[slots] = [state[1] for state in states]

    def arrays(self) -> list[Array]:
        return [self._sums, self.counts]

    def stored(self) -> list[Array]:
        return [self.wrapped(self._sums), self.counts]

    def states(self, slots: Longs) -> list[list[Any]]:
        pairs = zip(self.wrapped(self._sums[slots]).tolist(), self.counts[slots].tolist(), strict=True)
        # Of values that were taken back and had never come something may be left.
        return [[total if count or total else None, count] for total, count in pairs]

    def add(self, lives: Lives, fields: Sequence[pa.Array]) -> Step:
        runs = lives.runs
        counted = self._counted(fields)[runs.order]
        column = fields[self.call.arguments[0]].cast(pa.int64() if self._is_whole else pa.float64())
        added = np.where(counted, np.asarray(column.fill_null(0))[runs.order], self._zero)
        if lives.signs is not None:
            added = added * lives.signs
        held = lives.held(self._sums, self._zero)
        if self._is_whole:
            sums = running_sums(added, held, runs)
            before = sums - added
        else:
            sums, before = _running(np.add, added, held, runs)
        self._sums[runs.slots] = sums[runs.ends]
        counts_before, counts = self._count(lives, counted)
        old, new = self.results(before, counts_before), self.results(sums, counts)
        differs = _differ(old, new)
        # A sum to which nothing was added is the same, though it may be NaN; a quotient is computed anew.
        return Step(old, new, differs & counted if self.call.name != "AVG" else differs)

    def results(self, sums: Array, counts: Longs) -> Values:
        valid = counts != 0
        if self.call.name == "SUM0":
            return Values(np.where(valid, self.wrapped(sums), 0), None)
        if self.call.name == "SUM":
            return Values(self.wrapped(sums), valid)
        divisors = np.where(valid, counts, 1)
        if not self._is_whole:
            return Values(sums / divisors, valid)
        sums = self.wrapped(sums)
        with np.errstate(all="ignore"):
            quotients = sums // divisors
        quotients += (quotients < 0) & (quotients * divisors != sums)
        return Values(lowest_bits(quotients, self.call.type), valid)

    def wrapped(self, sums: Array) -> Array:
        """Within the type of sums: its lowest bits."""
        return lowest_bits(sums, self.call.type_of_sum) if self._is_whole else sums


class Extreme(ColumnAccumulator):
    """``MIN`` and ``MAX`` of whole numbers and of times, which are whole numbers as well."""

    def __init__(self, call: RowCall) -> None:
        super().__init__(call)
        limits, is_least = np.iinfo(np.int64), call.name == "MIN"
        self._combine: np.ufunc = np.minimum if is_least else np.maximum
        self._beyond = int(limits.max if is_least else limits.min)
        self._best: Longs = np.zeros(0, np.int64)

    def widen(self, size: int) -> None:
        super().widen(size)
        self._best = wider(self._best, size, self._beyond)

    def load(self, slots: Longs, states: Sequence[list[Any]]) -> None:
        values = pa.array([state[0] for state in states], arrow_of(self.call.type))
        self.counts[slots] = np.asarray(values.is_valid())
        self._best[slots] = np.asarray(ticks(values).fill_null(self._beyond))

    def arrays(self) -> list[Array]:
        return [self._best, self.counts]

    def states(self, slots: Longs) -> list[list[Any]]:
        found = objects_of(self._best[slots], self.counts[slots] > 0, arrow_of(self.call.type))
        return [[value] for value in found]

    def add(self, lives: Lives, fields: Sequence[pa.Array]) -> Step:
        runs = lives.runs
        counted = self._counted(fields)[runs.order]
        if lives.signs is not None:
            counted &= lives.signs > 0  # the value that comes instead counts
        column = ticks(fields[self.call.arguments[0]])
        added = np.where(counted, np.asarray(column.fill_null(0))[runs.order], self._beyond)
        best, before = _running(self._combine, added, lives.held(self._best, self._beyond), runs)
        self._best[runs.slots] = best[runs.ends]
        counts_before, counts = self._count(lives, counted)
        old, new = Values(before, counts_before > 0), Values(best, counts > 0)
        return Step(old, new, _differ(old, new))


class Picked(ColumnAccumulator):
    """``FIRST_VALUE`` and ``LAST_VALUE`` of numbers, times and text."""

    def __init__(self, call: RowCall) -> None:
        super().__init__(call)
        self._picked: Array = np.zeros(0, dtype_of(call.type))

    def widen(self, size: int) -> None:
        super().widen(size)
        self._picked = wider(self._picked, size, None if self._picked.dtype.hasobject else 0)

    def load(self, slots: Longs, states: Sequence[list[Any]]) -> None:
        values = pa.array([state[0] for state in states], arrow_of(self.call.type))
        self.counts[slots] = np.asarray(values.is_valid())
        self._picked[slots] = numbers_of(values, self.call.type)

    def arrays(self) -> list[Array]:
        return [self._picked, self.counts]

    def states(self, slots: Longs) -> list[list[Any]]:
        found = objects_of(self._picked[slots], self.counts[slots] > 0, arrow_of(self.call.type))
        return [[value] for value in found]

    def add(self, lives: Lives, fields: Sequence[pa.Array]) -> Step:
        runs = lives.runs
        counted = self._counted(fields)[runs.order]
        added = numbers_of(fields[self.call.arguments[0]], self.call.type)[runs.order]
        held = self._picked[runs.slots]
        counts_before, counts = self._count(lives, counted)
        # The place of the row whose value counts at each place; before the run, where it is that of a row before.
        places = np.where(counted, np.arange(counted.size), -1)
        begin = np.repeat(runs.starts, runs.ends - runs.starts + 1)
        if self.call.name == "FIRST_VALUE":
            counted = counted & (counts == 1)
            places = np.where(counted, places, -1)
        latest = np.maximum.accumulate(places)
        of_runs = np.repeat(np.arange(runs.slots.size), runs.ends - runs.starts + 1)
        found = np.where(latest >= begin, added[np.maximum(latest, 0)], held[of_runs])
        before = np.empty_like(found)
        before[1:] = found[:-1]
        before[runs.starts] = held
        self._picked[runs.slots] = found[runs.ends]
        old, new = Values(before, counts_before > 0), Values(found, counts > 0)
        # Only a value that came makes a difference: NaN that stays is the same.
        return Step(old, new, _differ(old, new) & counted)


def column_accumulator(call: RowCall, types: Sequence[DataType], *, retracts: bool) -> ColumnAccumulator | None:
    """The same as the accumulator over rows, on columns; None: there is none.

    Args:
        call: The aggregate.
        types: The types of the rows' fields.
        retracts: Whether rows may be taken back.
    """
    if call.name == "COUNT" and not call.distinct:
        return Counted(call)
    if len(call.arguments) != 1:
        return None
    kind = types[call.arguments[0]]
    is_same = type(kind) is type(call.type)
    if call.name in ("MIN", "MAX") and is_same and (is_integer(kind) or is_temporal(kind)):
        return None if retracts and (call.distinct or not call.grows) else Extreme(call)
    # What was added to a float is not there any more when it is taken back, if others were added since.
    can_add = is_integer(kind) or (isinstance(kind, t.DoubleType) and not retracts)
    if call.name in ("FIRST_VALUE", "LAST_VALUE") and is_same and can_pick(kind) and not call.distinct:
        return None if retracts else Picked(call)
    if call.name in ("SUM", "SUM0", "AVG") and is_same and can_add and not call.distinct:
        return Summed(call)
    return None


def lowest_bits(numbers: Longs, kind: DataType) -> Longs:
    """Whole numbers within a type, as they wrap around there.

    Example:
        >>> lowest_bits(np.array([127, 128, -129]), t.TinyIntType()).tolist()
        [127, -128, 127]
    """
    bits = BITS[type(kind)]
    half = np.int64(1) << (bits - 1)
    return numbers if bits == 64 else ((numbers + half) & (2 * half - 1)) - half


def lives_of(runs: Runs, signs: Longs, rows: Longs) -> Lives:
    """The runs of rows some of which take back others.

    Args:
        runs: The runs by slot.
        signs: Of each row, in their order, 1, or -1 if it takes another back.
        rows: How many rows its group has then.

    Example:
        >>> runs = Runs(np.arange(4), np.array([0, 3]), np.array([2, 3]), np.array([0, 1]))
        >>> lives = lives_of(runs, np.array([1, -1, 1, 1]), np.array([1, 0, 1, 5]))
        >>> lives.runs.starts.tolist(), lives.runs.ends.tolist(), lives.runs.slots.tolist(), lives.are_new.tolist()
        ([0, 2, 3], [1, 2, 3], [0, 0, 1], [True, True, False])
    """
    are_over = rows == 0
    is_end = are_over.copy()
    is_end[runs.ends] = True
    ends = np.flatnonzero(is_end)
    starts = np.concatenate([[0], ends[:-1] + 1])
    slots = runs.slots[np.searchsorted(runs.ends, starts)]
    return Lives(Runs(runs.order, starts, ends, slots), rows[starts] == signs[starts], signs, are_over)


def running_sums(added: Longs, held: Longs, runs: Runs) -> Longs:
    """Sum what is held of each run and all that is added up to each place; sums wrap around at 64 bits.

    Example:
        >>> runs = Runs(np.arange(3), np.array([0, 2]), np.array([1, 2]), np.array([0, 1]))
        >>> running_sums(np.array([1, 2, 3]), np.array([10, 20]), runs).tolist()
        [11, 13, 23]
    """
    sums = np.cumsum(added)
    begun = held - (sums[runs.starts] - added[runs.starts])
    found: Longs = sums + np.repeat(begun, runs.ends - runs.starts + 1)
    return found


def _running(combine: np.ufunc, added: Array, held: Array, runs: Runs) -> tuple[Array, Array]:
    """Combine what is held of each run with all that is added up to each place, with it and without it."""
    found = added.copy()
    with np.errstate(all="ignore"):
        found[runs.starts] = combine(held, added[runs.starts])
        accumulate(combine, found, runs)
    before = np.empty_like(found)
    before[1:] = found[:-1]
    before[runs.starts] = held
    return found, before


def _differ(old: Values, new: Values) -> Array:
    differ: Array = old.numbers != new.numbers
    if new.valid is None or old.valid is None:
        return differ
    found: Array = (old.valid != new.valid) | (new.valid & differ)
    return found


def ticks(column: pa.Array) -> pa.Array:
    """Whole numbers of numbers and of times."""
    if pa.types.is_date32(column.type) or pa.types.is_time32(column.type):
        column = column.cast(pa.int32())
    return column.cast(pa.int64())


def can_pick(kind: DataType) -> bool:
    """Tell whether values of a type have a form here: whole numbers, DOUBLE, times, text."""
    return is_integer(kind) or is_temporal(kind) or isinstance(kind, t.DoubleType | t.CharType | t.VarCharType)


def dtype_of(kind: DataType) -> Any:
    """NumPy's type of what :func:`numbers_of` gives."""
    if isinstance(kind, t.CharType | t.VarCharType):
        return np.object_
    return np.float64 if isinstance(kind, t.DoubleType) else np.int64


def numbers_of(column: pa.Array, kind: DataType) -> Array:
    """Numbers of numbers and of times, objects of text; in place of NULL is anything."""
    dtype = dtype_of(kind)
    if dtype is np.object_:
        return np.array(column.to_pylist(), np.object_)
    return np.asarray((column.cast(pa.float64()) if dtype is np.float64 else ticks(column)).fill_null(0))


def wider(values: Array, size: int, beginning: Any) -> Array:
    """With room for so many slots, each new one with what it begins with."""
    if size <= values.size:
        return values
    found = np.full(max(size, 2 * values.size, 1024), beginning, values.dtype)
    found[: values.size] = values
    return found
