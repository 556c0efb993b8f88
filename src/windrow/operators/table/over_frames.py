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
from windrow.operators.table.column_accumulators import Summed, Values, column_accumulator, ticks, wider
from windrow.operators.table.row_aggregates import RowCall
from windrow.table import data_types as t
from windrow.table.data_types import DataType

_LEAST = -(2**63)
#: Times of some runs together take less than so many numbers, or are numbered.
_SPAN = 1 << 62


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
    """What an aggregate is of, by the numbers of rows: which rows count, and numbers.

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
        self.values: Array = np.zeros(0, np.float64 if self.is_float else np.int64)

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
            column = fields[self._places[0]]
            numbers = column.cast(pa.float64()) if self.is_float else ticks(column)
            self.values = wider(self.values, stop, 0)
            self.values[self._size : stop] = np.asarray(numbers.fill_null(0))
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
        """What each frame comes to."""

    @abstractmethod
    def states(self, slots: Longs, rows: Longs, sizes: Longs) -> list[list[Any]]:
        """What accumulators over rows go on with, of slots whose frames are ``rows``, so many of each."""

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


class OverFrames:
    """The frames of keys: the rows in that of each key's last row, by the slots of keys.

    Args:
        calls: The aggregates.
        types: The types of the rows' fields.
        by_rows: Whether a frame is of so many rows; else of so many milliseconds.
        preceding: How many rows before a row are in its frame, or milliseconds.
    """

    def __init__(self, calls: Sequence[RowCall], types: Sequence[DataType], *, by_rows: bool, preceding: int) -> None:
        self._by_rows, self._preceding = by_rows, preceding
        arguments: dict[tuple[int, ...], Argument] = {}
        self._calls: list[FrameCall] = []
        for call in calls:
            kind = None if call.name == "COUNT" else types[call.arguments[0]]
            argument = arguments.setdefault(
                (*call.arguments, -1) if kind is None else call.arguments, Argument(call, kind)
            )
            self._calls.append(_CALLS[call.name](call, argument))
        self._arguments = list(arguments.values())
        #: By slot where in ``_held`` its rows begin, and how many there are.
        self._starts: Longs = np.zeros(0, np.int64)
        self._sizes: Longs = np.zeros(0, np.int64)
        self._held: Longs = np.zeros(0, np.int64)
        self._used = 0
        #: How many rows are in frames.
        self.count = 0

    def widen(self, size: int) -> None:
        """Make room for so many slots."""
        self._starts, self._sizes = wider(self._starts, size, 0), wider(self._sizes, size, 0)
        for call in self._calls:
            call.widen(size)

    def add(self, fields: Sequence[pa.Array]) -> None:
        """Take rows, whose fields are columns."""
        for argument in self._arguments:
            argument.add(fields)

    def load(self, slots: Longs, rows: Longs, sizes: Longs, states: Sequence[Sequence[list[Any]]]) -> None:
        """Go on with frames of so many of ``rows`` each, and with the states of accumulators over rows."""
        self._hold(slots, rows, sizes)
        for number, call in enumerate(self._calls):
            call.load(slots, [each[number] for each in states])

    def forget(self, slots: Longs) -> None:
        """Begin anew."""
        self.count -= int(self._sizes[slots].sum())
        self._sizes[slots] = 0
        for call in self._calls:
            call.forget(slots)

    def rows(self, slots: Longs) -> tuple[Longs, Longs]:
        """The rows in the frames of some slots, one behind the other, and how many of each."""
        sizes = self._sizes[slots]
        return self._held[places(self._starts[slots], sizes)], sizes

    def states(self, slots: Longs) -> list[list[list[Any]]]:
        """For each call what accumulators over rows go on with."""
        rows, sizes = self.rows(slots)
        return [call.states(slots, rows, sizes) for call in self._calls]

    def all_rows(self) -> Longs:
        """The rows in all frames."""
        return self.rows(np.flatnonzero(self._sizes))[0]

    def keep(self, numbers: Longs) -> None:
        """Forget all rows but these, whose numbers rise, and among which are those in frames."""
        self._held[: self._used] = np.searchsorted(numbers, self._held[: self._used])
        for argument in self._arguments:
            argument.keep(numbers)

    def results(self, rows: Longs, runs: Runs, firsts: Longs, time_of: Longs) -> list[Values]:
        """What calls come to: of rows for each of them, else for each time of a key.

        Args:
            rows: New rows: those of one key behind each other, by time.
            runs: The same by key.
            firsts: The places of the first rows of each time.
            time_of: The times of rows.
        """
        sizes = runs.ends - runs.starts + 1
        before = self._sizes[runs.slots]
        both = before + sizes
        begin = np.cumsum(both) - both
        joined = np.empty(int(both.sum()), np.int64)
        joined[places(begin, before)] = self._held[places(self._starts[runs.slots], before)]
        at = places(begin + before, sizes)
        joined[at] = rows
        of_runs = np.repeat(np.arange(sizes.size), sizes)
        if self._by_rows:
            new, stops, of_results = at, at + 1, runs
            starts = np.maximum(at - self._preceding, begin[of_runs])
        else:
            new, stops = at[firsts], at[firsts] + np.diff(firsts, append=rows.size)
            of_rows = np.searchsorted(firsts, [runs.starts, runs.ends], "right") - 1
            of_results = Runs(runs.order, of_rows[0], of_rows[1], runs.slots)
            times = RunTimes(time_of[joined], np.repeat(np.arange(sizes.size), both))
            starts = times.first(of_runs[firsts], time_of[rows[firsts]] - self._preceding)
        previous = np.empty_like(starts)
        previous[1:] = starts[:-1]
        previous[of_results.starts] = begin
        frames = Frames(joined, starts, stops, previous, new, of_results)
        found = [call.results(frames) for call in self._calls]
        first = starts[of_results.ends]
        left = begin + both - first
        self._hold(runs.slots, joined[places(first, left)], left)
        return found

    def _hold(self, slots: Longs, rows: Longs, sizes: Longs) -> None:
        """Let the frames of some slots be these rows."""
        self.count += rows.size - int(self._sizes[slots].sum())
        self._sizes[slots] = sizes
        if self._used + rows.size > self._held.size:
            others = np.flatnonzero(self._sizes)
            others = others[~np.isin(others, slots)]
            kept, of_others = self.rows(others)
            self._starts[others] = np.cumsum(of_others) - of_others
            self._used = kept.size
            self._held = np.empty(2 * self.count + 1024, np.int64)
            self._held[: kept.size] = kept
        self._starts[slots] = self._used + np.cumsum(sizes) - sizes
        self._held[self._used : self._used + rows.size] = rows
        self._used += rows.size


class RunTimes:
    """Times in runs, in each of which they do not fall: finds where in a run one is reached.

    Args:
        times: The times.
        of_runs: Which run each is of: 0, then 1, and so on.

    Example:
        >>> times = RunTimes(np.array([5, 7, 1]), np.array([0, 0, 1]))
        >>> times.first(np.array([0, 0, 0, 1]), np.array([-9, 6, 8, 1])).tolist()
        [0, 1, 2, 2]
    """

    def __init__(self, times: Longs, of_runs: Longs) -> None:
        self._distinct: Longs | None = None
        least, greatest = int(times.min()), int(times.max())
        if (greatest - least + 2) * (int(of_runs[-1]) + 1) >= _SPAN:
            self._distinct = np.unique(times)
            times = np.searchsorted(self._distinct, times)
            least, greatest = 0, self._distinct.size
        self._least, self._width = least, greatest - least + 2
        self._moments = of_runs * self._width + (times - least)

    def first(self, runs: Longs, limits: Longs) -> Longs:
        """The place of the first time of a run that is no less than a limit; of the next run, if there is none."""
        if self._distinct is not None:
            limits = np.searchsorted(self._distinct, limits)
        offsets = np.clip(limits, self._least, self._least + self._width - 1) - self._least
        return np.searchsorted(self._moments, runs * self._width + offsets)


def has_frames(call: RowCall, types: Sequence[DataType]) -> bool:
    """Whether a call has a form on columns over frames.

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


_CALLS: dict[str, type[FrameCall]] = {
    "COUNT": CountInFrame,
    **dict.fromkeys(("SUM", "SUM0", "AVG"), SumInFrame),
    **dict.fromkeys(("MIN", "MAX"), ExtremeInFrame),
}
