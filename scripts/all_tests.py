"""Runs every test in three processes side by side, each in a random order, and sums up in one line: `make test`.

With WINDROW_COVERAGE=1 (`make coverage`) it is measured which lines of Windrow they run, in tests that are quick
(`tests/conftest.py`): measured tests take two and a half times as long, and the others show hardly any more of them.

Each process starts a Spark, a Kafka broker and a PostgreSQL server of its own, once, when a test asks for it. Two of
them leave a sixth of two cores unused, since they wait for what they have started: the third one takes that, and has
what needs Python alone, or runs programs in processes of their own. Arguments go to all of them
(scripts/all_tests.py -m "not spark"); then nothing is measured in any case.

A test that hangs fails by its own time limit, if Python still runs. Where that is not so, nothing is said any more:
then the process is ended, shows where each of its threads is, and counts as failed.
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
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread, Timer

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.fast_java import make_archive  # noqa: E402  (the folder above has to be on the path)

#: What the processes run, so that they end at about the same time; another one runs all that is not named here.
NAMED = {
    # What asks for an HDFS, or for a server that speaks S3, is in one of them, so that these are started once.
    "first": ["tests/connectors/files", "tests/runtime", "tests/storage", "tests/trials"],
    "third": [
        "tests/chaos",
        "tests/connectors/delta",
        "tests/differential",
        "tests/docs",
        "tests/examples",
        "tests/runtime/spark/test_deploying.py",
        "tests/runtime/spark/test_lost_executors.py",
        "tests/simulator",
        "tests/soak",
    ],
}
REST = "second"
ALL = ["src", "tests"]
#: Measure what the process runs; the numbers of all are put together.
MEASURED = ["--cov=windrow", "--cov-report="]
#: So long an interrupted process may take for its report.
GRACE_SECONDS = 60
#: So long a process may say nothing: longer than any test may take that is not marked as slow.
SILENT_SECONDS = 900
#: So long what a process has said may take to arrive behind its end; longer, if what it has started still runs.
LAST_WORDS_SECONDS = 10
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
        folder: For temporary files.
    """

    def __init__(self, name: str, arguments: list[str], shown: Lock, folder: str) -> None:
        self.name = name
        self.report: list[str] = []
        self.counts: Counter[str] = Counter()
        self._heard_at = time.monotonic()
        command = [sys.executable, "-m", "pytest", "--doctest-modules", f"--basetemp={folder}/{name}", *arguments]
        measured = {"COVERAGE_FILE": f".coverage.{name}"}
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "TMPDIR": folder, **measured}
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self._shown = shown
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        rest = b""
        # A test is a point, and a file is a line: each point shows that the process goes on.
        while said := os.read(self._process.stdout.fileno(), 1 << 16):
            self._heard_at = time.monotonic()
            *lines, rest = (rest + said).split(b"\n")
            for line in lines:
                self._take(line.decode(errors="replace") + "\n")
        if rest:
            self._take(rest.decode(errors="replace") + "\n")

    def _take(self, line: str) -> None:
        if self.report or _REPORT.match(line):
            self.report.append(line)
        elif line.strip():
            self._show(line)
        if end := _END.match(line):
            self.counts.update({what: int(number) for number, what in _COUNT.findall(end[1])})

    def _show(self, line: str) -> None:
        with self._shown:
            print(f"{self.name:>6} | {line}", end="", flush=True)

    def wait(self, patience: float = SILENT_SECONDS) -> int:
        """The exit code, when what it says has been read; one that says nothing for ``patience`` seconds is ended."""
        while self._process.poll() is None:
            if time.monotonic() - self._heard_at > patience:
                self._give_up(patience)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
        self._reader.join(LAST_WORDS_SECONDS)
        if self._reader.is_alive():
            self._show("its end is not known: something that it has started still runs\n")
        elif self._process.stdout is not None:
            self._process.stdout.close()
        return self._process.returncode

    def _give_up(self, patience: float) -> None:
        """End the process and all that it has started; it says where its threads are."""
        self._show(f"nothing for {patience:.0f} seconds, it is ended; its threads are here:\n")
        started = descendants(self._process.pid)
        self._process.send_signal(signal.SIGABRT)  # pytest has faulthandler listen to it
        try:
            self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
        for process in started:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def terminate(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self._process.poll() is None:
            self._process.send_signal(number)


def descendants(process: int) -> list[int]:
    """The processes that one has started, and those that these have started."""
    listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], check=True, stdout=subprocess.PIPE, text=True).stdout
    parents = {int(pid): int(parent) for pid, parent in map(str.split, listed.splitlines())}
    found, new = [], [process]
    while new:
        new = [pid for pid, parent in parents.items() if parent in new]
        found += new
    return found


def places_of(name: str) -> list[str]:
    """What a process runs, as arguments of pytest."""
    elsewhere = [each for other, places in NAMED.items() if other != name for each in places]
    return [*NAMED.get(name, ALL), *(f"--ignore={each}" for each in elsewhere)]


def exit_code(codes: list[int]) -> int:
    """Of all: the first that is neither success nor "no tests", else success if one of them ran tests."""
    bad = [code for code in codes if code not in (_PASSED, _NONE)]
    return bad[0] if bad else min(codes)


def summed_up(counts: Counter[str], seconds: float) -> str:
    """A last line as pytest's, for all."""
    said = ", ".join(f"{counts[what]} {what}" for what in _OUTCOMES if counts[what]) or "no tests ran"
    return f" {said} in {seconds:.2f}s ({int(seconds) // 60}:{int(seconds) % 60:02} min) ".center(100, "=")


def covered() -> str:
    """How many of the lines of src/windrow were run by what the processes have measured, in percent."""
    said = b""
    for words in (["combine", "--quiet"], ["report", "--format=total"]):
        said = subprocess.run(
            [sys.executable, "-m", "coverage", *words], cwd=ROOT, check=True, stdout=subprocess.PIPE
        ).stdout
    return said.decode().strip()


def main(arguments: list[str]) -> int:
    """Run all, print what they say, and the sum; the exit code."""
    # What is killed, as some tests have it, leaves its temporary files behind: here they go with the folder. Its name
    # is short, and so are those of pytest's folders in it: a socket's path has 108 characters at most.
    with tempfile.TemporaryDirectory(prefix="windrow-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)  # PostgreSQL runs as another user, in a folder of its own in this one
        return run(arguments, folder)


def run(arguments: list[str], folder: str) -> int:
    """The same with temporary files in a folder."""
    started = time.monotonic()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # else they inherit that it is ignored
    try:
        make_archive()
    except subprocess.SubprocessError as error:
        print(f"Java starts slowly: the archive of Spark's classes was not made ({error})")
    measured = MEASURED if os.environ.get("WINDROW_COVERAGE") and not arguments else []
    if not any(argument.startswith("--randomly-seed") for argument in arguments):
        arguments = [f"--randomly-seed={random.SystemRandom().randrange(2**32)}", *arguments]
    shown = Lock()
    groups = [Group(name, [*measured, *places_of(name), *arguments], shown, folder) for name in sorted([*NAMED, REST])]

    interrupted: list[int] = []

    def send(number: int) -> None:
        for group in groups:
            group.terminate(number)

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
    codes = [group.wait() for group in groups]
    for group in groups:
        print(f"\n== the {group.name} process", "".join(group.report), sep="\n", end="")
    if measured and not interrupted:
        print(f"\ncoverage: {covered()} % of the lines of src/windrow (python -m coverage report: each file's)")
    print(summed_up(sum((group.counts for group in groups), Counter()), time.monotonic() - started))
    return exit_code(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
