"""``windrow history``: the page of jobs that are over."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from urllib.request import urlopen

from click.testing import CliRunner

from tests.ui.records import NOON, batch, windowed
from windrow.cli import main
from windrow.runtime.monitor.history_file import HistoryFile
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
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
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
