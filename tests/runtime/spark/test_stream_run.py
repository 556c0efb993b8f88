"""Jobs as streaming queries."""

import json
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from tests.runtime.spark.fake_checkpoint import write_as_spark_does
from windrow.common import Configuration, JobStatus, Time, Types, WatermarkStrategy
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator
from windrow.connectors.interfaces import DriverSink
from windrow.connectors.spark_files import SparkFileSource
from windrow.datastream import ProcessWindowFunction, StreamExecutionEnvironment
from windrow.datastream.window import TumblingEventTimeWindows, TumblingProcessingTimeWindows
from windrow.errors import JobExecutionError, UserFunctionError
from windrow.runtime.spark import checkpoint, stream_run
from windrow.runtime.spark.checkpoint import Checkpoint
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.spark.stream_run import StreamRun
from windrow.runtime.spark.stream_settings import StreamSettings
from windrow.runtime.stage.totals import Totals
from windrow.storage.local_folder import LocalFolder

READINGS = [(f"key{i * 7 % 5}", i, i * 100 - i * 37 % 1500) for i in range(300)]


class ListSink(DriverSink):
    """Keeps what comes, in the program's process."""

    def __init__(self):
        self.elements = []

    def deliver(self, values, timestamps):
        self.elements.extend(values)


class EveryTenth(WatermarkGenerator):
    """A watermark behind every tenth element: its count has to live through restarts."""

    def __init__(self):
        self.seen = 0

    def on_event(self, event, event_timestamp, output):
        self.seen += 1
        if self.seen % 10 == 0:
            output.emit_watermark(Watermark(event_timestamp - 500))

    def on_periodic_emit(self, output):
        """Elements decide."""


class Lines(ProcessWindowFunction):
    """A line per window."""

    def __init__(self, calls):
        self.calls = calls

    def process(self, key, context, elements):
        line = f"{key}@{context.window().start}={','.join(str(number) for _, number, _ in elements)}"
        note(self.calls, f"window {line}")
        yield line


def note(path, what):
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"{what}\n")


def noted(path):
    return Counter(Path(path).read_text(encoding="utf-8").splitlines())


def add_windows(env, calls, readings=None, fails_at=None):
    """Windows over the readings; every function notes what it is called with. The sink that gets the lines."""
    calls = str(calls)

    def seen(reading):
        note(calls, f"map {reading[1]}")
        if reading[1] == fails_at:
            msg = "here"
            raise ValueError(msg)
        return reading

    def timestamp(reading, _):
        note(calls, f"time {reading[1]}")
        return reading[2]

    def key(reading):
        note(calls, f"key {reading[1]}")
        return reading[0]

    times = WatermarkStrategy.for_generator(EveryTenth).with_timestamp_assigner(timestamp)
    stream = env.from_collection(READINGS if readings is None else readings).map(seen)
    keyed = stream.assign_timestamps_and_watermarks(times).key_by(key)
    sink = ListSink()
    keyed.window(TumblingEventTimeWindows.of(Time.seconds(2))).process(Lines(calls), Types.STRING()).sink_to(sink)
    return sink


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The lines and the calls of the job in one process."""
    calls = tmp_path_factory.mktemp("local") / "calls"
    local = Configuration().set_string("windrow.runtime", "local")
    env = StreamExecutionEnvironment.get_execution_environment(local).set_parallelism(2)
    sink = add_windows(env, calls)
    env.execute()
    assert len(sink.elements) > 50
    return sorted(sink.elements), noted(calls)


@pytest.fixture
def batches_of(on_spark, tmp_path):
    """Makes an environment whose jobs keep a checkpoint and read so many elements in a batch."""

    def make(elements, **settings):
        return on_spark(
            {
                "execution.checkpointing.dir": str(tmp_path / "checkpoint"),
                "windrow.source.elements-per-split": str(elements),
                "windrow.source.splits-per-batch": "1",
                **settings,
            }
        )

    return make


def test_who_looks_is_told_how_many_planned_splits_no_batch_has_had(batches_of, tmp_path):
    """Fewer from batch to batch, under the source's tag; where a source has an enumerator, that tells."""
    env = batches_of(20, **{"windrow.ui.history": "500"})
    add_windows(env, tmp_path / "calls")
    env.execute("planned")
    (file,) = (tmp_path / "checkpoint.history").iterdir()
    entries = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    (source,) = (each["id"] for each in entries[0]["vertices"] if each["kind"] == "source")
    told = [entry["progress"]["unassigned_splits"] for entry in entries if "parts" in entry.get("progress", {})]
    left = [of_sources[source] for of_sources in told]
    assert left
    assert left == sorted(left, reverse=True)
    assert all(0 <= count < len(READINGS) // 20 for count in left)


def committed(tmp_path):
    """How many batches the checkpoint has."""
    return sum(file.name.isdigit() for file in (tmp_path / "checkpoint" / "spark" / "commits").iterdir())


@contextmanager
def running(env, name):
    """The job while it runs; it is cancelled behind the block."""
    client = env.execute_async(name)
    try:
        yield client
    finally:
        client.cancel().result()


def wait_until(condition, client, seconds=120):
    deadline = time.monotonic() + seconds
    while not condition():
        assert client.get_job_status().result() is JobStatus.RUNNING
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.spark
def test_a_job_in_several_batches_gives_what_one_process_gives(batches_of, tmp_path, expected):
    """Batches are cut without a trace in the results, and every function is called once per element."""
    env = batches_of(100)
    sink = add_windows(env, tmp_path / "calls")
    env.execute()
    assert committed(tmp_path) == 3
    assert (sorted(sink.elements), noted(tmp_path / "calls")) == expected


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.parametrize("state_format", [1, 2])
def test_a_job_that_fails_goes_on_behind_its_last_batch(batches_of, tmp_path, expected, state_format, monkeypatch):
    """Nothing is lost or doubled, what is committed is not read again, and the source is the one of the first start.

    State files have the format that the checkpoint began with: 1 is what versions before this one gave it.
    """
    env = batches_of(100)
    first = add_windows(env, tmp_path / "first", fails_at=150)
    monkeypatch.setattr(checkpoint, "STATE_FORMAT", state_format)
    with pytest.raises(UserFunctionError, match="ValueError: here"):
        env.execute()
    monkeypatch.undo()
    assert committed(tmp_path) == 1
    env = batches_of(7)  # asks for other splits, and another source: the checkpoint's plan stays
    second = add_windows(env, tmp_path / "second", readings=[("other", 0, 0)])
    env.execute()
    assert committed(tmp_path) == 3
    commits = tmp_path / "checkpoint" / "spark" / "commits"
    assert [(commits / str(batch)).read_text()[:2] for batch in range(3)] == [f"v{state_format}"] * 3
    assert sorted(first.elements + second.elements) == expected[0]
    calls = noted(tmp_path / "second")
    assert {name: calls[name] for name in calls if name.startswith("map")} == {f"map {n}": 1 for n in range(100, 300)}


def sums_of_words(env, frame):
    """Per word the sum of its windows of processing time."""
    pairs = env.from_dataframe(frame).map(lambda row: (row.word, row.n))
    windows = pairs.key_by(lambda pair: pair[0]).window(TumblingProcessingTimeWindows.of(Time.milliseconds(300)))
    sink = ListSink()
    windows.reduce(lambda one, two: (one[0], one[1] + two[1])).sink_to(sink)
    return sink


def arriving(spark, folder):
    """A streaming DataFrame of words in a folder, where one file is already."""
    folder.mkdir()
    add_file(folder, "first", [("a", 1), ("b", 2), ("a", 3)])
    return spark.readStream.schema("word string, n int").json(str(folder))


def add_file(folder, name, words):
    lines = [json.dumps({"word": word, "n": n}) for word, n in words]
    partial = folder / f".{name}"
    partial.write_text("\n".join(lines))
    partial.rename(folder / f"{name}.json")


@pytest.fixture
def on_nothing():
    """An environment whose jobs are planned and not run."""
    return StreamExecutionEnvironment.get_execution_environment(Configuration()).set_parallelism(2)


@pytest.mark.spark
def test_windows_of_processing_time_fire_while_nothing_comes(on_spark, spark_session, tmp_path):
    """Ticks bring the results of a silent input; the job runs until it is cancelled, and says so."""
    env = on_spark()
    sink = sums_of_words(env, arriving(spark_session, tmp_path / "in"))
    with running(env, "words") as client:
        wait_until(lambda: len(sink.elements) >= 2, client)
        assert sorted(sink.elements) == [("a", 4), ("b", 2)]
        add_file(tmp_path / "in", "second", [("a", 5)])
        wait_until(lambda: len(sink.elements) >= 3, client)
        assert sink.elements[2] == ("a", 5)
    assert client.get_job_status().result() is JobStatus.CANCELED
    with pytest.raises(JobExecutionError, match="'words' was cancelled"):
        client.get_job_execution_result().result()
    assert spark_session.streams.active == []


@pytest.mark.spark
def test_a_source_without_end_runs_until_it_is_cancelled(on_spark, spark_session, tmp_path, monkeypatch):
    """Windows of event time close as watermarks come; cancelling leaves no query and no temporary checkpoint."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    # In one partition: a DataFrame is one channel, in which rows of several come one partition after the other.
    rate = spark_session.readStream.format("rate").option("rowsPerSecond", 1000).option("numPartitions", 1).load()
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda row, _: row.value)
    env = on_spark()
    values = env.from_dataframe(rate).assign_timestamps_and_watermarks(times).map(lambda row: (row.value // 100, 1))
    windows = values.key_by(lambda pair: 0).window(TumblingEventTimeWindows.of(100))
    sink = ListSink()
    windows.reduce(lambda one, two: (one[0], one[1] + two[1])).sink_to(sink)
    with running(env, "rate") as client:
        wait_until(lambda: len(sink.elements) >= 5, client)
    assert sink.elements[:5] == [(number, 100) for number in range(5)]
    assert spark_session.streams.active == []
    assert list(tmp_path.glob("windrow-checkpoint-*")) == []


@pytest.mark.spark
def test_a_job_can_be_cancelled_in_the_middle_of_a_batch(batches_of, tmp_path):
    """It was cancelled and has not failed, whatever the batch says of its interruption."""
    calls = tmp_path / "calls"

    def slow(number):
        note(calls, number)
        time.sleep(600)
        return number

    env = batches_of(100)
    env.from_collection([1]).map(slow).sink_to(ListSink())
    with running(env, "slow") as client:
        wait_until(calls.exists, client)
    assert client.get_job_status().result() is JobStatus.CANCELED
    with pytest.raises(JobExecutionError, match="'slow' was cancelled"):
        client.get_job_execution_result().result()


@pytest.mark.parametrize("cancelled", [True, False])
def test_what_fails_because_a_job_is_cancelled_is_no_failure(on_nothing, monkeypatch, tmp_path, cancelled):
    """Spark interrupts the batch that runs; only in a job that nobody cancelled is that an error."""

    class Stopped:
        isActive = False  # noqa: N815  (Spark's name)

        def stop(self):
            """It has stopped."""

        def exception(self):
            """It says nothing."""

    class Interrupted:
        def toArrow(self):
            msg = "interrupted"
            raise InterruptedError(msg)

    monkeypatch.setattr(StreamRun, "_start", lambda *_, **__: Stopped())
    on_nothing.from_collection([1]).sink_to(ListSink())
    job = on_nothing._plan(on_nothing._program.sinks())
    write_as_spark_does(tmp_path / "spark" / "metadata", '{"id":"8c95a6a1"}')
    kept = Checkpoint(LocalFolder(tmp_path), job, 2)
    monkeypatch.setattr(stream_run, "server_address", lambda _: ("127.0.0.1", "127.0.0.1"))
    monkeypatch.setattr(stream_run, "workers_live_on", lambda _: True)
    run = StreamRun(None, job, ShippedJob.of(job, uuid4().hex, 2), kept, StreamSettings())
    if cancelled:
        run.cancel()
    with pytest.raises(InterruptedError):
        run._receive(Interrupted(), 0)
    if cancelled:
        assert run.wait() == Totals()
    else:
        with pytest.raises(JobExecutionError, match="interrupted"):
            run.wait()


@pytest.mark.spark
def test_a_job_ends_though_one_of_its_channels_had_ended_before_it_failed(spark_session, tmp_path):
    """The end of a channel that leads to a sink is said once, and a job that starts again knows of it."""
    mended = tmp_path / "mended"

    def fails_at_first(value):
        if value == 13 and not mended.exists():
            raise ValueError(value)
        return value

    configuration = (
        Configuration()
        .set_string("execution.checkpointing.dir", str(tmp_path / "checkpoint"))
        .set_string("windrow.source.elements-per-split", "1")
        .set_string("windrow.source.splits-per-batch", "1")
    )

    def start():
        env = StreamExecutionEnvironment.get_execution_environment(configuration, spark_session).set_parallelism(1)
        short, long = env.from_collection([1]), env.from_collection([10, 11, 12, 13, 14])
        short.union(long).map(fails_at_first).print()
        return env.execute_async()

    with pytest.raises(UserFunctionError):
        start().get_job_execution_result().result()
    mended.touch()
    client = start()
    patience = time.monotonic() + 120
    while not client.get_job_execution_result().done() and time.monotonic() < patience:
        time.sleep(0.1)
    status = client.get_job_status().result()
    client.cancel()
    assert status is JobStatus.FINISHED


@pytest.mark.slow
@pytest.mark.spark
def test_available_now_reads_what_is_there_and_ends(batches_of, spark_session, tmp_path, monkeypatch):
    """A source without end ends behind it: pending windows of event time close. Both queries have our settings."""
    adaptive = []
    query = stream_run.streaming_rows

    def recorded(spark, *arguments):
        adaptive.append(spark.conf.get("spark.sql.adaptive.enabled"))
        return query(spark, *arguments)

    monkeypatch.setattr(stream_run, "streaming_rows", recorded)
    env = batches_of(100, **{"windrow.trigger.available-now": "true"})
    frame = arriving(spark_session, tmp_path / "in")
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda row, _: row.n)
    stream = env.from_dataframe(frame).assign_timestamps_and_watermarks(times).map(lambda row: (row.word, row.n))
    windows = stream.key_by(lambda pair: pair[0]).window(TumblingEventTimeWindows.of(100))
    sink = ListSink()
    windows.reduce(lambda one, two: (one[0], one[1] + two[1])).sink_to(sink)
    env.execute()
    assert sorted(sink.elements) == [("a", 4), ("b", 2)]
    assert adaptive == ["false", "false"]


@pytest.mark.slow
@pytest.mark.spark
def test_a_streaming_query_without_any_file_ends(batches_of, tmp_path):
    """There is nothing to read, and the end of the input comes all the same."""
    (tmp_path / "in").mkdir()
    env = batches_of(100, **{"execution.runtime-mode": "STREAMING"})
    source = SparkFileSource.json(tmp_path / "in", "word string, n int")
    rows = env.from_source(source, WatermarkStrategy.no_watermarks(), "words")
    sink = ListSink()
    rows.key_by(lambda row: row.word).sum("n").sink_to(sink)
    env.execute()
    assert sink.elements == []


@pytest.mark.spark
def test_a_run_that_is_stopped_behind_a_batch_shows_none_behind_it(spark_session, tmp_path, monkeypatch):
    """However late it is seen that the batch is committed: the next run shows them."""
    waiting = time.sleep
    monkeypatch.setattr(stream_run.time, "sleep", lambda _: waiting(2))
    settings = {"windrow.runtime": "spark", "windrow.source.elements-per-split": "10"}
    env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings), spark_session)
    sink = ListSink()
    env.set_parallelism(1).from_collection(list(range(40))).sink_to(sink)
    job = env._plan(env._program.sinks())
    for shown in (20, 40):
        kept = Checkpoint(LocalFolder(tmp_path), job, 1)
        of_run = StreamSettings(splits_per_batch=1, elements_per_split=10)
        run = StreamRun(spark_session, job, ShippedJob.of(job, uuid4().hex, 1), kept, of_run)
        if shown == 20:
            run.wait_for_batch(1)
            run.cancel()
        else:
            run.wait()
        assert sink.elements == list(range(shown))
