"""Windows and watermarks: what was lost, or came late, without a word."""

import pytest

from tests.runtime.local.window_programs import PROGRAMS, run_changed
from tests.trials.trial import Trial, play, rows
from windrow.common import Configuration, Duration, Time, WatermarkStrategy
from windrow.datastream import RuntimeExecutionMode, StreamExecutionEnvironment
from windrow.datastream.window import CountEvictor, GlobalWindows, TumblingEventTimeWindows
from windrow.errors import CheckpointError
from windrow.runtime.spark.checkpoint import Checkpoint
from windrow.storage.local_folder import LocalFolder


def _lateness_is_added(env, folder):
    elements = [("a", 0, 1), ("a", 3, 10), ("a", 8, 100), ("a", 12, 1000)]
    first, second = run_changed(elements, PROGRAMS["plain"], PROGRAMS["lateness"], 2)
    return first + second


def _evictor_is_added(env, folder):
    for evictor in (None, CountEvictor.of(3)):
        program = StreamExecutionEnvironment.get_execution_environment(Configuration())
        windows = program.from_collection([1]).uid("in").key_by(lambda n: 0).window(TumblingEventTimeWindows.of(5))
        if evictor is not None:
            windows = windows.evictor(evictor)
        windows.reduce(max).uid("highest").print()
        Checkpoint(LocalFolder(folder), program._plan(program._program.sinks()), 2)


def _few_rows_a_trigger(env, folder):
    spark = env._spark_session
    (folder / "in").mkdir()
    (folder / "in" / "1.txt").write_text("0\n59\n130")
    times = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_minutes(5))
    minutes = env.from_dataframe(spark.readStream.text(str(folder / "in")))
    times = times.with_timestamp_assigner(lambda row, _: int(row.value) * 60_000)
    timed = minutes.assign_timestamps_and_watermarks(times)
    counts = timed.map(lambda row: 1).key_by(lambda one: 0).window(TumblingEventTimeWindows.of(Time.hours(1)))
    shown = []
    writer = counts.reduce(lambda a, b: a + b).to_dataframe("readings int").writeStream
    writer = writer.foreachBatch(lambda batch, _: shown.extend(row.readings for row in batch.collect()))
    query = writer.option("checkpointLocation", str(folder / "checkpoint")).trigger(availableNow=True).start()
    query.awaitTermination()
    return shown


def _batch_of_disordered_elements(env, folder):
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda element, _: element)
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    timed = env.from_collection([30, 10, 20]).assign_timestamps_and_watermarks(times)
    return list(timed.map(str).key_by(len).reduce(lambda a, b: f"{a} {b}").execute_and_collect())


def _window_at_the_end(env, folder):
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda element, _: element)
    timed = env.from_collection([30, 10, 20]).assign_timestamps_and_watermarks(times).map(str)
    windows = timed.key_by(len).window(GlobalWindows.create_with_end_of_stream_trigger())
    return list(windows.reduce(lambda a, b: f"{a} {b}").execute_and_collect())


TRIALS = [
    Trial(
        "a running reduce in BATCH over elements out of order",
        _batch_of_disordered_elements,
        gives=["10 20 30"],
        runtimes=("local",),
    ),
    Trial(
        "a window that waits for the end of the stream, over elements out of order",
        _window_at_the_end,
        gives=["10 20 30"],
        runtimes=("local",),
    ),
    Trial(
        "a streaming query over few rows, with a bounded disorder",
        _few_rows_a_trigger,
        gives=[2],
        runtimes=("spark",),
    ),
    Trial(
        "a restart that adds allowed lateness to a window that is open",
        _lateness_is_added,
        gives=[("a", 0, 10, 111), ("a", 10, 20, 1000)],
        runtimes=("local",),
    ),
    Trial(
        "a restart that adds an evictor to a window that is open",
        _evictor_is_added,
        error=CheckpointError,
        says="checkpoint {tmp} does not fit this program: operator 'highest' has kept reduced values in TimeWindows of "
        "event time, and in this program it keeps elements with timestamps in TimeWindows of event time; what is in "
        "the checkpoint cannot become that: let the operator keep what it kept, or begin anew with another checkpoint "
        "directory",
        runtimes=("local",),
    ),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_nothing_is_lost_in_silence(trial, env, tmp_path):
    """What goes wrong is said, with the operator; what does not gives the right result."""
    play(trial, env, tmp_path)
