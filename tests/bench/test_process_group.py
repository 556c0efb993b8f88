"""What a peer has started may end by itself: what it removes then would stay for ever."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench import process_group

#: Starts a process that writes a file, and ends at once; that process removes the file a little later.
LATER = "import pathlib, sys, time; time.sleep(0.5); pathlib.Path(sys.argv[1]).unlink()"
STARTS = f"""
import pathlib, subprocess, sys
pathlib.Path(sys.argv[1]).write_text("shuffled")
subprocess.Popen([sys.executable, "-c", {LATER!r}, sys.argv[1]])
"""


def started(*arguments: object) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", *map(str, arguments)], text=True, start_new_session=True)


def test_what_an_ended_process_has_started_removes_its_files(tmp_path: Path) -> None:
    """It is waited for."""
    file = tmp_path / "file"
    with started(STARTS, file) as process:
        process_group.end(process, by_itself=True)
    assert process.returncode == 0
    assert not file.exists()


def test_what_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time for that is over, or something has failed."""
    monkeypatch.setattr(process_group, "ENDING_SECONDS", 0.2)
    for by_itself in (True, False):
        began = time.monotonic()
        with started("import time; time.sleep(60)") as process:
            process_group.end(process, by_itself=by_itself)
        assert process.returncode == -9
        assert time.monotonic() - began < 30
