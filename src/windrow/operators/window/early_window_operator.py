"""Tumbling and sliding event-time windows that give results before their end, many elements at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.datastream.window import PurgingTrigger, TimeWindow, Trigger, Window
from windrow.errors import WindrowError, user_function_error
from windrow.operators.waiting import Waiting
from windrow.operators.window.aligned_window_operator import AlignedWindowOperator
from windrow.operators.window.aligned_windows import AlignedAssigner, Times
from windrow.operators.window.buckets import Bucket
from windrow.operators.window.carry_over import Timing
from windrow.operators.window.contents import CONTENTS
from windrow.operators.window.early_firing import SPENT, EarlyFiring, FireTimesByKey
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.skipped import LateTag
from windrow.operators.window.window_functions import InternalWindowFunction
from windrow.state.keyed import Entry


class EarlyWindowOperator(AlignedWindowOperator):
    """An :class:`AlignedWindowOperator` whose windows fire at regular times before their end, too, for each key.

    When they fire next is a cache over keyed state, as accumulators are: a state of the trigger's, and a timer.

    Args:
        early: When windows fire.
        trigger: What says so.
        assigner: As for windows that fire at their end only, like all that follows.
        incremental: How elements are combined.
        function: What is called with each result; None emits the results themselves.
        allowed_lateness: For how many milliseconds after its maximum timestamp a window is kept; none if the trigger
            purges.
        late_tag: The side output of elements that are too late; None counts them instead.
    """

    early: EarlyFiring

    def __init__(
        self,
        early: EarlyFiring,
        trigger: Trigger[Any, Any],
        assigner: AlignedAssigner,
        incremental: Incremental,
        function: InternalWindowFunction | None = None,
        allowed_lateness: int = 0,
        late_tag: LateTag | None = None,
    ) -> None:
        purging = isinstance(trigger, PurgingTrigger)
        super().__init__(assigner, incremental, function, allowed_lateness, late_tag, purging=purging)
        self.early = early
        self.purges_early = purging
        #: Whether a timer is deleted when its time is in the cache. Those of the watermark are not: they are due before
        #: their window is over, and find nothing in state then.
        self._deletes_timers = early.by_clock or not early.aligned
        self._timing = Timing.of(trigger, allowed_lateness)
        #: What fires next of what fires until now: times, ends and windows, as a heap.
        self._due_early: list[tuple[int, int, TimeWindow]] = []
        #: When keys fire next, of each window that is in memory.
        self._fire_times: defaultdict[TimeWindow, FireTimesByKey] = defaultdict(FireTimesByKey)

    def follows_sorted_time(self) -> bool:
        return False  # what a window gives early depends on how much has come

    def process_watermark(self, timestamp: int) -> None:
        if self.early.by_clock:
            super().process_watermark(timestamp)
        else:
            self.fetch_due(timestamp)
            self._find_due(timestamp)
            super().process_watermark(timestamp)
            self._fire_due(timestamp)
        for window in [window for window in self._fire_times if self._is_over(window, timestamp)]:
            del self._fire_times[window]

    def advance_processing_time(self, now: int) -> None:
        if self.early.by_clock:
            self.fire_early(now)

    def fire_early(self, limit: int) -> None:
        self.fetch_due_early(limit)
        self._find_due(limit)
        self._fire_due(limit)

    def fetch_due_early(self, limit: int) -> None:
        if not self.early.by_clock:
            self.fetch_due(limit)
            return
        state = self.context.state
        for time, key, window in state.take_due_processing_timers(limit):
            state.set_current_key(key)
            if state.entry.get((self.early.state, window)) == time:
                self._take_early(window)

    def _find_due(self, limit: int) -> None:
        """Find which windows fire by ``limit`` of themselves."""
        self._due_early = [next_time for next_time in self._next_times() if next_time[0] <= limit]
        heapify(self._due_early)
        if self._due_early:
            self._settle()

    def _fire_due(self, limit: int) -> None:
        """Fire those that were found, as often as they do so by ``limit``."""
        due = self._due_early
        # At the end of a BATCH job a timer fires, and none is registered.
        is_last = self.early.timers(self.context.state).closed
        while due and due[0][0] <= limit:
            time, end, window = heappop(due)
            fire_times = self._fire_times[window]
            keys = fire_times.move(time, SPENT if is_last else self.early.after_firing(time, end))
            bucket = self._buckets.get(window, {})
            if window in self._fired:
                bucket = {**self._fired[window], **bucket}
            fired = {key: bucket[key] for key in keys if key in bucket}
            if fired:
                self._emit(window, fired, is_kept=True)
            if self.purges_early:
                for key in fired:
                    del bucket[key]
            following = fire_times.next()
            if following <= self.early.last_early(end):
                heappush(due, (following, end, window))

    def _fire(self, window: TimeWindow, *, is_kept: bool) -> None:
        if not self.early.by_clock:
            self._fire_due(window.end - 2)
        if self.early.fires_at_end:
            super()._fire(window, is_kept=is_kept)
            return
        self._settle()
        bucket = self._buckets.pop(window)
        if is_kept:
            self._fired[window].update(bucket)
        elif self.function is not None:
            self._clear(self.function, window, bucket)

    def _clear(self, function: InternalWindowFunction, window: TimeWindow, bucket: Bucket) -> None:
        """Say that a window is over."""
        try:
            for key in bucket:
                self.context.state.set_current_key(key)
                self._window_context.current = window
                function.clear(self._window_context)
        except WindrowError:
            raise
        except BaseException as error:
            fired = (self.context.state.current_key, window)
            raise user_function_error(self.context.name, fired, error) from error

    def _fire_late(self, key: Any, window: TimeWindow, accumulator: Any) -> None:
        if self.early.fires_at_end:
            super()._fire_late(key, window, accumulator)

    def next_due(self) -> int | None:
        due = super().next_due()
        times = [] if self.early.by_clock else [time for time, _, _ in self._next_times()]
        return min(times if due is None else [due, *times], default=None)

    def waiting(self) -> Waiting | None:
        if not self.early.fires_at_end:
            return None  # when they end windows are forgotten, and nothing comes out
        due = self.next_due()
        return self.windows.waiting(due, fires=due is not None and self.is_open(due + 1))

    def store_state(self) -> None:
        for window, fire_times in self._fire_times.items():
            fire_times.store(self.early, window, self.context.state, ends=self.purges_early)
        self._fire_times.clear()
        super().store_state()

    def holds_any(self) -> bool:
        return bool(self._fire_times) or super().holds_any()

    def held_fire_times(self) -> Iterable[tuple[TimeWindow, FireTimesByKey]]:
        return self._fire_times.items()

    def take_over_fire_times(self, window: TimeWindow, fire_times: Iterable[tuple[Any, int]]) -> None:
        held = self._fire_times[window]
        for key, time in fire_times:
            held.add(key, time)

    def let_go(self) -> None:
        super().let_go()
        self._fire_times.clear()

    def put_back(self) -> None:
        for window, fire_times in self._fire_times.items():
            fire_times.store(self.early, window, self.context.state, ends=self.purges_early)
            self._cached_keys.difference_update(fire_times.keys)
        super().put_back()

    def _forget(self, window: Window, state_window: Window) -> None:
        super()._forget(window, state_window)
        state = self.context.state
        time = state.entry.pop((self.early.state, window), None)
        if time is not None:
            self.early.timers(state).delete(time, state.current_key, window)

    def _next_times(self) -> Iterable[tuple[int, int, TimeWindow]]:
        """Give the times at which windows fire next of themselves, with their ends and the windows."""
        for window, fire_times in self._fire_times.items():
            time = fire_times.next()
            if time <= self.early.last_early(window.end):
                yield time, window.end, window

    def _note_arrival(self, keys: Sequence[Any], values: Sequence[Any], times: Times) -> None:
        """Let windows fire to which elements are the first of their keys to come."""
        watermark = self._notes_from()
        if watermark == LONG_MAX:
            return
        if not self.windows.are_safe(times):
            self._note_each(keys, values, times.tolist(), watermark)
            return
        first, last = self.windows.ends(times)
        first = np.maximum(first, self.windows.first_end_after(watermark))
        cached, slide, last_time = self._cached_keys, self.windows.slide, self.early.last_time
        window_of, fire_times = self.windows.window, self._fire_times
        # A window is known by its end here: elements of one batch are mostly in few of them.
        found: dict[int, FireTimesByKey] = {}
        fires_at = self.early.after_elements(self._times_of(times)).tolist()
        for key, begin, until, fires in zip(keys, first.tolist(), last.tolist(), fires_at, strict=True):
            for end in range(begin, until + 1, slide):
                of_window = found.get(end)
                if of_window is None:
                    of_window = found[end] = fire_times[window_of(end)]
                if key not in of_window.keys:
                    if key not in cached:
                        self._cache(key)
                    of_window.add(key, min(fires, last_time(end)))

    def _notes_from(self) -> int:
        """The watermark behind which windows are that an element may let fire."""
        watermark = self.context.time.watermark
        if self.early.fires_at_end or watermark == LONG_MAX:
            return watermark
        return max(watermark - self.allowed_lateness, LONG_MIN)

    def _times_of(self, times: Times) -> Times:
        return np.full(times.size, self.context.time.processing_time) if self.early.by_clock else times

    def _note_each(self, keys: Sequence[Any], values: Sequence[Any], times: Sequence[int], watermark: int) -> None:
        """The same near the ends of time."""
        early, now = self.early, self.context.time.processing_time
        for key, value, time in zip(keys, values, times, strict=True):
            if time == LONG_MIN:
                continue  # it has no timestamp: the assigner refuses it
            for window in self._assigner.assign_windows(value, time, self._assigner_context):
                if window.end - 1 > watermark:
                    if key not in self._cached_keys:
                        self._cache(key)
                    fires = early.after_element(now if early.by_clock else time)
                    self._fire_times[window].add(key, min(fires, early.last_time(window.end)))

    def _cache(self, key: Any) -> None:
        super()._cache(key)
        if self._state_is_fresh():
            return
        entry, state = self.context.state.entry_of(key), self.early.state
        for slot in [slot for slot in entry if slot[0] == state]:
            self._take_fire_time(key, entry, slot)

    def _take_fire_time(self, key: Any, entry: Entry, slot: tuple[str, Any]) -> None:
        """Move what state has of when a window fires into the cache."""
        window, time = slot[1], entry.pop(slot)
        if self._deletes_timers:
            was_pending = self.early.timers(self.context.state).take(time, key, window) is not None
            if not was_pending and not self.early.fires_at_end and time == window.end - 1:
                time = SPENT
        self._fire_times[window].add(key, time)

    def _take_early(self, window: Any) -> None:
        """A timer has found that a window of the current key fires early: move what it holds into the cache."""
        state = self.context.state
        entry, key = state.entry, state.current_key
        if (CONTENTS, window) in entry:
            # A window that fires early by the watermark has not ended, though the timer of its end, if that is due
            # too, is not there any more.
            fires = not self.early.by_clock or self._fires_yet(key, window)
            (self._buckets if fires else self._fired)[window][key] = entry.pop((CONTENTS, window))
        self._fire_times[window].add(key, entry.pop((self.early.state, window)))

    def _fires_yet(self, key: Any, window: TimeWindow) -> bool:
        if self.early.fires_at_end:
            return super()._fires_yet(key, window)
        return window.end - 1 > self.context.time.watermark  # it may have no timer at its end

    def _take_due(self, time: int, window: Any) -> None:
        state = self.context.state
        slot = (self.early.state, window)
        fires = state.entry.get(slot)
        if not self.early.by_clock and time == fires and time != window.end - 1:
            self._take_early(window)
            return
        super()._take_due(time, window)
        if fires is None:
            return
        key = state.current_key
        if time == window.end - 1 and time < self._cleanup_time(window):
            self._take_fire_time(key, state.entry, slot)
        elif time in (window.end - 1, self._cleanup_time(window)):
            del state.entry[slot]
            self.early.timers(state).delete(fires, key, window)
