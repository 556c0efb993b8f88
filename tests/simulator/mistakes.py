"""Deliberate mistakes in the operators: a line of a method is replaced, and the method compiled again."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, NamedTuple

import pytest

from windrow.datastream.window import (
    CountEvictor,
    CountTrigger,
    DeltaEvictor,
    EventTimeTrigger,
    TimeEvictor,
    TimeWindow,
    continuous_triggers,
)
from windrow.operators.interval_join import IntervalJoinOperator, buffer
from windrow.operators.interval_join.buffer import ElementBuffer
from windrow.operators.watermarks.valve import StatusWatermarkValve
from windrow.operators.window.aligned_elements_operator import AlignedElementsOperator
from windrow.operators.window.aligned_window_operator import AlignedWindowOperator
from windrow.operators.window.aligned_windows import AlignedWindows
from windrow.operators.window.cached_windows import CachedWindows
from windrow.operators.window.contents import IncrementalContents, ListContents
from windrow.operators.window.early_firing import EarlyFiring
from windrow.operators.window.early_window_operator import EarlyWindowOperator
from windrow.operators.window.evicting_window_operator import EvictingWindowOperator
from windrow.operators.window.kept_elements import KeptElements, KeptWindow
from windrow.operators.window.merging_window_set import MergingWindowSet
from windrow.operators.window.session import KeySessions
from windrow.operators.window.session_window_operator import SessionWindowOperator
from windrow.operators.window.window_operator import WindowOperator
from windrow.runtime.stage import input_gate
from windrow.runtime.stage.record_writer import RecordWriter
from windrow.runtime.stage.task import StageTask


class Mistake(NamedTuple):
    """In ``owner.method`` the text ``right`` becomes ``wrong``."""

    owner: Any
    method: str
    right: str
    wrong: str

    def plant(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Make the mistake until the test's end."""
        function = vars(self.owner)[self.method]
        source = textwrap.dedent(inspect.getsource(function))
        if source.count(self.right) != 1:
            msg = f"{self.method} does not say {self.right!r} once; write down its mistake anew"
            raise AssertionError(msg)
        made: dict[str, Any] = {}
        exec(source.replace(self.right, self.wrong), function.__globals__, made)
        monkeypatch.setattr(self.owner, self.method, made[self.method])


OPERATOR_MISTAKES = {
    "late one millisecond later": Mistake(WindowOperator, "_add_to_windows", "<= watermark", "< watermark"),
    "sessions late one millisecond later": Mistake(
        WindowOperator, "_add_to_merging_windows", "<= self.context.time.watermark", "< self.context.time.watermark"
    ),
    "lateness of a session judged before merging": Mistake(
        WindowOperator, "_add_to_merging_windows", "actual.max_timestamp() +", "window.max_timestamp() +"
    ),
    "an element between windows late too early": Mistake(
        WindowOperator, "process_element", "timestamp + self._cleanup_delay", "timestamp"
    ),
    "cleanup time wraps around": Mistake(
        WindowOperator,
        "_add_to_windows",
        "window.max_timestamp() + cleanup_delay",
        "(window.max_timestamp() + cleanup_delay + 2**63) % 2**64 - 2**63",
    ),
    "windows are never forgotten": Mistake(
        WindowOperator, "_handle_timer", "and time == self._cleanup_time(window)", "and False"
    ),
    "the window function is not told that its window is over": Mistake(
        WindowOperator, "_clear_all", "self._function.clear(self._window_context)", "pass"
    ),
    "sessions that are over stay in the set": Mistake(
        WindowOperator, "_clear_all", "merging_windows.persist()", "pass"
    ),
    "purging clears the trigger": Mistake(
        WindowOperator,
        "_obey",
        "self._contents.clear(self.context.state.entry, state_window)",
        "self._contents.clear(self.context.state.entry, state_window)"
        "; self._trigger.clear(window, self._trigger_context)",
    ),
    "purging leaves the contents": Mistake(WindowOperator, "_obey", "if result.is_purge():", "if False:"),
    "results one millisecond later": Mistake(
        WindowOperator, "_emit", "window.max_timestamp()", "window.max_timestamp() + 1"
    ),
    "merged contents are lost": Mistake(
        WindowOperator,
        "_merge",
        "self._contents.merge(self.context.state.entry, state_window, merged_state_windows)",
        "pass",
    ),
    "merging does not ask the trigger": Mistake(
        WindowOperator, "_merge", "self._trigger.on_merge(result, context)", "pass"
    ),
    "merged lists in the wrong order": Mistake(ListContents, "combine", "first.extend(second)", "first[:0] = second"),
    "merged values in the wrong order": Mistake(
        IncrementalContents, "combine", "merge(first, second)", "merge(second, first)"
    ),
    "the last state window stays": Mistake(MergingWindowSet, "_merge", "state_windows.pop(0)", "state_windows.pop()"),
    "touching sessions stay apart": Mistake(
        TimeWindow,
        "intersects",
        "self[0] <= other[1] and self[1] >= other[0]",
        "self[0] < other[1] and self[1] > other[0]",
    ),
    "the count goes on after firing": Mistake(CountTrigger, "on_element", "count.clear()", "pass"),
    "counts of merged sessions are lost": Mistake(
        CountTrigger, "on_merge", "ctx.merge_partitioned_state(COUNT)", "pass"
    ),
    "firing again at the cleanup time": Mistake(
        EventTimeTrigger, "on_event_time", "if time == window.max_timestamp()", "if True"
    ),
    "late elements do not fire": Mistake(
        EventTimeTrigger, "on_element", "return TriggerResult.FIRE", "return TriggerResult.CONTINUE"
    ),
    "the remainder of negative times": Mistake(
        continuous_triggers, "interval_start", "-timestamp % interval", "-(timestamp % interval)"
    ),
    "an interval beyond the window's end": Mistake(
        continuous_triggers._ContinuousTrigger, "_next_fire_time", "window.max_timestamp()", "2**63 - 1"
    ),
    "the time evictor keeps its bound": Mistake(TimeEvictor, "evict", "> cut_off", ">= cut_off"),
    "the delta evictor keeps its threshold": Mistake(DeltaEvictor, "evict", "< self.threshold", "<= self.threshold"),
    "the count evictor drops the newest": Mistake(CountEvictor, "evict", "[:surplus]", "[-surplus:]"),
    "what was evicted comes back": Mistake(
        EvictingWindowOperator, "_fire", "self._elements.replace(entry, state_window, elements)", "pass"
    ),
    "sessions in the cache that only touch stay apart": Mistake(
        KeySessions, "touched_by", "held[first - 1].end >= start", "held[first - 1].end > start"
    ),
    "a session in the cache grows over the next one": Mistake(
        SessionWindowOperator, "process_batch", "end >= session.barrier", "False"
    ),
    "a session in the cache fires where it first ended": Mistake(
        SessionWindowOperator, "process_watermark", "next_time != time or session.sequence != sequence", "False"
    ),
    "late elements of sessions in the cache do not fire": Mistake(
        SessionWindowOperator, "_add", "self._fire_session(session, is_kept=True)", "pass"
    ),
    "a session that is reopened fires late": Mistake(
        SessionWindowOperator, "_schedule", "or time < session.scheduled", ""
    ),
    "sessions in the cache lose their contents when they merge": Mistake(
        SessionWindowOperator, "_extend", "[other.contents for other in touched[1:]]", "[]"
    ),
    "sessions that are stored have no timers": Mistake(
        SessionWindowOperator, "store_state", "if session.is_pending:", "if False:"
    ),
    "sessions that are stored are forgotten": Mistake(
        SessionWindowOperator, "_load", "entry.pop((CONTENTS, state_window), None)", "None"
    ),
    "aligned windows late one millisecond later": Mistake(AlignedWindows, "first_end_after", "time + 2", "time + 1"),
    "aligned windows that are kept fire no late elements": Mistake(
        AlignedWindowOperator, "_add_one_by_one", "self._fire_late(key, window, accumulator)", "pass"
    ),
    "aligned windows are kept for ever": Mistake(
        AlignedWindowOperator, "process_watermark", "if self._is_over(window, timestamp)", "if False"
    ),
    "aligned windows that have fired fire again when they are restored": Mistake(
        CachedWindows, "_fires_yet", "not self.allowed_lateness or", "True or"
    ),
    "windows that fire early do so a multiple too late": Mistake(
        EarlyFiring,
        "after_elements",
        "self.aligned else times) + self.interval",
        "self.aligned else times) + 2 * self.interval",
    ),
    "windows that fire early do so once": Mistake(
        EarlyFiring, "after_firing", "min(time + self.interval, self.last_time(end))", "SPENT"
    ),
    "windows fire early behind their end": Mistake(EarlyFiring, "last_early", "end - 2 if", "end - 1 if"),
    "when windows fire early is forgotten": Mistake(
        EarlyWindowOperator,
        "store_state",
        "fire_times.store(self.early, window, self.context.state, ends=self.purges_early)",
        "pass",
    ),
    "windows that fire early do not purge": Mistake(
        EarlyWindowOperator, "_fire_due", "if self.purges_early", "if False"
    ),
    "windows that are over leave when they fire": Mistake(
        EarlyWindowOperator, "_take_due", "del state.entry[slot]", "pass"
    ),
    "aligned windows that purge keep what they held": Mistake(CachedWindows, "__init__", "and not purging", ""),
    "aligned windows forget their first element": Mistake(
        KeptWindow, "items", "elements[start:stop]", "elements[start + 1 : stop]"
    ),
    "aligned windows forget what they held before state was stored": Mistake(
        AlignedElementsOperator, "_bucket", "brought[key] + elements if", "elements if"
    ),
    "elements that windows keep are in one window too many": Mistake(
        KeptElements, "window", "first <= end <= last", "first - self._slide <= end <= last"
    ),
    "aligned windows without timers": Mistake(
        CachedWindows, "store_state", "register_each(end, bucket, window)", "pass"
    ),
    "aligned accumulators that are stored are forgotten": Mistake(
        CachedWindows,
        "_cache",
        "(self._buckets if fires else self._fired)[window][key] = entry.pop(slot)",
        "entry.pop(slot)",
    ),
}

RUNTIME_MISTAKES = {
    "the channel with the highest watermark first": Mistake(
        input_gate, "_rank", "status.watermark", "-status.watermark"
    ),
    "idle channels first": Mistake(input_gate, "_rank", "status.idle", "not status.idle"),
    "elements before the watermark they follow": Mistake(
        RecordWriter, "_chunks", "cuts = positions if", "cuts = [min(each + 1, len(batch)) for each in positions] if"
    ),
    "a watermark forgotten between batches": Mistake(
        StageTask, "attach", "chained.context.time.watermark = kept.watermark", "pass"
    ),
    "a valve without memory": Mistake(StageTask, "attach", "self._valve.restore(task.valve)", "pass"),
    "the end before the last channel": Mistake(
        StageTask, "_end", "self._ended + 1 == self._channels", "self._ended == 0"
    ),
    "the minimum holds an idle channel": Mistake(StatusWatermarkValve, "_on_idle", "status.aligned = False", "pass"),
    "a channel that is back takes the watermark along": Mistake(
        StatusWatermarkValve, "_on_active", "status.watermark >= self.last_output_watermark", "True"
    ),
    "nothing comes out when the last channel becomes idle": Mistake(
        StatusWatermarkValve,
        "_on_idle",
        "self._output_watermark(max(other.watermark for other in self.channels))",
        "pass",
    ),
}

JOIN_MISTAKES = {
    "late at the watermark": Mistake(IntervalJoinOperator, "_process", "timestamp < not_late", "timestamp <= not_late"),
    "never late": Mistake(
        IntervalJoinOperator, "not_late", "max(self.context.time.watermark + self._of_windows, ", "max("
    ),
    "dropped at the watermark": Mistake(ElementBuffer, "limit", "watermark - self._retention", "watermark"),
    "never dropped": Mistake(IntervalJoinOperator, "process_watermark", "buffer.drop(elements, limits[side])", "pass"),
    "the timer of the first element only": Mistake(
        IntervalJoinOperator, "process_watermark", "of_side.set_timer(elements[0][0])", "pass"
    ),
    "an earlier element without a timer": Mistake(
        ElementBuffer, "move_timer", "self.set_timer(earliest)", "len(self._side)"
    ),
    "lower bound exclusive": Mistake(
        IntervalJoinOperator, "_process", "bisect_left(other_times,", "bisect_right(other_times,"
    ),
    "upper bound exclusive": Mistake(
        IntervalJoinOperator, "_process", "bisect_right(other_times,", "bisect_left(other_times,"
    ),
    "a later element first": Mistake(buffer, "insert", "bisect_right(times", "bisect_left(times"),
    "a leaf left out": Mistake(
        ElementBuffer, "_between_leaves", "max(0, bisect_left(starts, lower) - 1)", "max(0, bisect_left(starts, lower))"
    ),
    "the least of both timestamps": Mistake(
        IntervalJoinOperator, "join_each", "if left_timestamp > right_timestamp", "if left_timestamp < right_timestamp"
    ),
    "late elements on the other side's output": Mistake(
        IntervalJoinOperator, "_skip", "emit_side(side.late_tag_id", "emit_side(self._right.late_tag_id"
    ),
}
