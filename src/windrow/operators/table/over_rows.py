"""Aggregates and ranks over the rows of a partition, once there are all (Flink's ``BufferDataOverWindowOperator``)."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import groupby
from typing import Any

from windrow.datastream.functions import ProcessWindowFunction, RuntimeContext
from windrow.operators.table.accumulators import Accumulators
from windrow.operators.table.row_aggregates import RowCall
from windrow.operators.table.top_rows import Order, in_order

#: Where a frame begins and ends: how far from the row, below 0 before it; None: as far as there are rows.
Bound = Any


class OverRowsFunction(ProcessWindowFunction[Any, Any, Any, Any]):
    """Tuples in their order, without the key in front, with a result behind their fields.

    Args:
        order: Places of fields by which tuples are put in order, each with whether it is descending, and whether NULL
            comes first.
        call: What is computed: an aggregate of the frame, or a rank.
        by_rows: Whether the frame is of so many rows (ROWS); else of values so far from that of the row (RANGE).
        start: Where it begins.
        end: Where it ends.
    """

    def __init__(self, order: Order, call: RowCall, *, by_rows: bool, start: Bound, end: Bound) -> None:
        self._order, self._call, self._by_rows = list(order), call, by_rows
        self._start, self._end = start, end
        self._rank = _RANKS.get(call.name)
        self._aggregates = None if self._rank else Accumulators([call], retracts=start is not None)

    def open(self, runtime_context: RuntimeContext) -> None:
        if self._aggregates is not None:
            self._aggregates.open_in(runtime_context, runtime_context.get_task_name())

    def close(self) -> None:
        if self._aggregates is not None:
            self._aggregates.close()

    def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
        rows = in_order(list(elements), self._order)
        peers = self._peers(rows)
        values = self._aggregated(rows, peers) if self._rank is None else self._rank(self._call, rows, peers)
        return [(*row[1:], value) for row, value in zip(rows, values, strict=True)]

    def _peers(self, rows: Sequence[Any]) -> list[tuple[int, int]]:
        """For each row the places of the rows that are equal to it in the order: from one, to below another one."""
        made: list[tuple[int, int]] = []
        for _, group in groupby(rows, lambda row: [row[each[0]] for each in self._order]):
            size, start = len(list(group)), len(made)
            made += [(start, start + size)] * size
        return made

    def _aggregated(self, rows: Sequence[Any], peers: Sequence[tuple[int, int]]) -> Iterator[Any]:
        assert self._aggregates is not None
        states, first, last, known, value = self._aggregates.create(), 0, 0, (-1, -1), None
        for frame in self._frames(rows, peers):
            start, end = frame
            for place in range(last, end):
                self._aggregates.accumulate(states, rows[place])
            last = max(last, end)
            for place in range(first, min(start, last)):
                self._aggregates.retract(states, rows[place])
            first = max(first, min(start, last))
            if frame != known:
                known, (value,) = frame, self._aggregates.values(states)
            yield value

    def _frames(self, rows: Sequence[Any], peers: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        count = len(rows)
        known = [] if self._by_rows or (self._start in (None, 0) and self._end in (None, 0)) else self._distances(rows)
        nulls = {place for place, row in enumerate(rows) if known and row[self._order[0][0]] is None}
        before = len(nulls) if 0 in nulls else 0
        far = _measure(rows[before][self._order[0][0]]) if known else None
        for place, (first, behind) in enumerate(peers):
            if self._by_rows:
                start = 0 if self._start is None else min(max(place + self._start, 0), count)
                end = count if self._end is None else min(max(place + self._end + 1, 0), count)
            elif far is None or place in nulls:
                start = 0 if self._start is None else first
                end = count if self._end is None else behind
            else:
                here = known[place - before]
                start = 0 if self._start is None else before + bisect_left(known, here + far(self._start))
                end = count if self._end is None else before + bisect_right(known, here + far(self._end))
            yield start, max(start, end)

    def _distances(self, rows: Sequence[Any]) -> list[Any]:
        """The values of the order that are not NULL, as they grow; where they fall, how far they are below."""
        ((place, descending, _),) = self._order
        known = [row[place] for row in rows if row[place] is not None]
        of_time = bool(known) and isinstance(known[0], dt.datetime)
        if descending:
            return [known[0] - each if of_time else -each for each in known]
        return [each - known[0] for each in known] if of_time else known


def _measure(value: Any) -> Callable[[Any], Any]:
    """Give the function that makes of a bound a distance between values of a kind."""
    match value:
        case dt.datetime():
            return lambda bound: dt.timedelta(milliseconds=bound)
        case float():
            return float
        case Decimal():
            return lambda bound: Decimal(str(bound))
    return lambda bound: bound


def _shifted(call: RowCall, rows: Sequence[Any], _peers: Sequence[tuple[int, int]]) -> list[Any]:
    """``LAG`` and ``LEAD``."""
    (place,), (offset, default) = call.arguments, call.options
    places = range(offset, len(rows) + offset) if call.name == "LEAD" else range(-offset, len(rows) - offset)
    return [rows[other][place] if 0 <= other < len(rows) else default for other in places]


def _row_number(_call: RowCall, rows: Sequence[Any], _peers: Sequence[tuple[int, int]]) -> list[int]:
    return list(range(1, len(rows) + 1))


def _rank(_call: RowCall, _rows: Sequence[Any], peers: Sequence[tuple[int, int]]) -> list[int]:
    return [first + 1 for first, _ in peers]


def _dense_rank(_call: RowCall, _rows: Sequence[Any], peers: Sequence[tuple[int, int]]) -> list[int]:
    numbers = {first: number for number, first in enumerate(sorted({first for first, _ in peers}), 1)}
    return [numbers[first] for first, _ in peers]


def _percent_rank(_call: RowCall, rows: Sequence[Any], peers: Sequence[tuple[int, int]]) -> list[float]:
    return [first / (len(rows) - 1) if len(rows) > 1 else 0.0 for first, _ in peers]


def _cume_dist(_call: RowCall, rows: Sequence[Any], peers: Sequence[tuple[int, int]]) -> list[float]:
    return [behind / len(rows) for _, behind in peers]


def _ntile(call: RowCall, rows: Sequence[Any], _peers: Sequence[tuple[int, int]]) -> list[int]:
    """So many parts; the first ones have one row more, where they are not of one size."""
    (parts,) = call.options
    size, more = divmod(len(rows), parts)
    sizes = [size + (part < more) for part in range(parts)]
    return [part for part, length in enumerate(sizes, 1) for _ in range(length)]


_RANKS = {
    "LAG": _shifted,
    "LEAD": _shifted,
    "ROW_NUMBER": _row_number,
    "RANK": _rank,
    "DENSE_RANK": _dense_rank,
    "PERCENT_RANK": _percent_rank,
    "CUME_DIST": _cume_dist,
    "NTILE": _ntile,
}
