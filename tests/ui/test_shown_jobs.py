"""Which jobs a page shows, and what is kept of them."""

from __future__ import annotations

from concurrent.futures import Future

from tests.ui.records import NOON, running, windowed
from windrow.ui import shown_jobs
from windrow.ui.shown_jobs import ShownJobs, Stored


class Running:
    """A job, as far as a page knows it."""

    makes_savepoints = True

    def __init__(self):
        self.result = Future()


def record(number: int, *, over: bool):
    made = running(windowed() | {"id": f"{number:032x}", "started": NOON + number})
    if over:
        made.add({"type": "state", "state": "FAILED", "at": NOON})
    return made


def test_of_a_job_that_is_over_its_record_alone_is_kept():
    """Its graph and its executors go."""
    job = Running()
    shown = ShownJobs().add(Stored(record(0, over=False)))
    shown.follow(job)
    assert shown.actions == ["cancel", "savepoint", "drain"]
    job.result.set_result(None)
    assert shown.running is None
    assert shown.actions == []


def test_the_oldest_of_those_that_are_over_go(monkeypatch):
    """Also jobs that could not be started; those that run stay, however many there are."""
    monkeypatch.setattr(shown_jobs, "_KEPT", 3)
    jobs = ShownJobs()
    for number, over in enumerate((False, True, True, False, False, False)):
        jobs.add(Stored(record(number, over=over)))
    assert [int(job.id, 16) for job in jobs] == [5, 4, 3, 0]
