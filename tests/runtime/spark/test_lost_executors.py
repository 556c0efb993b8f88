"""On a cluster tasks are tried again, or twice at once, and machines go away in the middle of a job."""

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.runtime.spark.cluster_programs import RECORDS
from tests.runtime.spark.expected import lines_in
from tests.runtime.spark.programs import readings

pytestmark = [pytest.mark.spark, pytest.mark.slow]
ROOT = Path(__file__).parents[3]

#: Spark starts a second attempt at whatever takes longer than the others.
SPECULATION = {
    "spark.speculation": "true",
    "spark.speculation.interval": "20ms",
    "spark.speculation.minTaskRuntime": "100ms",
    "spark.speculation.multiplier": "1.01",
    "spark.speculation.quantile": "0.5",
    "spark.executorEnv.PYTHONPATH": str(ROOT),
}


@pytest.fixture(scope="module")
def ran(cluster, tmp_path_factory):
    """A folder with what the jobs have left, which have all run in one session."""
    folder = tmp_path_factory.mktemp("ran")
    command = [
        sys.executable,
        "-m",
        "tests.runtime.spark.cluster_programs",
        str(folder),
        "batch",
        "streaming",
        "readers",
    ]
    given = json.dumps({**cluster.settings, **SPECULATION})
    try:
        done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=900, cwd=ROOT, check=False)
    finally:
        cluster.make_whole()
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def of_windows():
    """The lines of all windows: sums by key and ten seconds, one reading after the other."""
    sums = defaultdict(int)
    for key, number, timestamp in readings():
        sums[key, timestamp // 10_000 * 10_000] += number
    return sorted(f"{key} {start} {total}" for (key, start), total in sums.items())


@pytest.mark.parametrize("job", ["batch", "streaming"])
def test_windows_are_there_once(ran, job):
    """A task runs twice at once, and an executor is killed: each window's line is there once, with all its readings."""
    assert signs(ran / job) == ["first", "killed", "second"]
    assert sorted(lines_in(ran / job / "out")) == of_windows()


def test_what_readers_have_read_is_there_once(ran):
    """Two attempts at a batch of a reader, whose end nobody knows before, give the same; a machine goes away, too."""
    assert signs(ran / "readers") == ["first", "killed", "second"]
    expected = [f"{split} {at}" for split in "ab" for at in range(RECORDS)]
    assert sorted(lines_in(ran / "readers" / "out")) == sorted(expected)


def signs(folder):
    return sorted(name for name in ("first", "killed", "second") if (folder / name).exists())
