import pytest

from windrow.common import Configuration, Duration, Time, Types, WatermarkStrategy
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator
from windrow.connectors.interfaces import DriverSink
from windrow.datastream import (
    KeyedProcessFunction,
    OutputTag,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
    TimeCharacteristic,
)
from windrow.datastream.functions import ProcessJoinFunction
from windrow.errors import (
    ConfigurationError,
    ConfigurationTypeError,
    MissingTimestampError,
    TypeConversionError,
    UsageError,
)
from windrow.runtime.local.executor import LocalExecutor

LATE_LEFT, LATE_RIGHT = OutputTag("late left"), OutputTag("late right")
ODD = OutputTag("odd")
LEFT = [("ab"[n % 2], n, 100 * n) for n in range(40)]
RIGHT = [("ab"[n % 2], n, 100 * n + 130) for n in range(40)]
#: What joins between -100 and 330 ms: with the same number, the one before and the next of its key.
PAIRS = sorted(
    (key, n, m) for key, n, at in LEFT for other, m, when in RIGHT if key == other and -100 <= when - at <= 330
)


class EveryFifth(WatermarkGenerator):
    """A watermark behind every fifth element, of which some that follow are late."""

    def __init__(self):
        self.seen = 0

    def on_event(self, event, event_timestamp, output):
        self.seen += 1
        if self.seen % 5 == 0:
            output.emit_watermark(Watermark(event_timestamp))

    def on_periodic_emit(self, output):
        """Elements decide."""


TIMES = WatermarkStrategy.for_generator(EveryFifth).with_timestamp_assigner(lambda value, _: value[2])


class Numbers(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        yield left[0], left[1], right[1]
        if left[1] % 2:
            yield ODD, ctx.get_timestamp()


class ListSink(DriverSink):
    def __init__(self):
        self.elements = []

    def deliver(self, values, timestamps):
        self.elements.extend(values)


def keyed(env, elements, **settings):
    return env.from_collection(elements).assign_timestamps_and_watermarks(TIMES).key_by(lambda e: e[0], **settings)


def joined(env, left=LEFT, right=RIGHT):
    return keyed(env, left).interval_join(keyed(env, right)).between(Time.milliseconds(-100), Duration.of_millis(330))


@pytest.fixture
def local_env():
    local = Configuration().set_string("windrow.runtime", "local")
    return StreamExecutionEnvironment.get_execution_environment(local).set_parallelism(2)


def test_an_interval_join(env):
    """Pairs within the interval come out once, late elements and what the function yields by tag on side outputs."""
    late = [("a", 99, 0), ("b", 99, 5)]
    left = [*LEFT, *[("c", n, 10_000 + n) for n in range(10)], *late]
    env.set_parallelism(1)
    join = joined(env, left, [*RIGHT, *[("d", n, 10_000 + n) for n in range(10)]])
    stream = (
        join.side_output_left_late_data(LATE_LEFT)
        .side_output_right_late_data(LATE_RIGHT)
        .process(Numbers(), Types.TUPLE([Types.STRING(), Types.INT(), Types.INT()]))
    )
    main, odd, late_left, late_right = (ListSink() for _ in range(4))
    stream.sink_to(main)
    for tag, sink in [(ODD, odd), (LATE_LEFT, late_left), (LATE_RIGHT, late_right)]:
        stream.get_side_output(tag).sink_to(sink)
    env.execute()
    assert sorted(main.elements) == PAIRS
    assert len(odd.elements) == sum(number % 2 for _, number, _ in PAIRS)
    assert (sorted(late_left.elements), late_right.elements) == (late, [])


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda join: join, [(0, 10), (0, 11), (0, 12)]),
        (lambda join: join.lower_bound_exclusive(), [(0, 11), (0, 12)]),
        (lambda join: join.upper_bound_exclusive(True), [(0, 10), (0, 11)]),
        (lambda join: join.lower_bound_exclusive(True).upper_bound_exclusive(), [(0, 11)]),
        (lambda join: join.upper_bound_exclusive().upper_bound_exclusive(False), [(0, 10), (0, 11), (0, 12)]),
    ],
)
def test_bounds(local_env, change, expected):
    """Bounds belong to the interval unless they are made exclusive."""
    right = keyed(local_env, [("a", n, n) for n in (9, 10, 11, 12, 13)])
    join = change(keyed(local_env, [("a", 0, 0)]).interval_join(right).between(10, 12))
    found = join.process(Numbers()).execute_and_collect(limit=9)
    assert sorted((left, right) for _, left, right in found) == expected


def test_batch_mode_has_no_late_elements(local_env):
    """In BATCH all pairs are found, whatever order elements come in."""
    local_env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    found = joined(local_env, LEFT[::-1], RIGHT).process(Numbers()).execute_and_collect(limit=1000)
    assert sorted(found) == PAIRS


def test_dropped_elements_are_counted(local_env):
    """Without a side output a late element counts as num_late_records_dropped."""
    local_env.set_parallelism(1)
    left = [*LEFT[:5], ("a", 99, 0)]
    joined(local_env, left, LEFT[:5]).process(Numbers()).sink_to(ListSink())
    counters = local_env.execute().counters
    assert sum(counter.get("num_late_records_dropped", 0) for counter in counters.values()) == 1


class Uppercase(KeyedProcessFunction):
    def process_element(self, value, ctx):
        yield ctx.get_current_key(), value, ctx.timestamp()


def test_results_are_a_stream_like_any_other(local_env):
    """Results can be keyed again, have the greater timestamp, and their operator has a name and a uid."""
    stream = joined(local_env, LEFT[:1], RIGHT[:1]).process(Numbers()).name("pairs").uid("pairs-1")
    assert stream.get_name() == "pairs"
    found = stream.key_by(lambda pair: pair[0]).process(Uppercase()).execute_and_collect(limit=9)
    assert found == [("a", ("a", 0, 0), 130)]


def test_missing_timestamps_fail_the_job(local_env):
    """An element without a timestamp ends the job with an error that names the operator and says what to do."""
    plain = local_env.from_collection(LEFT).key_by(lambda e: e[0])
    stream = plain.interval_join(keyed(local_env, RIGHT)).between(0, 1).process(Numbers())
    with pytest.raises(MissingTimestampError, match=r"'Interval Join' needs .* call assign_timestamps_and_watermarks"):
        stream.execute_and_collect(limit=9)


def test_results_must_be_of_the_declared_type(local_env):
    """A result of another type than declared ends the job."""
    stream = joined(local_env).process(Numbers(), Types.INT())
    with pytest.raises(TypeConversionError, match="operator 'Interval Join' emitted"):
        stream.execute_and_collect(limit=9)


class NotAJoin(KeyedProcessFunction):
    def process_element(self, value, ctx):
        """Nothing."""


def other_env():
    return StreamExecutionEnvironment.get_execution_environment(Configuration().set_string("windrow.runtime", "local"))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda env, left: left.interval_join(env.from_collection([1])), ConfigurationTypeError, "call key_by on it"),
        (lambda env, left: left.interval_join(None), ConfigurationTypeError, "must be an object of KeyedStream"),
        (lambda env, left: left.interval_join(keyed(other_env(), LEFT)), ConfigurationError, "one environment"),
        (
            lambda env, left: keyed(env, LEFT, key_type=Types.STRING()).interval_join(
                keyed(env, LEFT, key_type=Types.INT())
            ),
            ConfigurationError,
            "keys of one type",
        ),
        (lambda env, left: left.interval_join(left).between(None, 1), ConfigurationTypeError, "lower_bound of between"),
        (lambda env, left: left.interval_join(left).between(1, None), ConfigurationTypeError, "upper_bound of between"),
        (lambda env, left: left.interval_join(left).between(2, 1), ConfigurationError, "2 ms and 1 ms"),
        (lambda env, left: left.interval_join(left).between(0, 2**63), ConfigurationError, "64 bits"),
        (
            lambda env, left: left.interval_join(left).in_processing_time().between(0, 1),
            UsageError,
            "event time only, but in_processing_time",
        ),
        (lambda env, left: joined(env).lower_bound_exclusive(1), ConfigurationTypeError, "lower_bound_exclusive"),
        (lambda env, left: joined(env).upper_bound_exclusive(None), ConfigurationTypeError, "upper_bound_exclusive"),
        (lambda env, left: joined(env).side_output_left_late_data("late"), ConfigurationTypeError, "OutputTag"),
        (lambda env, left: joined(env).side_output_right_late_data(None), ConfigurationTypeError, "OutputTag"),
        (lambda env, left: joined(env).process(Numbers), ConfigurationTypeError, "make an object of it"),
        (lambda env, left: joined(env).process(NotAJoin()), ConfigurationTypeError, "ProcessJoinFunction"),
        (lambda env, left: joined(env).process(lambda one, two: 1), ConfigurationTypeError, "ProcessJoinFunction"),
    ],
)
def test_wrong_use_fails_at_the_call(local_env, call, error, message):
    """What cannot work is refused where it is written."""
    with pytest.raises(error, match=message):
        call(local_env, keyed(local_env, LEFT))


@pytest.mark.parametrize("characteristic", [TimeCharacteristic.ProcessingTime, TimeCharacteristic.IngestionTime])
def test_another_time_characteristic_is_refused(local_env, characteristic):
    """An interval join is about event time, and between says what to do otherwise."""
    local_env.set_stream_time_characteristic(characteristic)
    join = keyed(local_env, LEFT).interval_join(keyed(local_env, RIGHT))
    with pytest.raises(UsageError, match=rf"{characteristic.name}; call set_stream_time_characteristic"):
        join.between(0, 1)


def test_in_event_time_takes_back_in_processing_time(local_env):
    """The last of the two calls counts, as in Flink."""
    join = keyed(local_env, LEFT).interval_join(keyed(local_env, RIGHT))
    assert join.in_processing_time().in_event_time().between(0, 1).get_execution_environment() is local_env


@pytest.mark.parametrize("batch_size", [1, 3, 7])
def test_restarts_lose_and_double_nothing_locally(local_env, batch_size):
    """Operators that are made anew behind every batch give what those that live on give."""
    sink = ListSink()
    joined(local_env).process(Numbers()).sink_to(sink)
    executor = LocalExecutor(local_env._plan(local_env._program.sinks()), batch_size)
    while executor.run_batch():
        executor.restart()
    executor.close()
    assert sorted(sink.elements) == PAIRS


@pytest.mark.slow
@pytest.mark.spark
def test_a_failed_job_loses_and_doubles_nothing_on_spark(spark_session, tmp_path):
    """A job that fails in the middle of a join and is started again on its checkpoint gives every pair once."""
    found = []
    for fails_at in (25, None):
        settings = {
            "windrow.runtime": "spark",
            "execution.checkpointing.dir": str(tmp_path / "checkpoint"),
            "windrow.source.elements-per-split": "10",
            "windrow.source.splits-per-batch": "1",
        }
        env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings), spark_session)
        env.set_parallelism(2)

        def seen(element, fails_at=fails_at):
            if element[1] == fails_at:
                raise ValueError(element)
            return element

        left = env.from_collection(LEFT).map(seen).assign_timestamps_and_watermarks(TIMES).key_by(lambda e: e[0])
        sink = ListSink()
        left.interval_join(keyed(env, RIGHT)).between(-100, 330).process(Numbers()).sink_to(sink)
        if fails_at is None:
            env.execute()
        else:
            with pytest.raises(Exception, match="ValueError"):
                env.execute()
        found.append(sink.elements)
    assert found[0]
    assert found[1]
    assert sorted(found[0] + found[1]) == PAIRS
