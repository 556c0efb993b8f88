"""``windrow history``: the page of jobs that are over."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import ExitStack
from importlib import import_module
from urllib.request import urlopen

from click.testing import CliRunner

from tests.ui.records import NOON, batch, windowed
from windrow.cli import main
from windrow.runtime.monitor.history_file import SUFFIX, HistoryFile
from windrow.runtime.monitor.record import JobRecord


def test_a_file_is_served(tmp_path):
    """The command says where; Ctrl-C ends it."""
    record, file = JobRecord(), HistoryFile(tmp_path, "orders", 10)
    entries = [windowed(), batch(0, NOON + 1, {"orders": {"records_out": {"0": 7}}})]
    for entry in entries:
        record.add(entry)
    file.write(entries, record)
    file.close()
    command = [sys.executable, "-m", "windrow", "history", str(file.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process, ExitStack() as closing:
        assert process.stdout is not None
        closing.callback(process.kill)
        url, _, job = process.stdout.readline().strip().partition("#")
        assert job == "/jobs/0123456789abcdef0123456789abcdef"
        with urlopen(url.replace("/?", f"{job}?")) as answer:
            assert json.load(answer)["vertices"][0]["metrics"]["write-records"] == 7
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_what_is_no_history_is_named(tmp_path):
    """The command fails with a sentence."""
    result = CliRunner().invoke(main, ["history", str(tmp_path)])
    assert result.exit_code == 1
    assert "there is no history of a job at" in result.output


class Interrupted:
    """In place of an event: somebody types Ctrl-C at once."""

    def wait(self):
        raise KeyboardInterrupt


def test_a_file_that_is_no_history_keeps_no_other_one_from_being_shown(tmp_path, monkeypatch):
    """It is named, and the page is of those that can be read."""
    (tmp_path / f"empty{SUFFIX}").write_text("")
    record, file = JobRecord(), HistoryFile(tmp_path, "orders", 10)
    record.add(windowed())
    file.write([windowed()], record)
    file.close()
    monkeypatch.setattr(import_module("windrow.terminal.history"), "Event", Interrupted)
    result = CliRunner().invoke(main, ["history", str(tmp_path)])
    assert result.exit_code == 0
    assert "left out:" in result.output
    assert "empty" in result.output
    assert "#/jobs/0123456789abcdef0123456789abcdef" in result.output
