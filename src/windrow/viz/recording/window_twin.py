"""The general window operator beside another one: its assigner, trigger, evictor and function say what happens.

It keeps elements whatever the program does with them, and calls no window function and none that combines elements:
those of the program are called by its own operator alone.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable
from typing import Any

from windrow.common.limits import MIN_WATERMARK
from windrow.datastream.functions import AggregateFunction
from windrow.datastream.window import Evictor, OnMergeContext, TimestampedValue, Trigger, TriggerResult, Window
from windrow.errors import UsageError
from windrow.operators.base import LATE_RECORDS, OperatorContext, Time
from windrow.operators.runtime_context import OperatorRuntimeContext
from windrow.operators.window.contents import TimestampedContents
from windrow.operators.window.early_firing import EarlyFiring
from windrow.operators.window.evicting_window_operator import EvictingWindowOperator
from windrow.operators.window.skipped import RECORDS_IN_NO_WINDOW
from windrow.operators.window.spec import WindowSpec
from windrow.operators.window.staggering import staggered
from windrow.operators.window.trigger_context import OperatorTriggerContext
from windrow.operators.window.window_context import WindowContext
from windrow.operators.window.window_functions import InternalWindowFunction
from windrow.operators.window.window_operator import WindowOperator
from windrow.state.keyed import Entry, KeyedState
from windrow.viz.events import Added, CleanedUp, Evicted, Fired, Merged, Opened, Purged, Skipped
from windrow.viz.recording.outputs import CollectedOutput, NoOutput
from windrow.viz.recording.recorder import Recorder
from windrow.viz.recording.twin import shown_key, single


class WindowTwin:
    """Records what becomes of windows.

    Args:
        spec: What the operator beside it does.
        recorder: Where events go.
    """

    def __init__(self, spec: WindowSpec, recorder: Recorder) -> None:
        self._spec = spec
        self._recorder = recorder
        self._notes = _Notes(recorder)
        assigner, trigger, evictor = copy.deepcopy((spec.assigner, spec.get_trigger(), spec.evictor))
        self._staggered = staggered(assigner)
        self._fires_early = EarlyFiring.of(trigger, windows_by_clock=not assigner.is_event_time()) is not None
        observed = ObservedTrigger(trigger, self._notes)
        contents, function = NumberedContents(self._notes), _Firings(self._notes)
        lateness, late_tag = spec.allowed_lateness, spec.late_tag
        if evictor is None:
            self._operator = WindowOperator(assigner, observed, contents, function, lateness, late_tag)
        else:
            self._operator = EvictingWindowOperator(
                assigner, observed, ObservedEvictor(evictor, self._notes), function, lateness, late_tag, contents
            )

    def open(self, name: str) -> None:
        self._state = self._notes.state = KeyedState()
        self._output = NoOutput()
        runtime_context = OperatorRuntimeContext(task_name=name, state=self._state)
        # Nobody changes elements here, and each has to stay the object that has its number.
        self._context = OperatorContext(
            name, self._output, Time(MIN_WATERMARK), self._state, runtime_context, object_reuse=True
        )
        self._operator.open(self._context)

    def draw_lots_of(self, snapshot: Any) -> None:
        if self._staggered is not None:
            self._staggered.stagger_offset = snapshot.get("stagger_offset")

    def process(self, key: Any, value: Any, timestamp: int, which_input: int, context: OperatorContext) -> None:
        self._keep_time(context)
        notes = self._notes
        notes.element = self._recorder.arrived(shown_key(key), value, timestamp, context.time, which_input)
        notes.was_added = False
        late = self._late()
        self._operator.process_batch(single(key, value, timestamp))
        if not notes.was_added:
            self._recorder.add(Skipped, shown_key(key), notes.element, self._late() > late)
        notes.finish()

    def watermark(self, context: OperatorContext) -> None:
        self._keep_time(context)
        self._operator.process_watermark(context.time.watermark)
        self._notes.finish()

    def processing_time(self, context: OperatorContext) -> None:
        self._keep_time(context)
        self._operator.advance_processing_time(context.time.processing_time)
        self._notes.finish()

    def settle(self, place: int, collected: CollectedOutput) -> None:
        dropped, self._context.counters = self._context.counters, Counter()
        self._output.sides, sides = Counter(), self._output.sides
        for name in (LATE_RECORDS, RECORDS_IN_NO_WINDOW):
            self._expect(name, dropped[name], collected.counted[name])
        for tag, count in sides.items():  # the window function may have sent something there as well
            self._expect(f"elements in side output {tag!r}", count, min(count, collected.sides[tag]))
        firings: dict[int, list[tuple[int, Fired]]] = {}
        for number, event in enumerate(self._recorder.since(place), start=place):
            if isinstance(event, Fired):
                firings.setdefault(event.window.max_timestamp(), []).append((number, event))
        results: dict[int, list[Any]] = {}
        for value, timestamp in collected.results:
            results.setdefault(timestamp, []).append(value)
        self._expect("timestamps of results without a firing", set(), results.keys() - firings.keys())
        for timestamp, fired in firings.items():
            self._give_results(fired, results.get(timestamp, []))

    def _give_results(self, fired: list[tuple[int, Fired]], results: list[Any]) -> None:
        """Note which firing has given what, of those of one timestamp."""
        if self._spec.function is None:
            # One result each, in the same order. Nothing is reduced to nothing; an aggregate may be None: no result.
            if not isinstance(self._spec.incremental, AggregateFunction):
                fired = [(place, event) for place, event in fired if event.elements]
                self._expect("firings", len(fired), len(results))
            # Of windows that fire early at one time the operator may take any key first.
            in_order = not self._fires_early or len({(event.key, event.window) for _, event in fired}) == 1
            if len(fired) == len(results) and in_order:
                for (place, _), result in zip(fired, results, strict=True):
                    self._recorder.set_results(place, (result,))
                return
        if len(fired) == 1:
            self._recorder.set_results(fired[0][0], tuple(results))

    def _late(self) -> int:
        return self._context.counters[LATE_RECORDS] + self._output.sides.total()

    def _keep_time(self, context: OperatorContext) -> None:
        self._context.time.watermark = context.time.watermark
        self._context.time.processing_time = context.time.processing_time

    def _expect(self, what: str, recorded: Any, found: Any) -> None:
        if recorded != found:
            msg = (
                f"the recording of operator {self._context.name!r} does not agree with what it did ({what}: "
                f"{recorded} recorded, {found} found): an assigner, trigger or evictor that keeps something in its "
                "own fields, or draws lots, cannot be recorded, nor a reduce function that gives None"
            )
            raise UsageError(msg)


class _Notes:
    """The notes that the parts of a twin share, and that make events."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.state = KeyedState()
        #: The number of the element that is under way, and whether a window has taken it.
        self.element = -1
        self.was_added = False
        #: The elements that an evictor has left for the function.
        self.left: tuple[int, ...] | None = None
        # By key and window how often it has fired.
        self._open: dict[tuple[Any, Window], int] = {}
        # A key and its window that is emptied behind its firing.
        self._purging: tuple[Any, Window] | None = None

    @property
    def key(self) -> Any:
        return shown_key(self.state.current_key)

    def added(self, window: Window) -> None:
        self.finish()
        self.was_added = True
        slot = self.state.current_key, window
        if slot not in self._open:
            self._open[slot] = 0
            self._recorder.add(Opened, self.key, window)
        self._recorder.add(Added, self.key, window, self.element)

    def merged(self, window: Window, sources: Iterable[Window]) -> None:
        self.finish()
        sources = tuple(sources)
        fired = [self._open.pop((self.state.current_key, source), 0) for source in sources]
        self._open[self.state.current_key, window] = sum(fired)
        self._recorder.add(Merged, self.key, window, sources)

    def fired(self, window: Window, elements: tuple[int, ...]) -> None:
        number = self._open.get((self.state.current_key, window), 0) + 1
        self._open[self.state.current_key, window] = number
        self._recorder.add(Fired, self.key, window, number, elements, None)

    def evicted(self, window: Window, element: int, *, before: bool) -> None:
        self._recorder.add(Evicted, self.key, window, element, before)

    def purges(self, window: Window) -> None:
        """Note that the window is emptied, behind its firing if it fires."""
        self.finish()
        self._purging = self.state.current_key, window

    def cleaned_up(self, window: Window) -> None:
        self.finish()
        if self._open.pop((self.state.current_key, window), None) is not None:
            self._recorder.add(CleanedUp, self.key, window)

    def finish(self) -> None:
        """Record the emptying of a window whose firing is over."""
        if self._purging is not None:
            slot, self._purging = self._purging, None
            self._recorder.add(Purged, shown_key(slot[0]), slot[1])
            self._open[slot] = 0


class _Numbered(TimestampedValue[Any]):
    """An element in a window, with its number."""

    number: int


class NumberedContents(TimestampedContents):
    """All elements with their timestamps and numbers."""

    def __init__(self, notes: _Notes) -> None:
        self._notes = notes

    def add(self, entry: Entry, window: Window, value: Any, timestamp: int) -> None:
        element = _Numbered(value, timestamp)
        element.number = self._notes.element
        super(TimestampedContents, self).add(entry, window, element, timestamp)


class _Firings(InternalWindowFunction):
    """Stands for the window function: says that it would be called."""

    def __init__(self, notes: _Notes) -> None:
        self._notes = notes

    def process(self, key: Any, window: Any, context: WindowContext, contents: Any) -> None:
        left, self._notes.left = self._notes.left, None
        self._notes.fired(window, tuple(element.number for element in contents) if left is None else left)

    def clear(self, context: WindowContext) -> None:
        self._notes.cleaned_up(context.window())


class ObservedTrigger(Trigger[Any, Any]):
    """Asks the program's trigger, and notes what is asked and said."""

    def __init__(self, trigger: Trigger[Any, Any], notes: _Notes) -> None:
        self._trigger = trigger
        self._notes = notes

    def on_element(self, element: Any, timestamp: int, window: Any, ctx: Any) -> TriggerResult:
        self._notes.added(window)
        return self._noted(self._trigger.on_element(element, timestamp, window, ctx), window)

    def on_processing_time(self, time: int, window: Any, ctx: Any) -> TriggerResult:
        return self._noted(self._trigger.on_processing_time(time, window, ctx), window)

    def on_event_time(self, time: int, window: Any, ctx: Any) -> TriggerResult:
        return self._noted(self._trigger.on_event_time(time, window, ctx), window)

    def can_merge(self) -> bool:
        return self._trigger.can_merge()

    def on_merge(self, window: Any, ctx: OnMergeContext) -> None:
        assert isinstance(ctx, OperatorTriggerContext), "it is the operator's own"
        self._notes.merged(window, ctx.merged_windows)
        self._trigger.on_merge(window, ctx)

    def clear(self, window: Any, ctx: Any) -> None:
        self._trigger.clear(window, ctx)

    def _noted(self, result: TriggerResult, window: Window) -> TriggerResult:
        if isinstance(result, TriggerResult) and result.is_purge():
            self._notes.purges(window)
        return result


class ObservedEvictor(Evictor[Any, Any]):
    """Asks the program's evictor, and notes what it removes."""

    def __init__(self, evictor: Evictor[Any, Any], notes: _Notes) -> None:
        self._evictor = evictor
        self._notes = notes

    def evict_before(self, elements: Any, size: int, window: Any, evictor_context: Any) -> None:
        before = numbers(elements)
        self._evictor.evict_before(elements, size, window, evictor_context)
        self._notes.left = numbers(elements)
        self._note(window, before, self._notes.left, before=True)

    def evict_after(self, elements: Any, size: int, window: Any, evictor_context: Any) -> None:
        before = numbers(elements)
        self._evictor.evict_after(elements, size, window, evictor_context)
        self._note(window, before, numbers(elements), before=False)

    def _note(self, window: Window, had: tuple[int, ...], left: tuple[int, ...], *, before: bool) -> None:
        for number in had:
            if number not in left:
                self._notes.evicted(window, number, before=before)


def numbers(elements: Iterable[Any]) -> tuple[int, ...]:
    """The numbers of buffered elements; an evictor may have put others in their place."""
    return tuple(element.number for element in elements if isinstance(element, _Numbered))
