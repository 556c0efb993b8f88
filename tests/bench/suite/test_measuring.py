"""The measurement of a row."""

import sys
from pathlib import Path

import pytest

from bench.jobs.table import JOBS
from bench.measure import RunError
from bench.suite import measuring
from bench.suite.engines import Engine
from bench.suite.measuring import Effort, measure
from bench.suite.rows import ROWS, Row

ROW = Row("filter", "a title", checked_events=100)
#: A million events a second, behind a start-up of a tenth of a second.
PROGRAM = """
import sys
for line in sys.stdin:
    request = dict(word.split("=") for word in line.split())
    seconds = 0.1 + int(request["events"]) / 1e6
    print('{"seconds": %f, "results": RESULTS, "total": TOTAL}' % seconds, flush=True)
"""


class Imagined(Engine):
    """An engine that says what it is told to."""

    name, title = "imagined", "Imagined"

    def __init__(self, results: int, total: int) -> None:
        self._program = PROGRAM.replace("RESULTS", str(results)).replace("TOTAL", str(total))

    def version(self) -> str:
        return "1"

    def command(self, row: Row, mode: str) -> list[str]:
        return [sys.executable, "-c", self._program]


@pytest.fixture(autouse=True)
def _logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "LOGS", tmp_path)


def test_timed_runs_are_ten_times_as_long_as_starting_the_job() -> None:
    """The number of events follows from the rate that the warm-up shows."""
    digest = JOBS["filter"].expected(100)
    timing = measure(Imagined(digest.results, digest.total), ROW, "batch", Effort(runs=2, seconds=0.5)).timing
    assert timing.start_up == pytest.approx(0.1, abs=0.01)
    assert timing.events == pytest.approx(1_000_000, rel=0.1)
    assert timing.seconds == pytest.approx([0.1 + timing.events / 1e6] * 2)


def test_wrong_results_are_not_timed() -> None:
    """A measurement fails where the results are not those of the plain computation."""
    with pytest.raises(RunError, match="wrong results of 100 events"):
        measure(Imagined(1, 2), ROW, "batch", Effort())


def test_each_row_is_checked_with_enough_events_for_its_windows() -> None:
    """Watermarks pass windows before the end of the input, too; 0.5 s windows give too many results for more."""
    assert all(row.checked_events >= 200_000 for row in ROWS.values() if row.name != "sliding-fine")
