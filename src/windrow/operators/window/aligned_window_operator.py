"""Tumbling and sliding event-time windows with an incremental function, many elements at a time.

The meaning is :class:`~windrow.operators.window.window_operator.WindowOperator`'s for an assigner that
:func:`~windrow.operators.window.aligned_windows.is_aligned` accepts, the default trigger (purging or not) and no
evictor. Then a window fires when the watermark passes its end, for all keys alike, and once more for each element that
comes while it is kept for late ones: no trigger has to be asked, and no timer is needed per key.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from windrow.common.copies import copied, copied_each
from windrow.common.limits import LONG_MAX
from windrow.common.unchangeable import all_never_change
from windrow.datastream.window import EventTimeTrigger, PurgingTrigger, TimeWindow, Trigger, Window
from windrow.elements.batch import Batch, columns_of, taken
from windrow.errors import MissingTimestampError, UsageError, WindrowError, user_function_error
from windrow.operators.base import OperatorContext
from windrow.operators.ownership import handed_on_each
from windrow.operators.results import emit_results, gather_results
from windrow.operators.waiting import Waiting
from windrow.operators.window.aligned_windows import AlignedAssigner, AlignedWindows, Times
from windrow.operators.window.buckets import Bucket, BucketsByEnd, neighbours_shared
from windrow.operators.window.cached_windows import CachedWindows
from windrow.operators.window.early_firing import EarlyFiring, FireTimesByKey
from windrow.operators.window.emit_trigger import EmitTrigger
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.skipped import LateTag, handle_skipped
from windrow.operators.window.trigger_context import OperatorAssignerContext
from windrow.operators.window.window_context import WindowContext
from windrow.operators.window.window_functions import InternalWindowFunction

if TYPE_CHECKING:
    from windrow.operators.window.slotted_windows import Placed, SlottedWindows

#: A key, a value and windows that it is in, the newest first.
_Element: TypeAlias = tuple[Any, Any, list[TimeWindow]]


def fires_at_end(trigger: Trigger[Any, Any]) -> bool:
    """Tell whether ``trigger`` is the default one of event-time windows, or means the same, purging or not."""
    inner = trigger.nested_trigger if type(trigger) is PurgingTrigger else trigger
    if isinstance(inner, EmitTrigger):
        return inner.early is None and inner.late is None and not inner.by_clock
    return type(inner) is EventTimeTrigger


class AlignedWindowOperator(CachedWindows):
    """Accumulators by window and key, in dictionaries that all keys share (:class:`CachedWindows`).

    Elements that come as columns, whose keys have slots, find the accumulators of open windows in lists
    (``slotted_windows.py``), from which they go into the dictionaries when something else is done with them.

    Args:
        assigner: Tumbling or sliding event-time windows that ``is_aligned`` accepts.
        incremental: How elements are combined.
        function: What is called with each result; None emits the results themselves.
        allowed_lateness: For how many milliseconds after its maximum timestamp a window is kept. With more than none
            of them, ``function`` must not need to hear that a window is over.
        late_tag: The side output of elements that are too late; None counts them instead.
        purging: Whether a window is emptied when it fires.
    """

    #: When windows fire before their end; None: they do not.
    early: EarlyFiring | None = None
    #: Whether a window is empty when it has fired before its end.
    purges_early = False

    def __init__(
        self,
        assigner: AlignedAssigner,
        incremental: Incremental,
        function: InternalWindowFunction | None = None,
        allowed_lateness: int = 0,
        late_tag: LateTag | None = None,
        *,
        purging: bool = False,
    ) -> None:
        super().__init__(allowed_lateness, purging=purging)
        self._assigner = assigner
        self.windows = AlignedWindows.of(assigner)
        self._incremental = incremental
        self._function = function
        self._late_tag = late_tag
        #: Whether accumulators are the results, whatever their keys are, and nobody needs them behind their firing.
        self._gives_accumulators = function is None and incremental.result is None and not self._keeps
        #: Accumulators that are in lists; None: there have been none.
        self._slotted: SlottedWindows | None = None

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
        self.process_batch(Batch([value], [timestamp], [self.context.state.current_key]))

    def process_batch(self, batch: Batch) -> None:
        if batch.keys is None:
            msg = f"operator {self.context.name!r} got elements without keys; windows need a keyed stream"
            raise UsageError(msg)
        keys, values = batch.keys, batch.elements
        times = batch.timestamp_array()
        if times.size == 0:
            return
        windows, watermark = self.windows, self.context.time.watermark
        if not self.fires_again and any(window.end - 1 > watermark for window in self._fired):
            # The watermark has gone back: windows that are kept are open again, and each key is asked for them.
            self.fires_again = True
            self._cached_keys.clear()
        self._note_arrival(keys, values, times)
        if not windows.are_safe(times):
            self._settle()
            self._add_one_by_one(self._assigned(keys, values, batch.timestamp_list()))
            return
        first, last = windows.ends(times)
        first_open = windows.first_end_after(watermark)
        some_passed = int(first.min()) < first_open
        if not some_passed and windows.slide <= windows.size:
            self._add(keys, values, first, last)
            return
        first_not_passed = np.maximum(first, first_open)
        taken = first_not_passed <= last
        others = ~taken | (first < first_open) if self.allowed_lateness else ~taken
        if taken.all():
            self._add(keys, values, first_not_passed, last)
        else:
            self._add(*_chosen(taken, keys, values), first_not_passed[taken], last[taken])
        if others.any():
            chosen = np.flatnonzero(others)
            columns = (times[chosen].tolist(), first[chosen].tolist(), last[chosen].tolist())
            self._add_one_by_one(self._late(*_chosen(others, keys, values), *columns))

    def process_local(self, batch: Batch) -> None:
        """Process local accumulators, to which elements have come before the exchange."""
        incremental, self._incremental = self._incremental, self._incremental.of_local()
        try:
            self.process_batch(batch)
        finally:
            self._incremental = incremental

    def next_due(self) -> int | None:
        """Give the time when the next window fires; None: there is none. Windows must not wait for late elements."""
        ends = [window.end - 1 for window in self._buckets] + [end - 1 for end in self._slotted_ends()]
        timer = self.context.state.next_event_time()
        return min(ends if timer is None else [timer, *ends], default=None)

    def waiting(self) -> Waiting | None:
        due = self.next_due()
        # Where windows wait for late elements a timer may be that of one that has fired.
        return self.windows.waiting(due, fires=not self.allowed_lateness or (due is not None and self.is_open(due + 1)))

    def is_open(self, end: int) -> bool:
        """Tell whether a window of this end is in memory that has not fired."""
        return end in self._slotted_ends() or any(window.end == end for window in self._buckets)

    def follows_sorted_time(self) -> bool:
        return self._function is None or not self._function.sees_watermark

    def process_watermark(self, timestamp: int) -> None:
        self.fetch_due(timestamp)
        # Windows of one end may have several sizes: a program that was changed goes on with those that are open.
        for window in sorted(self._due(timestamp), key=lambda window: (window.end, window.start)):
            self._fire(window, is_kept=self._keeps and not self._is_over(window, timestamp))
        for window in [window for window in self._fired if self._is_over(window, timestamp)]:
            del self._fired[window]

    def _due(self, watermark: int) -> Iterable[TimeWindow]:
        """The windows that the watermark fires."""
        in_lists = [self.windows.window(end) for end in self._slotted_ends() if end - 1 <= watermark]
        return [window for window in self._buckets if window.end - 1 <= watermark] + in_lists

    def _fire(self, window: TimeWindow, *, is_kept: bool) -> None:
        """Emit what a window holds, and keep it for late elements, or not."""
        if self._slotted is not None and window.end in self._slotted_ends():
            self._emit_accumulators(window, self._slotted.take_in_order(window.end))
            return
        bucket = self._buckets.pop(window)
        self._emit(window, bucket, is_kept=is_kept)
        if is_kept:
            self._fired[window].update(bucket)

    @property
    def function(self) -> InternalWindowFunction | None:
        """The function that is called with each result; None: results themselves are emitted."""
        return self._function

    @property
    def wants_late(self) -> bool:
        """True if elements that are too late go to a side output; else they are counted."""
        return self._late_tag is not None

    def result_of(self, accumulator: Any) -> Any:
        """Give the result of an accumulator; None if there is nothing."""
        return self._incremental.result_of(accumulator)

    def holds_any(self) -> bool:
        return super().holds_any() or bool(self._slotted_ends())

    def fetch_due(self, watermark: int) -> None:
        self._settle_due(watermark)
        super().fetch_due(watermark)

    def _forget(self, window: Window, state_window: Window) -> None:
        super()._forget(window, state_window)
        if self._function is not None:
            self._window_context.current = window
            self._function.clear(self._window_context)

    def fire_early(self, limit: int) -> None:
        """Fire windows at the times up to ``limit`` that are before their end, or of the clock."""

    def fetch_due_early(self, limit: int) -> None:
        """Bring what fires so by ``limit`` into the cache."""

    def held_fire_times(self) -> Iterable[tuple[TimeWindow, FireTimesByKey]]:
        """Give the windows in the cache with the times, by key, at which they fire next before their end."""
        return ()

    def take_over_fire_times(self, window: TimeWindow, fire_times: Iterable[tuple[Any, int]]) -> None:
        """Hold when keys fire next, of which nothing is held."""

    def _note_arrival(self, keys: Sequence[Any], values: Sequence[Any], times: Times) -> None:
        """Do what depends on when elements come, before they are added."""

    def _add(self, keys: Sequence[Any], values: Sequence[Any], first: Times, last: Times) -> None:
        """Add elements to windows that have not passed."""
        if self.windows.slide >= self.windows.size and self._add_by_slot(keys, values, last):
            return
        self._settle()
        if self.windows.slide < self.windows.size:
            self._add_to_windows(keys, values, first.tolist(), last.tolist())
            return
        for part in Batch(values, last, keys).in_parts():
            self._add_to_one_window(part.keys or (), part.elements, part.timestamps)

    def _add_by_slot(self, keys: Sequence[Any], values: Sequence[Any], ends: Times) -> bool:
        """Add elements to accumulators in lists; False, and nothing is added, if that cannot be."""
        key_columns, columns = columns_of(keys), columns_of(values)
        if key_columns is None or columns is None or not columns.shape.never_changes or self.fires_again:
            return False
        if self._slotted is None:
            # Here, because it imports Arrow.
            from windrow.operators.window.slotted_windows import SlottedWindows

            self._slotted = SlottedWindows()
        placed = self._slotted.place(key_columns, ends)
        if placed is None or not self._take_up(self._slotted, placed):
            return False
        placed.add(columns, self._incremental, self.context.name)
        return True

    def _take_up(self, slotted: SlottedWindows, placed: Placed) -> bool:
        """Bring what dictionaries and keyed state have of new keys into lists; False if they have to be asked first."""
        if not self._state_is_fresh():
            # One after the other: a key's place in a window is where it comes, or where one that it came with did.
            for new in placed.new():
                if new.key not in self._cached_keys:
                    self._cache(new.key)
                slotted.take_over(new, self._buckets[self.windows.window(new.end)])
            return not self.fires_again
        for end in placed.ends:
            bucket = self._buckets.get(self.windows.window(end))
            if bucket:
                for new in placed.new(end):
                    if new.key in bucket:
                        slotted.take_over(new, bucket)
        return True

    def _slotted_ends(self) -> list[int]:
        return [] if self._slotted is None else self._slotted.ends()

    def _settle(self, *, failed: bool = True) -> None:
        if self._slotted is not None:
            for end, accumulators in self._slotted.take_all(failed=failed).items():
                self._buckets[self.windows.window(end)].update(accumulators)

    def _settle_due(self, watermark: int) -> None:
        """Have the accumulators of windows that the watermark fires in dictionaries, if anybody asks for their keys."""
        if self._slotted is None:
            return
        for end in [end for end in self._slotted.ends() if end - 1 <= watermark]:
            window = self.windows.window(end)
            if not self._gives_accumulators or self._buckets.get(window) or not self._state_is_fresh():
                self._buckets[window].update(self._slotted.take(end))
            else:
                self._buckets.pop(window, None)

    def _late(
        self, keys: Sequence[Any], values: Sequence[Any], times: list[int], first_ends: list[int], last_ends: list[int]
    ) -> Iterable[_Element]:
        """Give the elements of which windows have passed, with those that are still kept; skip those without any."""
        size, slide = self.windows.size, self.windows.slide
        watermark = self.context.time.watermark
        # Nothing is beyond the end of time, however long windows wait for late elements.
        first_kept = (
            LONG_MAX if watermark == LONG_MAX else self.windows.first_end_after(watermark - self.allowed_lateness)
        )
        first_open = self.windows.first_end_after(watermark)
        for key, value, time, first, last in zip(keys, values, times, first_ends, last_ends, strict=True):
            begin = max(first, first_kept)
            if last < begin:
                self.skip(value, time, in_no_window=last <= time)
                continue
            passed = range(min(last, first_open - slide), begin - 1, -slide)
            yield key, value, [TimeWindow(end - size, end) for end in passed]

    def _assigned(self, keys: Sequence[Any], values: Sequence[Any], timestamps: list[int]) -> Iterable[_Element]:
        """Elements near the ends of time, or without a timestamp: the assigner knows what to do."""
        watermark = self.context.time.watermark
        for key, value, timestamp in zip(keys, values, timestamps, strict=True):
            try:
                windows = self._assigner.assign_windows(value, timestamp, self._assigner_context)
            except MissingTimestampError:
                # The assigner does not know which operator it works for.
                raise MissingTimestampError(self.context.name, value) from None
            kept = [window for window in windows if self._cleanup_time(window) > watermark]
            if kept and watermark < LONG_MAX:
                yield key, value, kept
            else:
                self.skip(value, timestamp, in_no_window=not windows)

    def _add_one_by_one(self, elements: Iterable[_Element]) -> None:
        """Add elements to each of the windows that they come with; windows that have passed fire again."""
        start, add = self._incremental.start, self._incremental.add
        watermark = self.context.time.watermark
        value = None
        try:
            for key, value, windows in elements:
                for window in windows:
                    accumulator = self._take(key, window)
                    mine = value if self.context.object_reuse else copied(value)
                    accumulator = start(mine) if accumulator is None else add(accumulator, mine)
                    if window.end - 1 > watermark:
                        self._buckets[window][key] = accumulator
                        continue
                    if self._keeps:
                        self._fired[window][key] = accumulator
                    self._fire_late(key, window, accumulator)
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error

    def skip(self, value: Any, timestamp: int, *, in_no_window: bool) -> None:
        """Handle an element that no window takes."""
        late = min(timestamp + self.allowed_lateness, LONG_MAX) <= self.context.time.watermark
        handle_skipped(self.context, self._late_tag, value, timestamp, late=late, in_no_window=in_no_window)

    def _add_to_one_window(self, keys: Sequence[Any], values: Sequence[Any], ends: Times) -> None:
        start, add = self._incremental.start, self._incremental.add
        cached = self._cached_keys
        buckets = BucketsByEnd(self._buckets, self.windows)
        value = end_before = None
        try:
            for key, value, end in zip(keys, values, neighbours_shared(ends), strict=True):
                if end is not end_before:
                    bucket, end_before = buckets[end], end
                    held = bucket.get
                accumulator = held(key)
                if accumulator is not None:
                    bucket[key] = add(accumulator, value)
                    continue
                if key not in cached:
                    accumulator = self._take(key, self.windows.window(end))
                bucket[key] = start(value) if accumulator is None else add(accumulator, value)
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error

    def _add_to_windows(
        self, keys: Sequence[Any], values: Sequence[Any], first_ends: list[int], last_ends: list[int]
    ) -> None:
        start, add, slide = self._incremental.start, self._incremental.add, self.windows.slide
        cached = self._cached_keys
        buckets = BucketsByEnd(self._buckets, self.windows)
        # What is done to an element in one window is not to be seen in another.
        own = _itself if self.context.object_reuse or all_never_change(values) else copied
        value = None
        try:
            for key, value, first, last in zip(keys, values, first_ends, last_ends, strict=True):
                for end in range(first, last + 1, slide):
                    bucket = buckets[end]
                    accumulator = bucket.get(key)
                    if accumulator is None and key not in cached:
                        accumulator = self._take(key, self.windows.window(end))
                    mine = own(value)
                    bucket[key] = start(mine) if accumulator is None else add(accumulator, mine)
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error

    def _emit_accumulators(self, window: TimeWindow, values: list[Any]) -> None:
        try:
            self.context.output.emit_batch(Batch(values, [window.max_timestamp()] * len(values)))
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self.context.name, window, error) from error

    def _emit(self, window: TimeWindow, bucket: Bucket, *, is_kept: bool) -> None:
        try:
            if self._function is None:
                result = self._incremental.result
                results = bucket.values() if result is None else [result(each) for each in bucket.values()]
                values: Sequence[Any] = [value for value in results if value is not None]
                if is_kept and not self.context.object_reuse:
                    values = copied_each(values)
                elif result is not None and not self.context.object_reuse:
                    bucket.clear()
                    del results  # then nobody but the function may still hold them
                    values = handed_on_each(list(values))
                self.context.output.emit_batch(Batch(values, [window.max_timestamp()] * len(values)))
            else:
                self._call_function(self._function, window, bucket, is_kept=is_kept)
        except WindrowError:
            raise
        except BaseException as error:
            fired = window if self._function is None else (self.context.state.current_key, window)
            raise user_function_error(self.context.name, fired, error) from error

    def _call_function(
        self, function: InternalWindowFunction, window: TimeWindow, bucket: Bucket, *, is_kept: bool
    ) -> None:
        context, state = self._window_context, self.context.state
        timestamp = window.max_timestamp()
        copies = is_kept and not self.context.object_reuse
        values: list[Any] = []
        for key, accumulator in bucket.items():
            state.set_current_key(key)
            context.current = window
            contents = self._incremental.result_of(accumulator)
            if contents is not None:
                contents = copied(contents) if copies else contents
                results = function.process(state.get_current_key(), window, context, contents)
                if results is not None:
                    gather_results(self.context, results, timestamp, values, "window function")
            if not is_kept:
                function.clear(context)
        self.context.output.emit_batch(Batch(values, [timestamp] * len(values)))

    def _fire_late(self, key: Any, window: TimeWindow, accumulator: Any) -> None:
        """Fire a window that has passed, for the key of a late element."""
        contents = self._incremental.result_of(accumulator)
        if contents is None:
            return
        if self._keeps and not self.context.object_reuse:
            contents = copied(contents)
        timestamp = window.max_timestamp()
        if self._function is None:
            self.context.output.emit(contents, timestamp)
            return
        state, context = self.context.state, self._window_context
        state.set_current_key(key)
        context.current = window
        results = self._function.process(state.get_current_key(), window, context, contents)
        emit_results(self.context, results, timestamp, "window function")


def _itself(value: Any) -> Any:
    return value


def _chosen(is_taken: Any, keys: Sequence[Any], values: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
    indexes = np.flatnonzero(is_taken)
    columns, listed = columns_of(values), indexes.tolist()
    chosen = [values[index] for index in listed] if columns is None or not columns.untouched else columns.take(indexes)
    return taken(keys, indexes), chosen
