"""Which Python workers run, and what is said where they cannot."""

import sys

import pytest

from windrow.errors import JobExecutionError
from windrow.runtime.spark.worker_python import check_worker_python

VERSION = ".".join(map(str, sys.version_info[:3]))


def program(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("environment", [{}, {"PYSPARK_PYTHON": ""}, {"PYSPARK_PYTHON": sys.executable}])
def test_this_programs_own_python_will_do(environment):
    """It is what workers run where nobody says otherwise."""
    assert check_worker_python(environment) == (sys.executable, sys.version_info[:3])


def test_another_path_to_the_like_of_it_will_do(tmp_path):
    """Another program of the same version that has what workers import."""
    like = program(tmp_path / "python", f'exec {sys.executable} "$@"')
    assert check_worker_python({"PYSPARK_PYTHON": like}) == (like, sys.version_info[:3])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("echo '[[3, 2, 1], []]'", f"which is Python 3.2.1, and this program runs on {VERSION}: both must have "),
        (f'exec {sys.executable} -S -E -I "$@"', "which cannot import cloudpickle, numpy, pandas, pyarrow, "),
        ("echo broken >&2; exit 1", "which is no Python that runs: broken; "),
        ("exit 4", "which is no Python that runs: exit code 4; "),
    ],
)
def test_a_python_that_will_not_do_is_refused(tmp_path, text, said):
    """Found, needed, and what to do."""
    python = program(tmp_path / "python", text)
    with pytest.raises(JobExecutionError) as raised:
        check_worker_python({"PYSPARK_PYTHON": python})
    assert str(raised.value).startswith(f"PYSPARK_PYTHON is {python!r}, {said}")
    assert f"let PYSPARK_PYTHON name this program's own Python ({sys.executable})" in str(raised.value)


def test_a_python_that_is_not_there():
    """A path or a name that leads nowhere."""
    with pytest.raises(JobExecutionError, match=r"PYSPARK_PYTHON is 'python9', and there is no such program; "):
        check_worker_python({"PYSPARK_PYTHON": "python9", "PATH": "/nowhere"})
