"""A program runs unchanged wherever Spark runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.runtime.spark.expected import expected_lines, lines_in

PROGRAM = Path(__file__).with_name("programs.py")


@pytest.mark.slow
@pytest.mark.spark
def test_a_job_runs_on_two_executors(tmp_path):
    """Nothing leans on one process: on local-cluster the results are those of an uninterrupted run in one."""
    output = run([sys.executable, str(PROGRAM), "cluster", str(tmp_path / "checkpoint"), str(tmp_path / "out")])
    assert "executors 2" in output
    assert sorted(lines_in(tmp_path / "out")) == sorted(expected_lines())


@pytest.mark.slow
@pytest.mark.spark
def test_a_program_runs_unchanged_under_spark_submit(tmp_path):
    """spark-submit decides the master; the program names nothing of Spark."""
    import pyspark

    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    program = [str(PROGRAM), "submitted", "", str(tmp_path / "out")]
    run([str(submit), "--master", "local[2]", *program], PYSPARK_PYTHON=sys.executable)
    assert sorted(lines_in(tmp_path / "out")) == sorted(expected_lines())


def run(command, **variables):
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, env={**os.environ, **variables}, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
