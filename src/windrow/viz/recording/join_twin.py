"""An interval join over rows beside another one: it joins elements that know their numbers."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from windrow.common.limits import MIN_WATERMARK
from windrow.datastream.functions import ProcessJoinFunction
from windrow.errors import UsageError
from windrow.operators.base import LATE_RECORDS, OperatorContext, Time
from windrow.operators.interval_join import Interval, IntervalJoinOperator
from windrow.operators.runtime_context import OperatorRuntimeContext
from windrow.state.keyed import KeyedState
from windrow.viz.events import Expired, Matched, Skipped
from windrow.viz.recording.outputs import CollectedOutput, NoOutput
from windrow.viz.recording.recorder import Recorder
from windrow.viz.recording.twin import shown_key, single


class _Kept(NamedTuple):
    """An element in a buffer: its number in place of its value."""

    number: int
    timestamp: int
    is_left: bool


class JoinTwin:
    """Records which elements of two streams meet, and how long they are kept.

    Args:
        interval: Which elements join.
        recorder: Where events go.
    """

    def __init__(self, interval: Interval, recorder: Recorder) -> None:
        self._recorder = recorder
        self._matches = _Matches(recorder)
        self._operator = IntervalJoinOperator(self._matches, interval)
        self._kept: dict[Any, list[_Kept]] = {}

    def open(self, name: str) -> None:
        state = KeyedState()
        runtime_context = OperatorRuntimeContext(task_name=name, state=state)
        self._context = OperatorContext(
            name, NoOutput(), Time(MIN_WATERMARK), state, runtime_context, object_reuse=True
        )
        self._operator.open(self._context)

    def draw_lots_of(self, snapshot: Any) -> None:
        """There are no lots."""

    def process(self, key: Any, value: Any, timestamp: int, which_input: int, context: OperatorContext) -> None:
        self._keep_time(context)
        self._matches.key = shown_key(key)
        number = self._recorder.arrived(self._matches.key, value, timestamp, context.time, which_input)
        element = _Kept(number, timestamp, which_input == 1)
        late = self._context.counters[LATE_RECORDS]
        take = self._operator.process_batch1 if element.is_left else self._operator.process_batch2
        take(single(key, element, timestamp))
        if self._context.counters[LATE_RECORDS] > late:
            self._recorder.add(Skipped, self._matches.key, number, True)
        else:
            self._kept.setdefault(key, []).append(element)
            self._note_expired(key)

    def watermark(self, context: OperatorContext) -> None:
        self._keep_time(context)
        self._operator.process_watermark(context.time.watermark)
        for key in list(self._kept):
            self._note_expired(key)

    def processing_time(self, context: OperatorContext) -> None:
        self._keep_time(context)

    def settle(self, place: int, collected: CollectedOutput) -> None:
        late, self._context.counters = self._context.counters[LATE_RECORDS], Counter()
        found = collected.counted[LATE_RECORDS] + collected.sides.total()
        matches = any(isinstance(event, Matched) for event in self._recorder.since(place))
        # Without side outputs all late elements are counted; a function may send elements to others.
        if late > found or (collected.results and not matches):
            msg = (
                f"the recording of interval join {self._context.name!r} does not agree with what it did: {late} late "
                f"elements recorded, {found} found; {len(collected.results)} results, and "
                f"{'some' if matches else 'no'} matches recorded"
            )
            raise UsageError(msg)

    def _note_expired(self, key: Any) -> None:
        left, right = (Counter(times) for times in self._operator.buffered(key))
        kept = []
        for element in self._kept.pop(key):
            times = left if element.is_left else right
            if times[element.timestamp] > 0:
                times[element.timestamp] -= 1
                kept.append(element)
            else:
                self._recorder.add(Expired, shown_key(key), element.number)
        if kept:
            self._kept[key] = kept

    def _keep_time(self, context: OperatorContext) -> None:
        self._context.time.watermark = context.time.watermark
        self._context.time.processing_time = context.time.processing_time


class _Matches(ProcessJoinFunction):
    """Stands for the join function: says which elements it would be called with."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.key: Any = None

    def process_element(self, left: _Kept, right: _Kept, ctx: ProcessJoinFunction.Context) -> None:
        self._recorder.add(Matched, self.key, left.number, right.number)
