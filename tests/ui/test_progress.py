"""How a job goes on, on a terminal."""

from __future__ import annotations

import io
import sys

import pytest
from rich.console import Console

from tests.runtime.monitor.programs import wait_until
from tests.ui.records import NOON, batch, of_splits, windowed
from windrow.common.job_status import JobStatus
from windrow.runtime.monitor.monitor import JobMonitor
from windrow.runtime.monitor.ui_settings import UiSettings
from windrow.ui import progress as shown
from windrow.ui.job_ui import JobUi


@pytest.fixture
def monitor():
    """A job that runs since noon, in which a split is quiet."""
    monitor = JobMonitor(windowed())
    splits = {"orders-0": [NOON, False, False], "orders-3": [NOON, False, False]}
    measured = of_splits(splits, {"orders-0": NOON, "orders-3": NOON}, {"0": [NOON, True, True]})
    monitor._add({"type": "state", "state": "RUNNING", "at": NOON})
    monitor._add(batch(0, NOON, measured))
    monitor._add(batch(1, NOON + 60_000, {}))
    yield monitor
    monitor.end(JobStatus.FINISHED)


def test_it_says_what_the_job_does_and_waits_for(monitor, monkeypatch):
    """The line of counts, and the sentence; gone when the job is over."""
    monkeypatch.setattr(shown, "_PATIENCE", 0)
    said = io.StringIO()
    console = Console(file=said, force_terminal=True, width=200)
    stdout = sys.stdout
    with shown.progress(monitor, console):
        wait_until(lambda: "holds the watermark" in said.getvalue())
    assert "in 100" in said.getvalue()
    assert "orders-" in said.getvalue()
    assert said.getvalue().endswith("\x1b[2K")  # the last line is cleared
    assert sys.stdout is stdout


def test_a_job_that_is_soon_over_shows_nothing(monitor):
    """A flicker helps nobody."""
    said = io.StringIO()
    with shown.progress(monitor, Console(file=said, force_terminal=True)):
        pass
    assert said.getvalue() == ""


def test_it_is_still_while_somebody_debugs(monitor, monkeypatch):
    """The debugger's prompt is in the same terminal."""
    monkeypatch.setattr(shown, "_PATIENCE", 0)
    monkeypatch.setattr(shown, "_DEBUGGERS", {__name__})
    looked = []
    monkeypatch.setattr(shown, "_lines", lambda _: looked.append(1))
    asked = []
    in_debugger = shown._in_debugger
    monkeypatch.setattr(shown, "_in_debugger", lambda: asked.append(in_debugger()) or asked[-1])
    with shown.progress(monitor, Console(file=io.StringIO(), force_terminal=True)):
        wait_until(lambda: asked)
    assert asked[0]
    assert looked == []


def test_there_is_none_where_standard_error_is_no_terminal(monitor, capfd):
    """And none where the setting says so."""
    with JobUi(UiSettings(enabled=True)).following(monitor):
        pass
    assert capfd.readouterr() == ("", "")
