"""Runs one peer's process, checks its answers and takes its times."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from bench.environments import BENCH
from bench.memory import PeakMemory
from bench.peers import Amount, Peer
from bench.process_group import end
from bench.workload import Answer, answer

LIMIT_SECONDS = 1_800
WARM_UP_SHARE = 8


class RunError(Exception):
    """A peer's process failed or gave a wrong answer."""


@dataclass(frozen=True)
class Measurement:
    """The timed runs of one peer."""

    name: str
    title: str
    version: str
    events: int
    seconds: list[float]
    #: The peak memory of a single Python worker in KiB, where it was watched.
    worker_peak_kib: int | None = None

    def rates(self) -> tuple[float, float, float]:
        """Events per second: the slowest run, the median, the fastest."""
        rates = [self.events / seconds for seconds in self.seconds]
        return min(rates), median(rates), max(rates)


def measure(peer: Peer, events: int, runs: int, expected: Answer | None = None) -> Measurement:
    """Run the prepared peer: a warm-up with an eighth of the events, then the timed runs, in one process.

    Args:
        peer: Who runs.
        events: How many events a timed run has; fewer for a peer that is slow.
        runs: How many timed runs there are.
        expected: What the peer has to find; None: the answer of the main benchmark.

    Raises:
        RunError: the process failed, or a run's results are not the expected ones.
    """
    events = min(events, peer.most_events or events)
    amount = Amount(max(1, events // WARM_UP_SHARE), events, runs)
    log = BENCH / "logs" / f"{peer.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w") as errors, _process(peer, amount, errors.fileno()) as process:
        watch = PeakMemory(process.pid, peer.worker) if peer.worker else None
        with watch or contextlib.nullcontext():
            output = _output(process, peer)
    if process.returncode != 0:
        message = f"its process ended with exit code {process.returncode}; see {log.relative_to(BENCH.parent)}"
        raise RunError(message)
    seconds = checked_seconds(output, expected or answer(events), runs)
    return Measurement(peer.name, peer.title, peer.version(), events, seconds, watch.kib if watch else None)


def checked_seconds(output: str, expected: Answer, runs: int) -> list[float]:
    """The times in a program's output.

    Raises:
        RunError: a run is missing, or its results are not the expected ones.
    """
    lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    if len(lines) != runs:
        message = f"it reported {len(lines)} runs, expected {runs}"
        raise RunError(message)
    for line in lines:
        found = Answer(line["results"], line["total"])
        if found != expected:
            message = f"wrong answer: {found}, expected {expected}"
            raise RunError(message)
    return [line["seconds"] for line in lines]


@contextlib.contextmanager
def _process(peer: Peer, amount: Amount, errors: int) -> Iterator[subprocess.Popen[str]]:
    # A session of its own, so that everything the peer started can be ended with it.
    command = peer.command(amount)
    try:
        process = subprocess.Popen(
            command, env=peer.variables(), stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True
        )
    except OSError as error:
        message = f"cannot start {command[0]}: {error}"
        raise RunError(message) from error
    try:
        yield process
    finally:
        end(process, by_itself=process.poll() is not None)
        with process:
            pass  # closes its pipe, and waits for it


def _output(process: subprocess.Popen[str], peer: Peer) -> str:
    try:
        return process.communicate(timeout=LIMIT_SECONDS)[0]
    except subprocess.TimeoutExpired as error:
        message = f"{peer.title} did not end within {LIMIT_SECONDS} s"
        raise RunError(message) from error
