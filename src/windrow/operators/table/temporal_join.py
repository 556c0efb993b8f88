"""Joins rows with the version that was valid at their time (Flink's ``TemporalRowTimeJoinOperator``)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any

from windrow.elements.batch import Batch
from windrow.errors import user_function_error
from windrow.operators.base import TwoInputOperator
from windrow.operators.table.changes import TAKES_BACK, UPDATE_BEFORE
from windrow.operators.table.joins import Condition

_LEFT, _VERSIONS, _TIMER = "left", "versions", "timer"


class TemporalJoinOperator(TwoInputOperator):
    """The fields of left tuples, and behind them those of their key's version at their timestamp.

    A left tuple waits for the watermark to come to it. Its version is the right tuple with the greatest timestamp that
    is not above its own; of several with one timestamp the last that came. Late ones wait for the next watermark, and
    join what is still there: of a key's versions, those before the newest one that the watermark has reached are
    forgotten.

    Tuples begin with their key, which is not part of the result.

    Args:
        keys: The places, behind the first field, of the left tuples' keys: NULL is equal to nothing.
        right_keys: The same for right tuples.
        width: How many fields right tuples have behind the first one, without the kind of the change.
        condition: What else has to be true of a pair.
        outer: Whether left tuples without a version go out, too, with NULL behind them.
        changes: Whether the last field of right tuples is their kind; else all are insertions.
    """

    def __init__(
        self,
        keys: Sequence[int],
        right_keys: Sequence[int],
        width: int,
        condition: Condition,
        *,
        outer: bool,
        changes: bool,
    ) -> None:
        self._keys, self._right_keys = [place + 1 for place in keys], [place + 1 for place in right_keys]
        self._nothing = (None,) * width
        self._condition = condition
        self._outer, self._changes = outer, changes

    def process_element1(self, value: Any, timestamp: int) -> None:
        state = self.context.state
        waiting = state.get(_LEFT)
        if waiting is None:
            waiting = []
            state.put(_LEFT, None, waiting)
        waiting.append((timestamp, value))
        self._wake_at(timestamp)

    def process_element2(self, value: Any, timestamp: int) -> None:
        if any(value[place] is None for place in self._right_keys):
            return
        row: Any = value[1:]
        if self._changes:
            kind, row = row[-1], row[:-1]
            if kind == UPDATE_BEFORE:
                return  # the version that follows it says when it ends
            if kind in TAKES_BACK:
                row = None
        state = self.context.state
        versions = state.get(_VERSIONS)
        if versions is None:
            versions = [], []
            state.put(_VERSIONS, None, versions)
        times, rows = versions
        place = bisect_left(times, timestamp)
        if place < len(times) and times[place] == timestamp:
            rows[place] = row
        else:
            times.insert(place, timestamp)
            rows.insert(place, row)
        self._wake_at(timestamp)

    def _wake_at(self, time: int) -> None:
        """Have one timer for the key, of its earliest time."""
        state = self.context.state
        known = state.get(_TIMER)
        if known is not None and known <= time:
            return
        if known is not None:
            state.event_timers.delete(known, state.current_key, None)
        state.put(_TIMER, None, time)
        state.event_timers.register(time, state.current_key, None)

    def process_watermark(self, timestamp: int) -> None:
        state = self.context.state
        lefts: list[Any] = []
        rights: list[Any] = []
        times: list[int] = []
        for _, key, _ in state.take_due_event_timers(timestamp):
            state.set_current_key(key)
            state.remove(_TIMER)
            self._take_due(timestamp, lefts, rights, times)
            self._forget(timestamp)
        if not lefts:
            return
        try:
            made, made_times = self._joined(lefts, rights, times)
        except BaseException as error:
            raise user_function_error(self.context.name, lefts[0], error) from error
        if made:
            self.context.output.emit_batch(Batch(made, made_times))

    def _take_due(self, watermark: int, lefts: list[Any], rights: list[Any], times: list[int]) -> None:
        """Take what has waited for the watermark, in the order in which it came, with its version or None."""
        state = self.context.state
        waiting = state.get(_LEFT)
        if waiting is None:
            return
        of_versions, versions = state.get(_VERSIONS) or ((), ())
        later = []
        for time, row in waiting:
            if time > watermark:
                later.append((time, row))
                continue
            place = bisect_right(of_versions, time) - 1
            is_known = place >= 0 and not any(row[each] is None for each in self._keys)
            lefts.append(row[1:])
            rights.append(versions[place] if is_known else None)
            times.append(time)
        if later:
            state.put(_LEFT, None, later)
            self._wake_at(min(time for time, _ in later))
        else:
            state.remove(_LEFT)

    def _forget(self, watermark: int) -> None:
        """Drop the key's versions before the newest one that the watermark has reached."""
        versions = self.context.state.get(_VERSIONS)
        if versions is None:
            return
        times, rows = versions
        old = bisect_right(times, watermark) - 1
        if old > 0:
            del times[:old]
            del rows[:old]

    def _joined(self, lefts: list[Any], rights: list[Any], times: list[int]) -> tuple[list[Any], list[int]]:
        pairs = [left + right for left, right in zip(lefts, rights, strict=True) if right is not None]
        fit = iter(zip(pairs, self._condition.of(pairs), strict=True))
        made, made_times = [], []
        for left, right, time in zip(lefts, rights, times, strict=True):
            pair, fits = (None, False) if right is None else next(fit)
            if not fits:
                if not self._outer:
                    continue
                pair = left + self._nothing
            made.append(pair)
            made_times.append(time)
        return made, made_times
