"""How programs end: interrupted, before their jobs, or with them; and what they leave behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.trials.trial import Trial, play, rows

PROGRAM = Path(__file__).with_name("interrupted.py")
#: A local job runs until it is told to stop, so that these are only for a machine that is much too slow.
SECONDS = 300


def _program(how, *, interrupt=True):
    """Exit code, standard output, what was told on standard error, and what is left in the working directory.

    Of a traceback, without the lines that lead to its error. Nothing is left in the folder for temporary files.
    """

    def run(env, folder):
        runtime = "local" if env._spark_session is None else "spark"
        temporary, work = folder / "temporary", folder / "work"
        temporary.mkdir()
        work.mkdir()
        mark = folder / "begun"
        command = [sys.executable, str(PROGRAM), runtime, how, str(mark)]
        process = subprocess.Popen(
            command,
            cwd=work,
            env={**os.environ, "TMPDIR": str(temporary)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        if interrupt:
            until(lambda: mark.exists() or process.poll() is not None)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does: everybody gets it
        out, errors = process.communicate(timeout=SECONDS)
        until(lambda: not any(temporary.iterdir()))  # Java goes after the program
        told = [line for line in errors.splitlines() if not line.startswith((" ", "in operator")) and line]
        return process.returncode, out, told, [path.name for path in work.iterdir()]

    return run


def until(holds):
    """Wait until it holds."""
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


#: A program that is ended by SIGINT: a shell calls that 130.
INTERRUPTED = (-signal.SIGINT, "begun\n", ["Traceback (most recent call last):", "KeyboardInterrupt"], [])

TRIALS = [
    Trial("Ctrl-C while execute waits", _program("execute"), gives=INTERRUPTED),
    Trial("Ctrl-C while elements are waited for", _program("collect"), gives=INTERRUPTED),
    Trial("Ctrl-C while the result is waited for", _program("result"), gives=INTERRUPTED, runtimes=["local"]),
    Trial("a program that ends before its job", _program("leave", interrupt=False), gives=(0, "begun\n", [], [])),
    Trial("a program that ends with its job", _program("succeed", interrupt=False), gives=(0, "", [], [])),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_programs_end_as_they_should(trial, env, tmp_path):
    """The job ends with its program, with an exit code and a line, and nothing of Spark's or Windrow's is left."""
    play(trial, env, tmp_path)
