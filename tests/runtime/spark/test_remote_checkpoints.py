"""Jobs whose checkpoints are on HDFS or on an object store: what they promise on a disk, they promise there."""

import os
import random
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import fsspec
import pytest

from tests.hadoop.object_store import BUCKET
from tests.runtime.sources.running import Shown
from tests.runtime.sources.scripted import ScriptedSource
from tests.runtime.sources.test_programs import TIMES, count_windows, counted, split, wait_for
from tests.runtime.spark.expected import expected_lines, files_in, lines_in
from tests.runtime.spark.on_s3 import command_on_s3
from tests.runtime.spark.programs import readings, windows
from windrow.common import JobStatus
from windrow.errors import CheckpointError
from windrow.runtime.monitor.history_file import fetch_histories, history_files, read_history
from windrow.runtime.spark.folders import folder_at
from windrow.runtime.spark.lease import LEASE

pytestmark = [pytest.mark.spark, pytest.mark.hadoop]
PROGRAMS = Path(__file__).with_name("programs.py")
READ = sorted(f"{name} {at}" for name in ("a", "b") for at in range(200))


@pytest.fixture
def place(hdfs_uri, tmp_path):
    """A URI on HDFS for this test alone."""
    return f"{hdfs_uri}/{tmp_path.name}"


def unbounded():
    """Two splits that stay open behind their last elements."""
    splits = [split(name, range(0, 400, 10), ends=False) for name in ("a", "b")]
    return splits, ScriptedSource(splits, is_bounded=False)


def test_a_job_runs_to_its_end_and_knows_it_when_it_is_started_again(on_spark, place, spark_session, caplog, tmp_path):
    """Nothing of its checkpoint is on this machine's disks, and a copy of its history is beside it."""
    counts = []
    for _ in range(2):
        shown = Shown()
        settings = {"pipeline.name": "trips", "windrow.ui.history": "10"}
        env = on_spark({"execution.checkpointing.dir": f"{place}/checkpoint", **settings})
        windows(env).sink_to(shown)
        env.execute()
        counts.append(len(shown.values))
    assert counts == [len(expected_lines()), 0]
    assert f"job 'trips' has finished: its checkpoint {place}/checkpoint has the end" in caplog.text
    there = set(folder_at(spark_session, f"{place}/checkpoint").names())
    assert {"windrow.json", "finished", "spark"} <= there
    assert LEASE not in there
    fetch_histories(partial(folder_at, spark_session), f"{place}/checkpoint", tmp_path)
    assert [read_history(file).state for file in history_files(tmp_path)] == ["FINISHED"] * 2


def test_a_savepoint_is_made_there_and_begun_from_anywhere(on_spark, place, tmp_path):
    """From HDFS to HDFS, from there to a disk, and back again; windows that are open go on."""
    splits, _ = unbounded()
    places = [f"{place}/one", f"{place}/two", str(tmp_path / "three"), f"{place}/four"]
    shown, savepoint = [], None
    for at, checkpoint in enumerate(places):
        per_batch = "6" if at < 3 else "24"
        settings = {"execution.checkpointing.dir": checkpoint, "windrow.source.records-per-batch": per_batch}
        if savepoint is not None:
            settings["execution.savepoint.path"] = savepoint
        env = on_spark(settings)
        part = count_windows(env, unbounded()[1])
        client = env.execute_async()
        read = 12 * (at + 1) if at < 3 else 80
        wait_for(lambda: client.get_metrics().result().get("Source: scripted.num_records_in", 0) >= read)  # noqa: B023
        where = f"{place}/savepoints" if at % 2 == 0 else str(tmp_path / "savepoints")
        savepoint = client.stop_with_savepoint(at == 3, where).result()
        assert savepoint.startswith(f"{where}/savepoint-")
        assert client.get_job_status().result() is JobStatus.FINISHED
        shown += part.values
    assert sorted(shown) == counted(*splits)


def test_two_jobs_do_not_share_a_checkpoint(on_spark, place, spark_session):
    """The second one is refused, by the first one's name, until that has ended."""
    settings = {"execution.checkpointing.dir": f"{place}/checkpoint"}
    env = on_spark(settings)
    env.from_source(unbounded()[1], TIMES, "scripted").sink_to(Shown())
    client = env.execute_async("first")
    folder = folder_at(spark_session, f"{place}/checkpoint")
    wait_for(lambda: folder.exists(LEASE))
    second = on_spark(settings)
    second.from_source(unbounded()[1], TIMES, "scripted").sink_to(Shown())
    with pytest.raises(CheckpointError, match=f"{place}/checkpoint is the checkpoint of job 'first' .this process"):
        second.execute()
    client.cancel().result()
    wait_for(lambda: not folder.exists(LEASE))


@pytest.mark.slow
@pytest.mark.parametrize(("program", "per_batch", "kills"), [("readers", 25, 1), ("kill", 600, 2)])
def test_a_program_that_is_killed_writes_every_result_exactly_once_from_hdfs(
    program, per_batch, kills, place, tmp_path
):
    """Kill -9 of the program, or of all its processes, again and again; a batch there takes seconds."""
    command = [sys.executable, str(PROGRAMS), program, f"{place}/checkpoint", str(tmp_path / "out"), str(per_batch)]
    killed_again_and_again(command, tmp_path / "out", kills)
    expected = READ if program == "readers" else sorted(expected_lines())
    assert sorted(lines_in(tmp_path / "out")) == expected


@pytest.mark.slow
def test_a_program_that_is_killed_writes_every_result_exactly_once_from_an_object_store(s3, tmp_path):
    """The same with the checkpoint in a bucket."""
    killed_again_and_again(command_on_s3(s3, "readers", tmp_path), tmp_path / "out", kills=1)
    assert sorted(lines_in(tmp_path / "out")) == READ


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hdfs", "s3"])
def test_a_program_that_is_killed_reads_and_writes_files_exactly_once_elsewhere(kind, request, tmp_path):
    """Nothing of it is on this machine's disks: neither what it reads nor what it writes, nor its checkpoint."""
    if kind == "hdfs":
        hdfs = request.getfixturevalue("hdfs")
        place = f"{hdfs.web_uri}/{tmp_path.name}"
        paths = [f"{hdfs.uri}/{tmp_path.name}/checkpoint", f"{place}/out", f"{place}/in"]
        command = [sys.executable, str(PROGRAMS), "files", *paths]
    else:
        place = f"s3a://{BUCKET}/{tmp_path.name}"
        command = command_on_s3(request.getfixturevalue("s3"), "files", tmp_path)
    lines = "".join(f"{key} {number} {timestamp}\n" for key, number, timestamp in readings())
    files, folder = fsspec.url_to_fs(f"{place}/in")
    files.makedirs(folder, exist_ok=True)
    files.pipe_file(f"{folder}/readings", lines.encode())
    killed_again_and_again(command, f"{place}/out", kills=1)
    assert sorted(lines_in(f"{place}/out")) == sorted(expected_lines())


def killed_again_and_again(command, out, kills):
    """Start a program, and kill it when it has written some more files; at last let it come to its end."""
    seed = int(os.environ.get("WINDROW_KILL_SEED", random.randrange(10**6)))
    print(f"WINDROW_KILL_SEED={seed}")
    moments = random.Random(seed)
    for last in [False] * kills + [True]:
        before = len(files_in(out))
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        try:
            if not last:
                wait_for(lambda before=before: len(files_in(out)) > before or process.poll() is not None, 240)  # noqa: B023
                time.sleep(moments.uniform(0, 1))
                assert process.poll() is None, process.communicate()[0]
                if moments.random() < 0.5:
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()
                process.communicate()
            else:
                said, _ = process.communicate(timeout=300)
                assert process.returncode == 0, said
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
