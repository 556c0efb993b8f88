"""A job's trace is that of its run in this process, and its results are those of the job."""

import threading
import time

import pytest

from windrow.common import Configuration, Duration, WatermarkStrategy
from windrow.common.watermark_generators import BoundedOutOfOrdernessWatermarks
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.datagen import DataGeneratorSource
from windrow.datastream.functions import JoinFunction, ProcessJoinFunction
from windrow.datastream.window import EventTimeSessionWindows, SlidingEventTimeWindows, TumblingEventTimeWindows
from windrow.errors import ConfigurationError, UserFunctionError
from windrow.viz import observe, trace, trace_job
from windrow.viz.events import Arrived, Fired, Matched, Skipped


class Prompt(BoundedOutOfOrdernessWatermarks):
    def on_event(self, event, event_timestamp, output):
        super().on_event(event, event_timestamp, output)
        self.on_periodic_emit(output)


TIMES = WatermarkStrategy.for_generator(lambda: Prompt(5)).with_timestamp_assigner(lambda event, _: event[1])
NEWEST = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(5)).with_timestamp_assigner(
    lambda event, _: event[1]
)


def local(parallelism=1):
    return StreamExecutionEnvironment.create_local_environment(parallelism)


def of_kind(found, kind):
    return [event for event in found.events if isinstance(event, kind)]


def results(found):
    return [result for fired in of_kind(found, Fired) for result in fired.results]


@pytest.mark.parametrize("parallelism", [1, 2])
@pytest.mark.parametrize(
    "assigner", [TumblingEventTimeWindows(10), SlidingEventTimeWindows(20, 10), EventTimeSessionWindows.with_gap(7)]
)
def test_results_of_windows_over_columns(assigner, parallelism):
    """Many elements of a plain form are computed on columns; the trace has each of them, and the job's results."""
    events = [(number % 7, (number * 37) % 1000, number) for number in range(2000)]
    windows = (
        local(parallelism)
        .from_collection(events)
        .assign_timestamps_and_watermarks(NEWEST)
        .key_by(lambda event: event[0])
        .window(assigner)
        .reduce(lambda a, b: (a[0], a[1], a[2] + b[2]))
    )
    found = trace(windows)
    assert len(of_kind(found, Arrived)) == len(events)
    assert sorted(results(found)) == sorted(windows.execute_and_collect())


def test_elements_are_late_as_in_the_job():
    """What is late in the run is late in the trace."""
    env = local()
    events = env.from_collection([("a", 1), ("a", 30), ("a", 2), ("a", 27)]).assign_timestamps_and_watermarks(TIMES)
    found = trace(events.key_by(lambda event: event[0]).window(TumblingEventTimeWindows(10)).sum(1))
    assert [event.element for event in of_kind(found, Skipped)] == [2]
    assert results(found) == [("a", 1), ("a", 27), ("a", 30)]


def test_an_interval_join():
    """The pairs of a join are those of the job."""

    class Pair(ProcessJoinFunction):
        def process_element(self, left, right, ctx):
            yield left[1], right[1]

    env = local()

    def keyed(*events):
        return env.from_collection(events).assign_timestamps_and_watermarks(TIMES).key_by(lambda event: event[0])

    joined = keyed(("a", 1), ("a", 9)).interval_join(keyed(("a", 3), ("a", 11))).between(0, 3).process(Pair())
    found = trace(joined)
    values = {event.element: event.value[1] for event in of_kind(found, Arrived)}
    assert [(values[match.left], values[match.right]) for match in of_kind(found, Matched)] == [(1, 3), (9, 11)]
    assert found.interval == (0, 3)


def test_a_window_join():
    """The windows of a join of two streams have the elements of both."""

    class Pair(JoinFunction):
        def join(self, first, second):
            return first[1], second[1]

    env = local()
    first, second = (env.from_collection([("a", time)]).assign_timestamps_and_watermarks(TIMES) for time in (1, 3))
    key = lambda event: event[0]  # noqa: E731
    joined = first.join(second).where(key).equal_to(key).window(TumblingEventTimeWindows(10)).apply(Pair())
    (fired,) = of_kind(trace(joined), Fired)
    assert (len(fired.elements), fired.results) == (2, ((1, 3),))


def test_the_nearest_operation_or_that_of_a_name():
    """Without a name it is the windows that stand nearest in front of the stream."""
    env = local()
    events = env.from_collection([("a", 1)]).assign_timestamps_and_watermarks(TIMES)
    minutes = events.key_by(lambda event: event[0]).window(TumblingEventTimeWindows(10)).sum(1).name("minutes")
    hours = minutes.key_by(lambda event: event[0]).window(TumblingEventTimeWindows(100)).sum(1).name("hours")
    assert trace(hours.map(str)).name == "hours"
    assert trace(hours, "minutes").name == "minutes"
    with pytest.raises(ConfigurationError, match=r"'days'.*'hours', 'minutes'"):
        trace(hours, "days")
    with pytest.raises(ConfigurationError, match="nothing to trace"):
        trace(events)


def test_a_trace_leaves_the_program_as_it_was():
    """Sinks of the program are not run, its settings and the numbers of its operators stay."""
    env = local()
    events = env.from_collection([("a", 1)]).assign_timestamps_and_watermarks(TIMES)
    windows = events.key_by(lambda event: event[0]).window(TumblingEventTimeWindows(10)).sum(1)
    printed = []
    windows.add_sink(printed.append)
    before, plan = env.get_configuration().to_dict(), env.get_execution_plan()
    trace(windows)
    assert (printed, env.get_configuration().to_dict(), env.get_execution_plan()) == ([], before, plan)
    assert windows.map(str).get_id() == windows.get_id() + 3  # the two of the sink came between


def test_it_runs_here_whatever_the_runtime_is():
    """A program that runs on Spark is traced in this process, without a JVM."""
    env = StreamExecutionEnvironment.get_execution_environment(Configuration().set_string("windrow.runtime", "spark"))
    events = env.from_collection([("a", 1)]).assign_timestamps_and_watermarks(TIMES)
    assert results(trace(events.key_by(lambda event: event[0]).window(TumblingEventTimeWindows(10)).sum(1))) == [
        ("a", 1)
    ]


def test_a_function_that_fails():
    """An error of a function is that of the job."""
    events = local().from_collection([("a", 1), ("a", 2)]).assign_timestamps_and_watermarks(TIMES)
    windows = events.key_by(lambda event: event[0]).window(TumblingEventTimeWindows(10)).reduce(lambda a, b: a / b)
    with pytest.raises(UserFunctionError, match="TypeError"):
        trace(windows)


def test_a_stream_without_end():
    """It is looked at for so many seconds, which somebody has to say; the job is stopped then."""
    source = DataGeneratorSource(lambda number: time.sleep(0.001) or ("a", number))
    events = local().from_source(source, TIMES, "numbers")
    windows = events.key_by(lambda event: event[0]).window(TumblingEventTimeWindows(10)).sum(1)
    with pytest.raises(ConfigurationError, match="seconds=10"):
        trace(windows)
    assert trace(windows, seconds=0.3).name == "TumblingEventTimeWindows"
    assert not [
        thread for thread in threading.enumerate() if thread.is_alive() and thread.name == "windrow-Flink Streaming Job"
    ]


def test_the_traces_of_a_job():
    """All windows of a job are traced in one run, in the order in which elements pass them."""
    env = local()
    events = env.from_collection([("a", 1), ("a", 12)]).assign_timestamps_and_watermarks(TIMES)
    tens = events.key_by(lambda event: event[0]).window(TumblingEventTimeWindows(10)).sum(1).name("tens")
    tens.key_by(lambda event: event[0]).window(TumblingEventTimeWindows(100)).sum(1).name("hundreds").print()
    traces = list(trace_job(env._plan(env._program.sinks()), env._submit_settings()).values())
    assert [found.name for found in traces] == ["tens", "hundreds"]
    assert [len(of_kind(found, Fired)) for found in traces] == [2, 1]


def test_observed_jobs():
    """A job graph records its windows, for who runs it."""
    env = local()
    events = env.from_collection([("a", 1)]).assign_timestamps_and_watermarks(TIMES)
    events.key_by(lambda event: event[0]).window(TumblingEventTimeWindows(10)).sum(1).name("ten").print()
    job = env._plan(env._program.sinks())
    assert len(observe(job)) == 1
