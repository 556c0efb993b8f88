"""``python -m bench``: measure rows on Windrow and Flink, and keep what was measured."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from bench.environments import BENCH, SetupError
from bench.measure import RunError
from bench.runner import BUSY
from bench.suite import results
from bench.suite.engines import ENGINES
from bench.suite.measuring import Effort, Measured, measure
from bench.suite.rows import MODES, ROWS, Row

_ENGINE = click.Choice(list(ENGINES))


class Suite:
    """Measures rows, tells each as it is there, and keeps those that were measured.

    Args:
        effort: Of each measurement.
        engines: The names of the engines that are measured.
        path: The file that keeps them.
    """

    def __init__(self, effort: Effort, engines: tuple[str, ...], path: Path) -> None:
        self._effort, self._engines, self._path = effort, engines, path
        self._console = Console()
        #: Flink runs one job for several rows.
        self._peers: dict[tuple[str, str], Measured] = {}
        self.failures: list[str] = []

    def run(self, row: Row, mode: str) -> None:
        """Measure a row in a mode; one that fails does not keep others from it."""
        load = os.getloadavg()[0]
        if load > BUSY:
            self._say(f"other programs are running (load {load:.1f}): times will be longer than they should be")
        measured: dict[str, Measured] = {}
        for name in self._engines:
            if name == "flink" and row.alone:
                continue
            with self._console.status(f"{row.title}, {mode}, {ENGINES[name].title} ..."):
                try:
                    measured[name] = self._measured(name, row, mode)
                except (SetupError, RunError) as error:
                    self.failures.append(f"{row.name}, {mode}, {ENGINES[name].title}: {error}")
                    self._say(self.failures[-1])
                    return
        for name, each in measured.items():
            rate = results.median_rate(each.timing)
            worker = f", worker {each.worker_peak_mib} MiB" if each.worker_peak_mib else ""
            self._say(
                f"{row.name}, {mode}, {ENGINES[name].title}: {rate:,.0f} events/s ({each.timing.events:,} events,"
                f" start-up {each.timing.start_up:.2f} of {max(each.timing.seconds):.2f} s{worker})"
            )
        if "windrow" in measured:
            data: dict[str, Any] = results.entry(measured["windrow"], measured.get("flink"), load)
            if "ratio" in data:
                self._say(f"{row.name}, {mode}: {data['ratio']:.2f} times Flink")
            results.merge({row.name: {mode: data}}, self._path)

    def _measured(self, name: str, row: Row, mode: str) -> Measured:
        if name != "flink":
            return measure(ENGINES[name], row, mode, self._effort)
        place = row.peer_job(), mode
        if place not in self._peers:
            self._peers[place] = measure(ENGINES[name], row, mode, self._effort)
        return self._peers[place]

    def _say(self, line: str) -> None:
        self._console.print(line, highlight=False)


@click.command()
@click.argument("names", nargs=-1, metavar="[ROW]...", type=click.Choice(list(ROWS)))
@click.option("--mode", type=click.Choice(MODES), help="Only this mode; both, unless it is given.")
@click.option("--engine", "only", type=_ENGINE, help="Only this engine; its numbers are kept in .bench/results.json.")
@click.option("--runs", default=3, show_default=True, type=click.IntRange(min=1), help="Timed runs.")
@click.option("--seconds", default=4.0, show_default=True, type=click.FloatRange(min=0.1), help="Of a timed run.")
@click.option("--trial", is_flag=True, help="Keep the numbers in .bench/results.json.")
def main(names: tuple[str, ...], mode: str | None, only: str | None, runs: int, seconds: float, trial: bool) -> None:
    """Measure rows (all, unless some are named) on Windrow and on Flink, one process for each.

    A process first shows that its results are the right ones. Then it runs the job until it is warm, and as often as
    --runs says with as many events as fill --seconds, or ten times what starting the job takes if that is longer. What
    was measured takes the place of its rows in bench/results.json.
    """
    suite = Suite(
        Effort(runs, seconds),
        (only,) if only else tuple(ENGINES),
        BENCH / "results.json" if only or trial else results.PATH,
    )
    for name in names or ROWS:
        for each in ROWS[name].modes:
            if mode in {None, each}:
                suite.run(ROWS[name], each)
    sys.exit(1 if suite.failures else 0)


if __name__ == "__main__":
    main()
