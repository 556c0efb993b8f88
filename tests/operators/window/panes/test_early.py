"""Windows of columns that fire before their end give what windows of rows give, whatever happens."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.fired_functions import FUNCTIONS, Counted
from tests.operators.window.panes.test_kept_panes import FORMS, SUMS, Subtask, columns_of, play, step
from tests.operators.window.panes.test_operator import COMBINED, FLOAT, INT, KEYS, LATE, TEXT, Stream, assigners
from tests.property_examples import examples
from windrow.common.limits import LONG_MAX
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
    EventTimeTrigger,
    ProcessingTimeoutTrigger,
    PurgingTrigger,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
)
from windrow.elements.batch import Batch
from windrow.elements.shape import TupleShape
from windrow.operators.window.aligned_windows import AlignedWindows
from windrow.operators.window.early_firing import EarlyFiring, FireTimesByKey
from windrow.operators.window.emit_trigger import EmitTrigger
from windrow.operators.window.panes import kept_panes
from windrow.operators.window.panes import operator as operator_module
from windrow.operators.window.panes import results as results_module
from windrow.operators.window.panes.fire_times import FireTimes
from windrow.operators.window.panes.operator import PanesOperator
from windrow.operators.window.panes.pane_windows import PaneWindows
from windrow.operators.window.spec import WindowSpec, build
from windrow.state import kept_columns

tumbling = st.builds(TumblingEventTimeWindows, st.integers(5, 12), st.integers(-4, 4))


def purging_or_not(triggers):
    return st.one_of(triggers, triggers, triggers.map(PurgingTrigger.of))


by_watermark = purging_or_not(st.builds(ContinuousEventTimeTrigger, st.integers(1, 14)))
by_clock = purging_or_not(
    st.one_of(
        st.builds(ContinuousProcessingTimeTrigger, st.integers(1, 14)),
        st.builds(partial(EmitTrigger, late=None, by_clock=False), st.integers(1, 9)),
    )
)
clocks = st.tuples(st.just("clock"), st.integers(1, 9))


def parts_for(function):
    """Windows and a trigger. Of one key windows may fire at one time, in any order, which a count would show."""
    if isinstance(function, Counted):
        return st.tuples(tumbling, by_watermark, st.just(function))
    return st.tuples(assigners, st.one_of(by_watermark, by_clock), st.just(function))


specs = (
    st.sampled_from(FUNCTIONS)
    .flatmap(parts_for)
    .flatmap(
        lambda parts: st.builds(
            WindowSpec,
            *map(st.just, parts[:2]),
            allowed_lateness=st.sampled_from([0, 0, 1, 3, 8, 20, LONG_MAX]),
            late_tag=st.sampled_from([None, LATE]),
            incremental=st.just(max),
            function=st.just(parts[2]),
        )
    )
)


@settings(print_blob=True, max_examples=examples(600), deadline=None)
@given(
    specs,
    st.sampled_from(COMBINED),
    st.sampled_from(KEYS),
    st.lists(st.one_of(step, step, clocks), max_size=20),
    st.sampled_from([(1, 32), (2, 2), (99, 32), (99, 3)]),
    st.sampled_from([1, 3, 99]),
    st.sampled_from(["columns", "columns", "rows"]),
)
def test_equals_the_general_operator(spec, combined, keys, steps, sizes, together, form):
    """Batches, other workers, batches that are run again and changes of form show in no result."""
    shape, function = combined
    if keys[0] == TEXT and isinstance(shape, TupleShape):
        shape = TupleShape((TEXT, *shape.types[1:]))
    stream = Stream(shape, *keys)
    spec = WindowSpec(**{**vars(spec), "incremental": function})
    expected = play(Subtask(spec, "general"), stream, steps, columns=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_columns, "PAGE_KEYS", sizes[0])
        patch.setattr(kept_panes, "_TABLES", sizes[1])
        patch.setattr(operator_module, "_TOGETHER", together)
        patch.setattr(results_module, "_TOGETHER", together)
        patch.setattr(results_module, "_FOR_FUNCTIONS", together)
        subtask = Subtask(spec, form)
        assert play(subtask, stream, steps, columns=True) == expected
    if spec.allowed_lateness < LONG_MAX:
        assert not subtask.is_kept_as_columns()


def test_columns_do_it():
    """Where a function is traced windows that fire early are windows of columns."""
    spec = WindowSpec(TumblingEventTimeWindows(10), ContinuousEventTimeTrigger.of(3), incremental=COMBINED[0][1])
    assert type(build(spec)) is PanesOperator


def tumbling_by(trigger, **parts):
    return WindowSpec(TumblingEventTimeWindows(100), trigger, incremental=SUMS[1], **parts)


def sums(subtask):
    """The sums that have come out since the last call."""
    found = [item.value[1] for item in subtask.output.items]
    subtask.output.items = []
    return found


FORM = pytest.mark.parametrize("form", list(FORMS))


@FORM
def test_a_window_that_has_fired_does_not_fire_again_in_another_worker(form):
    """When it fires next is stored, though no element has come."""
    subtask = Subtask(tumbling_by(ContinuousEventTimeTrigger.of(10)), form)
    subtask.operator.process_batch(columns_of([(1, 5, 1), (2, 6, 12)]))
    subtask.cut()
    subtask.attach()
    subtask.advance(10)
    assert sums(subtask) == [5]
    subtask.cut()
    subtask.restart(form)
    subtask.advance(11)
    assert sums(subtask) == []
    subtask.advance(20)
    assert sorted(sums(subtask)) == [5, 6]


@FORM
def test_elements_of_windows_that_have_ended_let_them_fire_by_the_clock(form):
    """While they are kept for late elements; the watermark fires none of them."""
    subtask = Subtask(tumbling_by(ContinuousProcessingTimeTrigger.of(10), allowed_lateness=50), form)
    subtask.advance(120)
    subtask.operator.process_batch(columns_of([(1, 5, 1)]))
    assert sums(subtask) == []
    subtask.turn(10)
    assert sums(subtask) == [5]
    subtask.advance(149)
    subtask.turn(20)
    assert sums(subtask) == []


@FORM
def test_a_window_fires_by_the_clock_until_the_clock_comes_to_its_end(form):
    """What comes then is in no result, as in Flink."""
    subtask = Subtask(tumbling_by(ContinuousProcessingTimeTrigger.of(40)), form)
    subtask.operator.process_batch(columns_of([(1, 5, 1)]))
    for now, expected in ((79, [5]), (98, [5]), (99, [5])):
        subtask.turn(now)
        assert sums(subtask) == expected
        subtask.cut()
        subtask.restart(form)
    subtask.operator.process_batch(columns_of([(1, 6, 2)]))
    subtask.turn(500)
    subtask.advance(500)
    assert sums(subtask) == []


@FORM
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (ContinuousProcessingTimeTrigger.of(10), ContinuousEventTimeTrigger.of(10)),
        (ContinuousEventTimeTrigger.of(7), ContinuousEventTimeTrigger.of(10)),
        (None, ContinuousEventTimeTrigger.of(10)),
    ],
)
def test_open_windows_go_on_with_another_trigger(before, after, form):
    """It begins with the next element; times of the clock are none of the watermark."""
    subtask = Subtask(tumbling_by(before), form)
    subtask.turn(3000)
    subtask.operator.process_batch(columns_of([(1, 5, 1)]))
    subtask.cut()
    subtask.spec = tumbling_by(after)
    subtask.restart(form)
    subtask.operator.process_batch(columns_of([(1, 6, 2)]))
    subtask.advance(10)
    assert sums(subtask) == [11]
    subtask.cut()
    assert subtask.wakes() is None


@FORM
def test_less_lateness_forgets_windows_with_their_times(form):
    """Nothing is left of them, nor a timer of the clock."""
    subtask = Subtask(tumbling_by(EmitTrigger(10, None, by_clock=False), allowed_lateness=50), form)
    subtask.operator.process_batch(columns_of([(1, 5, 1)]))
    subtask.advance(120)
    subtask.cut()
    subtask.spec = tumbling_by(EmitTrigger(10, None, by_clock=False))
    subtask.restart(form)
    subtask.cut()
    assert (subtask.wakes(), [*subtask.store.pages]) == (None, ["op/pages"])


@pytest.mark.parametrize(
    ("trigger", "turns"),
    [
        (ContinuousEventTimeTrigger.of(5), lambda subtask: subtask.advance(651)),
        (ContinuousProcessingTimeTrigger.of(5), lambda subtask: subtask.turn(100)),
    ],
)
def test_windows_that_are_over_do_not_fire_in_another_worker(trigger, turns):
    """They may stand in a table whose other windows have not changed."""
    given = []
    for form in ("general", "columns"):
        spec = WindowSpec(TumblingEventTimeWindows(10), trigger, incremental=SUMS[1], allowed_lateness=640)
        subtask = Subtask(spec, form)
        subtask.operator.process_batch(columns_of([(1, 5, 3), (2, 6, 16)]))
        subtask.cut()
        subtask.attach()
        subtask.advance(650)
        sums(subtask)
        subtask.cut()
        subtask.restart(form)
        turns(subtask)
        given.append(sorted(sums(subtask)))
    assert given[0] == given[1]


def test_a_key_that_has_been_emptied_keeps_its_time_when_rows_go_on():
    """Another key's sum has left 64 bits, so that what was fetched for columns goes back."""
    given = []
    for form in ("general", "columns"):
        spec = WindowSpec(
            TumblingEventTimeWindows(40), PurgingTrigger.of(ContinuousEventTimeTrigger.of(5)), incremental=SUMS[1]
        )
        subtask = Subtask(spec, "general" if form == "general" else "rows")
        subtask.operator.process_batch(Batch([(1, 3, 0), (2, 2**70, 0)], [3, 12], [1, 2]))
        subtask.advance(6)
        subtask.cut()
        subtask.restart(form)
        subtask.operator.process_batch(columns_of([(1, 9, 12), (2, 1, 13)]))
        subtask.advance(11)
        given.append(sums(subtask))
    assert given == [[3, 9], [3, 9]]


def test_a_window_that_was_emptied_is_asked_for_though_nothing_is_held():
    """Sums of floats are kept by window, and a program that does not purge any more may find a time and no sum."""
    stream, function = Stream(TupleShape((INT, FLOAT, INT)), *KEYS[0]), lambda a, b: (a[0], a[1] + b[1], b[2])
    trigger, given = ContinuousEventTimeTrigger.of(5), []
    for form in ("general", "columns"):
        spec = WindowSpec(SlidingEventTimeWindows(20, 10), PurgingTrigger.of(trigger), incremental=function)
        subtask = Subtask(spec, "general" if form == "general" else "rows")
        subtask.operator.process_batch(Batch([(1, 1.0, 0)], [1], [1]))
        subtask.advance(6)
        subtask.cut()
        subtask.spec = WindowSpec(SlidingEventTimeWindows(20, 10), trigger, incremental=function)
        subtask.restart(form)
        sums(subtask)
        keys, values, times = stream.columns(*stream.batch([(1, 6, 25)], 0))
        subtask.operator.process_batch(Batch(values, times, keys))
        for watermark in (10, 15, 40):
            subtask.advance(watermark)
        given.append(sorted(sums(subtask)))
    assert given[0] == given[1]


@FORM
@pytest.mark.parametrize("before", [ContinuousProcessingTimeTrigger.of(10), EmitTrigger(10, None, by_clock=False)])
def test_another_trigger_with_less_lateness_leaves_nothing_of_the_one_before(before, form):
    """The window is over at once; its timer of the clock is not one of the new trigger's."""
    subtask = Subtask(tumbling_by(before, allowed_lateness=50), form)
    subtask.turn(3000)
    subtask.operator.process_batch(columns_of([(1, 5, 1)]))
    subtask.advance(120)
    subtask.cut()
    subtask.spec = tumbling_by(ContinuousEventTimeTrigger.of(10))
    subtask.restart(form)
    subtask.cut()
    assert (subtask.wakes(), [*subtask.store.pages]) == (None, ["op/pages"])


def test_a_timeout_that_is_taken_away_leaves_no_timer():
    """Its state is the time of a timer, too."""
    nested = EventTimeTrigger.create()
    subtask = Subtask(tumbling_by(ProcessingTimeoutTrigger.of(nested, 10)), "general")
    subtask.operator.process_batch(columns_of([(1, 5, 1)]))
    subtask.cut()
    subtask.spec = tumbling_by(nested)
    subtask.restart("rows")
    subtask.cut()
    assert subtask.wakes() is None


@FORM
def test_nobody_waits_for_the_end_of_windows_that_fire_by_the_clock(form):
    """When the watermark comes to it nothing comes out."""
    subtask = Subtask(tumbling_by(ContinuousProcessingTimeTrigger.of(10)), form)
    subtask.operator.process_batch(columns_of([(1, 5, 1)]))
    assert subtask.operator.waiting() is None


def test_only_what_fires_is_computed(monkeypatch):
    """Of a window some keys fire by the clock, each at its own times."""
    subtask = Subtask(tumbling_by(EmitTrigger(10, None, by_clock=False)))
    subtask.operator.process_batch(columns_of([(99 - key, 5, 1) for key in range(50)]))
    subtask.turn(1)
    subtask.operator.process_batch(columns_of([(key, 5, 1) for key in range(20, 30)]))
    subtask.turn(10)
    assert len(sums(subtask)) == 50
    made = []
    results = subtask.operator._held.plan.results
    monkeypatch.setattr(
        subtask.operator._held.plan, "results", lambda fields: made.append(len(fields[1])) or results(fields)
    )
    subtask.turn(11)
    assert (len(sums(subtask)), made) == (10, [10])


def test_emitting_early_no_more_leaves_no_timer_of_the_clock():
    """A query whose setting is taken back goes on from its checkpoint, and nobody wants to hear of the time."""
    subtask = Subtask(tumbling_by(EmitTrigger(5, None, by_clock=False)), "rows")
    subtask.operator.process_batch(columns_of([(1, 5, 1)]))
    subtask.cut()
    subtask.spec = tumbling_by(EmitTrigger(None, None, by_clock=False))
    subtask.restart("rows")
    subtask.cut()
    assert subtask.wakes() is None


def test_few_keys_of_many_windows_that_fire_early_are_left_to_rows():
    """An array for each window would hold next to nothing."""
    spec = WindowSpec(SlidingEventTimeWindows(10**6, 10**3), ContinuousEventTimeTrigger.of(10**5), incremental=SUMS[1])
    for keys, as_columns in ((2, False), (500, True)):
        subtask = Subtask(spec)
        subtask.operator.process_batch(columns_of([(key, 5, 1) for key in range(keys)]))
        subtask.cut()
        assert subtask.is_kept_as_columns() == as_columns


@pytest.mark.parametrize("form", ["rows", "columns"])
def test_each_window_is_looked_at_as_often_as_it_fires(form, monkeypatch):
    """However many others are due at the same watermark."""
    looks = []
    for kind in (FireTimesByKey, FireTimes):
        for name in ("next",) if kind is FireTimesByKey else ("firings",):
            real = getattr(kind, name)
            monkeypatch.setattr(kind, name, lambda *a, _real=real, **more: looks.append(1) or _real(*a, **more))
    subtask = Subtask(
        WindowSpec(TumblingEventTimeWindows(10), ContinuousEventTimeTrigger.of(5), incremental=SUMS[1]), form
    )
    subtask.operator.process_batch(columns_of([(1, 1, 10 * number) for number in range(300)]))
    looks.clear()
    subtask.advance(5000)
    assert len(sums(subtask)) == 600
    assert len(looks) <= 1200


def test_keys_of_which_a_window_holds_nothing_keep_their_times():
    """A trigger that purges has left them."""
    panes = PaneWindows(AlignedWindows(100, 100, 0), [], early=EarlyFiring(10, "next"))
    panes.fire_times.put(100, np.array([2]), np.array([30]))
    assert np.flatnonzero(panes.present()).tolist() == [2]


@pytest.mark.parametrize("assigner", [TumblingEventTimeWindows(10**12), SlidingEventTimeWindows(10**12, 10**11)])
def test_many_times_that_are_due_at_once_are_taken_in_parts(assigner, monkeypatch):
    """However many there are until the next watermark, no more results are made at once than a batch has."""
    sizes = []
    monkeypatch.setattr(results_module, "_TOGETHER", 100)
    subtask = Subtask(WindowSpec(assigner, ContinuousEventTimeTrigger.of(10), incremental=SUMS[1]))
    emit = subtask.output.emit_batch
    monkeypatch.setattr(subtask.output, "emit_batch", lambda batch: sizes.append(len(batch)) or emit(batch))
    subtask.operator.process_batch(columns_of([(key, 1, 10 * key + 1) for key in range(30)]))
    subtask.advance(5000)
    windows = 1 if isinstance(assigner, TumblingEventTimeWindows) else 10
    assert sum(sizes) == windows * sum(500 - key for key in range(30))
    assert max(sizes) <= 100


def test_windows_that_fire_early_do_not_hear_of_time_in_batch():
    """They would give other results than at the end of the input, which is when Flink's watermark comes."""
    for columns in (True, False):
        assert not build(tumbling_by(ContinuousEventTimeTrigger.of(10)), columns=columns).follows_sorted_time()
