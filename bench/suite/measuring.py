"""Measures one row on one engine: its results first, then its times."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bench.jobs.digest import Digest
from bench.jobs.event_files import write_events
from bench.jobs.requests import Request
from bench.jobs.table import JOBS
from bench.measure import RunError
from bench.memory import PeakMemory
from bench.suite.engine_process import EngineProcess
from bench.suite.engines import FILES, LOGS, Engine, Flink
from bench.suite.rows import Row

#: A run with so few events shows what starting a job costs.
FEW_EVENTS = 1_000
#: A run takes so many times as long as starting the job, ...
TIMES_START_UP = 10
#: ... but no longer than so many times the seconds that were asked for.
MOST_TIMES_SECONDS = 3
#: A timed run that is shorter than it was to be by more than this is done again with more events, at most so often.
MUCH_LONGER, MOST_LONGER = 1.2, 3
#: In turns, nobody is asked whether the rates are known well enough before so many rounds.
FEWEST_ROUNDS = 3
#: A process is warm when a run is faster than the one before by less than this, and after so many runs in any case.
WARM, MOST_WARM_UPS = 1.1, 8


@dataclass(frozen=True)
class Effort:
    """How long a measurement may take: so many runs of some seconds, and shorter ones with Flink's object reuse."""

    runs: int = 3
    seconds: float = 4.0
    object_reuse: bool = True


@dataclass(frozen=True)
class Timing:
    """Timed runs of a job in one process."""

    events: int
    seconds: list[float]
    #: Seconds that a job with next to no events takes.
    start_up: float


@dataclass(frozen=True)
class Measured:
    """What a row is like on an engine."""

    version: str
    timing: Timing
    #: With Flink's objects handed on without copies.
    object_reuse: Timing | None = None
    worker_peak_mib: int | None = None


def measure(engine: Engine, row: Row, mode: str, effort: Effort) -> Measured:
    """Compare the results of the row's job with the right ones, then take its times, all in one process.

    Raises:
        SetupError: something that the engine needs cannot be had.
        RunError: the process failed, or its results are not the right ones.
    """
    command = engine.command(row, mode)
    with EngineProcess(command, engine.variables(), LOGS / f"{engine.name}-{row.name}-{mode}.log") as process:
        asking = _Asking(process, row)
        watch = PeakMemory(process.pid, engine.worker) if engine.worker else None
        with watch or contextlib.nullcontext():
            timing = asking.times(effort.runs, effort.seconds, object_reuse=False)
            with_reuse = effort.object_reuse and isinstance(engine, Flink)
            # The process is warm by now, and this is what stands beside the row, not the row.
            reuse = asking.times(effort.runs, effort.seconds / 2, object_reuse=True) if with_reuse else None
    return Measured(engine.version(), timing, reuse, round(watch.kib / 1024) if watch else None)


def side_by_side(
    engines: Sequence[Engine],
    row: Row,
    mode: str,
    effort: Effort,
    are_enough: Callable[[list[float]], bool] = lambda rates: False,
) -> list[float]:
    """The best rate of the row's job on each engine, in events per second.

    All engines are there at once and take turns, so that a time in which the machine is slow is one for all of them.

    Args:
        engines: Who takes turns.
        row: What they run.
        mode: How they run it.
        effort: The most rounds, and how long a run is.
        are_enough: Says of the best rates so far, behind some rounds, that more of them would change nothing.

    Raises:
        SetupError: something that an engine needs cannot be had.
        RunError: a process failed, or its results are not the right ones.
    """
    with contextlib.ExitStack() as running:
        processes = []
        for engine in engines:  # one starts while another one gets warm
            log = LOGS / f"{engine.name}-{row.name}-{mode}.log"
            processes.append(running.enter_context(EngineProcess(engine.command(row, mode), engine.variables(), log)))
        asking = [_Asking(process, row) for process in processes]
        wanted = [each.warm(effort.seconds, object_reuse=False)[0] for each in asking]
        best = [0.0] * len(asking)
        for number in range(effort.runs):
            taken = [each.seconds(events, object_reuse=False) for each, events in zip(asking, wanted, strict=True)]
            best = [max(rate, events / seconds) for rate, events, seconds in zip(best, wanted, taken, strict=True)]
            if number + 1 >= FEWEST_ROUNDS and are_enough(best):
                break
    return best


class _Asking:
    def __init__(self, process: EngineProcess, row: Row) -> None:
        self._process, self._row = process, row

    def _check(self, object_reuse: bool) -> None:
        count = self._row.checked_events
        answer = self._run(Request(count, checked=True, object_reuse=object_reuse))
        found, expected = Digest(answer["results"], answer["total"]), JOBS[self._row.windrow_job()].expected(count)
        if found != expected:
            message = f"wrong results of {count:,} events: {found}, expected {expected}"
            raise RunError(message)

    def times(self, runs: int, length: float, *, object_reuse: bool) -> Timing:
        """The timed runs, with as many events as fill the time, behind one whose results are the right ones."""
        wanted, start_up = self.warm(length, object_reuse=object_reuse)
        first = self.seconds(wanted, object_reuse=object_reuse)
        for _ in range(MOST_LONGER):
            # Once more, if it was faster than any before, and so much shorter than it was to be; not at once with all
            # that are missing, as a job may be slower with more (windows of processing time that fire in between, say).
            longer = min(events_for(wanted / first, start_up, length, self._row.most_events), 2 * wanted)
            if longer <= MUCH_LONGER * wanted:
                break
            wanted, first = longer, self.seconds(longer, object_reuse=object_reuse)
        others = [self.seconds(wanted, object_reuse=object_reuse) for _ in range(runs - 1)]
        return Timing(wanted, [first, *others], start_up)

    def warm(self, length: float, *, object_reuse: bool) -> tuple[int, float]:
        """Run until the process is warm: how many events fill the time, and how long starting the job takes."""
        self._check(object_reuse)
        start_up = min(self.seconds(FEW_EVENTS, object_reuse=object_reuse) for _ in range(2))
        events, rate = self._row.checked_events, 0.0
        for _ in range(MOST_WARM_UPS):
            took = self.seconds(events, object_reuse=object_reuse)
            before, rate = rate, events / max(took - start_up, took / 10)
            wanted = events_for(rate, start_up, length, self._row.most_events)
            if rate < WARM * before and (took >= length / 2 or wanted <= events):
                break
            events = min(wanted, 20 * events)
        start_up = min(start_up, self.seconds(FEW_EVENTS, object_reuse=object_reuse))
        return events_for(rate, start_up, length, self._row.most_events), start_up

    def seconds(self, events: int, *, object_reuse: bool) -> float:
        """How long a run of so many events takes."""
        return float(self._run(Request(events, object_reuse=object_reuse))["seconds"])

    def _run(self, request: Request) -> dict[str, Any]:
        kind = JOBS[self._row.windrow_job()].files
        if kind:
            write_events(kind, request.events, FILES / kind)
        return self._process.ask(request)


def events_for(rate: float, start_up: float, seconds: float, most: int) -> int:
    """How many events a timed run has: two digits, and enough that starting the job is a tenth of it.

    >>> events_for(rate=1_234_567, start_up=0.2, seconds=5, most=100_000_000)
    6200000
    >>> events_for(rate=1_234_567, start_up=1, seconds=5, most=100_000_000)
    12000000
    """
    length = min(max(seconds, TIMES_START_UP * start_up), MOST_TIMES_SECONDS * seconds)
    return min(most, max(FEW_EVENTS, int(float(f"{rate * length:.1e}"))))
