"""``windrow doctor``."""

import os
import subprocess
import sys

from click.testing import CliRunner

from windrow.cli import main


def test_a_line_for_each_check():
    """Whether it will do, what was looked at, what was found."""
    result = CliRunner().invoke(main, ["doctor"])
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == f"ok   Python: {sys.version.split()[0]}, {sys.executable}"
    assert {line[:5] for line in lines} <= {"ok   ", "note "}


def test_what_is_missing_is_told_and_the_exit_code_is_1(tmp_path):
    """A Java that is too old on the path, and a Python of workers that is another one; as a program."""
    for name, text in {"java": "echo 'openjdk version \"11.0.2\"' >&2", "python": "echo '[[3, 2, 1], []]'"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    environment |= {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYSPARK_PYTHON": str(tmp_path / "python")}
    command = [sys.executable, "-m", "windrow", "doctor", "--run"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    failed = [line for line in done.stdout.splitlines() if line.startswith("fail ")]
    java, python = failed
    assert java.startswith(f"fail Java: Spark needs Java 17 or newer, and {tmp_path}/java (from PATH) is Java 11.0.2; ")
    assert python.startswith(f"fail Python of workers: PYSPARK_PYTHON is '{tmp_path}/python', which is Python 3.2.1")
    assert done.stdout.splitlines()[-2:] == [
        "note a small job: not run: mend the above first",
        "2 to mend before jobs run on Spark; those with windrow.runtime = local may run",
    ]
    assert done.stderr == ""
