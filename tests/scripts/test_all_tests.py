"""How the processes of `make test` are summed up."""

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from threading import Lock

import pytest

from scripts.all_tests import NAMED, ROOT, Group, descendants, exit_code, places_of, summed_up


@pytest.mark.parametrize(
    ("codes", "code"), [([0, 0], 0), ([0, 1], 1), ([2, 0], 2), ([0, 5], 0), ([5, 5], 5), ([5, 1], 1), ([-9, 0], -9)]
)
def test_one_process_that_fails_is_a_failure(codes, code):
    """Also one that was interrupted or killed; one without tests is none while the other has some."""
    assert exit_code(codes) == code


def test_the_last_line_counts_all():
    """In pytest's words and order, for those who look for them."""
    line = summed_up(Counter(passed=7, failed=2, skipped=1), 63.5)
    assert " 2 failed, 7 passed, 1 skipped in 63.50s (1:03 min) " in line
    assert line.startswith("=")


def command_of(pid):
    """Its command line; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


HANGS = """
import signal, subprocess, sys, time

def test_that_no_time_limit_ends():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    time.sleep(600)
"""


def test_a_process_that_says_nothing_is_ended(tmp_path, capfd):
    """With what it has started; it shows where it was, and counts as failed."""
    (tmp_path / "test_hangs.py").write_text(HANGS)
    arguments = ["-p", "no:cacheprovider", "--no-cov", "-c", os.devnull, f"--rootdir={tmp_path}", str(tmp_path)]
    group = Group("only", arguments, Lock(), str(tmp_path))
    assert group.wait(patience=8) == -signal.SIGABRT
    said = capfd.readouterr().out
    assert "only | nothing for 8 seconds, it is ended" in said
    assert "in test_that_no_time_limit_ends" in said
    assert not [pid for pid in descendants(os.getpid()) if "time.sleep(600)" in command_of(pid)]


def test_all_that_a_process_has_started_is_found():
    """Those that these have started, too."""
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(1, flush=True); input()'])"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as outer:
        assert outer.stdout.read(1) == b"1"
        inner = descendants(outer.pid)
        assert len(inner) == 1
        assert {outer.pid, *inner} <= set(descendants(os.getpid()))
        outer.stdin.close()


def test_what_the_processes_run_is_there_once():
    """A folder that was renamed would fall to another process without a word."""
    named = [place for places in NAMED.values() for place in places]
    assert [place for place in named if not (ROOT / place).exists()] == []
    assert len(set(named)) == len(named)


@pytest.mark.parametrize("name", ["first", "second", "third"])
def test_what_one_process_runs_no_other_one_does(name):
    """Also where a part of a folder is another one's."""
    elsewhere = {place for other, places in NAMED.items() if other != name for place in places}
    given = places_of(name)
    assert {each.removeprefix("--ignore=") for each in given if each.startswith("--ignore=")} == elsewhere
    assert [each for each in given if not each.startswith("-")] == NAMED.get(name, ["src", "tests"])
