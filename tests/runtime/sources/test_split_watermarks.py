"""Watermarks of splits and of the reader they are in."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common import WatermarkStrategy
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator
from windrow.errors import UserFunctionError
from windrow.operators.watermarks.emitter import EMIT_EVERY
from windrow.runtime.sources.split_watermarks import SplitWatermarks

TIMES = WatermarkStrategy.for_monotonous_timestamps()


class Target:
    def __init__(self):
        self.events = []

    def elements(self, values, timestamps):
        self.events += zip(values, timestamps.tolist(), strict=True)

    def control(self, control):
        self.events.append(control)


def made(strategy=TIMES, **more):
    target = Target()
    return SplitWatermarks("source", strategy, target, **more), target


def test_the_least_watermark_of_the_active_splits_counts():
    """A split holds it back from the moment it is registered, until it is released."""
    watermarks, target = made()
    watermarks.register(["a", "b"])
    watermarks.elements("a", ["x"], [50])
    watermarks.periodic_emit()
    assert target.events == [("x", 50)]
    watermarks.elements("b", ["y"], [20])
    watermarks.periodic_emit()
    watermarks.release("b")
    assert target.events[1:] == [("y", 20), 19, 49]
    assert watermarks.active_watermarks() == {"a": 49}
    watermarks.release("b")
    assert target.events[-1] == 49


def test_the_readers_own_watermark_counts_while_there_are_no_splits():
    """A reader that gets a split later does not begin idle, and one that has none any more keeps its watermark."""
    watermarks, _ = made()
    assert watermarks.output_ids() == {None}
    watermarks.register(["a"])
    assert watermarks.output_ids() == {"a"}
    watermarks.elements("a", ["x"], [50])
    watermarks.release("a")
    assert watermarks.output_ids() == {None}


def test_watermarks_of_the_source_itself_and_its_statuses():
    """An idle split holds nothing back; all of them idle, the reader is."""
    watermarks, target = made()
    watermarks.register(["a", "b"])
    for split_id, mark in [("a", 10), ("b", "idle"), ("a", "idle"), ("b", 12), ("a", "active")]:
        watermarks.mark(split_id, mark)
    assert target.events == [10, "idle", "active", 12]


def test_the_main_output_does_not_wait_for_the_splits():
    """Of its watermark and that of the splits the greater one counts; the splits' come first."""
    watermarks, target = made()
    watermarks.register(["a"])
    watermarks.elements(None, ["x"], [50])
    watermarks.elements("a", ["y"], [20])
    watermarks.periodic_emit()
    watermarks.elements("a", ["z"], [90])
    watermarks.periodic_emit()
    assert target.events == [("x", 50), ("y", 20), 19, 49, ("z", 90), 89]
    assert watermarks.active_watermarks() == {None: 49, "a": 89}


def test_the_splits_do_not_wait_for_the_main_output():
    """A split that was assigned and gave nothing holds back the splits; the main output goes on."""
    watermarks, target = made()
    watermarks.register(["a", "silent"])
    watermarks.elements("a", ["x"], [50])
    watermarks.elements(None, ["y"], [30])
    watermarks.periodic_emit()
    assert target.events == [("x", 50), ("y", 30), 29]


class OnEvent(WatermarkGenerator):
    def on_event(self, event, event_timestamp, output):
        output.emit_watermark(Watermark(event_timestamp))

    def on_periodic_emit(self, output):
        """Nothing."""


def test_a_reader_is_idle_when_its_splits_and_its_main_output_are():
    """What Flink's SourceOperatorEventTimeTest.testMainAndPerSplitWatermarkIdleness plays."""
    watermarks, target = made(WatermarkStrategy.for_generator(OnEvent))
    watermarks.elements(None, ["r"], [100])
    watermarks.mark(None, "idle")
    for split_id, timestamp in [("1", 150), ("2", 200)]:
        watermarks.elements(split_id, ["r"], [timestamp])
    for split_id in ("1", "2"):
        watermarks.mark(split_id, "idle")
    watermarks.elements(None, ["r"], [250])
    for split_id in ("1", "2", None):
        watermarks.mark(split_id, "idle")
    watermarks.elements("1", ["r"], [300])
    assert [event for event in target.events if not isinstance(event, tuple)] == (
        [100, "idle", "active", 150, 200, "idle", "active", 250, "idle", "active", 300]
    )


def test_a_main_output_that_nothing_comes_from_does_not_keep_a_reader_active():
    """Its generator says nothing while there are splits."""
    watermarks, target = made()
    watermarks.periodic_emit()
    watermarks.register(["a"])
    watermarks.periodic_emit()
    watermarks.mark("a", "idle")
    assert target.events == ["idle"]


def test_a_main_output_that_is_used_keeps_a_reader_active():
    """Its splits are idle, and what comes from none of them moves time."""
    watermarks, target = made(TIMES.with_idleness(100))
    watermarks.register(["a"])
    watermarks.mark("a", 10)
    for watermarks.now in (0, 101, 202):
        watermarks.elements(None, ["x"], [watermarks.now])
        watermarks.periodic_emit()
    assert [event for event in target.events if not isinstance(event, tuple)] == [10, 100, 201]
    for watermarks.now in (303, 404, 505):
        watermarks.periodic_emit()
    assert target.events[-1] == "idle"


@pytest.mark.parametrize("main_is_used", [False, True])
def test_a_reader_whose_splits_have_ended_becomes_idle(main_is_used):
    """After the timeout, and not before; the next split makes it active."""
    watermarks, target = made(TIMES.with_idleness(100))
    if main_is_used:
        watermarks.elements(None, ["x"], [5])
    watermarks.register(["a"])
    watermarks.elements("a", ["x"], [50])
    for watermarks.now in (0, 101, 202):
        watermarks.elements("a", ["x"], [50])
        watermarks.periodic_emit()
    watermarks.release("a")
    statuses = []
    for watermarks.now in (303, 404, 505):
        watermarks.periodic_emit()
        statuses.append("idle" in target.events)
    assert statuses[-1]
    assert main_is_used or not statuses[0]
    watermarks.elements("b", ["x"], [60])
    watermarks.periodic_emit()
    assert target.events[-2:] == ["active", 59]


def test_when_all_splits_become_idle_time_goes_on_to_the_newest():
    """What they have given is complete, in whatever order they become idle."""
    watermarks, target = made(TIMES.with_idleness(100))
    watermarks.elements("a", ["x"], [50])
    watermarks.elements("b", ["y"], [20])
    for watermarks.now in (0, 100, 201):
        watermarks.periodic_emit()
    assert target.events[2:] == [19, 49, "idle"]


def test_asked_for_idleness_alone_only_what_is_idle_moves_time():
    """The others are not asked, so that their elements decide alone; all idle, nothing is held back any more."""
    watermarks, target = made(TIMES.with_idleness(100))
    watermarks.register(["a", "silent"])
    watermarks.elements("a", ["x"], [50])
    watermarks.periodic_emit()
    for watermarks.now in (0, 50, 101):
        watermarks.elements("a", ["x"], [60])
        watermarks.periodic_idleness()
    assert [event for event in target.events if not isinstance(event, tuple)] == [49]
    for watermarks.now in (150, 251):
        watermarks.periodic_idleness()
    assert [event for event in target.events if not isinstance(event, tuple)] == [49, 59, "idle"]


def test_the_main_outputs_clock_stands_still_with_the_readers():
    """Over a snapshot as well, in which its generator is."""
    watermarks, target = made(TIMES.with_idleness(100))
    watermarks.elements(None, ["x"], [50])
    watermarks.periodic_idleness()
    watermarks.pause({None})
    again, rest = made(TIMES.with_idleness(100))
    again.restore(watermarks.snapshot())
    for again.now in (1000, 2000):
        again.periodic_emit()
    assert target.events + rest.events == [("x", 50), 49]
    again.pause(())
    again.now = 2101
    again.periodic_emit()
    assert rest.events == [49, "idle"]


OUTPUTS = st.sampled_from([None, "a", "b"])
CALLS = st.one_of(
    st.tuples(st.just("elements"), OUTPUTS, st.integers(0, 50)),
    st.tuples(st.just("mark"), OUTPUTS, st.one_of(st.integers(0, 50), st.sampled_from(["idle", "active"]))),
    st.tuples(st.just("register"), st.sampled_from(["a", "b"])),
    st.tuples(st.just("release"), st.sampled_from(["a", "b"])),
    st.tuples(st.just("pause"), st.sets(OUTPUTS)),
    st.tuples(st.sampled_from(["periodic_emit", "periodic_idleness"])),
    st.tuples(st.just("wait"), st.sampled_from([1, 20])),
)


def play(watermarks, call):
    match call:
        case "elements", output, timestamp:
            watermarks.elements(output, ["x"], [timestamp])
        case "register", split_id:
            watermarks.register([split_id])
        case "wait", milliseconds:
            watermarks.now += milliseconds
        case method, *arguments:
            getattr(watermarks, method)(*arguments)


@given(st.lists(st.tuples(CALLS, st.booleans()), max_size=30), st.booleans())
def test_a_restored_one_goes_on_as_if_nothing_had_happened(calls, on_event):
    """Wherever it is restored, and whatever comes from splits, from none, from the clock."""
    strategy = (WatermarkStrategy.for_generator(OnEvent) if on_event else TIMES).with_idleness(10)
    watermarks, target = made(strategy)
    restored, rest = made(strategy)
    for call, restore in calls:
        play(watermarks, call)
        play(restored, call)
        if restore:
            snapshot, now, events = pickle.loads(pickle.dumps(restored.snapshot())), restored.now, rest.events
            restored, rest = made(strategy)
            restored.now, rest.events = now, events
            restored.restore(snapshot)
    assert rest.events == target.events
    assert restored.active_watermarks() == watermarks.active_watermarks()
    assert restored.output_ids() == watermarks.output_ids()


def test_generators_are_never_asked_without_an_interval():
    """Only what a generator emits with an element comes."""
    watermarks, target = made(auto_interval=0)
    watermarks.elements("a", range(10_000), range(10_000))
    watermarks.periodic_emit()
    assert len(target.events) == 10_000


def test_in_batch_there_are_no_watermarks():
    """The last one comes from the end of the input, and there are no statuses either."""
    watermarks, target = made(progressive=False)
    watermarks.register(["a"])
    watermarks.elements("a", ["x"], [50])
    watermarks.mark("a", 40)
    watermarks.mark("a", "idle")
    watermarks.periodic_emit()
    assert target.events == [("x", 50)]


@pytest.mark.parametrize("cut", [1, EMIT_EVERY - 1, EMIT_EVERY, 2 * EMIT_EVERY + 20])
def test_generators_are_asked_every_so_many_elements_wherever_batches_are_cut(cut):
    """The count is part of the snapshot."""
    watermarks, target = made()
    watermarks.register(["a"])
    numbers = list(range(2 * EMIT_EVERY + 20))
    for part in (numbers[:cut], numbers[cut:]):
        watermarks.elements("a", part, part)
        again, rest = made()
        again.restore(watermarks.snapshot())
        rest.events = target.events
        watermarks, target = again, rest
    assert [event for event in target.events if isinstance(event, int)] == [EMIT_EVERY - 2, 2 * EMIT_EVERY - 2]


def test_a_paused_split_does_not_become_idle():
    """Its clock stands still, over a snapshot as well."""
    watermarks, target = made(TIMES.with_idleness(100))
    watermarks.register(["a"])
    watermarks.elements("a", ["x"], [50])
    watermarks.periodic_emit()
    watermarks.periodic_emit()
    watermarks.pause({"a"})
    watermarks.now = 1000
    again, target = made(TIMES.with_idleness(100))
    again.restore(watermarks.snapshot())
    again.now = 2000
    again.periodic_emit()
    assert target.events == []
    again.pause(())
    again.now = 2100
    again.periodic_emit()
    assert target.events == []
    again.now = 2101
    again.periodic_emit()
    assert target.events == ["idle"]


class Broken(WatermarkGenerator):
    def on_event(self, event, event_timestamp, output):
        if event == "bad":
            msg = "in on_event"
            raise ValueError(msg)
        output.emit_watermark(Watermark(event_timestamp))

    def on_periodic_emit(self, output):
        msg = "in on_periodic_emit"
        raise ValueError(msg)


def test_an_error_of_a_generator_is_the_users():
    """It names the source and the element, if it was about one."""
    watermarks, _ = made(WatermarkStrategy.for_generator(Broken))
    with pytest.raises(UserFunctionError, match="in on_event") as caught:
        watermarks.elements("a", ["good", "bad"], [1, 2])
    assert "'bad'" in str(caught.value)
    with pytest.raises(UserFunctionError, match="in on_periodic_emit"):
        watermarks.periodic_emit()
