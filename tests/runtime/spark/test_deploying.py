"""A program runs unchanged wherever Spark runs."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.runtime.spark.expected import expected_lines, lines_in

PROGRAM = Path(__file__).with_name("programs.py")
ROOT = Path(__file__).parents[3]


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


@pytest.mark.slow
@pytest.mark.spark
def test_the_package_travels_as_an_archive(tmp_path):
    """With --py-files executors need Windrow's dependencies, not Windrow."""
    import pyspark

    python = python_without_windrow(tmp_path)
    assert subprocess.run([python, "-c", "import windrow"], capture_output=True, check=False).returncode != 0
    archive = shutil.make_archive(str(tmp_path / "windrow"), "zip", ROOT / "src", "windrow")
    submit = [str(Path(pyspark.__file__).parent / "bin" / "spark-submit"), "--master", "local-cluster[2,1,2048]"]
    submit += ["--conf", f"spark.executor.extraJavaOptions={os.environ['SPARK_LAUNCHER_OPTS']}"]
    program = [str(PROGRAM), "submitted", "", str(tmp_path / "out")]
    run([*submit, "--py-files", archive, *program], PYSPARK_PYTHON=python, PYSPARK_DRIVER_PYTHON=python)
    assert sorted(lines_in(tmp_path / "out")) == sorted(expected_lines())


def python_without_windrow(tmp_path):
    """An environment with all packages of this one but Windrow."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
    here = Path(sysconfig.get_path("purelib"))
    there = tmp_path / "env" / here.relative_to(Path(sys.prefix))
    for package in here.iterdir():
        if "windrow" not in package.name and not package.name.startswith(("__editable__", "_editable")):
            (there / package.name).symlink_to(package)
    return str(tmp_path / "env" / "bin" / "python")


def run(command, **variables):
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, env={**os.environ, **variables}, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
