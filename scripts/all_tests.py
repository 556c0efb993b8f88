"""Runs every test in two processes side by side, each in a random order, and sums up in one line: `make test`.

Which lines the tests run is measured by those tests again that start no server and try no examples, beside the process
that takes longer: measured lines cost twice the time, and the others show hardly any more of them.

Each process starts a Spark, a Kafka broker and a PostgreSQL server of its own, once, when a test asks for it. Arguments
go to both of them (scripts/all_tests.py -m "not spark").
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from threading import Lock, Thread, Timer

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.fast_java import make_archive  # noqa: E402  (the folder above has to be on the path)

#: What the first process runs, by measured time about half; the second one runs all that is not named here.
FIRST = ["tests/runtime", "tests/simulator", "tests/trials"]
ALL = ["src", "tests"]
#: The tests whose lines are measured.
MEASURED = "not spark and not kafka and not postgres and not slow and not property"
#: These run the same lines thousands of times.
UNMEASURED = ["tests/differential", "tests/simulator", "tests/trials", "tests/golden"]
#: So long an interrupted process may take for its report.
GRACE_SECONDS = 60
_OUTCOMES = ("failed", "passed", "skipped", "deselected", "xfailed", "xpassed", "warning", "error")
#: What pytest says at its end: "2 failed, 8 passed in 3.21s".
_COUNT = re.compile(rf"(\d+) ({'|'.join(_OUTCOMES)})s?\b")
_END = re.compile(r"^=+ (.*\d+ \w+.*) in [\d.]+s\b.*=+$")
#: From the first heading of its report on, what a process says is shown in one piece.
_REPORT = re.compile(r"^=+ (ERRORS|FAILURES|warnings summary|slowest|short test summary|.* in [\d.]+s)")
#: pytest's exit codes: all passed; a test failed; interrupted; there are no such tests.
_PASSED, _FAILED, _INTERRUPTED, _NONE = 0, 1, 2, 5


class Group:
    """The tests of one process.

    Args:
        name: What stands before its lines while it runs, and above its report.
        arguments: Of pytest.
        shown: Held while a line is printed.
    """

    def __init__(self, name: str, arguments: list[str], shown: Lock) -> None:
        self.name = name
        self.report: list[str] = []
        self.counts: Counter[str] = Counter()
        command = [sys.executable, "-m", "pytest", "--doctest-modules", *arguments]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self._shown = shown
        self._reader = Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if self.report or _REPORT.match(line):
                self.report.append(line)
            elif line.strip():
                with self._shown:
                    print(f"{self.name:>6} | {line}", end="", flush=True)
            if end := _END.match(line):
                self.counts.update({what: int(number) for number, what in _COUNT.findall(end[1])})

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def wait(self) -> int:
        """The exit code, when everything that it says has been read."""
        self._reader.join()
        return self._process.wait()

    def terminate(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self._process.poll() is None:
            self._process.send_signal(number)


def exit_code(codes: list[int]) -> int:
    """Of both: the first that is neither success nor "no tests", else success if one of them ran tests."""
    bad = [code for code in codes if code not in (_PASSED, _NONE)]
    return bad[0] if bad else min(codes)


def summed_up(counts: Counter[str], seconds: float) -> str:
    """A last line as pytest's, for both."""
    said = ", ".join(f"{counts[what]} {what}" for what in _OUTCOMES if counts[what]) or "no tests ran"
    return f" {said} in {seconds:.2f}s ({int(seconds) // 60}:{int(seconds) % 60:02} min) ".center(100, "=")


class Coverage:
    """Runs the measured tests: beside the longer process, once the other one has ended."""

    def __init__(self, arguments: list[str]) -> None:
        command = [sys.executable, "-m", "pytest", "--doctest-modules", "-q", "--cov=windrow", "--cov-report="]
        self._said = tempfile.TemporaryFile("w+")  # noqa: SIM115  (closed in wait)
        self._process = subprocess.Popen(
            [*command, *arguments, "-m", MEASURED, *ALL, *(f"--ignore={folder}" for folder in UNMEASURED)],
            cwd=ROOT,
            stdout=self._said,
            stderr=subprocess.STDOUT,
        )

    def wait(self) -> int:
        """Print how many of the lines of src/windrow they run; their exit code."""
        code = self._process.wait()
        with self._said:
            self._said.seek(0)
            if code != _PASSED:
                print("\n== the tests whose lines are measured", self._said.read(), sep="\n")
                return code
        report = [sys.executable, "-m", "coverage", "report", "--format=total"]
        total = subprocess.run(report, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
        print(f"coverage: {total} % of the lines of src/windrow (.venv/bin/python -m coverage report: each file's)")
        return _PASSED

    def terminate(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self._process.poll() is None:
            self._process.send_signal(number)


def main(arguments: list[str]) -> int:
    """Run both, print what they say, and the sum; the exit code."""
    started = time.monotonic()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # else they inherit that it is ignored
    try:
        make_archive()
    except subprocess.SubprocessError as error:
        print(f"Java starts slowly: the archive of Spark's classes was not made ({error})")
    whole = not arguments
    if not any(argument.startswith("--randomly-seed") for argument in arguments):
        arguments = [f"--randomly-seed={random.SystemRandom().randrange(2**32)}", *arguments]
    shown = Lock()
    groups = [
        Group("first", [*FIRST, *arguments], shown),
        Group("second", [*ALL, *(f"--ignore={folder}" for folder in FIRST), *arguments], shown),
    ]

    interrupted: list[int] = []
    started_all: list[Group | Coverage] = [*groups]

    def send(number: int) -> None:
        for each in started_all:
            each.terminate(number)

    def end(received: int, _: object) -> None:
        """Let all report what they have. Ctrl-C of a terminal has reached them already."""
        interrupted.append(received)
        if received == signal.SIGTERM:
            send(signal.SIGINT)
        late = Timer(GRACE_SECONDS, send, [signal.SIGKILL])  # coverage may hold a lock that the interrupt has broken
        late.daemon = True
        late.start()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    while all(group.is_running for group in groups):
        time.sleep(0.5)
    coverage = Coverage(arguments) if whole and not interrupted else None
    if coverage is not None:
        started_all.append(coverage)
    codes = [group.wait() for group in groups]
    for group in groups:
        print(f"\n== the {group.name} process", "".join(group.report), sep="\n", end="")
    if coverage is not None:
        codes.append(coverage.wait())
    print(summed_up(sum((group.counts for group in groups), Counter()), time.monotonic() - started))
    return exit_code(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
