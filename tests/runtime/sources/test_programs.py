"""Programs that read from sources with readers, on both runtimes."""

import threading
import time
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runtime.sources.running import Shown, executor_of
from tests.runtime.sources.scripted import (
    Main,
    Nothing,
    Say,
    Script,
    ScriptedEnumerator,
    ScriptedReader,
    ScriptedSource,
)
from windrow.common import JobStatus, Time, Types, WatermarkStrategy
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator
from windrow.datastream import ProcessWindowFunction
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.errors import ConfigurationTypeError, UsageError, UserFunctionError

HOUR = 3_600_000
TIMES = WatermarkStrategy.for_monotonous_timestamps()


class Windows(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield key, context.window().start, len(list(elements))


def count_windows(env, source, strategy=TIMES):
    """Elements by split and window of 100 ms."""
    shown = Shown()
    stream = env.from_source(source, strategy, "scripted").key_by(lambda value: value)
    stream.window(TumblingEventTimeWindows.of(Time.milliseconds(100))).process(Windows()).name("windows").sink_to(shown)
    return shown


def split(name, times, **changes):
    return Script(name, [(name, at) for at in times], **changes)


def counted(*splits):
    """What windows hold if nothing is late."""
    windows = {}
    for each in splits:
        for name, at in each.steps:
            windows[name, at // 100 * 100] = windows.get((name, at // 100 * 100), 0) + 1
    return sorted((name, start, count) for (name, start), count in windows.items())


def test_what_is_not_late_in_its_split_is_not_late(env):
    """Splits hours apart, read side by side; one comes to its end early and holds nothing back."""
    splits = [
        split("ahead", range(HOUR, HOUR + 2000, 10)),
        split("behind", range(0, 4000, 10)),
        split("short", range(0, 100, 10)),
        split("between", range(1000, 5000, 20)),
    ]
    shown = count_windows(env, ScriptedSource(splits, portion=7))
    result = env.execute()
    assert sorted(shown.values) == counted(*splits)
    assert not any(result.get_dropped().values())


def test_a_silent_split_becomes_idle_and_a_discovered_one_is_read(env):
    """A split without data holds nothing back for long; what call_async finds is assigned while the job runs."""
    source = Discovering([split("talks", range(0, 1000, 10), ends=False), split("silent", [], ends=False)])
    shown = count_windows(env, source, TIMES.with_idleness(300))
    client = env.execute_async()
    try:
        wait_for(lambda: ("found", 0, 10) in shown.values and ("talks", 800, 10) in shown.values)
        assert client.get_job_status().result() is JobStatus.RUNNING
    finally:
        client.cancel().result()
    assert not [thread for thread in threading.enumerate() if "scripted" in thread.name]


class Discovering(ScriptedSource):
    """Finds another split after a while."""

    def __init__(self, splits):
        super().__init__(splits, is_bounded=False)

    def create_enumerator(self, enum_context):
        return DiscoveringEnumerator(enum_context, self, list(self.splits))


class DiscoveringEnumerator(ScriptedEnumerator):
    def start(self):
        self.calls = 0
        self._context.call_async(self.look, self.found, 100, 100)

    def look(self):
        self.calls += 1
        return self.calls

    def found(self, calls, error):
        if calls == 3:
            self._context.assign_split(split("found", range(0, 500, 10)), 1)
        if calls == 4:
            assert error is None
            self._context.run_in_coordinator_thread(lambda: None)


def wait_for(condition, seconds=90):
    """Wait until it holds; it need not hold a moment later: an object store's marks of folders come and go."""
    end = time.monotonic() + seconds
    while not (holds := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    assert holds


def test_splits_are_asked_for_and_events_go_both_ways(env):
    """Each reader asks for a split when it has none, tells its enumerator something and hears what it says."""
    splits = [Script(f"s{number}", [Say(f"hello {number}"), (number, number), Nothing]) for number in range(3)]
    shown = Shown()
    source = ScriptedSource(splits, on_request=True)
    env.from_source(source, TIMES, "scripted").map(str, Types.STRING()).sink_to(shown)
    env.execute()
    heard = [value for value in shown.values if "hello" in value]
    assert sorted(set(shown.values) - set(heard)) == ["0", "1", "2"]
    assert {value.split(",")[0] for value in heard} <= {f"hello {number}" for number in range(3)}


class Broken(ScriptedSource):
    """Fails where it is told to."""

    def __init__(self, where):
        super().__init__([split("a", range(50)), split("b", range(50))], portion=5)
        self.where = where

    def create_enumerator(self, enum_context):
        return BrokenEnumerator(enum_context, self, list(self.splits))

    def create_reader(self, reader_context):
        return BrokenReader(reader_context, self)


def fail(source, where):
    if source.where == where:
        msg = f"broken {where}"
        raise ValueError(msg)


class BrokenEnumerator(ScriptedEnumerator):
    def start(self):
        fail(self._source, "start")
        self._context.call_async(lambda: None, self.handled)

    def handled(self, result, error):
        fail(self._source, "handler")

    def close(self):
        fail(self._source, "close")


class BrokenReader(ScriptedReader):
    def poll_next(self, output):
        fail(self.source, "poll_next")
        return super().poll_next(output) if self.source.where != "status" else "more"

    def snapshot_state(self, checkpoint_id):
        fail(self.source, "snapshot_state")
        return super().snapshot_state(checkpoint_id)


@pytest.mark.parametrize("where", ["start", "handler", "close", "poll_next", "snapshot_state"])
def test_an_error_of_a_source_is_the_jobs_error(where):
    """The user's traceback comes first, and no thread is left."""
    before = set(threading.enumerate())
    with pytest.raises(UserFunctionError) as caught:
        executor_of(Broken(where), batch_size=10)[0].run()
    assert f"ValueError: broken {where}" in str(caught.value)
    assert str(caught.value).startswith("Traceback")
    assert "windrow/runtime" not in str(caught.value)
    assert set(threading.enumerate()) <= before


@pytest.mark.spark
@pytest.mark.parametrize("where", ["handler", "poll_next"])
def test_an_error_of_a_source_is_the_jobs_error_on_spark(where, spark_session):
    """From a worker and from the enumerator."""
    from windrow.common import Configuration
    from windrow.datastream import StreamExecutionEnvironment

    configuration = Configuration.from_dict({"windrow.runtime": "spark"})
    env = StreamExecutionEnvironment.get_execution_environment(configuration, spark_session).set_parallelism(2)
    env.from_source(Broken(where), TIMES, "scripted").sink_to(Shown())
    with pytest.raises(UserFunctionError, match=f"ValueError: broken {where}"):
        env.execute()
    assert not [thread for thread in threading.enumerate() if "scripted" in thread.name]


def test_a_reader_that_returns_something_else_is_told_so():
    """poll_next gives an InputStatus."""
    with pytest.raises(ConfigurationTypeError, match=r"poll_next of BrokenReader must return an InputStatus.*'more'"):
        executor_of(Broken("status"))[0].run()


@dataclass
class Misdealing(ScriptedSource):
    """Assigns splits to readers that it must not assign them to."""

    to: int = 5

    def create_enumerator(self, enum_context):
        return MisdealingEnumerator(enum_context, self, list(self.splits))


class MisdealingEnumerator(ScriptedEnumerator):
    def add_reader(self, subtask_id):
        self._context.signal_no_more_splits(subtask_id)
        self._context.assign_split(split("a", [1]), self._source.to)


@pytest.mark.parametrize(("to", "message"), [(5, "reader 5; there are readers 0 to 0"), (0, "no more splits come")])
def test_a_split_for_a_reader_that_cannot_have_it_is_refused(to, message):
    """There is no such reader, or it was told that it gets no more."""
    with pytest.raises(UsageError, match=message):
        executor_of(Misdealing([], to=to))[0].run()


def test_elements_of_no_split_have_a_watermark_of_their_own():
    """Where a reader uses its main output and those of splits, neither waits for the other: the greater one counts."""
    script = Script("split", [Main("m", 10), ("a", 100), Main("n", 20), ("b", 200)])
    executor, shown = executor_of(ScriptedSource([script]), Punctuated.strategy())
    executor.run()
    assert shown.events == [("m", 10), 10, ("a", 100), 100, ("n", 20), ("b", 200), 200, 2**63 - 1]


class Punctuated(WatermarkGenerator):
    """A watermark behind every element, and a count in its state."""

    def __init__(self):
        self.seen = 0

    def on_event(self, event, event_timestamp, output):
        self.seen += 1
        output.emit_watermark(Watermark(event_timestamp))

    def on_periodic_emit(self, output):
        """Elements decide."""

    @staticmethod
    def strategy():
        return WatermarkStrategy.for_generator(Punctuated)


class EveryThird(Punctuated):
    def on_event(self, event, event_timestamp, output):
        self.seen += 1
        if self.seen % 3 == 0:
            output.emit_watermark(Watermark(event_timestamp))


@pytest.mark.parametrize("batch_size", [1, 2, 5, None])
def test_a_generators_state_lives_through_batches_and_restarts(batch_size):
    """Every third element of a split has a watermark behind it, wherever batches are cut and the job restarted."""
    source = ScriptedSource([Script("split", [(at, at) for at in range(10)])])
    executor, shown = executor_of(source, WatermarkStrategy.for_generator(EveryThird), batch_size=batch_size)
    with executor:
        while executor.run_batch():
            executor.restart()
    assert [event for event in shown.events if isinstance(event, int)] == [2, 5, 8, 2**63 - 1]
    assert shown.values == list(range(10))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 30), max_size=8), min_size=1, max_size=4),
    st.integers(1, 9),
    st.integers(1, 4),
    st.integers(1, 3),
    st.sets(st.integers(0, 20)),
)
def test_batches_and_restarts_change_no_result(times, batch_size, portion, parallelism, restarts):
    """Any script, any batches, any restarts: each split's elements in their order, and its own watermarks' windows."""
    splits = [split(f"s{number}", [at * 10 for at in of_split]) for number, of_split in enumerate(times)]
    scripts = [Script(each.name, [((each.name, at), step[1]) for at, step in enumerate(each.steps)]) for each in splits]
    source = ScriptedSource(scripts, portion=portion, on_request=batch_size % 2 == 0)
    whole = executor_of(source, DISORDERED, parallelism=parallelism)
    whole[0].run()
    executor, shown = executor_of(source, DISORDERED, batch_size=batch_size, parallelism=parallelism)
    with executor:
        number = 0
        while executor.run_batch():
            if number in restarts:
                executor.restart()
            number += 1
    assert sorted(shown.values) == sorted(whole[1].values)
    for script in scripts:
        mine = [value for value in shown.values if value[0] == script.name]
        assert mine == [step[0] for step in script.steps]


DISORDERED = WatermarkStrategy.for_bounded_out_of_orderness(50)
