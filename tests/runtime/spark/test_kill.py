"""A job that is killed again and again loses nothing and doubles nothing."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.runtime.spark.expected import expected_lines, lines_in

PROGRAM = Path(__file__).with_name("programs.py")
KILLS = 10


@pytest.mark.slow
@pytest.mark.spark
def test_a_job_killed_at_random_moments_writes_every_result_exactly_once(tmp_path):
    """Kill -9 at any moment and a new start give the files of an uninterrupted run."""
    seed = int(os.environ.get("WINDROW_KILL_SEED", random.randrange(10**6)))
    print(f"WINDROW_KILL_SEED={seed}")
    moments = random.Random(seed)
    kills = starts = 0
    latest = 9.0  # grows: on a slow machine each start must get a little further than the last one
    while True:
        starts += 1
        assert starts < 60, "the job makes no progress between kills"
        process = start(tmp_path)
        try:
            after = moments.uniform(1.0, latest) if kills < KILLS else 300
            output, _ = process.communicate(timeout=after)
        except subprocess.TimeoutExpired:
            kill(process, whole_group=moments.random() < 0.5)
            kills += 1
            latest += 1.5
            continue
        assert process.returncode == 0, output
        break
    assert kills == KILLS
    assert sorted(lines_in(tmp_path / "out")) == sorted(expected_lines())


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
