"""The measurement of a row."""

import sys
from pathlib import Path

import pytest

from bench.jobs.table import JOBS
from bench.measure import RunError
from bench.suite import measuring
from bench.suite.engines import Engine
from bench.suite.measuring import Effort, measure, side_by_side
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
#: Five times as fast behind a first long run.
FASTER = """    long += int(request["events"]) > 500_000
    seconds = 0.1 + (seconds - 0.1) / (5 if long > 1 else 1)
"""


class Imagined(Engine):
    """An engine that says what it is told to."""

    name, title = "imagined", "Imagined"

    def __init__(self, results: int, total: int, program: str = PROGRAM) -> None:
        self._program = program.replace("RESULTS", str(results)).replace("TOTAL", str(total))

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


def test_a_timed_run_that_is_much_shorter_than_it_was_to_be_is_done_again() -> None:
    """A process that gets faster still behind its warm-up is not timed with runs of which its start is a third."""
    digest = JOBS["filter"].expected(100)
    program = PROGRAM.replace("import sys", "import sys\nlong = 0").replace("    print(", FASTER + "    print(")
    timing = measure(Imagined(digest.results, digest.total, program), ROW, "batch", Effort(runs=2, seconds=0.5)).timing
    assert min(timing.seconds) >= 0.8


def test_wrong_results_are_not_timed() -> None:
    """A measurement fails where the results are not those of the plain computation."""
    with pytest.raises(RunError, match="wrong results of 100 events"):
        measure(Imagined(1, 2), ROW, "batch", Effort())


def test_engines_take_turns_and_their_best_runs_count(tmp_path: Path) -> None:
    """One that is three times as fast is so, whatever else each of its runs but the last had to wait for."""
    digest, turns = JOBS["filter"].expected(100), tmp_path / "turns"
    turns.touch()
    waiting = f"seconds += open({str(turns)!r}, 'a').write(NAME) and len(open({str(turns)!r}).read()) < LAST"
    program = PROGRAM.replace("    print(", f"    {waiting}\n    print(")
    engines = [
        Imagined(digest.results, digest.total, program.replace("NAME", repr(name)).replace("1e6", rate))
        for name, rate in (("a", "3e6"), ("b", "1e6"))
    ]
    effort = Effort(runs=4, seconds=2.0)
    with pytest.MonkeyPatch.context() as patch:
        for engine in engines:
            patch.setattr(engine, "_program", engine._program.replace("LAST", "0"))
        fast, slow = side_by_side(engines, ROW, "batch", effort)
    taken = turns.read_text()
    assert taken.endswith("abababab")
    assert fast / slow == pytest.approx(3, rel=0.2)
    turns.write_text("")
    for engine in engines:
        engine._program = engine._program.replace("LAST", str(len(taken) - 1))
    assert side_by_side(engines, ROW, "batch", effort) == pytest.approx([fast, slow], rel=0.2)


def test_each_row_is_checked_with_enough_events_for_its_windows() -> None:
    """Watermarks pass windows before the end of the input, too; 0.5 s windows give too many results for more."""
    assert all(row.checked_events >= 200_000 for row in ROWS.values() if row.name != "sliding-fine")


@pytest.mark.parametrize(("enough_at", "rounds"), [(1, 3), (4, 4), (9, 5)])
def test_rounds_end_when_the_rates_are_known_well_enough(tmp_path: Path, enough_at: int, rounds: int) -> None:
    """Nobody is asked before the third one."""
    digest = JOBS["filter"].expected(100)
    asked = []

    def are_enough(rates: list[float]) -> bool:
        asked.append(rates)
        return len(asked) + 2 >= enough_at

    engine = Imagined(digest.results, digest.total)
    (rate,) = side_by_side([engine], ROW, "batch", Effort(runs=5, seconds=0.5), are_enough)
    assert rate == pytest.approx(1e6, rel=0.2)
    assert [rate] == asked[-1]
    assert len(asked) == rounds - 2
