"""Spark's log: where it is, and how long."""

import os
import subprocess
import sys

import pytest

WARNED = "26/11/22 10:30:47 WARN Utils: x"
PROGRAM = """
import os, sys
from windrow.runtime.spark import spark_log
with spark_log.into_log_file():
    os.write(2, b"WARNING: java\\n26/11/22 10:30:47 WARN Utils: x\\nfirst\\n\\tat org.Some\\nsecond\\n")
os.write(2, b"mine")
print(spark_log.last_words())
if sys.argv[1] == "keep":
    print(spark_log.keep_log())
if sys.argv[1] == "fork" and os.fork() == 0:
    sys.exit()
if sys.argv[1] == "fork":
    os.wait()
    print(*os.listdir(os.environ["TMPDIR"]))
"""


def run(how, folder, **variables):
    environment = {**os.environ, "TMPDIR": str(folder), **variables}
    command = [sys.executable, "-c", PROGRAM, how]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


def test_the_log_goes_with_the_program(tmp_path):
    """A file of its own while it runs, and nothing behind it."""
    done = run("end", tmp_path)
    assert (done.stdout, done.stderr) == ("first\nsecond\n", "mine")
    assert list(tmp_path.iterdir()) == []


def test_it_is_kept_if_something_has_failed(tmp_path):
    """And the error can say where."""
    done = run("keep", tmp_path)
    (log,) = tmp_path.iterdir()
    assert done.stdout.splitlines()[-1] == f"Spark's log: {log}"
    assert "second" in log.read_text()


def test_a_process_that_is_forked_does_not_take_it_away(tmp_path):
    """Only the program that has made it does."""
    assert "windrow-spark-" in run("fork", tmp_path).stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "shown"), [("stderr", f"WARNING: java\n{WARNED}\nfirst\n\tat org.Some\nsecond\nmine"), ("own", "mine")]
)
def test_whoever_asks_for_the_log_keeps_it(tmp_path, name, shown):
    """On the screen, or in a file of that name."""
    own = tmp_path / "own"
    done = run("end", tmp_path, WINDROW_SPARK_LOG=str(own) if name == "own" else name)
    assert done.stderr == shown
    assert own.exists() == (name == "own")
