"""Readers in streaming queries: batches run again, workers and programs that die, alignment, savepoints."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.runtime.sources.running import Shown
from tests.runtime.sources.scripted import Script, ScriptedReader, ScriptedSource
from tests.runtime.sources.test_programs import HOUR, TIMES, count_windows, counted, split, wait_for
from tests.runtime.spark.expected import lines_in
from windrow.common import JobStatus
from windrow.errors import ConfigurationError, JobExecutionError, UsageError

pytestmark = pytest.mark.spark

NUMBERS = [Script(name, [((name, at), at) for at in range(40)]) for name in ("a", "b")]
EXPECTED = sorted((name, at) for name in ("a", "b") for at in range(40))


@pytest.fixture
def batches_of(on_spark, tmp_path):
    """Makes an environment with a checkpoint, whose readers give so many records in a batch."""

    def make(records, checkpoint="checkpoint", **settings):
        return on_spark(
            {
                "execution.checkpointing.dir": str(tmp_path / checkpoint),
                "windrow.source.records-per-batch": str(records),
                **settings,
            }
        )

    return make


class FailsAt(Shown):
    """Fails before it shows a batch in which there is more than so much in all."""

    def __init__(self, count):
        super().__init__()
        self.count = count
        self.failed_with = []

    def deliver(self, values, timestamps):
        if len(self.values) + len(values) > self.count:
            self.failed_with += values
            msg = "the sink is full"
            raise ValueError(msg)
        super().deliver(values, timestamps)


def test_a_batch_that_is_run_again_reads_the_same(batches_of):
    """The sink fails between read and commit; then the source gives more at once, in other portions, and more is there.

    What the failed batch had shown comes again, alone; in all, nothing is lost and nothing doubled.
    """
    first = FailsAt(30)
    env = batches_of(7)
    env.from_source(ScriptedSource(NUMBERS), TIMES, "scripted").sink_to(first)
    with pytest.raises(Exception, match="the sink is full"):
        env.execute()
    again = Shown()
    env = batches_of(100)
    env.from_source(ScriptedSource(NUMBERS, portion=16), TIMES, "scripted").sink_to(again)
    env.execute()
    failed = first.failed_with
    assert failed
    assert again.values[: len(failed)] == failed
    assert sorted(first.values + again.values) == EXPECTED


class Deadly(ScriptedSource):
    """One of its readers kills the process that it is in, once, in the middle of a batch."""

    def __init__(self, splits, killed):
        super().__init__(splits)
        self.killed = str(killed)

    def create_reader(self, reader_context):
        return DeadlyReader(reader_context, self)


class DeadlyReader(ScriptedReader):
    def poll_next(self, output):
        at = max((each.position for each in self.splits), default=0)
        if at == 17 and not Path(self.source.killed).exists():
            Path(self.source.killed).write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return super().poll_next(output)


def test_a_worker_that_is_killed_while_it_reads_loses_and_doubles_nothing(batches_of, tmp_path):
    """Its splits are read on from the last batch that was committed, when the job starts again."""
    shown = []
    for kills in (True, False):
        env, sink = batches_of(6), Shown()
        env.from_source(Deadly(NUMBERS, tmp_path / "killed"), TIMES, "scripted").sink_to(sink)
        if kills:
            with pytest.raises(JobExecutionError):
                env.execute()
        else:
            env.execute()
        shown += sink.values
    assert int((tmp_path / "killed").read_text()) != os.getpid()
    assert sorted(shown) == EXPECTED


@pytest.mark.slow
def test_a_program_that_is_killed_while_it_reads_loses_and_doubles_nothing(tmp_path):
    """Kill -9 of the program and all its workers, twice, in the middle of reading."""
    program = Path(__file__).with_name("programs.py")
    command = [sys.executable, str(program), "readers", str(tmp_path / "checkpoint"), str(tmp_path / "out")]
    for kills in (True, True, False):
        done = len(list((tmp_path / "out").rglob("part*")))
        process = subprocess.Popen(command, start_new_session=True)
        try:
            if kills:
                wait_for(lambda before=done: len(list((tmp_path / "out").rglob("part*"))) >= before + 4, 120)
                os.killpg(process.pid, signal.SIGKILL)
            assert (process.wait(timeout=240) == 0) is not kills
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    assert sorted(lines_in(tmp_path / "out")) == sorted(f"{name} {at}" for name in ("a", "b") for at in range(200))


def test_aligned_readers_wait_for_each_other_and_their_log_stays_short(batches_of, tmp_path):
    """The reader that is an hour ahead gives one portion, until the other one has come to its end."""
    aligned = TIMES.with_watermark_alignment("group", 1000, 1)
    slow, ahead = split("slow", range(0, 600, 10)), split("ahead", range(HOUR, HOUR + 600, 10))
    shown = Shown()
    env = batches_of(10)
    env.from_source(ScriptedSource([slow, ahead]), aligned, "scripted").sink_to(shown)
    env.execute()
    assert shown.values.count("slow") == shown.values.count("ahead") == 60
    last_slow = max(at for at, value in enumerate(shown.values) if value == "slow")
    assert shown.values[:last_slow].count("ahead") <= 1 + 10
    (decisions,) = (tmp_path / "checkpoint" / "decisions").iterdir()
    assert len(list(decisions.iterdir())) <= 4


def unbounded(count=40):
    """Two splits that stay open behind their last elements."""
    splits = [split(name, range(0, count * 10, 10), ends=False) for name in ("a", "b")]
    return splits, ScriptedSource(splits, is_bounded=False)


def test_a_job_starts_from_a_savepoint_and_counts_are_exact(batches_of, tmp_path):
    """Stopped in the middle of its windows, it goes on in another directory; drained, all windows fire."""
    splits, source = unbounded()
    env = batches_of(6)
    first = count_windows(env, source)
    client = env.execute_async()
    wait_for(lambda: first.values)
    going = client.trigger_savepoint(str(tmp_path / "savepoints")).result()
    assert client.get_job_status().result() is JobStatus.RUNNING
    path = client.stop_with_savepoint(False, str(tmp_path / "savepoints")).result()
    assert client.get_job_status().result() is JobStatus.FINISHED
    assert {going, path} == {str(each) for each in (tmp_path / "savepoints").iterdir()}
    with pytest.raises(JobExecutionError, match="no savepoint can be made"):
        client.trigger_savepoint(str(tmp_path / "savepoints")).result()
    (tmp_path / "checkpoint").rename(tmp_path / "gone")
    env = batches_of(6, "other", **{"execution.savepoint.path": path})
    second = count_windows(env, unbounded()[1])
    client = env.execute_async()
    wait_for(lambda: client.get_metrics().result().get("Source: scripted.num_records_in") == 80)
    client.stop_with_savepoint(True, str(tmp_path / "savepoints")).result()
    assert client.get_job_status().result() is JobStatus.FINISHED
    assert sorted(first.values + second.values) == counted(*splits)


def test_a_savepoint_that_cannot_be_made_says_why(batches_of, on_spark, tmp_path):
    """Nobody says where it is to be; there is no checkpoint to copy; there is nothing to start from."""
    env = batches_of(6)
    env.from_source(unbounded()[1], TIMES, "scripted").sink_to(Shown())
    client = env.execute_async()
    with pytest.raises(ConfigurationError, match="pass savepoint_directory, or set"):
        client.trigger_savepoint().result()
    client.cancel().result()
    env = on_spark()
    env.from_collection(range(10)).map(lambda value: time.sleep(1)).sink_to(Shown())
    client = env.execute_async()
    with pytest.raises(UsageError, match="one batch query"):
        client.stop_with_savepoint(True, str(tmp_path)).result()
    client.cancel().result()
    env = batches_of(6, "third", **{"execution.savepoint.path": str(tmp_path / "nothing")})
    env.from_source(unbounded()[1], TIMES, "scripted").sink_to(Shown())
    with pytest.raises(Exception, match="is no savepoint"):
        env.execute()
    env = on_spark({"execution.savepoint.path": str(tmp_path / "nothing")})
    env.from_source(unbounded()[1], TIMES, "scripted").sink_to(Shown())
    with pytest.raises(ConfigurationError, match="there is no execution"):
        env.execute()


class FailsBehindTheLastWatermark(Shown):
    def deliver_watermark(self, timestamp):
        if timestamp == 2**63 - 1:
            msg = "not the last one"
            raise ValueError(msg)


def test_an_error_while_draining_is_the_jobs_and_the_savepoints(batches_of, tmp_path):
    """A job that fails at its end leaves no savepoint."""
    env = batches_of(6).set_parallelism(1)
    env.from_source(unbounded()[1], TIMES, "scripted").sink_to(FailsBehindTheLastWatermark())
    client = env.execute_async()
    with pytest.raises(JobExecutionError, match="no savepoint was made"):
        client.stop_with_savepoint(True, str(tmp_path / "savepoints")).result()
    with pytest.raises(Exception, match="not the last one"):
        client.get_job_execution_result().result()
    assert not list((tmp_path / "savepoints").glob("savepoint*"))
