"""Windows of processing time, by the operators for many elements at a time that there are for event time.

Of processing time all elements of a batch are in the same windows, no element is late, and the clock fires what the
watermark fires there. So an operator of event-time windows does it, whose watermark is the clock and whose timers are
those of processing time; functions are told the stream's own watermark.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from windrow.common.limits import LONG_MAX, MIN_WATERMARK
from windrow.datastream.window import (
    DynamicEventTimeSessionWindows,
    DynamicProcessingTimeSessionWindows,
    EventTimeSessionWindows,
    EventTimeTrigger,
    ProcessingTimeSessionWindows,
    SlidingEventTimeWindows,
    SlidingProcessingTimeWindows,
    Trigger,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
    WindowAssigner,
)
from windrow.elements.batch import Batch
from windrow.operators.base import OperatorContext
from windrow.operators.clock_time import ClockTime
from windrow.operators.window.aligned_window_operator import AlignedWindowOperator
from windrow.operators.window.by_inner import ByInner
from windrow.operators.window.carry_over import Timing
from windrow.operators.window.session_window_operator import SessionWindowOperator
from windrow.state.in_processing_time import InProcessingTime

if TYPE_CHECKING:
    from windrow.operators.local_aggregate import LocalAggregate
    from windrow.operators.window.panes.operator import PanesOperator
    from windrow.operators.window.sessions.operator import SessionColumnsOperator

    EventTimeOperator: TypeAlias = (
        AlignedWindowOperator | PanesOperator | SessionWindowOperator | SessionColumnsOperator
    )

#: What snapshots of event-time windows call their trigger.
_DEFAULT = EventTimeTrigger.__qualname__


def in_event_time(assigner: object) -> WindowAssigner[Any, Any] | None:
    """The windows of event time that are cut as those of ``assigner`` are in processing time; None if there are none.

    >>> in_event_time(SlidingProcessingTimeWindows.of(60_000, 5_000))
    SlidingEventTimeWindows(60000, 5000, 0)
    """
    if type(assigner) is TumblingProcessingTimeWindows:
        return TumblingEventTimeWindows(assigner.size, assigner.offset, assigner.window_stagger)
    if type(assigner) is SlidingProcessingTimeWindows:
        return SlidingEventTimeWindows(assigner.size, assigner.slide, assigner.offset)
    if type(assigner) is ProcessingTimeSessionWindows:
        return EventTimeSessionWindows(assigner.session_gap)
    if type(assigner) is DynamicProcessingTimeSessionWindows:
        return DynamicEventTimeSessionWindows(assigner.gap_extractor)
    return None


class ByClock(ByInner):
    """Windows of processing time with the default trigger, or one that fires early besides.

    The watermark of ``inner`` stays below the clock, which an element is never late for then. A window whose last
    millisecond is just now has fired, too; should an element still come for it, as row by row it begins anew.

    Args:
        inner: Does the same for windows of event time with the default trigger, without lateness.
        trigger: The windows' trigger.
        by_watermark: Whether windows fire when the stream's watermark comes to their end, too, and are empty then.
        fires_early: Whether ``inner`` fires windows before their end, too, as their trigger says.
    """

    _inner: EventTimeOperator

    def __init__(
        self,
        inner: EventTimeOperator,
        trigger: Trigger[Any, Any],
        *,
        by_watermark: bool = False,
        fires_early: bool = False,
    ) -> None:
        super().__init__(inner)
        self._by_watermark = by_watermark
        self._fires_early = fires_early
        self._trigger = Timing.of(trigger, 0).trigger
        #: What ``inner`` calls its trigger.
        self._of_inner = self._trigger if fires_early else _DEFAULT
        #: Whether a window has fired since state was stored.
        self._has_fired = False
        #: When the next window fires of those that were stored.
        self._next_due: int | None = None

    def local_aggregate(self, *, any_order: bool = False) -> LocalAggregate | None:
        from windrow.operators.window.panes.operator import PanesOperator  # imports Arrow

        inner = self._inner
        return inner.local_aggregate_by_clock(any_order=any_order) if isinstance(inner, PanesOperator) else None

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._time = ClockTime(context.time)
        state = InProcessingTime(context.state)
        self._inner.open(dataclasses.replace(context, time=self._time, state=state))

    def close(self) -> None:
        self._inner.close()

    def process_batch(self, batch: Batch) -> None:
        now, time = self.context.time.processing_time, self._time
        time.watermark = min(time.watermark, now - 1)
        self._inner.process_batch(Batch(batch.elements, np.full(len(batch), now, np.int64), batch.keys))

    def process_watermark(self, timestamp: int) -> None:
        # A trigger of another program may have left timers: they belong to no window of this one.
        self.context.state.take_due_event_timers(timestamp)
        if self._by_watermark and timestamp > self._time.watermark and self._is_due(timestamp):
            self._fire(timestamp)

    def advance_processing_time(self, now: int) -> None:
        self._fire(now if now == LONG_MAX else now - 1)
        if self._fires_early:
            self._inner.fire_early(now)  # type: ignore[union-attr]
        if self._is_due(now):
            self._fire(now)

    def next_processing_time(self) -> int | None:
        times = [self._next_due, super().next_processing_time()]
        return min((time for time in times if time is not None), default=None)

    def store_state(self) -> None:
        columns = self.context.state.columns
        if columns is not None:
            columns.fired_by_clock(self._time.watermark, has_fired=self._has_fired)
        self._has_fired = False
        self._next_due = self._inner.next_due()  # now, for what is kept may be dropped from memory
        self._inner.store_state()

    def snapshot(self) -> Any:
        return self._renamed(self._inner.snapshot())

    def restore(self, snapshot: Any) -> None:
        columns = self.context.state.columns
        fired_to = None if columns is None else columns.clock()
        self._time.watermark = MIN_WATERMARK if fired_to is None else fired_to
        self._inner.restore(self._renamed(snapshot))

    def _is_due(self, now: int) -> bool:
        due = self._inner.next_due()
        return due is not None and due <= now

    def _fire(self, now: int) -> None:
        self._has_fired |= self._is_due(now)
        self._time.watermark = now
        self._inner.process_watermark(now)

    def _renamed(self, snapshot: Any) -> Any:
        """A snapshot with the trigger's name in place of that of the default one of event time, or the other way."""
        trigger, lateness = snapshot["timing"]
        names = {self._trigger: self._of_inner, self._of_inner: self._trigger}
        return {**snapshot, "timing": (names.get(trigger, trigger), lateness)}
