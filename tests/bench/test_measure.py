"""How a peer's process is run and its answers are checked."""

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench import measure as module
from bench.measure import RunError, checked_seconds, measure
from bench.peers import Amount, Peer
from bench.workload import Answer, answer


@dataclass
class Scripted(Peer):
    """A peer that runs a line of Python, which finds the amount of work in its arguments."""

    program: str
    name = "scripted"
    title = "Scripted"
    most_events = 1_000

    def version(self) -> str:
        return "1"

    def prepare(self) -> None:
        """Nothing to do."""

    def command(self, amount: Amount) -> list[str]:
        return [sys.executable, "-c", self.program, *amount.arguments()]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Logs go to a folder of the test's own."""
    monkeypatch.setattr(module, "BENCH", tmp_path / ".bench")
    return tmp_path


def reporting(found: Answer) -> str:
    """A program that reports this answer for every run."""
    line = json.dumps({"seconds": 0.5, "results": found.results, "total": found.total})
    return f"import sys; print('noise'); [print({line!r}) for _ in range(int(sys.argv[3]))]"


def test_slow_peers_get_fewer_events() -> None:
    """A peer is asked for no more than its own limit, and its rate is of those events."""
    measured = measure(Scripted(reporting(answer(1_000))), 8_000_000, 3)
    assert (measured.events, measured.seconds) == (1_000, [0.5, 0.5, 0.5])
    assert measured.rates() == (2_000, 2_000, 2_000)


def test_wrong_answer_is_an_error() -> None:
    """A peer that lost an event has not done the job."""
    right = answer(1_000)
    with pytest.raises(RunError, match="wrong answer"):
        measure(Scripted(reporting(Answer(right.results, right.total - 1))), 1_000, 1)


def test_missing_run_is_an_error() -> None:
    """A process that ends early has not done the job, even with exit code 0."""
    with pytest.raises(RunError, match="reported 1 runs, expected 2"):
        checked_seconds('{"seconds": 1, "results": 1, "total": 0}\n', Answer(1, 0), 2)


def test_failed_process_names_its_log(folder: Path) -> None:
    """The error says where the process's own words are."""
    with pytest.raises(RunError, match=r"exit code 3; see \.bench/logs/scripted\.log"):
        measure(Scripted("import sys; print('why', file=sys.stderr); sys.exit(3)"), 1_000, 1)
    assert (folder / ".bench" / "logs" / "scripted.log").read_text() == "why\n"


def test_peer_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """A peer over its time is stopped together with the processes it started."""
    monkeypatch.setattr(module, "LIMIT_SECONDS", 2)
    child = f"import time; time.sleep(4); open({str(folder / 'alive')!r}, 'w').close()"
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    with pytest.raises(RunError, match="did not end within 2 s"):
        measure(Scripted(program), 1_000, 1)
    time.sleep(3)
    assert not (folder / "alive").exists()
