"""A job that writes to a database, killed and started again."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.connectors.jdbc.building import run_sqlite

PROGRAM = Path(__file__).with_name("programs.py")


@pytest.mark.slow
@pytest.mark.spark
def test_a_job_that_is_killed_writes_every_row_once(tmp_path):
    """Kill -9 between the database's commit and Spark's, and a new start on the checkpoint."""
    file = tmp_path / "a.db"
    run_sqlite(file, "CREATE TABLE numbers (number INT)")
    assert run(tmp_path, 0) == -signal.SIGKILL, (tmp_path / "log").read_text()[-4000:]
    assert run_sqlite(file, "SELECT count(*) FROM numbers") == [(4,)]
    assert run(tmp_path, -1) == 0, (tmp_path / "log").read_text()[-4000:]
    assert run_sqlite(file, "SELECT number FROM numbers ORDER BY number") == [(number,) for number in range(8)]


def run(folder, dies_in):
    """Run the program to its end, or to a batch's; its exit code."""
    with (folder / "log").open("a") as log:
        arguments = [str(folder / "a.db"), str(folder / "checkpoint"), str(dies_in)]
        return subprocess.run(
            [sys.executable, str(PROGRAM), *arguments],
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            check=False,
        ).returncode
