"""The process of an engine."""

import sys
from pathlib import Path

import pytest

from bench.jobs.requests import Request
from bench.measure import RunError
from bench.suite.engine_process import EngineProcess

ECHO = """
import sys
print("a line of a library's", flush=True)
for line in sys.stdin:
    print('{"seconds": 1.5, "asked": "%s"}' % line.strip(), flush=True)
"""


def test_answers_are_lines_of_json(tmp_path: Path) -> None:
    """Every request has its answer, whatever else the process prints."""
    with EngineProcess([sys.executable, "-c", ECHO], {}, tmp_path / "log") as process:
        for count in (1, 2):
            request = Request(count, checked=True)
            assert process.ask(request) == {"seconds": 1.5, "asked": request.line()}


def test_process_that_ends_is_told_with_its_log(tmp_path: Path) -> None:
    """An error names the exit code and where the process has written why."""
    log = tmp_path / "log"
    with (
        EngineProcess([sys.executable, "-c", "import sys; sys.exit('no memory')"], {}, log) as process,
        pytest.raises(RunError, match=rf"its process ended with exit code 1; see {log}"),
    ):
        process.ask(Request(1))
    assert log.read_text() == "no memory\n"
