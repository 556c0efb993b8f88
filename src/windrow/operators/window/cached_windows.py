"""Accumulators of windows in dictionaries by window and key: a cache over keyed state, which all keys share.

A key's accumulators are in its state entry until the key's first element comes, then in the cache until state is
stored, which leaves what the general operator would have left: either goes on where the other one stopped. The timers
that are registered then stay where they are, so that a key without further elements is found when its windows are due;
if its accumulators are in the cache by then, the timer finds nothing in the entry.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from windrow.common.limits import LONG_MAX
from windrow.datastream.window import EventTimeTrigger, TimeWindow, Window
from windrow.operators.base import Operator
from windrow.operators.window.buckets import Bucket
from windrow.operators.window.carry_over import CarryOver, Timing
from windrow.operators.window.contents import CONTENTS
from windrow.operators.window.stored_columns import entries_of_columns


class CachedWindows(Operator):
    """The part of a window operator that knows what is in its cache and what in keyed state.

    Args:
        allowed_lateness: For how many milliseconds after its maximum timestamp a window is kept.
        purging: Whether a window is emptied when it fires.
    """

    def __init__(self, allowed_lateness: int, *, purging: bool) -> None:
        self.allowed_lateness = allowed_lateness
        #: Whether windows that have fired are kept.
        self._keeps = allowed_lateness > 0 and not purging
        self._timing = Timing.of(EventTimeTrigger.create(), allowed_lateness)
        #: Accumulators that the watermark will fire.
        self._buckets: defaultdict[TimeWindow, Bucket] = defaultdict(dict)
        #: Accumulators that have fired, and that are kept for late elements.
        self._fired: defaultdict[TimeWindow, Bucket] = defaultdict(dict)
        # Keys none of whose accumulators are left in keyed state.
        self._cached_keys: set[Any] = set()
        #: Whether keyed state held nothing of any key when it was last asked; None: it is not known any more.
        self._is_fresh: bool | None = None
        #: Whether windows that have fired are open again, for the keys that get another element.
        self.fires_again = False

    def _settle(self, *, failed: bool = True) -> None:
        """Have all accumulators in the dictionaries, wherever they are; ``failed``: since elements need them so."""

    def holds_any(self) -> bool:
        """Tell whether any window is in the cache."""
        return bool(self._buckets or self._fired)

    def held(self) -> Iterable[tuple[TimeWindow, Bucket, bool]]:
        """Give the windows in the cache, their accumulators by key, and whether they have fired."""
        self._settle()
        for has_fired, buckets in ((False, self._buckets), (True, self._fired)):
            for window, bucket in buckets.items():
                yield window, bucket, has_fired

    def let_go(self) -> None:
        """Forget what is in the cache: somebody else holds it now."""
        self._settle()
        self._buckets.clear()
        self._fired.clear()

    def take_over(self, window: TimeWindow, accumulators: Bucket, *, has_fired: bool) -> None:
        """Hold accumulators of keys that came before those that the cache has in this window."""
        self._settle()
        buckets = self._fired if has_fired else self._buckets
        buckets[window] = {**accumulators, **buckets[window]}

    def put_back(self) -> None:
        """Give what :meth:`fetch` has brought back to keyed state."""
        state = self.context.state
        self._is_fresh = None
        for window, bucket, _ in self.held():
            for key, accumulator in bucket.items():
                state.set_current_key(key)
                state.put(CONTENTS, window, accumulator)
                self._cached_keys.discard(key)
        self.let_go()

    def fetch(self, keys: Iterable[Any]) -> None:
        """Bring what keyed state has of these keys into the cache."""
        if self._state_is_fresh():
            self._cached_keys.update(keys)
            return
        for key in keys:
            if key not in self._cached_keys:
                self._cache(key)

    def fetch_due(self, watermark: int) -> None:
        """Bring what is due by ``watermark`` into the cache."""
        state, cached = self.context.state, self._cached_keys
        for time, key, window in state.take_due_event_timers(watermark):
            if key not in cached:
                state.set_current_key(key)
                self._take_due(time, window)

    def forget(self, keys: Iterable[Any]) -> None:
        """Ask keyed state again when these keys come the next time."""
        self._settle()
        self._cached_keys.difference_update(keys)

    def store_state(self) -> None:
        self._settle(failed=False)
        register_each = self.context.state.event_timers.register_each
        for window, bucket in self._buckets.items():
            end, over = window.max_timestamp(), self._cleanup_time(window)
            self._store(window, bucket)
            register_each(end, bucket, window)
            if end < over < LONG_MAX:
                register_each(over, bucket, window)
        for window, bucket in self._fired.items():
            over = self._cleanup_time(window)
            self._store(window, bucket)
            if over < LONG_MAX:  # else it is never cleaned up
                register_each(over, bucket, window)
        self._buckets.clear()
        self._fired.clear()
        self._cached_keys.clear()
        self._is_fresh = None
        self.fires_again = False

    def _store(self, window: TimeWindow, bucket: Bucket) -> None:
        entry_of, slot = self.context.state.entry_of, (CONTENTS, window)
        self.context.state.expect(bucket)
        for key, accumulator in bucket.items():
            entry_of(key)[slot] = accumulator

    def snapshot(self) -> Any:
        """Give what says when windows fire and are over: a program that was changed compares its own with it."""
        return {"timing": tuple(self._timing)}

    def restore(self, snapshot: Any, *, keeps_columns: bool = False) -> None:
        """Take back what :meth:`snapshot` gave; ``keeps_columns``: what is kept as columns stays as it is."""
        self._is_fresh = None
        before = Timing(*snapshot["timing"])
        if before != self._timing or not keeps_columns:
            entries_of_columns(self.context.state, self.context.time.watermark)
        if before != self._timing:
            state, now = self.context.state, self.context.time.watermark
            over = CarryOver(state, event_time=True, merging=False, now=now, clear=self._forget)
            over.run(before, self._timing)

    def _forget(self, window: Window, _state_window: Window) -> None:
        """Remove what belongs to a window that has fired, and that another program had kept for late elements."""
        self.context.state.remove(CONTENTS, window)

    def _cleanup_time(self, window: TimeWindow) -> int:
        return min(window.end - 1 + self.allowed_lateness, LONG_MAX)

    def _is_over(self, window: TimeWindow, watermark: int) -> bool:
        """Tell whether a window has been cleaned up: never if it waits for late elements until the end of time."""
        over = self._cleanup_time(window)
        return over <= watermark and (over < LONG_MAX or window.end - 1 == LONG_MAX)

    def _state_is_fresh(self) -> bool:
        if self._is_fresh is None:
            self._is_fresh = self.context.state.is_empty()
        return self._is_fresh

    def _take(self, key: Any, window: TimeWindow) -> Any:
        """The accumulator of ``key`` in ``window``, None if there is none; taken from where it was, if it has fired."""
        if key not in self._cached_keys:
            self._cache(key)
        accumulator = self._buckets[window].get(key) if window in self._buckets else None
        if accumulator is None and window in self._fired:
            return self._fired[window].pop(key, None)
        return accumulator

    def _cache(self, key: Any) -> None:
        """Move what keyed state has of ``key`` into the cache.

        An operator that was restored may begin at a watermark before that of its windows. A window then fires a second
        time, for the keys that get another element: only these have a timer at its end again.
        """
        if self._state_is_fresh() and not self.fires_again:
            self._cached_keys.add(key)
            return
        state = self.context.state
        state.set_current_key(key)
        entry = state.entry
        watermark = self.context.time.watermark
        for slot in [slot for slot in entry if slot[0] == CONTENTS]:
            window: Any = slot[1]
            fires = self._fires_yet(key, window)
            (self._buckets if fires else self._fired)[window][key] = entry.pop(slot)
            self.fires_again |= not fires and window.end - 1 > watermark
        if not self.fires_again or not self._may_fire_again(key):
            self._cached_keys.add(key)

    def _fires_yet(self, key: Any, window: TimeWindow) -> bool:
        """Tell whether a window of state has not fired for a key."""
        return not self.allowed_lateness or self.context.state.event_timers.has(window.end - 1, key, window)

    def _may_fire_again(self, key: Any) -> bool:
        watermark = self.context.time.watermark
        return any(window.end - 1 > watermark and key in bucket for window, bucket in self._fired.items())

    def _take_due(self, time: int, window: Any) -> None:
        """A timer is due: move the accumulator of its key into the cache, if it is not there already."""
        state = self.context.state
        slot = (CONTENTS, window)
        if slot not in state.entry:
            return
        if time == window.end - 1:
            self._buckets[window][state.current_key] = state.entry.pop(slot)
        elif time == self._cleanup_time(window):
            del state.entry[slot]
