"""Aggregates over the rows before each row, on columns: which rows are in a frame, and what they come to.

Each :class:`FrameCall` stands for an accumulator over rows from which values are taken back (``accumulators.py``). What
an accumulator has seen are the rows in the frame of its key's last row, so they alone are kept; of a sum of floats, in
which what has left still shows, the sum as well.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.runs import Runs, accumulate
from windrow.operators.table.column_accumulators import Summed, Values, column_accumulator, dtype_of, numbers_of, wider
from windrow.operators.table.row_aggregates import RowCall
from windrow.table import data_types as t
from windrow.table.data_types import DataType


class Frames(NamedTuple):
    """The frames of some results: rows, those of one key behind each other by time, and places among them."""

    #: The numbers of rows: of each key those in its last frame so far, then the new ones.
    rows: Longs
    #: For each result where its frame begins and where it is over, where the one before began, and its first new row.
    starts: Longs
    stops: Longs
    previous: Longs
    new: Longs
    #: The results by key.
    runs: Runs


class Argument:
    """The argument of an aggregate, by the numbers of rows: which of them count, and their values as numbers.

    Args:
        call: The aggregate.
        kind: The type of its argument; None: it only counts.
    """

    def __init__(self, call: RowCall, kind: DataType | None) -> None:
        self._places = call.arguments
        self._kind = kind
        self.is_float = isinstance(kind, t.DoubleType)
        self._size = 0
        self.counted: Array = np.zeros(0, np.bool_)
        self.values: Array = np.zeros(0, np.int64 if kind is None else dtype_of(kind))

    def add(self, fields: Sequence[pa.Array]) -> None:
        """Take rows, whose fields are columns."""
        size = len(fields[0])
        stop = self._size + size
        self.counted = wider(self.counted, stop, False)
        counted = np.ones(size, np.bool_)
        for place in self._places:
            if fields[place].null_count:
                counted &= np.asarray(fields[place].is_valid())
        self.counted[self._size : stop] = counted
        if self._kind is not None:
            self.values = wider(self.values, stop, None if self.values.dtype.hasobject else 0)
            self.values[self._size : stop] = numbers_of(fields[self._places[0]], self._kind)
        self._size = stop

    def keep(self, numbers: Longs) -> None:
        """Forget all rows but these."""
        self._size, self.counted = numbers.size, self.counted[numbers]
        if self._kind is not None:
            self.values = self.values[numbers]


class FrameCall(ABC):
    """A call over frames.

    Args:
        call: The aggregate.
        argument: What it is of.
    """

    def __init__(self, call: RowCall, argument: Argument) -> None:
        self.call, self._argument = call, argument

    def widen(self, size: int) -> None:  # noqa: B027
        """Make room for so many slots."""

    def load(self, slots: Longs, states: Sequence[list[Any]]) -> None:  # noqa: B027
        """Go on with the states of accumulators over rows, beside the rows in their frames."""

    def forget(self, slots: Longs) -> None:  # noqa: B027
        """Begin anew."""

    @abstractmethod
    def results(self, frames: Frames) -> Values:
        """The result of each frame."""

    @abstractmethod
    def states(self, slots: Longs, rows: Longs, sizes: Longs) -> list[list[Any]]:
        """The states that accumulators over rows go on with: frames of slots are ``rows``, so many of each."""

    def _counts(self, rows: Longs, starts: Longs, stops: Longs) -> Longs:
        return _sums(self._argument.counted[rows].astype(np.int64), starts, stops)


class CountInFrame(FrameCall):
    """``COUNT``."""

    def results(self, frames: Frames) -> Values:
        return Values(self._counts(frames.rows, frames.starts, frames.stops), None)

    def states(self, slots: Longs, rows: Longs, sizes: Longs) -> list[list[Any]]:
        stops = np.cumsum(sizes)
        return [[count] for count in self._counts(rows, stops - sizes, stops).tolist()]


class SumInFrame(FrameCall):
    """``SUM`` and ``AVG``: of whole numbers what is in the frame, of floats what is there after all that has left."""

    def __init__(self, call: RowCall, argument: Argument) -> None:
        super().__init__(call, argument)
        self._summed = Summed(call)
        # Whether a value was ever added, and of floats the sum: -0.0 and any number are that number.
        self._begun: Array = np.zeros(0, np.bool_)
        self._held: Array = np.zeros(0, np.float64)

    def widen(self, size: int) -> None:
        self._begun, self._held = wider(self._begun, size, False), wider(self._held, size, -0.0)

    def load(self, slots: Longs, states: Sequence[list[Any]]) -> None:
        self._begun[slots] = [total is not None for total, _ in states]
        if self._argument.is_float:
            self._held[slots] = [-0.0 if total is None else total for total, _ in states]

    def forget(self, slots: Longs) -> None:
        self._begun[slots], self._held[slots] = False, -0.0

    def results(self, frames: Frames) -> Values:
        counts = self._counts(frames.rows, frames.starts, frames.stops)
        added = self._added(frames.rows)
        sums = self._running(added, frames) if self._argument.is_float else _sums(added, frames.starts, frames.stops)
        firsts, ends = frames.new[frames.runs.starts], frames.stops[frames.runs.ends]
        self._begun[frames.runs.slots] |= self._counts(frames.rows, firsts, ends) > 0
        return self._summed.results(sums, counts)

    def states(self, slots: Longs, rows: Longs, sizes: Longs) -> list[list[Any]]:
        stops = np.cumsum(sizes)
        counts = self._counts(rows, stops - sizes, stops).tolist()
        if self._argument.is_float:
            sums = self._held[slots]
        else:
            sums = self._summed.wrapped(_sums(self._added(rows), stops - sizes, stops))
        begun = self._begun[slots].tolist()
        return [
            [total if is_begun else None, n] for total, n, is_begun in zip(sums.tolist(), counts, begun, strict=True)
        ]

    def _added(self, rows: Longs) -> Array:
        return np.where(
            self._argument.counted[rows], self._argument.values[rows], -0.0 if self._argument.is_float else 0
        )

    def _running(self, added: Array, frames: Frames) -> Array:
        """Sums of floats as they are added and taken back one after the other: first what leaves, then what comes."""
        leaving, coming = frames.starts - frames.previous, frames.stops - frames.new
        ends = np.cumsum(leaving + coming)
        begin = ends - leaving - coming
        taken = np.where(self._argument.counted[frames.rows], -added, -0.0)
        found = np.empty(int(ends[-1]), np.float64)
        found[places(begin, leaving)] = taken[places(frames.previous, leaving)]
        found[places(begin + leaving, coming)] = added[places(frames.new, coming)]
        runs = frames.runs
        starts = begin[runs.starts]
        with np.errstate(all="ignore"):
            found[starts] = self._held[runs.slots] + found[starts]
            accumulate(np.add, found, Runs(runs.order, starts, ends[runs.ends] - 1, runs.slots))
        sums: Array = found[ends - 1]
        self._held[runs.slots] = sums[runs.ends]
        return sums


class ExtremeInFrame(FrameCall):
    """``MIN`` and ``MAX`` of whole numbers and of times."""

    def __init__(self, call: RowCall, argument: Argument) -> None:
        super().__init__(call, argument)
        limits, is_least = np.iinfo(np.int64), call.name == "MIN"
        self._combine: np.ufunc = np.minimum if is_least else np.maximum
        self._choose = min if is_least else max
        self._beyond = int(limits.max if is_least else limits.min)

    def results(self, frames: Frames) -> Values:
        counts = self._counts(frames.rows, frames.starts, frames.stops)
        values = np.where(self._argument.counted[frames.rows], self._argument.values[frames.rows], self._beyond)
        return Values(_extremes(self._combine, values, frames.starts, frames.stops), counts > 0)

    def states(self, slots: Longs, rows: Longs, sizes: Longs) -> list[list[Any]]:
        found = Values(self._argument.values[rows], self._argument.counted[rows])
        values, begun, made = found.array(self.call.type).to_pylist(), 0, []
        for stop in np.cumsum(sizes).tolist():
            counts: dict[Any, int] = {}
            for value in values[begun:stop]:
                if value is not None:
                    counts[value] = counts.get(value, 0) + 1
            made.append([self._choose(counts) if counts else None, counts])
            begun = stop
        return made


class PickedInFrame(FrameCall):
    """``FIRST_VALUE`` and ``LAST_VALUE`` of numbers, times and text."""

    def results(self, frames: Frames) -> Values:
        counted, places = self._argument.counted[frames.rows], np.arange(frames.rows.size)
        if self.call.name == "LAST_VALUE":
            at = np.maximum.accumulate(np.where(counted, places, -1))[frames.stops - 1]
            is_there = at >= frames.starts
        else:
            at = np.minimum.accumulate(np.where(counted, places, places.size)[::-1])[::-1][frames.starts]
            is_there = at < frames.stops
        return Values(self._argument.values[frames.rows[np.where(is_there, at, 0)]], is_there)

    def states(self, slots: Longs, rows: Longs, sizes: Longs) -> list[list[Any]]:
        found = Values(self._argument.values[rows], self._argument.counted[rows]).array(self.call.type).to_pylist()
        stops = np.cumsum(sizes)
        bounds = zip((stops - sizes).tolist(), stops.tolist(), strict=True)
        return [[[value for value in found[start:stop] if value is not None], []] for start, stop in bounds]


def has_frames(call: RowCall, types: Sequence[DataType]) -> bool:
    """Tell whether a call has a form on columns over frames.

    Args:
        call: The aggregate.
        types: The types of the rows' fields.
    """
    return call.name in _CALLS and not call.distinct and column_accumulator(call, types, retracts=False) is not None


def places(starts: Longs, sizes: Longs) -> Longs:
    """Ranges of numbers one behind the other.

    Example:
        >>> places(np.array([5, 0, 9]), np.array([2, 0, 3])).tolist()
        [5, 6, 9, 10, 11]
    """
    stops = np.cumsum(sizes)
    found: Longs = np.arange(int(stops[-1]) if stops.size else 0) + np.repeat(starts - (stops - sizes), sizes)
    return found


def _sums(added: Longs, starts: Longs, stops: Longs) -> Longs:
    """The sums of ranges; they wrap around at 64 bits."""
    sums = np.zeros(added.size + 1, np.int64)
    np.cumsum(added, out=sums[1:])
    found: Longs = sums[stops] - sums[starts]
    return found


def _extremes(combine: np.ufunc, values: Longs, starts: Longs, stops: Longs) -> Longs:
    """The least or greatest values of ranges, none of which is empty: of two that are as long as a power of two."""
    levels = np.frexp(stops - starts)[1] - 1
    found, table = np.empty_like(starts), values
    for level in range(int(levels.max()) + 1):
        if level:
            half = 1 << (level - 1)
            table = combine(table[:-half], table[half:])
        at = np.flatnonzero(levels == level)
        found[at] = combine(table[starts[at]], table[stops[at] - (1 << level)])
    return found


def frame_call(call: RowCall, argument: Argument) -> FrameCall:
    """A call over frames, which has a form on columns.

    Args:
        call: The aggregate.
        argument: What it is of.
    """
    return _CALLS[call.name](call, argument)


_CALLS: dict[str, type[FrameCall]] = {
    "COUNT": CountInFrame,
    **dict.fromkeys(("SUM", "SUM0", "AVG"), SumInFrame),
    **dict.fromkeys(("MIN", "MAX"), ExtremeInFrame),
    **dict.fromkeys(("FIRST_VALUE", "LAST_VALUE"), PickedInFrame),
}
