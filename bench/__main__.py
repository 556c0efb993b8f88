"""``python -m bench``: measure every peer one after the other, print a table, keep the numbers."""

from __future__ import annotations

import json
import os
import sys

import click
from rich.console import Console

from bench.environments import BENCH, ROOT, SetupError
from bench.measure import Measurement, RunError, measure
from bench.peers import PEERS, Peer
from bench.report import memory_lines, record, table

#: A load average from which on other programs are taken to disturb the measurement.
BUSY = 0.7


def chosen(names: str | None) -> list[Peer]:
    """The peers named in a comma separated list; all of them without one.

    Raises:
        click.BadParameter: there is no peer of that name.
    """
    if names is None:
        return PEERS
    known = {peer.name: peer for peer in PEERS}
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in known:
            message = f"no peer is called {name!r}; there are {', '.join(known)}"
            raise click.BadParameter(message)
    return [known[name] for name in wanted]


@click.command()
@click.option("--events", default=8_000_000, show_default=True, type=click.IntRange(min=8), help="Events per run.")
@click.option("--runs", default=3, show_default=True, type=click.IntRange(min=1), help="Timed runs of each peer.")
@click.option("--only", help="Comma separated: " + ", ".join(peer.name for peer in PEERS) + ".")
def main(events: int, runs: int, only: str | None) -> None:
    """Measure Windrow, Flink, PyFlink and Spark on the same job, on this machine.

    A time is from the submission of a job to its end: starting the JVM, the cluster or session and compiling come
    before, in a warm-up run. A run counts only if its results are the right ones. All numbers are kept in
    bench/results.json; those of a run with --only in .bench/results.json.
    """
    console = Console()
    load = os.getloadavg()[0]
    if load > BUSY:
        console.print(f"other programs are running (load {load:.1f}): times will be longer than they should be")
    measurements: list[Measurement] = []
    failures: dict[str, str] = {}
    for peer in chosen(only):
        with console.status(f"{peer.title} ..."):
            try:
                peer.prepare()
                measurements.append(measure(peer, events, runs))
            except (SetupError, RunError) as error:
                failures[peer.title] = str(error)
                console.print(f"{peer.title}: {error}", style="red", highlight=False)
                continue
        slowest, middle, fastest = measurements[-1].rates()
        console.print(f"{peer.title}: {middle:,.0f} events/s ({slowest:,.0f} to {fastest:,.0f})", highlight=False)
    console.print(table(measurements, failures))
    for line in memory_lines(measurements):
        console.print(line, highlight=False)
    path = (BENCH if only else ROOT / "bench") / "results.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(record(measurements, failures, load), indent=2) + "\n")
    console.print(f"kept in {path.relative_to(ROOT)}", highlight=False)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
