from threading import Lock

import pytest

from windrow.common import Configuration, Duration, JobStatus, Row, Types, WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.connectors.interfaces import Source
from windrow.datastream import (
    ProcessFunction,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
    TimeCharacteristic,
    TimeDomain,
)
from windrow.datastream.connectors.number_seq import NumberSequenceSource
from windrow.errors import (
    ConfigurationError,
    ConfigurationTypeError,
    JobExecutionError,
    TypeConversionError,
    UsageError,
    UserFunctionError,
)

NONE = WatermarkStrategy.no_watermarks()


class Endless(Source):
    bounded = False

    def channels(self, parallelism):
        return 1


class Timestamp(ProcessFunction):
    def process_element(self, value, ctx):
        yield value, ctx.timestamp(), ctx.timer_service().current_processing_time()


def collect(stream):
    return list(stream.execute_and_collect())


def test_each_call_gives_a_new_environment_with_its_own_settings():
    """An environment is no singleton, and copies the configuration it is given."""
    configuration = Configuration().set_integer("parallelism.default", 3)
    first = StreamExecutionEnvironment.get_execution_environment(configuration)
    first.set_parallelism(5)
    assert StreamExecutionEnvironment.get_execution_environment(configuration).get_parallelism() == 3


def test_a_spark_session_may_be_given_in_place_of_the_configuration():
    """A SparkSession is recognised in either place; anything else is refused."""

    class Session:
        sparkContext = None  # noqa: N815  (Spark's name)

    session = Session()
    get = StreamExecutionEnvironment.get_execution_environment
    assert get(session)._spark_session is session
    assert get(spark_session=session)._spark_session is session
    assert get(Configuration(), session)._spark_session is session
    with pytest.raises(ConfigurationTypeError, match="configuration must be a Configuration; got 'local'"):
        get("local")


def test_from_collection_converts_elements_to_the_declared_type(env):
    """Tuples become rows of the declared type; without a type elements stay what they are."""
    typed = env.from_collection([(1, "a")], Types.ROW_NAMED(["id", "text"], [Types.INT(), Types.STRING()]))
    assert collect(typed) == [Row(id=1, text="a")]
    assert collect(env.from_collection(iter([1, "a", None]))) == [1, "a", None]
    assert collect(env.from_collection([], Types.INT())) == []


def test_from_collection_refuses_what_does_not_fit_at_the_call(env):
    """An element that does not fit its type is named, with its place; a string is no collection of elements."""
    with pytest.raises(TypeConversionError, match=r"element 1 given to from_collection: Types.INT\(\).*'x'"):
        env.from_collection([1, "x"], Types.INT())
    for wrong in ("text", 5, None):
        with pytest.raises(ConfigurationTypeError, match="from_collection takes a list"):
            env.from_collection(wrong)


def test_from_source_reads_each_channel_in_order(env):
    """A number sequence has a channel for each subtask; its numbers are declared to be LONG."""
    numbers = env.from_source(NumberSequenceSource(1, 10), NONE, "numbers")
    assert numbers.get_type() == Types.LONG()
    assert sorted(collect(numbers)) == list(range(1, 11))
    converted = env.from_source(NumberSequenceSource(1, 2), NONE, "numbers", Types.DOUBLE())
    assert sorted(map(repr, collect(converted))) == ["1.0", "2.0"]


def test_from_source_gives_timestamps_as_its_strategy_says(env):
    """A timestamp assigner in Python works in from_source: PyFlink silently ignores it."""
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(5)).with_timestamp_assigner(
        lambda number, _: number * 10
    )
    numbers = env.from_source(NumberSequenceSource(1, 3), strategy, "numbers").uid("numbers").set_parallelism(1)
    assert [stamped[:2] for stamped in collect(numbers.process(Timestamp()))] == [(1, 10), (2, 20), (3, 30)]
    assert sorted(collect(numbers.time_window_all(20).sum())) == [1, 5]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((5, NONE, "s"), "source must be an object of Source"),
        ((NumberSequenceSource(1, 2), None, "s"), "watermark_strategy must be"),
        ((NumberSequenceSource(1, 2), NONE, None), "source_name must be"),
        ((NumberSequenceSource(1, 2), NONE, "s", "long"), "type_info of from_source"),
    ],
)
def test_from_source_checks_its_arguments(env, arguments, said):
    """Each argument is checked at the call."""
    with pytest.raises(ConfigurationTypeError, match=said):
        env.from_source(*arguments)


def test_read_text_file_gives_lines(env, tmp_path):
    """The name of Flink 1.x reads a file line by line."""
    (tmp_path / "words.txt").write_text("to be\nor not\n")
    assert collect(env.read_text_file(str(tmp_path / "words.txt"))) == ["to be", "or not"]


def test_from_dataframe_takes_dataframes_only(env):
    """Something else than a Spark DataFrame is refused at the call."""
    with pytest.raises(ConfigurationTypeError, match="takes a Spark DataFrame"):
        env.from_dataframe([1])


def test_ingestion_time_stamps_elements_when_they_come_in(env):
    """With IngestionTime elements carry the processing time, and event-time windows work without a strategy."""
    env.set_stream_time_characteristic(TimeCharacteristic.IngestionTime)
    stream = env.from_collection([1, 2])
    assert all(timestamp == now for _, timestamp, now in collect(stream.process(Timestamp())))
    assert sum(collect(stream.key_by(lambda n: 0).time_window(1_000).sum())) == 3


def test_the_time_characteristic_is_set_before_the_first_source(env):
    """Sources that are there already would not follow."""
    env.from_collection([1])
    env.set_stream_time_characteristic(TimeCharacteristic.EventTime)
    with pytest.raises(UsageError, match="before the first source"):
        env.set_stream_time_characteristic(TimeCharacteristic.IngestionTime)
    with pytest.raises(ConfigurationTypeError, match="characteristic must be"):
        env.set_stream_time_characteristic(TimeDomain.EVENT_TIME)


def test_sinks_are_executed_once(env, capsys):
    """A second execute runs only what was added since; with nothing added it is Flink's error."""
    stream = env.from_collection([1])
    stream.print()
    env.execute()
    stream.map(lambda n: n + 1).print()
    env.execute()
    assert capsys.readouterr().out == "1\n2\n"
    with pytest.raises(UsageError, match=r"No operators defined in streaming topology\. Cannot execute\."):
        env.execute()


def test_a_program_without_sinks_cannot_be_executed(env):
    """A stream that leads nowhere is nothing to execute."""
    env.from_collection([1]).map(str)
    for call in (env.execute, env.execute_async, env.get_execution_plan):
        with pytest.raises(UsageError, match="No operators defined"):
            call()


def test_several_sinks_run_in_one_job_and_each_function_once(env, capsys, tmp_path):
    """A stream that goes to two sinks is computed once."""
    calls = tmp_path / "calls"

    def counted(n):
        with calls.open("a") as file:
            file.write("x")
        return n

    stream = env.from_collection([1, 2]).map(counted)
    stream.print("a")
    stream.map(lambda n: -n).print("b")
    stream.sink_to(DiscardingSink())
    env.execute()
    assert sorted(capsys.readouterr().out.split("\n"))[1:] == ["a> 1", "a> 2", "b> -1", "b> -2"]
    assert calls.read_text() == "xx"


def test_an_error_in_a_function_starts_with_the_users_own_lines(env):
    """The error's text begins with the user's traceback and ends with operator and element."""

    def divide(n):
        return 1 / n

    env.from_collection([1, 0]).map(divide).name("divide").print()
    with pytest.raises(UserFunctionError) as raised:
        env.execute()
    lines = str(raised.value).splitlines()
    assert "in divide" in lines[1]
    assert lines[-1] == "in operator 'divide' on element 0"


def test_execute_async_gives_a_client(env):
    """The client knows the job's state and result; a failed job's error comes out of the result."""
    env.from_collection([1]).sink_to(DiscardingSink())
    client = env.execute_async("job")
    result = client.get_job_execution_result().result()
    assert result.get_job_id() == client.get_job_id()
    assert client.get_job_status().result() is JobStatus.FINISHED
    env.from_collection([0]).map(lambda n: 1 / n).sink_to(DiscardingSink())
    failed = env.execute_async()
    with pytest.raises(UserFunctionError):
        failed.get_job_execution_result().result()
    assert failed.get_job_status().result() is JobStatus.FAILED


def test_a_job_can_be_cancelled(tmp_path):
    """Cancelling ends a job; its result says so."""
    configuration = Configuration().set_string("windrow.runtime", "local")
    env = StreamExecutionEnvironment.get_execution_environment(configuration)
    import threading

    started, go_on = threading.Event(), threading.Event()

    def wait(n):
        started.set()
        go_on.wait(10)
        return n

    env.from_collection([1]).map(wait).sink_to(DiscardingSink())
    client = env.execute_async()
    assert started.wait(10)
    assert client.get_job_status().result() is JobStatus.RUNNING
    canceller = threading.Thread(target=client.cancel)
    canceller.start()
    go_on.set()
    canceller.join(10)
    assert client.get_job_status().result() is JobStatus.CANCELED
    with pytest.raises(JobExecutionError, match="was cancelled"):
        client.get_job_execution_result().result()


def test_batch_refuses_sources_without_end(env):
    """BATCH is for bounded input only; AUTOMATIC runs such a job as a stream."""
    env.from_source(Endless(), NONE, "endless").print()
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    with pytest.raises(ConfigurationError, match="'Source: endless' does not"):
        env.execute()
    env.set_runtime_mode(RuntimeExecutionMode.AUTOMATIC)
    assert env._plan(env._program.sinks()).batch_mode is False


def test_job_parameters_reach_functions(env):
    """Global job parameters are what RuntimeContext.get_job_parameter gives."""
    from windrow.datastream import MapFunction

    class Parameter(MapFunction):
        def open(self, runtime_context):
            self.value = runtime_context.get_job_parameter("greeting", "none")

        def map(self, value):
            return self.value

    env.get_config().set_global_job_parameters({"greeting": "hello"})
    assert collect(env.from_collection([1]).map(Parameter())) == ["hello"]


def test_a_closed_environment_refuses_everything():
    """After close every use of the environment or its streams says what happened; closing again does not."""
    env = StreamExecutionEnvironment.get_execution_environment()
    stream = env.from_collection([1])
    env.close()
    env.close()
    for use in (
        lambda: env.execute("job"),
        lambda: env.from_collection([1]),
        lambda: env.set_parallelism(2),
        lambda: stream.map(str),
    ):
        with pytest.raises(UsageError, match="the environment was closed"):
            use()


@pytest.mark.parametrize(("parallelism", "groups"), [(1, 128), (85, 128), (86, 256), (1000, 2048)])
def test_the_number_of_key_groups_follows_the_parallelism(env, parallelism, groups):
    """As in Flink: 1.5 times the parallelism, rounded up to a power of two, at least 128."""
    env.set_parallelism(parallelism).from_collection([1]).print()
    assert env._plan(env._program.sinks()).max_parallelism == groups


def test_parallelism_beyond_the_key_groups_is_refused(env):
    """More subtasks than key groups would leave some without any."""
    env.set_parallelism(5).set_max_parallelism(4).from_collection([1]).print()
    with pytest.raises(ConfigurationError, match="must not exceed the max parallelism of 4; it is 5"):
        env.execute()


def test_several_outputs_as_dataframes_need_schemas(env):
    """Without a declared type there is no schema: the call says for which stream."""
    with pytest.raises(ConfigurationError, match="stream 'a' of to_dataframe needs a schema"):
        env.to_dataframe({"a": env.from_collection([1])})
    with pytest.raises(ConfigurationError, match="at least one stream"):
        env.to_dataframe({})


def test_outputs_as_dataframes_are_of_the_environment_itself(env):
    """A stream of another environment has settings, and perhaps a session, that this one does not know."""
    other = StreamExecutionEnvironment.get_execution_environment().from_collection([1])
    with pytest.raises(ConfigurationError, match="stream 'b' is of another"):
        env.to_dataframe({"a": (env.from_collection([1]), "n int"), "b": (other, "n int")})


def test_a_local_environment_runs_in_this_process():
    """create_local_environment needs no setting, and takes its parallelism and other settings."""
    given = Configuration().set_string("pipeline.name", "numbers")
    env = StreamExecutionEnvironment.create_local_environment(3, given)
    assert env.get_parallelism() == 3
    assert env.get_configuration().to_dict() == {"pipeline.name": "numbers", "windrow.runtime": "local"}
    assert given.to_dict() == {"pipeline.name": "numbers"}
    seen = []
    env.from_elements("a", "b").add_sink(seen.append).set_parallelism(1)
    env.execute()
    assert seen == ["a", "b"]


def test_from_elements_converts_to_a_declared_type():
    """Elements that do not fit the type are refused as in from_collection."""
    env = StreamExecutionEnvironment.create_local_environment(1)
    assert env.from_elements(1, 2, type_info=Types.INT()).get_type() == Types.INT()
    with pytest.raises(TypeConversionError):
        env.from_elements("a", type_info=Types.INT())


def test_from_sequence_is_parallel():
    """The numbers, with both ends, in as many channels as the environment's parallelism."""
    env = StreamExecutionEnvironment.create_local_environment(2)
    numbers = env.from_sequence(-1, 4)
    assert numbers.get_type() == Types.LONG()
    assert sorted(numbers.execute_and_collect(limit=9)) == [-1, 0, 1, 2, 3, 4]
    numbers.print()
    assert '"parallelism": 2' in env.get_execution_plan()


def test_an_element_that_cannot_be_copied_is_named():
    """A job must not change the program's own, nor share it."""
    env = StreamExecutionEnvironment.get_execution_environment()
    with pytest.raises(ConfigurationTypeError, match=r"^element 1 given to from_collection, <unlocked .* be copied"):
        env.from_collection([1, Lock()])
