"""What the benchmarks' commands have in common: peers one after the other, a table, a file of numbers."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from bench.environments import SetupError
from bench.measure import Measurement, RunError
from bench.peers import Peer
from bench.report import record

#: A load average from which on other programs are taken to disturb the measurement.
BUSY = 0.7


def chosen(names: str | None, peers: Sequence[Peer]) -> list[Peer]:
    """The peers named in a comma separated list; all of them without one.

    Raises:
        click.BadParameter: there is no peer of that name.
    """
    if names is None:
        return list(peers)
    known = {peer.name: peer for peer in peers}
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in known:
            message = f"no peer is called {name!r}; there are {', '.join(known)}"
            raise click.BadParameter(message)
    return [known[name] for name in wanted]


def only_option(peers: Sequence[Peer]) -> Callable[..., Any]:
    """The option that names peers."""
    return click.option("--only", help="Comma separated: " + ", ".join(peer.name for peer in peers) + ".")


class Runner:
    """Measures peers in turn; one that cannot be measured does not keep the others from it."""

    def __init__(self) -> None:
        self.console = Console()
        self.measurements: list[Measurement] = []
        #: Why, by the peer's title.
        self.failures: dict[str, str] = {}
        self._load = os.getloadavg()[0]
        if self._load > BUSY:
            self.console.print(
                f"other programs are running (load {self._load:.1f}): times will be longer than they should be"
            )

    def run(self, peers: Sequence[Peer], take: Callable[[Peer], Measurement]) -> None:
        """Prepare each peer and ``take`` its times."""
        for peer in peers:
            with self.console.status(f"{peer.title} ..."):
                try:
                    peer.prepare()
                    taken = take(peer)
                except (SetupError, RunError) as error:
                    self.failures[peer.title] = str(error)
                    self.console.print(f"{peer.title}: {error}", style="red", highlight=False)
                    continue
            self.measurements.append(taken)
            slowest, middle, fastest = taken.rates()
            line = f"{peer.title}: {middle:,.0f} events/s ({slowest:,.0f} to {fastest:,.0f})"
            self.console.print(line, highlight=False)

    def finish(self, shown: Sequence[Table], path: Path, job: dict[str, Any] | None = None) -> None:
        """Print the tables, keep the numbers, and end the program: with an error if a peer has failed."""
        for table in shown:
            self.console.print(table)
        path.parent.mkdir(exist_ok=True)
        kept = record(self.measurements, self.failures, self._load)
        if job is not None:
            kept["job"] = job
        path.write_text(json.dumps(kept, indent=2) + "\n")
        self.console.print(f"kept in {path.parent.name}/{path.name}", highlight=False)
        sys.exit(1 if self.failures else 0)


def rates_table(title: str, unit: float, measurements: Sequence[Measurement], failed: Sequence[str]) -> Table:
    """A table of rates, in multiples of ``unit``."""
    shown = Table(title=title)
    shown.add_column("")
    for heading in ("records", "min", "median", "max"):
        shown.add_column(heading, justify="right", no_wrap=True)
    for each in measurements:
        shown.add_row(each.title, f"{each.events:,}", *(f"{rate / unit:,.3g}" for rate in each.rates()))
    for title_ in failed:
        shown.add_row(title_, *["-"] * 4)
    return shown
