"""A job that is killed again and again loses nothing and doubles nothing."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.runtime.spark.expected import commits, expected_lines, lines_in

PROGRAM = Path(__file__).with_name("programs.py")
KILLS = 10
SECONDS = 300


@pytest.mark.slow
@pytest.mark.spark
def test_a_job_killed_at_random_moments_writes_every_result_exactly_once(tmp_path):
    """Kill -9 at any moment and a new start give the files of an uninterrupted run."""
    seed = int(os.environ.get("WINDROW_KILL_SEED", random.randrange(10**6)))
    print(f"WINDROW_KILL_SEED={seed}")
    moments = random.Random(seed)
    for _ in range(KILLS):
        process = start(tmp_path)
        if moments.random() < 0.3:
            time.sleep(moments.uniform(0.5, 5))  # while it starts, on most machines
        else:
            wait_for_a_batch(process, tmp_path / "checkpoint")
            time.sleep(moments.uniform(0, 0.5))  # in the middle of the next one or two
        assert process.poll() is None, "the job was over before it was killed"
        kill(process, whole_group=moments.random() < 0.5)
    process = start(tmp_path)
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output
    assert sorted(lines_in(tmp_path / "out")) == sorted(expected_lines())


def wait_for_a_batch(process, checkpoint):
    """Until one more has been committed."""
    before = len(commits(checkpoint))
    deadline = time.monotonic() + SECONDS
    while len(commits(checkpoint)) <= before:
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline, "the job makes no progress between kills"
        time.sleep(0.02)


def start(tmp_path):
    command = [sys.executable, str(PROGRAM), "kill", str(tmp_path / "checkpoint"), str(tmp_path / "out")]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )


def kill(process, whole_group):
    """The program alone (Spark's Java then notices and ends), or everything at once as when a machine dies."""
    if whole_group:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()
