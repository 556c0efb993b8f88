"""Joins of rows that may be taken back, kept for as long as state lives (Flink's ``StreamingJoinOperator``)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from windrow.elements.batch import Batch
from windrow.operators.base import TwoInputOperator
from windrow.operators.table.changes import DELETE, INSERT, TAKES_BACK, emit_changes
from windrow.operators.table.joins import Condition
from windrow.state.keys import comparable_key

_SIDES, _TIMER = ("left", "right"), "timer"
#: What is kept of rows that are alike: the row, how many there are, how many rows of the other side it has met (where
#: that is needed), and when it was last written, in milliseconds of processing time.
_ROW, _COUNT, _MET, _WRITTEN = range(4)

Kept = dict[Hashable, list[Any]]


class ChangelogJoinOperator(TwoInputOperator):
    """The fields of both sides as one tuple, or those of the left one, each time that a pair comes or goes.

    Tuples begin with their key, which is not part of the result.

    Args:
        kind: INNER, LEFT, RIGHT, FULL, SEMI or ANTI.
        keys: The places of the keys in tuples of the left side, and of the right side: NULL is equal to nothing.
        widths: How many fields tuples of each side have, behind their key and before their kind.
        condition: What else has to be true of pairs.
        changes: For each side whether the last field of its tuples is their kind; else all are insertions.
        kinds: Whether results have their kind behind them.
        ttl: For how many milliseconds rows are kept after they were last written.
    """

    def __init__(
        self,
        kind: str,
        keys: tuple[Sequence[int], Sequence[int]],
        widths: tuple[int, int],
        condition: Condition,
        *,
        changes: tuple[bool, bool],
        kinds: bool,
        ttl: int,
    ) -> None:
        self._kind = kind
        self._outer = (kind in ("LEFT", "FULL"), kind in ("RIGHT", "FULL"))
        self._chooses = kind in ("SEMI", "ANTI")
        self._keys = keys
        self._nothing = ((None,) * widths[0], (None,) * widths[1])
        self._condition = condition
        self._changes = changes
        self._kinds = kinds
        self._ttl = ttl

    def process_batch1(self, batch: Batch) -> None:
        self._process(0, batch)

    def process_batch2(self, batch: Batch) -> None:
        self._process(1, batch)

    def advance_processing_time(self, now: int) -> None:
        for _ in self.context.state.firing_processing_timers(now):
            self.context.state.remove(_TIMER)
            sides = self._kept(0), self._kept(1)
            for side, kept in enumerate(sides):
                self._store(side, kept)
            oldest = [next(iter(kept.values()))[_WRITTEN] for kept in sides if kept]
            if oldest:
                self._wake_at(min(oldest) + self._ttl)

    def _process(self, side: int, batch: Batch) -> None:
        def take(row: Any, made: list[Any]) -> None:
            fields, kind = (row[1:-1], row[-1]) if self._changes[side] else (row[1:], INSERT)
            made += self._chosen(side, fields, kind) if self._chooses else self._joined(side, fields, kind)

        emit_changes(self.context, batch, take)

    # Pairs

    def _joined(self, side: int, row: Any, kind: int) -> Iterator[Any]:
        """Give the changes of a row: its pairs, and those rows beside NULL that come or go with them."""
        is_outer, other_is_outer = self._outer[side], self._outer[1 - side]
        mine, others = self._kept(side), self._kept(1 - side)
        associated = self._associated(side, row, others)
        if kind in TAKES_BACK:
            if not self._forget(side, mine, row):
                return
            if is_outer and not associated:
                yield self._alone(side, row, DELETE)
            for other in associated:
                pair = self._pair(side, row, other[_ROW], DELETE if is_outer else kind)
                yield from [pair] * other[_COUNT]
            for other in associated if other_is_outer else ():
                if other[_MET] == 1:
                    yield from [self._alone(1 - side, other[_ROW], INSERT)] * other[_COUNT]
                self._met(others, other, -1)
            return
        if is_outer and not associated:
            yield self._alone(side, row, INSERT)
        for other in associated if other_is_outer else ():
            if not other[_MET]:
                yield from [self._alone(1 - side, other[_ROW], DELETE)] * other[_COUNT]
            self._met(others, other, 1)
        of_pairs = INSERT if is_outer or other_is_outer else kind
        for other in associated:
            yield from [self._pair(side, row, other[_ROW], of_pairs)] * other[_COUNT]
        self._keep(side, mine, row, sum(other[_COUNT] for other in associated))

    def _chosen(self, side: int, row: Any, kind: int) -> Iterator[Any]:
        """Left rows that come or go: those that have met a row of the right side, or those that have not."""
        is_semi, takes_back = self._kind == "SEMI", kind in TAKES_BACK
        mine, others = self._kept(side), self._kept(1 - side)
        associated = self._associated(side, row, others)
        if takes_back:
            if not self._forget(side, mine, row):
                return
        else:
            self._keep(side, mine, row, sum(other[_COUNT] for other in associated))
        if side == 0:
            if bool(associated) is is_semi:
                yield self._with_kind(row, kind)
            return
        for other in associated:
            if other[_MET] == (1 if takes_back else 0):
                of_left = kind if is_semi else INSERT if takes_back else DELETE
                yield from [self._with_kind(other[_ROW], of_left)] * other[_COUNT]
            self._met(others, other, -1 if takes_back else 1)

    def _associated(self, side: int, row: Any, others: Kept) -> list[list[Any]]:
        """The kept rows of the other side that a row makes pairs with (Flink's ``AssociatedRecords``)."""
        if not others or any(row[place] is None for place in self._keys[side]):
            return []
        found = list(others.values())
        pairs = [(row + each[_ROW]) if side == 0 else (each[_ROW] + row) for each in found]
        return [each for each, fits in zip(found, self._condition.of(pairs), strict=True) if fits]

    def _pair(self, side: int, row: Any, other: Any, kind: int) -> Any:
        return self._with_kind(row + other if side == 0 else other + row, kind)

    def _alone(self, side: int, row: Any, kind: int) -> Any:
        return self._pair(side, row, self._nothing[1 - side], kind)

    def _with_kind(self, fields: Any, kind: int) -> Any:
        return (*fields, kind) if self._kinds else fields

    # State: rows in the order in which they were last written

    def _kept(self, side: int) -> Kept:
        """The rows of a side that the current key has; those that have lived long enough are dropped."""
        kept: Kept | None = self.context.state.get(_SIDES[side])
        if kept is None:
            return {}
        limit = self.context.time.processing_time - self._ttl
        while kept:
            oldest = next(iter(kept))
            if kept[oldest][_WRITTEN] > limit:
                break
            del kept[oldest]
        return kept

    def _store(self, side: int, kept: Kept) -> None:
        if kept:
            self.context.state.put(_SIDES[side], None, kept)
        else:
            self.context.state.remove(_SIDES[side])

    def _keep(self, side: int, kept: Kept, row: Any, met: int) -> None:
        """Take a row in, and have one timer for the key, for when its oldest row has lived long enough."""
        name, now = _identity(row), self.context.time.processing_time
        there = kept.pop(name, None)
        kept[name] = [row, 1 if there is None else there[_COUNT] + 1, met, now]
        self._store(side, kept)
        if self.context.state.get(_TIMER) is None:
            self._wake_at(now + self._ttl)

    def _forget(self, side: int, kept: Kept, row: Any) -> bool:
        """Take a row out; tells whether it was there."""
        name = _identity(row)
        there = kept.pop(name, None)
        if there is None:
            return False
        if there[_COUNT] > 1:
            there[_COUNT] -= 1
            there[_WRITTEN] = self.context.time.processing_time
            kept[name] = there
        self._store(side, kept)
        return True

    def _met(self, kept: Kept, entry: list[Any], more: int) -> None:
        """Note that a row has met more rows, or fewer, of the other side."""
        entry[_MET] += more
        entry[_WRITTEN] = self.context.time.processing_time
        name = _identity(entry[_ROW])
        kept[name] = kept.pop(name)

    def _wake_at(self, time: int) -> None:
        state = self.context.state
        state.put(_TIMER, None, time)
        state.processing_timers.register(time, state.current_key, None)


def _identity(row: Any) -> Hashable:
    """A value that rows have in common which are alike, as Java compares them."""
    try:
        found: Hashable = comparable_key(row)
        hash(found)
    except TypeError:  # a MAP
        return repr(row)
    return found
