"""The jobs that are measured."""

from pathlib import Path

import pytest

from bench.jobs.__main__ import run
from bench.jobs.event_files import write_events
from bench.jobs.requests import Request
from bench.jobs.table import JOBS
from bench.suite.rows import ROWS

#: Windows that begin every half a second give 120 results an event.
EVENTS = {"sliding-fine": 501} | dict.fromkeys(("nexmark-q5", "nexmark-q7", "nexmark-q8", "nexmark-q11"), 120_001)


@pytest.mark.parametrize("name", JOBS)
def test_job_finds_what_a_plain_computation_finds(name: str, tmp_path: Path) -> None:
    """The digest of a job's results is that of its answer."""
    count = EVENTS.get(name, 8_001)
    if JOBS[name].files:
        write_events(JOBS[name].files, count, tmp_path)
    found = run(JOBS[name], "batch", Request(count, checked=True), tmp_path, {"windrow.runtime": "local"})
    expected = JOBS[name].expected(count)
    assert (found["results"], found["total"]) == (expected.results, expected.total)


@pytest.mark.parametrize("name", ROWS)
def test_row_names_jobs_that_are_there(name: str) -> None:
    """What a row is measured with is in the table of jobs."""
    assert ROWS[name].windrow_job() in JOBS
    assert ROWS[name].alone or ROWS[name].peer_job() in JOBS
