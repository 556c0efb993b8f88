"""Windows of processing time by the operators of event time mean the same as the generic one, whatever happens."""

from functools import partial
from itertools import count, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.fired_functions import FUNCTIONS, LATE, Cleared, Counted
from tests.operators.window.panes.test_operator import COMBINED, INT, KEYS, TEXT, Stream
from tests.operators.window.test_end_trigger import AtEnd
from tests.property_examples import examples
from windrow.common.limits import LONG_MAX
from windrow.datastream.functions import ProcessWindowFunction
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window import (
    ContinuousProcessingTimeTrigger,
    CountTrigger,
    DynamicProcessingTimeSessionWindows,
    ProcessingTimeSessionWindows,
    ProcessingTimeTrigger,
    PurgingTrigger,
    SlidingProcessingTimeWindows,
    TimeEvictor,
    TriggerResult,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
    WindowStagger,
)
from windrow.elements.batch import Batch
from windrow.elements.shape import TupleShape
from windrow.operators.base import OperatorContext, Time
from windrow.operators.local_aggregate import WatermarkAt
from windrow.operators.stored_by_key import store_by_key
from windrow.operators.window.by_clock import ByClock
from windrow.operators.window.emit_trigger import EmitTrigger
from windrow.operators.window.panes import window_aggregate
from windrow.operators.window.spec import WindowSpec, build
from windrow.operators.window.window_operator import WindowOperator
from windrow.state.page_store import MemoryPageStore
from windrow.state.paged import PagedKeyedState
from windrow.testing import OperatorHarness
from windrow.testing.outputs import RecordingOutput

FORMS = {"columns": {}, "rows": {"columns": False}, "general": {"aligned": False}}
SUMS = TupleShape((INT, INT, INT)), lambda a, b: (a[0], a[1] + b[1], b[2])


def gap_of(element):
    return element[1] % 5 + 2


class Elements(ProcessWindowFunction):
    """Gives all it is given, and the watermark, which is not the clock."""

    def process(self, key, context, elements):
        times = context.current_watermark(), context.current_processing_time()
        yield f"{key} {context.window()} {[*elements]} {times}"


class Firing(AtEnd):
    """Fires at the end, but its code looks at the element."""

    def on_element(self, element, timestamp, window, ctx):
        return TriggerResult.CONTINUE if element else TriggerResult.FIRE


class AtEndOfEither(AtEnd):
    """Fires by the watermark, too."""

    def on_element(self, element, timestamp, window, ctx):
        ctx.register_processing_time_timer(window.max_timestamp())
        ctx.register_event_time_timer(window.max_timestamp())
        return TriggerResult.CONTINUE

    def on_event_time(self, time, window, ctx):
        return TriggerResult.FIRE_AND_PURGE

    def clear(self, window, ctx):
        ctx.delete_processing_time_timer(window.max_timestamp())
        ctx.delete_event_time_timer(window.max_timestamp())


class Subtask:
    """A window operator with state in pages, as a task has it: a batch, a checkpoint, the next batch."""

    def __init__(self, spec, form):
        self.spec, self.store, self.kept = spec, MemoryPageStore(), (0, None)
        self.output, self._tokens = RecordingOutput(), count()
        self.restart(form)

    def restart(self, form):
        """Another worker: nothing is in memory."""
        self.operator = build(self.spec, **FORMS[form])
        self.state = PagedKeyedState(128, lambda: b"%d" % next(self._tokens))
        self.time = Time(-20)
        self.operator.open(OperatorContext("windows", self.output, self.time, self.state, None))
        self.attach()

    def attach(self):
        """Begin a batch with what was stored."""
        self.state.attach(self.store, "op")
        self.time.processing_time, snapshot = self.kept
        self.operator.restore(self.operator.snapshot() if snapshot is None else snapshot)

    def cut(self):
        """The end of a batch; when the operator wants to hear of the time."""
        self.operator.store_state()
        self.kept = self.time.processing_time, self.operator.snapshot()
        due = self.operator.next_processing_time()
        self.state.flush()
        return due

    def advance(self, now):
        self.time.processing_time = now
        self.operator.advance_processing_time(now)

    def deal_out(self):
        """Store by key what is kept as columns, as another parallelism does."""
        self.cut()
        state = PagedKeyedState(128, lambda: b"%d" % next(self._tokens))
        state.attach(self.store, "op")
        store_by_key(self.operator, state, self.time.watermark, lambda: None)
        state.flush()

    def taken(self):
        taken = sorted(map(repr, self.output.items)), sorted(map(repr, self.output.sides.get(LATE, [])))
        self.output.items = []
        self.output.sides.clear()
        return taken


def play(subtask, stream, steps, *, columns):
    """What comes out at each step."""
    number, now, given = 0, 0, []
    for step in [*steps, ("cut",), ("clock", 50), ("cut",)]:
        match step:
            case ("columns" | "rows" as form, elements):
                batch = stream.batch(elements, number)
                number += len(elements)
                if elements:
                    keys, values, times = batch if form == "rows" or not columns else stream.columns(*batch)
                    subtask.operator.process_batch(Batch(values, times, keys))
            case ("clock", by):
                now += by
                if now > subtask.time.processing_time:
                    subtask.advance(now)
            case ("silent clock", by):  # what a bounded source does: time is seen, and fires nothing
                now += by
                subtask.time.processing_time = now
            case ("watermark", by):
                subtask.time.watermark += by
                subtask.operator.process_watermark(subtask.time.watermark)
            case ("cut",):
                given.append(subtask.cut())
                subtask.attach()
            case ("deal out",):
                subtask.deal_out() if columns else subtask.cut()
                subtask.restart("rows" if columns else "general")
            case ("restart", form):
                subtask.cut()
                subtask.restart(form if columns else "general")
        given.append(subtask.taken())
    return given


assigners = st.one_of(
    st.builds(TumblingProcessingTimeWindows, st.integers(3, 6), st.integers(-2, 2)),
    st.builds(SlidingProcessingTimeWindows, st.integers(1, 15), st.integers(3, 6), st.integers(-2, 2)),
    st.builds(ProcessingTimeSessionWindows, st.integers(2, 6)),
)


def fires_at_end(trigger):
    inner = trigger.nested_trigger if isinstance(trigger, PurgingTrigger) else trigger
    return inner is None or isinstance(inner, ProcessingTimeTrigger)


triggers = st.sampled_from([None, ProcessingTimeTrigger(), PurgingTrigger.of(ProcessingTimeTrigger())])
continuous = st.builds(ContinuousProcessingTimeTrigger, st.integers(1, 5))
early = st.one_of(
    continuous,
    continuous.map(PurgingTrigger.of),
    st.builds(partial(EmitTrigger, late=None, by_clock=True), st.integers(1, 5)),
)
element = st.tuples(st.integers(0, 3), st.integers(-9, 9), st.integers(-25, 25))
batches = st.tuples(st.just("columns"), st.lists(element, max_size=12))
clocks = st.tuples(st.just("clock"), st.integers(1, 5))
step = st.one_of(
    batches,
    batches,
    st.tuples(st.just("rows"), st.lists(element, max_size=3)),
    clocks,
    clocks,
    st.tuples(st.just("silent clock"), st.integers(1, 3)),
    st.tuples(st.just("watermark"), st.integers(0, 30)),
    st.just(("cut",)),
    st.just(("cut",)),
    st.just(("deal out",)),
    st.tuples(st.just("restart"), st.sampled_from(list(FORMS))),
)


@settings(print_blob=True, max_examples=examples(400), deadline=None)
@given(
    assigners,
    st.one_of(triggers, early),
    st.sampled_from(COMBINED),
    st.sampled_from(FUNCTIONS),
    st.sampled_from(KEYS),
    st.lists(step, max_size=16),
    st.sampled_from([1 << 28, 0]),
)
def test_combined_elements_equal_those_of_the_general_operator(
    assigner, trigger, combined, function, keys, steps, kept_bytes
):
    """Batches, other workers, other forms and another parallelism show in no result, nor in when it wants to wake."""
    shape, combine = combined
    if keys[0] == TEXT and isinstance(shape, TupleShape):
        shape = TupleShape((TEXT, *shape.types[1:]))
    if isinstance(assigner, ProcessingTimeSessionWindows):
        if not hasattr(combine, "merge") and function is not None:
            function = None
        trigger = trigger if fires_at_end(trigger) else None
    if not fires_at_end(trigger) and isinstance(function, Counted):
        function = None  # of one key windows may fire at one time, in any order, which it would show
    stream = Stream(shape, *keys)
    spec = WindowSpec(assigner, trigger, incremental=combine, function=function, allowed_lateness=7, late_tag=LATE)
    try:
        expected = play(Subtask(spec, "general"), stream, steps, columns=False)
    except NotImplementedError:
        return  # an aggregate without merge, in sessions that merge
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("windrow.state.kept_columns.KEPT_BYTES", kept_bytes)
        assert play(Subtask(spec, "columns"), stream, steps, columns=True) == expected


@settings(print_blob=True, max_examples=examples(300), deadline=None)
@given(assigners, st.sampled_from([AtEnd(), AtEndOfEither()]), st.sampled_from(COMBINED), st.lists(step, max_size=16))
def test_triggers_of_a_program_equal_themselves_in_the_general_operator(assigner, trigger, combined, steps):
    """One that fires at a window's end by the clock, and one for which the watermark does that as well."""
    if isinstance(assigner, ProcessingTimeSessionWindows):
        assigner = TumblingProcessingTimeWindows(assigner.session_gap + 3)
    spec = WindowSpec(assigner, trigger, incremental=combined[1])
    assert isinstance(build(spec), ByClock)
    stream = Stream(combined[0], *KEYS[0])
    # The general operator would go on without the timers of the watermark, which this one does not need.
    steps = [("restart", "rows") if each == ("restart", "general") else each for each in steps]
    # General windows that the watermark has emptied still wait for the clock.
    expected, given_out = (
        [taken for taken in play(Subtask(spec, form), stream, steps, columns=columns) if isinstance(taken, tuple)]
        for form, columns in (("general", False), ("columns", True))
    )
    assert given_out == expected


def crossed(spec, stream, segments, *, combines):
    """What windows give for a chunk, segment by segment, and how many elements cross the exchange to them."""
    subtask = Subtask(spec, "columns")
    elements = [element for of_segment, _ in segments for element in of_segment]
    cuts = np.cumsum([len(of_segment) for of_segment, _ in segments]).tolist()
    keys, columns, times = stream.columns(*stream.batch(elements, 0))
    batch = Batch(columns, times, keys)
    seen = [WatermarkAt(at, 0) for at in (0, *cuts)]
    combined = subtask.operator.local_aggregate().combined(batch, seen) if combines else None
    if combined is not None:
        batch, cuts = combined.batch, np.searchsorted(combined.places, cuts).tolist()
    given = []
    for part, (_, (control, by)) in zip(pairwise([0, *cuts]), segments, strict=True):
        if part[0] < part[1]:
            subtask.operator.process_batch(batch.slice(*part))
        if control == "clock":
            subtask.advance(subtask.time.processing_time + by)
        else:
            subtask.time.watermark += by
            subtask.operator.process_watermark(subtask.time.watermark)
        given.append(subtask.taken())
    subtask.advance(subtask.time.processing_time + 50)
    return [*given, subtask.taken()], len(batch)


@settings(print_blob=True, max_examples=examples(300), deadline=None)
@given(
    assigners,
    st.one_of(st.sampled_from([None, AtEnd(), AtEndOfEither()]), early),
    st.sampled_from(COMBINED),
    st.lists(
        st.tuples(st.lists(element, min_size=1, max_size=12), clocks | st.tuples(st.just("watermark"), st.just(9))),
        min_size=1,
        max_size=5,
    ),
)
def test_what_is_combined_before_the_exchange_gives_what_all_elements_give(assigner, trigger, combined, segments):
    """Elements between two turns of the clock, or two watermarks, are in the same windows, whatever their times are."""
    if isinstance(assigner, ProcessingTimeSessionWindows):
        assigner = TumblingProcessingTimeWindows(assigner.session_gap + 3)
    spec = WindowSpec(assigner, trigger, incremental=combined[1])
    if build(spec).local_aggregate() is None:
        return  # some times are in no window
    stream = Stream(combined[0], *KEYS[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(window_aggregate, "_WORTH", 1)
        given, sent = crossed(spec, stream, segments, combines=True)
    expected, came = crossed(spec, stream, segments, combines=False)
    assert given == expected
    assert sent <= came


def test_elements_are_combined_between_two_turns_of_the_clock():
    """Their timestamps, and whether they have any, do not matter."""
    shape = TupleShape((INT, INT))
    aggregate = build(
        WindowSpec(TumblingProcessingTimeWindows(10), incremental=lambda a, b: (a[0], a[1] + b[1]))
    ).local_aggregate()
    stream = Stream(shape, *KEYS[0])
    keys, columns, times = stream.columns(*stream.batch([(0, 4, -90), (0, 6, 70), (0, 5, 0), (0, 2, 0)], 0))
    combined = aggregate.combined(Batch(columns, times, keys), [WatermarkAt(0, 5), WatermarkAt(2, 5)])
    assert (list(combined.batch.elements), combined.places.tolist()) == ([(1, 10), (1, 7)], [0, 2])


def test_sessions_of_the_clock_combine_nothing():
    """Their operator has no panes."""
    assert build(WindowSpec(ProcessingTimeSessionWindows(5), incremental=SUMS[1])).local_aggregate() is None


@settings(print_blob=True, max_examples=examples(200), deadline=None)
@given(assigners, triggers, st.sampled_from(KEYS), st.lists(step, max_size=16))
def test_kept_elements_equal_those_of_the_general_operator(assigner, trigger, keys, steps):
    """A function that sees the elements sees the same ones, and the watermark of the stream."""
    spec = WindowSpec(assigner, trigger, function=Elements())
    stream = Stream(TupleShape((keys[0], INT, INT)), *keys)
    expected = play(Subtask(spec, "general"), stream, steps, columns=False)
    assert play(Subtask(spec, "columns"), stream, steps, columns=True) == expected


@settings(print_blob=True, max_examples=examples(200), deadline=None)
@given(st.lists(step, max_size=16), st.booleans())
def test_dynamic_gaps_equal_those_of_the_general_operator(steps, of_elements):
    """Each element has its own gap. (One of a millisecond general sessions refuse, if its session ends just now.)"""
    parts = {"function": Elements()} if of_elements else {"incremental": SUMS[1]}
    spec = WindowSpec(DynamicProcessingTimeSessionWindows.with_dynamic_gap(gap_of), **parts)
    stream = Stream(SUMS[0], *KEYS[0])
    expected = play(Subtask(spec, "general"), stream, steps, columns=False)
    assert play(Subtask(spec, "columns"), stream, steps, columns=True) == expected


@pytest.mark.parametrize("form", list(FORMS))
@pytest.mark.parametrize(
    "assigner",
    [TumblingProcessingTimeWindows(10), SlidingProcessingTimeWindows(20, 10), ProcessingTimeSessionWindows(7)],
)
def test_an_element_of_a_millisecond_that_has_fired_begins_its_window_anew(assigner, form):
    """A window fires in its last millisecond, and what comes in that millisecond then fires when the clock moves on."""
    subtask = Subtask(WindowSpec(assigner, incremental=SUMS[1]), form)
    stream = Stream(SUMS[0], INT, [1, 2, 3])

    def add():
        keys, values, times = stream.columns(*stream.batch([(0, 1, 0), (1, 1, 0)], 0))
        subtask.operator.process_batch(Batch(values, times, keys))

    subtask.advance(3)
    add()
    subtask.advance(9)
    first = subtask.taken()
    assert len(first[0]) == 2
    add()
    subtask.cut()
    subtask.restart(form)
    subtask.advance(30)
    assert len(subtask.taken()[0]) == (4 if isinstance(assigner, SlidingProcessingTimeWindows) else 2)


@pytest.mark.parametrize("form", ["columns", "rows"])
@pytest.mark.parametrize(
    ("assigner", "due"),
    [
        (TumblingProcessingTimeWindows(10), 19),
        (SlidingProcessingTimeWindows(20, 5), 14),
        (ProcessingTimeSessionWindows(7), 17),
    ],
)
def test_says_when_a_window_is_due(assigner, form, due):
    """Behind a batch the first window that fires says when the time has to be told, in whatever form it is kept."""
    subtask = Subtask(WindowSpec(assigner, incremental=SUMS[1]), form)
    assert subtask.cut() is None
    subtask.attach()
    subtask.advance(11)
    stream = Stream(SUMS[0], INT, [1, 2, 3])
    keys, values, times = stream.columns(*stream.batch([(0, 1, 0), (1, 1, 0)], 0))
    subtask.operator.process_batch(Batch(values, times, keys))
    assert subtask.cut() == due
    subtask.restart(form)
    subtask.advance(due - 1)
    assert subtask.taken() == ([], [])
    subtask.advance(due)
    assert len(subtask.taken()[0]) == 2
    if not isinstance(assigner, SlidingProcessingTimeWindows):
        assert subtask.cut() is None


def columns_batch(elements):
    stream = Stream(SUMS[0], INT, [1, 2, 3])
    keys, values, times = stream.columns(*stream.batch(elements, 0))
    return Batch(values, times, keys)


def test_a_session_that_grows_is_due_at_its_new_end():
    """An active key wakes nobody."""
    subtask = Subtask(WindowSpec(ProcessingTimeSessionWindows(10), incremental=SUMS[1]), "columns")
    for now in (1, 8, 12):
        subtask.advance(now)
        if now < 12:
            subtask.operator.process_batch(columns_batch([(0, 1, 0)]))
        due = subtask.cut()
        subtask.attach()
    assert due == 17


def test_a_tick_that_fires_nothing_writes_nothing():
    """State of a subtask that is only told the time stays as it is."""
    subtask = Subtask(WindowSpec(TumblingProcessingTimeWindows(100), incremental=SUMS[1]), "columns")
    subtask.advance(1)
    subtask.operator.process_batch(columns_batch([(0, 1, 0)]))
    subtask.cut()
    subtask.attach()
    written = []
    subtask.store.put = lambda page, data: written.append(page)
    for now in (10, 20, 30):
        subtask.advance(now)
        subtask.cut()
        subtask.attach()
    assert written == []


@pytest.mark.parametrize("form", list(FORMS))
@pytest.mark.parametrize("parts", [{"incremental": SUMS[1]}, {"function": Elements()}], ids=["folds", "elements"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (TumblingProcessingTimeWindows(10), TumblingProcessingTimeWindows(4)),
        (SlidingProcessingTimeWindows(20, 5), SlidingProcessingTimeWindows(10, 5)),
    ],
)
def test_windows_of_another_size_that_are_due_at_the_restart_fire(before, after, parts, form):
    """What the program before has kept is not lost because the clock has gone on meanwhile."""
    subtask = Subtask(WindowSpec(before, **parts), form)
    subtask.advance(3)
    subtask.operator.process_batch(columns_batch([(0, 1, 0), (1, 5, 0)]))
    subtask.cut()
    subtask.spec = WindowSpec(after, **parts)
    subtask.restart(form)
    subtask.advance(40)
    assert len(subtask.taken()[0]) == (8 if isinstance(before, SlidingProcessingTimeWindows) else 2)


@pytest.mark.parametrize("now", [15, 9], ids=["passed", "just now"])
def test_another_trigger_does_not_lose_a_window_that_the_clock_has_passed_in_silence(now):
    """A window whose timer is pending is not over, whatever the clock says."""
    subtask = Subtask(WindowSpec(TumblingProcessingTimeWindows(10), CountTrigger.of(9), incremental=SUMS[1]), "general")
    subtask.advance(3)
    subtask.operator.process_batch(columns_batch([(0, 1, 0)]))
    subtask.time.processing_time = now
    subtask.cut()
    subtask.spec = WindowSpec(TumblingProcessingTimeWindows(10), Firing(), incremental=SUMS[1])
    subtask.restart("general")
    subtask.advance(30)
    assert len(subtask.taken()[0]) == 1


@pytest.mark.parametrize(
    "parts",
    [
        {"trigger": AtEndOfEither(), "function": Cleared(), "incremental": max},
        {"trigger": CountTrigger.of(2)},
        {"trigger": PurgingTrigger.of(CountTrigger.of(2))},
        {"evictor": TimeEvictor.of(3)},
        {"assigner": TumblingProcessingTimeWindows(10, window_stagger=WindowStagger.NATURAL)},
    ],
)
def test_what_is_not_known_is_left_to_the_general_operator(parts):
    """Other triggers, evictors and staggered windows are worked on element by element."""
    spec = WindowSpec(**{"assigner": TumblingProcessingTimeWindows(10), "function": Elements(), **parts})
    assert not isinstance(build(spec), ByClock)


def test_another_trigger_takes_over_columns():
    """A program that gets a trigger of its own goes on with what windows of processing time have kept as columns."""
    subtask = Subtask(WindowSpec(TumblingProcessingTimeWindows(10), incremental=SUMS[1]), "columns")
    subtask.advance(3)
    stream = Stream(SUMS[0], INT, [1, 2, 3])
    keys, values, times = stream.columns(*stream.batch([(0, 1, 0), (1, 1, 0)], 0))
    subtask.operator.process_batch(Batch(values, times, keys))
    subtask.cut()
    subtask.spec = WindowSpec(TumblingProcessingTimeWindows(10), CountTrigger.of(2), incremental=SUMS[1])
    subtask.restart("columns")
    assert isinstance(subtask.operator, WindowOperator)
    subtask.advance(4)
    subtask.operator.process_batch(Batch([(1, 5, 0), (1, 6, 0)], [0, 0], [1, 1]))
    assert [item.value[1] for item in subtask.output.items] == [12]


def test_the_end_of_a_batch_job_fires_what_is_open():
    """At the end of a BATCH job the clock comes to the end of time."""
    harness = OperatorHarness(
        build(WindowSpec(TumblingProcessingTimeWindows(10), incremental=max)), lambda value: value
    )
    harness.set_processing_time(5)
    harness.process_element(3)
    harness.set_processing_time(LONG_MAX)
    assert harness.values() == [3]


@pytest.mark.parametrize("of_elements", [False, True], ids=["rows", "columns"])
@pytest.mark.parametrize("form", list(FORMS))
@pytest.mark.parametrize(
    ("assigner", "trigger", "fires"),
    [
        (TumblingProcessingTimeWindows(100), ContinuousProcessingTimeTrigger(10), 2),
        (TumblingProcessingTimeWindows(100), EmitTrigger(10, None, by_clock=True), 2),
        (TumblingEventTimeWindows(100), ContinuousProcessingTimeTrigger(10), 1),
        (TumblingEventTimeWindows(100), EmitTrigger(10, None, by_clock=False), 1),
    ],
)
def test_at_the_end_of_a_batch_job_each_timer_fires_once(assigner, trigger, fires, form, of_elements):
    """No timer is registered any more: a window fires early once, and at the end of its time if that is the clock's."""
    subtask = Subtask(WindowSpec(assigner, trigger, incremental=SUMS[1]), form)
    batch = Stream(SUMS[0], *KEYS[0]).batch([(0, 5, 0), (1, 6, 0), (0, 7, 0)], 0)
    keys, values, times = Stream(SUMS[0], *KEYS[0]).columns(*batch) if of_elements else batch
    subtask.operator.process_batch(Batch(values, times, keys))
    subtask.state.processing_timers.closed = True
    subtask.advance(LONG_MAX)
    assert sorted(item.value[1] for item in subtask.output.items) == sorted([6, 12] * fires)


class CountsByKey(ProcessWindowFunction):
    """Counts the elements of a key so far, in state that it asks for when its first window fires."""

    def process(self, key, context, elements):
        state = context.global_state().get_state(ValueStateDescriptor("count"))
        state.update((state.value() or 0) + len(elements))
        yield key, state.value()


def test_state_belongs_to_the_key_of_the_call():
    """Also where the state of the operator shows timers of processing time as if they were of event time."""
    spec = WindowSpec(TumblingProcessingTimeWindows(10), function=CountsByKey())
    harness = OperatorHarness(build(spec), lambda element: element)
    for end in (10, 20):
        for key in "aabc":
            harness.process_element(key, 0)
        harness.set_processing_time(end)
    assert harness.values() == [("a", 2), ("b", 1), ("c", 1), ("a", 4), ("b", 2), ("c", 2)]
    assert {entry.key: entry.value for entry in harness.state_entries()} == {"a": 4, "b": 2, "c": 2}
