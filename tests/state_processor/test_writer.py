"""A savepoint that was made of elements, and jobs that begin with it."""

import pytest

from tests.datastream.streams.restarts import ListSink
from tests.state_processor.conftest import environment
from windrow.common import Types, WatermarkStrategy
from windrow.datastream import KeyedProcessFunction
from windrow.datastream.state import ListStateDescriptor, ValueStateDescriptor
from windrow.errors import CheckpointError, ConfigurationError, ConfigurationTypeError, UsageError, UserFunctionError
from windrow.state_processor import (
    KeyedStateBootstrapFunction,
    KeyedStateReaderFunction,
    OperatorTransformation,
    SavepointReader,
    SavepointWriter,
    describe,
)

pytestmark = pytest.mark.spark

TOTAL, NAMES = ValueStateDescriptor("total", Types.LONG()), ListStateDescriptor("names", Types.STRING())
ACCOUNTS = [(key, 10 * key) for key in range(20)]
RECOVERY, UNCLAIMED = "execution.state-recovery.path", "execution.state-recovery.ignore-unclaimed-state"
FIVE = 5_000


class Totals(KeyedStateBootstrapFunction):
    """The total of each account, and timers in both domains for some, one of which is long due."""

    def open(self, runtime_context):
        self.total = runtime_context.get_state(TOTAL)
        self.count = runtime_context.get_int_counter("count")

    def process_element(self, value, ctx):
        self.count.add(1)
        assert ctx.get_current_key() == value[0]
        self.total.update(value[1])
        if value[0] < 3:
            ctx.timer_service().register_event_time_timer(FIVE)
        if value[0] == 7:
            ctx.timer_service().register_processing_time_timer(1)


class Names(KeyedStateBootstrapFunction):
    """Names by their first letter."""

    def open(self, runtime_context):
        self.names = runtime_context.get_list_state(NAMES)

    def process_element(self, value, ctx):
        self.names.add(value)


class Adding(KeyedProcessFunction):
    """Adds to totals, and says them when a timer fires."""

    def open(self, runtime_context):
        self.total = runtime_context.get_state(TOTAL)

    def process_element(self, value, ctx):
        self.total.update((self.total.value() or 0) + value[1])
        yield "added", value[0], self.total.value()

    def on_timer(self, timestamp, ctx):
        yield "timer", ctx.get_current_key(), timestamp


class ReadTotals(KeyedStateReaderFunction):
    def open(self, runtime_context):
        self.total = runtime_context.get_state(TOTAL)

    def read_key(self, key, ctx):
        yield key, self.total.value(), len(ctx.registered_event_time_timers())


def accounts(env, function=None):
    made = OperatorTransformation.bootstrap_with(env.from_collection(ACCOUNTS)).key_by(lambda account: account[0])
    return made.transform(function or Totals())


@pytest.fixture(scope="module")
def written(spark_session, tmp_path_factory):
    """Of two operators; the job that makes it has another parallelism than those that begin with it."""
    env = environment(spark_session, "unused")
    names = OperatorTransformation.bootstrap_with(env.from_collection(["anna", "bo", "al"]))
    path = str(tmp_path_factory.mktemp("bootstrap") / "savepoint")
    writer = SavepointWriter.new_savepoint(env, 64).with_operator("totals", accounts(env))
    before = env.get_max_parallelism()
    writer.with_operator("names", names.key_by(lambda name: name[0]).transform(Names())).write(path)
    assert env.get_max_parallelism() == before
    return path


def program(spark, path, checkpoint, parallelism, **settings):
    env = environment(spark, checkpoint, **{RECOVERY: path, UNCLAIMED: "true", **settings})
    env.set_parallelism(parallelism).set_max_parallelism(64)
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda account, _: account[2])
    payments = env.from_collection([(1, 5, FIVE - 2), (7, 1, FIVE - 1), (99, 3, FIVE)]).uid("payments")
    timed = payments.assign_timestamps_and_watermarks(times).uid("times")
    sink = ListSink()
    timed.key_by(lambda payment: payment[0]).process(Adding()).uid("totals").sink_to(sink)
    return env, sink


@pytest.mark.parametrize("parallelism", [1, 3])
def test_a_job_begins_with_what_was_written(written, spark_session, tmp_path, parallelism):
    """With state and timers, at the beginning of its own sources and of time."""
    env, sink = program(spark_session, written, tmp_path / "checkpoint", parallelism)
    result = env.execute()
    assert result.get_all_accumulator_results() == {}
    added = sorted(each for each in sink.elements if each[0] == "added")
    assert added == [("added", 1, 15), ("added", 7, 71), ("added", 99, 3)]
    timers = sorted(each for each in sink.elements if each[0] == "timer")
    assert timers == [("timer", 0, FIVE), ("timer", 1, FIVE), ("timer", 2, FIVE), ("timer", 7, 1)]


def test_it_can_be_read(written, spark_session):
    """As any other: by a function, as text, and by who looks only."""
    reader = SavepointReader.read(written, spark_session)
    found = reader.read_keyed_state("totals", ReadTotals(), "key long, total long, timers long").collect()
    assert sorted(map(tuple, found)) == [(key, total, int(key < 3)) for key, total in ACCOUNTS]
    assert {(row.key, row.value) for row in reader.values("names").collect()} == {
        ("'a'", "['anna', 'al']"),
        ("'b'", "['bo']"),
    }
    summary = describe(written, spark_session)
    assert (summary.max_parallelism, {each.uid: each.keys for each in summary.operators if each.keys}) == (
        64,
        {"totals": 20, "names": 2},
    )


def test_what_does_not_fit_is_refused(written, spark_session, tmp_path):
    """State that no operator has; the max parallelism; a job that would go on in the directory itself."""
    env, _ = program(spark_session, written, tmp_path / "a", 1, **{UNCLAIMED: "false"})
    with pytest.raises(CheckpointError, match="'names' is gone, and its state would be lost"):
        env.execute()
    env, _ = program(spark_session, written, tmp_path / "b", 1)
    env.set_max_parallelism(32)
    with pytest.raises(CheckpointError, match="max parallelism was 64 and is 32"):
        env.execute()
    env = environment(spark_session, written)
    env.from_collection([1]).sink_to(ListSink())
    with pytest.raises(CheckpointError, match=f"a SavepointWriter has written it: a job begins with it by {RECOVERY}"):
        env.execute()


def test_wrong_use_is_refused(written, spark_session, tmp_path):
    """Where it is made."""
    env = environment(spark_session, "unused")
    writer = SavepointWriter.new_savepoint(env)
    with pytest.raises(UsageError, match="a savepoint without operators would hold nothing"):
        writer.write(str(tmp_path))
    writer.with_operator("totals", accounts(env))
    with pytest.raises(ConfigurationError, match="operator 'totals' has its state already"):
        writer.with_operator("totals", accounts(env))
    with pytest.raises(ConfigurationError, match="there is a checkpoint or a savepoint at"):
        writer.write(written)
    env = environment(spark_session, "unused", **{RECOVERY: written})
    with pytest.raises(ConfigurationError, match=f"{RECOVERY} is set, and a new savepoint begins with nothing"):
        SavepointWriter.new_savepoint(env).with_operator("totals", accounts(env)).write(str(tmp_path / "a"))
    env = environment(spark_session, "unused", **{"windrow.runtime": "local"})
    with pytest.raises(ConfigurationError, match="the local runtime has no checkpoints"):
        SavepointWriter.new_savepoint(env).with_operator("totals", accounts(env)).write(str(tmp_path / "a"))
    other = environment(spark_session, "unused")
    with pytest.raises(ConfigurationError, match="made of a stream of another environment"):
        SavepointWriter.new_savepoint(other).with_operator("totals", accounts(env))
    other.from_collection([1]).sink_to(ListSink())
    with pytest.raises(UsageError, match="the environment has sinks of its own"):
        SavepointWriter.new_savepoint(other).with_operator("totals", accounts(other)).write(str(tmp_path / "a"))
    for call in (
        lambda: SavepointWriter.new_savepoint("env"),
        lambda: OperatorTransformation.bootstrap_with([1]),
        lambda: accounts(env, Adding()),
        lambda: writer.with_operator("other", Totals()),
    ):
        with pytest.raises(ConfigurationTypeError, match="must be an object of"):
            call()


class Failing(Totals):
    def process_element(self, value, ctx):
        raise ValueError(value)


def test_what_has_failed_is_no_savepoint(spark_session, tmp_path):
    """The function's error is raised, and no job begins with what is there."""
    env = environment(spark_session, "unused")
    writer = SavepointWriter.new_savepoint(env, 64).with_operator("totals", accounts(env, Failing()))
    with pytest.raises(UserFunctionError, match="ValueError"):
        writer.write(str(tmp_path / "failed"))
    with pytest.raises(CheckpointError, match="is no savepoint: the job that was to make it is not done"):
        SavepointReader.read(str(tmp_path / "failed"), spark_session)
    env, _ = program(spark_session, str(tmp_path / "failed"), tmp_path / "checkpoint", 1)
    with pytest.raises(CheckpointError, match="is no savepoint: the job that was to make it is not done"):
        env.execute()


class Yielding(Totals):
    def process_element(self, value, ctx):
        yield value


def test_a_function_that_gives_something_is_refused(spark_session, tmp_path):
    """Nobody would run a generator, and state would be empty."""
    env = environment(spark_session, "unused")
    writer = SavepointWriter.new_savepoint(env).with_operator("totals", accounts(env, Yielding()))
    with pytest.raises(ConfigurationTypeError, match="gives nothing; it has given <generator"):
        writer.write(str(tmp_path / "failed"))
