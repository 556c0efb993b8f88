"""The window operator: assigns windows, asks the trigger, fires, and forgets what is over (Flink's ``WindowOperator``).

It knows nothing of what is aggregated (:mod:`~windrow.operators.window.contents`) nor of what the user does with it
(:mod:`~windrow.operators.window.window_functions`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from windrow.common.copies import copied
from windrow.common.limits import LONG_MAX
from windrow.common.unchangeable import never_changes
from windrow.datastream.window import (
    ContinuousProcessingTimeTrigger,
    CountTrigger,
    DeltaTrigger,
    EventTimeTrigger,
    MergingWindowAssigner,
    ProcessingTimeoutTrigger,
    ProcessingTimeTrigger,
    PurgingTrigger,
    TimeWindow,
    Trigger,
    TriggerResult,
    Window,
    WindowAssigner,
)
from windrow.elements.batch import Batch
from windrow.errors import MissingTimestampError, UsageError, WindrowError, shorten, user_function_error
from windrow.operators.base import Operator, OperatorContext
from windrow.operators.results import emit_results
from windrow.operators.waiting import Waiting
from windrow.operators.window.carry_over import CarryOver, Timing, remove_trigger_state
from windrow.operators.window.contents import WindowContents
from windrow.operators.window.merging_window_set import MergingWindowSet
from windrow.operators.window.skipped import LateTag, handle_skipped
from windrow.operators.window.staggering import staggered
from windrow.operators.window.stored_columns import entries_of_columns
from windrow.operators.window.trigger_context import OperatorAssignerContext, OperatorTriggerContext
from windrow.operators.window.window_context import WindowContext
from windrow.operators.window.window_functions import InternalWindowFunction

#: Triggers that no watermark makes fire.
_NOT_BY_WATERMARK = (CountTrigger, DeltaTrigger, ProcessingTimeTrigger, ContinuousProcessingTimeTrigger)


class WindowOperator(Operator):
    """Windows of one keyed stream.

    Args:
        assigner: Which windows an element belongs to.
        trigger: When a window fires; with a merging assigner one that can merge.
        contents: How elements are kept until then.
        function: What is called with the contents of a firing window; None emits the contents themselves.
        allowed_lateness: For how many milliseconds after its maximum timestamp an event-time window is kept.
        late_tag: The side output of elements that are too late; None counts them instead.
    """

    def __init__(
        self,
        assigner: WindowAssigner[Any, Any],
        trigger: Trigger[Any, Any],
        contents: WindowContents,
        function: InternalWindowFunction | None = None,
        allowed_lateness: int = 0,
        late_tag: LateTag | None = None,
    ) -> None:
        self._assigner = assigner
        self._merging_assigner = assigner if isinstance(assigner, MergingWindowAssigner) else None
        self._staggered = staggered(assigner)
        self._trigger = trigger
        self._contents = contents
        self._function = function
        self._event_time = assigner.is_event_time()
        # Flink ignores the lateness of processing-time windows: the clock is never late.
        self._cleanup_delay = allowed_lateness if self._event_time else 0
        self._late_tag = late_tag
        self._timing = Timing.of(trigger, self._cleanup_delay)
        #: Whether another trigger may have left state for windows that are open.
        self._had_other_trigger = False

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._trigger_context = OperatorTriggerContext(context)
        self._assigner_context = OperatorAssignerContext(context)
        self._window_context = WindowContext(context, per_window_state=self._merging_assigner is None)
        self._contents.open(context)
        if self._function is not None:
            self._function.open(context)

    def close(self) -> None:
        self._contents.close()
        if self._function is not None:
            self._function.close()

    def process_batch(self, batch: Batch) -> None:
        if batch.keys is None:
            msg = f"operator {self.context.name!r} got elements without keys; windows need a keyed stream"
            raise UsageError(msg)
        set_current_key = self.context.state.set_current_key
        self.context.state.expect(batch.keys)
        process = self.process_element
        value = None
        try:
            for key, value, timestamp in zip(batch.keys, batch.elements, batch.timestamp_list(), strict=True):
                set_current_key(key)
                process(value, timestamp)
        except MissingTimestampError:
            # The assigner does not know which operator it works for.
            raise MissingTimestampError(self.context.name, value) from None
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error

    def process_element(self, value: Any, timestamp: int) -> None:
        windows = self._assigner.assign_windows(value, timestamp, self._assigner_context)
        if type(windows) is not list:
            self._check_windows(windows)
        watermark = self.context.time.watermark
        if watermark == LONG_MAX and self._event_time:
            # No cleanup time is beyond the end of time, however long windows wait for late elements.
            skipped = True
        elif self._merging_assigner is None:
            skipped = self._add_to_windows(windows, value, timestamp)
        else:
            skipped = self._add_to_merging_windows(self._merging_assigner, windows, value, timestamp)
        if skipped:
            late = self._event_time and min(timestamp + self._cleanup_delay, LONG_MAX) <= watermark
            handle_skipped(self.context, self._late_tag, value, timestamp, late=late, in_no_window=not windows)

    def snapshot(self) -> Any:
        """Give what says when windows fire and are over, and the stagger that was drawn: windows stay in place."""
        offset = None if self._staggered is None else self._staggered.stagger_offset
        other = self._had_other_trigger
        return {"timing": tuple(self._timing), "had_other_trigger": other, "stagger_offset": offset}

    def restore(self, snapshot: Any, *, keeps_columns: bool = False) -> None:
        """Take back what :meth:`snapshot` gave; ``keeps_columns``: what is kept as columns stays as it is."""
        if self._staggered is not None:
            self._staggered.stagger_offset = snapshot.get("stagger_offset")
        before = Timing(*snapshot["timing"])
        self._had_other_trigger = snapshot.get("had_other_trigger", False) or before.trigger != self._timing.trigger
        if before != self._timing or not keeps_columns:
            entries_of_columns(self.context.state, self.context.time.watermark)
        if before != self._timing:
            time = self.context.time
            CarryOver(
                self.context.state,
                event_time=self._event_time,
                merging=self._merging_assigner is not None,
                now=time.watermark if self._event_time else time.processing_time,
                clear=self._forget,
            ).run(before, self._timing)

    def waiting(self) -> Waiting | None:
        due, trigger = self.context.state.next_event_time(), _innermost(self._trigger)
        if due is None or isinstance(trigger, _NOT_BY_WATERMARK):
            return None  # at its end a window of such a trigger is forgotten, and nothing comes out
        timer = self.context.state.event_timers.next_due(due)
        window = None if timer is None else timer[2]
        if isinstance(trigger, EventTimeTrigger) and isinstance(window, TimeWindow) and window.max_timestamp() == due:
            return Waiting(due, window.start, window.end)
        return Waiting(due)

    def process_watermark(self, timestamp: int) -> None:
        self.context.state.fire_event_timers(timestamp, self._on_event_time)

    def advance_processing_time(self, now: int) -> None:
        self.context.state.fire_processing_timers(now, self._on_processing_time)

    def _check_windows(self, windows: Any) -> None:
        # A time window is a tuple too.
        if isinstance(windows, Window) or not isinstance(windows, Collection):
            msg = (
                f"operator {self.context.name!r}: assign_windows of {type(self._assigner).__name__} returned "
                f"{shorten(windows)}; return a list of windows, an empty one for an element that belongs to none"
            )
            raise UsageError(msg)

    def _add_to_windows(self, windows: Collection[Window], value: Any, timestamp: int) -> bool:
        """Add an element to its windows; whether all of them were late."""
        skipped = True
        event_time, cleanup_delay = self._event_time, self._cleanup_delay
        watermark = self.context.time.watermark
        state = self.context.state
        entry, key = state.entry, state.current_key
        register = (state.event_timers if event_time else state.processing_timers).register
        context = self._trigger_context
        add, on_element = self._contents.add, self._trigger.on_element
        # What is done to an element in one window is not to be seen in another.
        is_shared = len(windows) > 1 and not self.context.object_reuse and not never_changes(value)
        for window in windows:
            cleanup_time = window.max_timestamp() + cleanup_delay
            if event_time and cleanup_time <= watermark:
                continue
            skipped = False
            add(entry, window, copied(value) if is_shared else value, timestamp)
            context.window = window
            result = on_element(value, timestamp, window, context)
            if result is not TriggerResult.CONTINUE:
                self._obey(result, window, window)
            # A window that ends with time itself is never cleaned up.
            if cleanup_time < LONG_MAX:
                register(cleanup_time, key, window)
        return skipped

    def _add_to_merging_windows(
        self, assigner: MergingWindowAssigner[Any, Any], windows: Collection[Window], value: Any, timestamp: int
    ) -> bool:
        """The same for windows that may merge: lateness is judged on the merged window."""
        skipped = True
        state = self.context.state
        merging_windows = MergingWindowSet(assigner, state)
        context = self._trigger_context
        is_shared = len(windows) > 1 and not self.context.object_reuse and not never_changes(value)
        for window in windows:
            actual = merging_windows.add_window(window, self._merge)
            cleanup_time = actual.max_timestamp() + self._cleanup_delay
            if self._event_time and cleanup_time <= self.context.time.watermark:
                merging_windows.retire_window(actual)
                continue
            skipped = False
            state_window = merging_windows.get_state_window(actual)
            if state_window is None:
                msg = f"operator {self.context.name!r}: {self._assigner!r} merged {window} into {actual} and lost it"
                raise UsageError(msg)
            self._contents.add(state.entry, state_window, copied(value) if is_shared else value, timestamp)
            context.window = actual
            result = self._trigger.on_element(value, timestamp, actual, context)
            if result is not TriggerResult.CONTINUE:
                self._obey(result, actual, state_window)
            if cleanup_time < LONG_MAX:
                timers = state.event_timers if self._event_time else state.processing_timers
                timers.register(cleanup_time, state.current_key, actual)
        merging_windows.persist()
        return skipped

    def _merge(
        self, result: Window, merged: Collection[Window], state_window: Window, merged_state_windows: Collection[Window]
    ) -> None:
        """Windows became one: tell the trigger, forget what each of them had, and bring the contents together."""
        self._refuse_merge_into_the_past(result)
        context = self._trigger_context
        context.window = result
        context.merged_windows = merged
        self._trigger.on_merge(result, context)
        context.merged_windows = ()
        for window in merged:
            context.window = window
            self._clear_trigger(window)
            self._delete_cleanup_timer(window)
        self._contents.merge(self.context.state.entry, state_window, merged_state_windows)

    def _refuse_merge_into_the_past(self, result: Window) -> None:
        time = self.context.time
        now = time.watermark if self._event_time else time.processing_time
        if result.max_timestamp() + self._cleanup_delay > now:
            return
        domain, clock = ("event", "watermark") if self._event_time else ("processing", "processing time")
        msg = (
            f"operator {self.context.name!r}: merging made the {domain}-time window {result}, which is already over at"
            f" {clock} {now}; a merging assigner must never make the end of a window earlier"
        )
        raise UsageError(msg)

    def _on_event_time(self, time: int, window: Any) -> None:
        self._on_timer(time, window, event_time=True)

    def _on_processing_time(self, time: int, window: Any) -> None:
        self._on_timer(time, window, event_time=False)

    def _on_timer(self, time: int, window: Any, *, event_time: bool) -> None:
        try:
            self._handle_timer(time, window, event_time=event_time)
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self.context.name, (self.context.state.current_key, window), error) from error

    def _handle_timer(self, time: int, window: Any, *, event_time: bool) -> None:
        assigner = self._merging_assigner
        merging_windows = None if assigner is None else MergingWindowSet(assigner, self.context.state)
        state_window = window if merging_windows is None else merging_windows.get_state_window(window)
        if state_window is None:
            # A trigger left this timer behind when its window was merged away or cleaned up.
            return
        context = self._trigger_context
        context.window = window
        trigger = self._trigger
        on_time = trigger.on_event_time if event_time else trigger.on_processing_time
        result = on_time(time, window, context)
        is_over = event_time == self._event_time and time == self._cleanup_time(window)
        if result is not TriggerResult.CONTINUE:
            self._obey(result, window, state_window, is_over=is_over)
        if is_over:
            self._clear_all(window, state_window, merging_windows)

    def _obey(self, result: TriggerResult, window: Window, state_window: Window, *, is_over: bool = False) -> None:
        if not isinstance(result, TriggerResult):
            msg = (
                f"operator {self.context.name!r}: trigger {type(self._trigger).__name__} returned {result!r};"
                " every callback has to return a TriggerResult, such as TriggerResult.CONTINUE"
            )
            raise UsageError(msg)
        if result.is_fire():
            self._fire(window, state_window, is_kept=not is_over and not result.is_purge())
        if result.is_purge():
            self._contents.clear(self.context.state.entry, state_window)

    def _fire(self, window: Window, state_window: Window, *, is_kept: bool) -> None:
        """Give out the contents; ``is_kept``: copies of them, because there will be later firings."""
        contents = self._contents.get(self.context.state.entry, state_window)
        if contents is not None:
            self._emit(window, copied(contents) if is_kept and not self.context.object_reuse else contents)

    def _emit(self, window: Window, contents: Any) -> None:
        """Results carry the window's maximum timestamp, early and repeated firings included."""
        timestamp = window.max_timestamp()
        if self._function is None:
            self.context.output.emit(contents, timestamp)
            return
        context = self._window_context
        context.current = window
        results = self._function.process(self.context.state.get_current_key(), window, context, contents)
        emit_results(self.context, results, timestamp, "window function")

    def _clear_all(self, window: Window, state_window: Window, merging_windows: MergingWindowSet | None) -> None:
        self._contents.clear(self.context.state.entry, state_window)
        self._clear_trigger(window)
        if self._function is not None:
            self._window_context.current = window
            self._function.clear(self._window_context)
        if merging_windows is not None:
            merging_windows.retire_window(window)
            merging_windows.persist()

    def _clear_trigger(self, window: Window) -> None:
        self._trigger.clear(window, self._trigger_context)
        if self._had_other_trigger:
            remove_trigger_state(self.context.state.entry, window)

    def _forget(self, window: Window, state_window: Window) -> None:
        """Remove a window that has fired, and that a program with a larger lateness had kept."""
        assigner = self._merging_assigner
        self._trigger_context.window = window
        self._clear_all(
            window, state_window, None if assigner is None else MergingWindowSet(assigner, self.context.state)
        )

    def _cleanup_time(self, window: Window) -> int:
        return min(window.max_timestamp() + self._cleanup_delay, LONG_MAX)

    def _delete_cleanup_timer(self, window: Window) -> None:
        state = self.context.state
        timers = state.event_timers if self._event_time else state.processing_timers
        timers.delete(self._cleanup_time(window), state.current_key, window)


def _innermost(trigger: Trigger[Any, Any]) -> Trigger[Any, Any]:
    """The trigger that decides when windows fire, inside of those that only add something to it."""
    while isinstance(trigger, PurgingTrigger | ProcessingTimeoutTrigger):
        trigger = trigger.nested_trigger
    return trigger
