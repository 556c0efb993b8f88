"""Tumbling and sliding event-time windows with an incremental function, many elements at a time.

The meaning is :class:`~windrow.operators.window.window_operator.WindowOperator`'s for an assigner that
:func:`is_aligned` accepts, the default trigger, no evictor and no allowed lateness. Then every window fires exactly
once, when the watermark passes its end, for all keys alike: no trigger has to be asked, and no timer is needed per key.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from windrow.common.copies import copied
from windrow.common.limits import LONG_MAX
from windrow.common.unchangeable import all_never_change
from windrow.datastream.window import (
    EventTimeTrigger,
    SlidingEventTimeWindows,
    TimeWindow,
    TumblingEventTimeWindows,
    Window,
    WindowStagger,
)
from windrow.errors import MissingTimestampError, UsageError, WindrowError, user_function_error
from windrow.operators.base import Operator, OperatorContext, as_list
from windrow.operators.emitted import handed_on_each
from windrow.operators.results import emit_results
from windrow.operators.window.carry_over import CarryOver, Timing
from windrow.operators.window.contents import CONTENTS
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.skipped import LateTag, handle_skipped
from windrow.operators.window.trigger_context import OperatorAssignerContext
from windrow.operators.window.window_context import WindowContext
from windrow.operators.window.window_functions import InternalWindowFunction

AlignedAssigner: TypeAlias = TumblingEventTimeWindows | SlidingEventTimeWindows
Times: TypeAlias = npt.NDArray[np.int64]
#: Accumulators of one window by key.
Bucket: TypeAlias = dict[Any, Any]

#: When windows of this operator fire and when they are over.
ALIGNED_TIMING = Timing.of(EventTimeTrigger.create(), 0)
# Window arithmetic within these bounds stays within 64 bits, if sizes are less too.
_SAFE = 2**60


def is_aligned(assigner: object) -> TypeGuard[AlignedAssigner]:
    """Whether :class:`AlignedWindowOperator` knows the windows of ``assigner`` without asking it for each element.

    >>> is_aligned(TumblingEventTimeWindows(1000, 0))
    True
    """
    if type(assigner) is TumblingEventTimeWindows:
        return assigner.window_stagger is WindowStagger.ALIGNED and assigner.size < _SAFE
    return type(assigner) is SlidingEventTimeWindows and max(assigner.size, assigner.slide) < _SAFE


class AlignedWindowOperator(Operator):
    """Accumulators by window and key, in dictionaries that all keys share.

    The dictionaries are a cache over keyed state: a key's accumulators are in its state entry until the key's first
    element comes, then in the cache until :meth:`store_state`, which leaves what the general operator would have left:
    either goes on where the other one stopped. The timers that ``store_state`` registers stay where they are, so that
    a key without further elements is found when its windows are due; if its accumulators are in the cache by then, the
    timer finds nothing in the entry.

    Args:
        assigner: Tumbling or sliding event-time windows that :func:`is_aligned` accepts.
        incremental: How elements are combined.
        function: What is called with each result; None emits the results themselves.
        late_tag: The side output of elements that are too late; None counts them instead.
    """

    def __init__(
        self,
        assigner: AlignedAssigner,
        incremental: Incremental,
        function: InternalWindowFunction | None = None,
        late_tag: LateTag | None = None,
    ) -> None:
        self._assigner = assigner
        self._size = assigner.size
        self._slide = assigner.slide if isinstance(assigner, SlidingEventTimeWindows) else assigner.size
        self._offset = assigner.offset
        self._incremental = incremental
        self._function = function
        self._late_tag = late_tag
        self._buckets: defaultdict[TimeWindow, Bucket] = defaultdict(dict)
        # Keys none of whose accumulators are left in keyed state.
        self._cached_keys: set[Any] = set()

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._assigner_context = OperatorAssignerContext(context)
        self._window_context = WindowContext(context, per_window_state=True)
        self._incremental.open(context)
        if self._function is not None:
            self._function.open(context)

    def close(self) -> None:
        self._incremental.close()
        if self._function is not None:
            self._function.close()

    def process_element(self, value: Any, timestamp: int) -> None:
        self.process_batch([self.context.state.current_key], [value], [timestamp])

    def process_batch(self, keys: Sequence[Any] | None, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        if keys is None:
            msg = f"operator {self.context.name!r} got elements without keys; windows need a keyed stream"
            raise UsageError(msg)
        times: Times = np.asarray(timestamps, dtype=np.int64)
        if times.size == 0:
            return
        if int(times.min()) < -_SAFE or int(times.max()) > _SAFE:
            self._add_one_by_one(keys, values, as_list(timestamps))
            return
        last = times - (times - self._offset) % self._slide + self._size
        first = last if self._slide == self._size else last - (last - times - 1) // self._slide * self._slide
        open_end = self._first_open_end()
        if int(first.min()) < open_end:
            first = np.maximum(first, open_end)
        if self._slide > self._size or first is not last:
            keys, values, first, last = self._without_skipped(keys, values, times, first, last)
        if self._slide >= self._size:
            self._add_to_one_window(keys, values, last.tolist())
        else:
            self._add_to_windows(keys, values, first.tolist(), last.tolist())

    def process_watermark(self, timestamp: int) -> None:
        self.context.state.fire_event_timers(timestamp, self._take_due)
        due = [window for window in self._buckets if window.end - 1 <= timestamp]
        # Windows of one end may have several sizes: a program that was changed goes on with those that are open.
        for window in sorted(due, key=lambda window: (window.end, window.start)):
            self._emit(window, self._buckets.pop(window))

    def store_state(self) -> None:
        state = self.context.state
        timers = state.event_timers
        for window, bucket in self._buckets.items():
            time = window.max_timestamp()
            for key, accumulator in bucket.items():
                state.set_current_key(key)
                state.put(CONTENTS, window, accumulator)
                timers.register(time, key, window)
        self._buckets.clear()
        self._cached_keys.clear()

    def snapshot(self) -> Any:
        """When windows fire and are over: a program that was changed finds out what the one before it did."""
        return {"timing": tuple(ALIGNED_TIMING)}

    def restore(self, snapshot: Any) -> None:
        before = Timing(*snapshot["timing"])
        if before != ALIGNED_TIMING:
            state, now = self.context.state, self.context.time.watermark
            over = CarryOver(state, event_time=True, merging=False, now=now, clear=self._forget)
            over.run(before, ALIGNED_TIMING)

    def _forget(self, window: Window, _state_window: Window) -> None:
        """Remove what belongs to a window that has fired, and that another program had kept for late elements."""
        self.context.state.remove(CONTENTS, window)
        if self._function is not None:
            self._window_context.current = window
            self._function.clear(self._window_context)

    def _first_open_end(self) -> int:
        """The end of the first window that the watermark has not passed yet."""
        beyond = self.context.time.watermark + 2
        return min(beyond + (self._offset + self._size - beyond) % self._slide, LONG_MAX)

    def _without_skipped(
        self, keys: Sequence[Any], values: Sequence[Any], times: Times, first: Times, last: Times
    ) -> tuple[Sequence[Any], Sequence[Any], Times, Times]:
        """The elements that are in a window; the others are late, or in a gap between windows."""
        taken = first <= last
        if taken.all():
            return keys, values, first, last
        for index in np.flatnonzero(~taken).tolist():
            self._skip(values[index], int(times[index]), in_no_window=bool(last[index] <= times[index]))
        kept = np.flatnonzero(taken).tolist()
        return [keys[index] for index in kept], [values[index] for index in kept], first[taken], last[taken]

    def _skip(self, value: Any, timestamp: int, *, in_no_window: bool) -> None:
        late = timestamp <= self.context.time.watermark
        handle_skipped(self.context, self._late_tag, value, timestamp, late=late, in_no_window=in_no_window)

    def _add_to_one_window(self, keys: Sequence[Any], values: Sequence[Any], ends: list[int]) -> None:
        start, add = self._incremental.start, self._incremental.add
        cached = self._cached_keys
        buckets = _BucketsByEnd(self._buckets, self._size)
        value = None
        try:
            for key, value, end in zip(keys, values, ends, strict=True):
                bucket = buckets[end]
                accumulator = bucket.get(key)
                if accumulator is None and key not in cached:
                    self._cache(key)
                    accumulator = bucket.get(key)
                bucket[key] = start(value) if accumulator is None else add(accumulator, value)
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error

    def _add_to_windows(
        self, keys: Sequence[Any], values: Sequence[Any], first_ends: list[int], last_ends: list[int]
    ) -> None:
        start, add, slide = self._incremental.start, self._incremental.add, self._slide
        cached = self._cached_keys
        buckets = _BucketsByEnd(self._buckets, self._size)
        # What is done to an element in one window is not to be seen in another.
        own = _itself if self.context.object_reuse or all_never_change(values) else copied
        value = None
        try:
            for key, value, first, last in zip(keys, values, first_ends, last_ends, strict=True):
                if key not in cached:
                    self._cache(key)
                for end in range(first, last + 1, slide):
                    bucket = buckets[end]
                    accumulator = bucket.get(key)
                    mine = own(value)
                    bucket[key] = start(mine) if accumulator is None else add(accumulator, mine)
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error

    def _add_one_by_one(self, keys: Sequence[Any], values: Sequence[Any], timestamps: list[int]) -> None:
        """Elements near the ends of time, or without a timestamp: the assigner knows what to do."""
        start, add = self._incremental.start, self._incremental.add
        value = None
        try:
            for key, value, timestamp in zip(keys, values, timestamps, strict=True):
                windows = self._assigner.assign_windows(value, timestamp, self._assigner_context)
                taking = [window for window in windows if window.end - 1 > self.context.time.watermark]
                if not taking:
                    self._skip(value, timestamp, in_no_window=not windows)
                elif key not in self._cached_keys:
                    self._cache(key)
                for window in taking:
                    bucket = self._buckets[window]
                    accumulator = bucket.get(key)
                    mine = value if self.context.object_reuse else copied(value)
                    bucket[key] = start(mine) if accumulator is None else add(accumulator, mine)
        except MissingTimestampError:
            # The assigner does not know which operator it works for.
            raise MissingTimestampError(self.context.name, value) from None
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error

    def _cache(self, key: Any) -> None:
        """Move what keyed state has of ``key`` into the cache."""
        state = self.context.state
        state.set_current_key(key)
        entry = state.entry
        for slot in [slot for slot in entry if slot[0] == CONTENTS]:
            self._buckets[slot[1]][key] = entry.pop(slot)  # type: ignore[index]
        self._cached_keys.add(key)

    def _take_due(self, _time: int, window: Any) -> None:
        """A timer is due: move the accumulator of its key into the cache, if it is not there already."""
        state = self.context.state
        accumulator = state.entry.pop((CONTENTS, window), None)
        if accumulator is not None:
            self._buckets[window][state.current_key] = accumulator

    def _emit(self, window: TimeWindow, bucket: Bucket) -> None:
        try:
            if self._function is None:
                result = self._incremental.result
                results = bucket.values() if result is None else [result(each) for each in bucket.values()]
                values = [value for value in results if value is not None]
                if result is not None and not self.context.object_reuse:
                    bucket.clear()
                    del results  # then nobody but the function may still hold them
                    values = handed_on_each(values)
                self.context.output.emit_batch(values, [window.max_timestamp()] * len(values))
            else:
                self._call_function(self._function, window, bucket)
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self.context.name, window, error) from error

    def _call_function(self, function: InternalWindowFunction, window: TimeWindow, bucket: Bucket) -> None:
        context, state = self._window_context, self.context.state
        timestamp = window.max_timestamp()
        for key, accumulator in bucket.items():
            state.set_current_key(key)
            context.current = window
            contents = self._incremental.result_of(accumulator)
            if contents is not None:
                results = function.process(state.get_current_key(), window, context, contents)
                emit_results(self.context, results, timestamp, "window function")
            function.clear(context)


def _itself(value: Any) -> Any:
    return value


class _BucketsByEnd(dict[int, Bucket]):
    """The buckets of a batch by the end of their windows: a window object is made once, not per element."""

    def __init__(self, buckets: defaultdict[TimeWindow, Bucket], size: int) -> None:
        self._buckets = buckets
        self._size = size

    def __missing__(self, end: int) -> Bucket:
        bucket = self[end] = self._buckets[TimeWindow(end - self._size, end)]
        return bucket
