"""The rows that are in the frames of keys, on columns, and the times that are in a range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.column_folds.runs import Runs
from windrow.operators.table.column_accumulators import Values, wider
from windrow.operators.table.frame_calls import Argument, FrameCall, Frames, frame_call, places
from windrow.operators.table.row_aggregates import RowCall
from windrow.table.data_types import DataType

#: Times of some runs together take less than so many numbers, or are numbered.
_SPAN = 1 << 62


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
            self._calls.append(frame_call(call, argument))
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
        """Compute the results of calls: by rows for each of them, else for each time of a key.

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
        """The places of the first times in runs that are no less than limits; where the next run is, if none is."""
        if self._distinct is not None:
            limits = np.searchsorted(self._distinct, limits)
        offsets = np.clip(limits, self._least, self._least + self._width - 1) - self._least
        return np.searchsorted(self._moments, runs * self._width + offsets)
