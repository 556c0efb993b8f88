"""Which readers have nothing to read."""

import threading
import time
from concurrent.futures import Future

import pytest

from tests.runtime.sources.running import MONOTONOUS, OneReader, Shown, splits_for
from tests.runtime.sources.scripted import Script, ScriptedSource
from windrow.common import WatermarkStrategy
from windrow.common.watermark_generators import BoundedOutOfOrdernessWatermarks
from windrow.common.watermark_strategy import WatermarkGenerator
from windrow.datastream import KeyedProcessFunction
from windrow.runtime.sources import resting as resting_module
from windrow.runtime.sources.messages import ReaderFinished, ReaderResting, SplitRequest
from windrow.runtime.sources.resting import Resting, follows_clock, needs_clock, with_timers

BOTH = {"a": {0: [ReaderResting(b"0")], 1: [ReaderResting(b"1")]}}


@pytest.fixture
def resting():
    """Two readers of a source, both of which have nothing."""
    resting = Resting([("a", 0), ("a", 1)])
    resting.heard(BOTH)
    return resting


def test_readers_rest_when_all_have_said_so(resting):
    """Not before the first batch, and not if one of them has said nothing or something else."""
    assert resting.wait(0)
    assert not Resting([("a", 0), ("a", 1)]).wait(0)
    for sent in ({}, {"a": {0: [ReaderResting(b"0")]}}, {"a": {**BOTH["a"], 1: [SplitRequest("here")]}}):
        resting.heard(sent)
        assert not resting.wait(0)
    resting.heard(BOTH)
    assert resting.wait(0)


def test_one_that_has_ended_need_not_rest(resting):
    """Nothing comes of it any more."""
    resting.heard({"a": {0: [ReaderFinished()], 1: [ReaderResting(b"2")]}})
    assert resting.wait(0)
    resting.heard({"a": {1: [ReaderResting(b"3")]}})
    assert resting.wait(0)


def test_one_that_had_ended_before_is_not_waited_for():
    """It says nothing any more."""
    resting = Resting([("a", 0), ("a", 1)])
    resting.leave_out("a", [0])
    resting.heard({"a": {1: [ReaderResting(b"3")]}})
    assert resting.wait(0)


def test_who_has_something_again_wakes_at_once(resting):
    """Whoever waits does not wait on."""
    waking = threading.Timer(0.1, resting.wake, [b"1"])
    waking.start()
    began = time.monotonic()
    assert not resting.wait(30)
    assert time.monotonic() - began < 20
    waking.join()
    assert not resting.wait(0)


def test_a_reader_may_wake_before_its_batch_was_heard_of(resting):
    """It has something while its batch goes on; an older ticket means nothing any more."""
    resting.wake(b"4")
    resting.heard({"a": {0: [ReaderResting(b"3")], 1: [ReaderResting(b"4")]}})
    assert not resting.wait(0)
    resting.heard({"a": {0: [ReaderResting(b"5")], 1: [ReaderResting(b"6")]}})
    resting.wake(b"4")
    assert resting.wait(0)


def test_nobody_rests_for_ever(resting, monkeypatch):
    """The process of a reader may have died, which wakes nobody."""
    monkeypatch.setattr(resting_module, "LONGEST", 0.05)
    time.sleep(0.06)
    assert not resting.wait(0)


def with_timer(due):
    """A reader that rests, and a subtask whose next timer is due then, in seconds from now."""
    resting = Resting([("a", 0)])
    resting.expect_timers([(1, 0, 0)])
    at = None if due is None else int((time.time() + due) * 1000)
    resting.heard({"a": {0: [ReaderResting(b"0")]}}, {(1, 0, 0): at})
    return resting


def test_a_timer_that_is_due_is_something_to_do():
    """One that is not is none, and neither is none."""
    assert with_timer(None).wait(0)
    assert with_timer(60).wait(0)
    assert not with_timer(-1).wait(0)


def test_who_waits_wakes_when_a_timer_is_due():
    """Not later."""
    began = time.monotonic()
    assert not with_timer(0.2).wait(30)
    assert 0.1 < time.monotonic() - began < 20


def test_nobody_rests_before_all_timers_are_known():
    """After a restart nobody has said when they are due; what one says later takes the place of what it said."""
    resting = Resting([("a", 0)])
    resting.expect_timers([(1, 0, 0), (1, 0, 1)])
    sent = {"a": {0: [ReaderResting(b"0")]}}
    resting.heard(sent, {(1, 0, 0): None})
    assert not resting.wait(0)
    resting.heard(sent, {(1, 0, 1): 1})
    assert not resting.wait(0)
    resting.heard(sent, {(1, 0, 1): None})
    assert resting.wait(0)


def test_what_follows_the_clock_does_not_rest():
    """Nobody can say when something happens there."""
    resting = Resting([("a", 0)], follows_clock=True)
    resting.heard({"a": {0: [ReaderResting(b"0")]}})
    assert not resting.wait(0)


class Nothing(KeyedProcessFunction):
    def process_element(self, value, ctx):
        yield value


@pytest.mark.parametrize("runtime", ["local"], indirect=True)
def test_the_job_says_what_has_timers_and_what_follows_the_clock(env):
    """Process functions have timers; where watermarks are made behind one, idleness is a matter of time."""
    source = ScriptedSource([], is_bounded=False)
    stream = env.from_source(source, WatermarkStrategy.no_watermarks(), "scripted")
    keyed = stream.key_by(str)
    keyed.reduce(lambda a, b: b).sink_to(Shown())
    assert not with_timers(planned(env))
    processed = keyed.process(Nothing())
    processed.sink_to(Shown())
    job = planned(env)
    assert {(level, subtask) for level, _, subtask in with_timers(job)} == {(1, 0), (1, 1)}
    assert not follows_clock(job)
    beside = stream.rebalance().assign_timestamps_and_watermarks(MONOTONOUS.with_idleness(5_000))
    beside.sink_to(Shown())  # in the level that is told the time
    assert follows_clock(planned(env))


@pytest.mark.parametrize("runtime", ["local"], indirect=True)
def test_a_job_with_a_source_that_is_dealt_follows_the_clock_if_it_has_no_end(env):
    """Its channels are told the time, for idleness."""
    env.from_collection([1]).sink_to(Shown())
    assert not follows_clock(planned(env))
    env.from_source(ScriptedSource([], is_bounded=False), WatermarkStrategy.no_watermarks(), "scripted").sink_to(
        Shown()
    )
    assert follows_clock(planned(env))


def planned(env):
    return env._plan(env._program.sinks())


class Waits(ScriptedSource):
    """A source whose readers have nothing until ``future`` is done."""

    future = None

    def create_reader(self, reader_context):
        reader = super().create_reader(reader_context)
        reader.is_available = lambda: self.future
        return reader


def waiting_reader(strategy=MONOTONOUS, **settings):
    """A reader that has read its split to where it waits for more, and how it may go on."""
    source = Waits([], is_bounded=False)
    source.future = Future()
    reader = OneReader(source, strategy, **settings)
    reader.run(*splits_for(source, Script("a", [("x", 1)], ends=False), more=True), now=1_000)
    # It has read something: there may be more.
    assert not [each for each in reader.sent if isinstance(each, ReaderResting)]
    return reader, source.future


def test_a_reader_that_has_had_nothing_rests_and_wakes():
    """Once, by the ticket of its last batch, however many it has been asked in."""
    reader, future = waiting_reader()
    tickets = []
    for _ in range(3):
        assert reader.run(now=2_000) == []
        (said,) = reader.sent
        tickets.append(said.ticket)
    assert len({*tickets}) == 3
    assert reader.woken == []
    future.set_result(None)
    assert reader.woken == tickets[-1:]


def test_a_reader_that_is_closed_or_has_something_to_say_wakes():
    """Nobody else would: it was pushed out by other jobs, say, or its enumerator is to hear of it."""
    reader, _ = waiting_reader()
    reader.run(now=2_000)
    (task,) = reader.host._readers.values()
    task._context.send_split_request()
    assert len(reader.woken) == 1
    reader.run(now=3_000)
    # It rests: what the enumerator answers is seen where batches are planned.
    assert [type(each) for each in reader.sent] == [SplitRequest, ReaderResting]
    reader.run(now=4_000)
    reader.host.close()
    assert len(reader.woken) == 2


class OfItsOwn(WatermarkGenerator):
    def on_event(self, event, event_timestamp, output):
        pass

    def on_periodic_emit(self, output):
        pass


class FollowsTheClock(BoundedOutOfOrdernessWatermarks):
    def __init__(self):
        super().__init__(0)

    def on_periodic_emit(self, output):
        pass


@pytest.mark.parametrize(
    "strategy",
    [
        WatermarkStrategy.for_generator(OfItsOwn),
        WatermarkStrategy.for_generator(FollowsTheClock),
        MONOTONOUS.with_watermark_alignment("group", 1000, 1),
    ],
    ids=["a generator of its own", "one made of ours", "alignment"],
)
def test_a_reader_that_needs_the_clock_does_not_rest(strategy):
    """Its watermarks may move though nothing comes."""
    reader, future = waiting_reader(strategy)
    reader.run(now=2_000)
    assert not [each for each in reader.sent if isinstance(each, ReaderResting)]
    future.set_result(None)
    assert reader.woken == []


def test_a_reader_rests_when_all_its_splits_are_idle():
    """Until then the clock decides."""
    reader, _ = waiting_reader(MONOTONOUS.with_idleness(500))
    reader.run(now=1_100)
    assert reader.sent == []
    assert "idle" in reader.run(now=60_000)
    reader.run(now=60_100)
    assert [type(each) for each in reader.sent] == [ReaderResting]


@pytest.mark.parametrize("runtime", ["local"], indirect=True)
def test_a_job_whose_watermarks_an_operator_makes_asks_its_readers_on(env):
    """It may make some because time passes: it looks at the clock in each batch."""
    source = ScriptedSource([], is_bounded=False)
    stream = env.from_source(source, WatermarkStrategy.no_watermarks(), "scripted")
    stream.map(str).sink_to(Shown())
    (entry,) = env._plan(env._program.sinks()).levels[0]
    assert not needs_clock(entry)
    stream.assign_timestamps_and_watermarks(MONOTONOUS.with_idleness(5_000)).sink_to(Shown())
    (entry,) = env._plan(env._program.sinks()).levels[0]
    assert needs_clock(entry)


def test_what_was_written_down_of_a_batch_does_not_rest_again(tmp_path):
    """A batch that is run again has another reader, which has told nobody that it would wake them."""
    reader, _ = waiting_reader(directory=tmp_path)
    reader.run(now=2_000)
    assert [type(each) for each in reader.sent] == [ReaderResting]
    reader.again(now=2_000)
    assert reader.sent == []
