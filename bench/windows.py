"""``python -m bench.windows``: a keyed windowed sum by Windrow, Flink, PyFlink and Spark's own windows."""

from __future__ import annotations

import click

from bench.environments import BENCH, ROOT
from bench.measure import measure
from bench.peers import PEERS
from bench.report import memory_lines, table
from bench.runner import Runner, chosen, only_option


@click.command()
@click.option("--events", default=8_000_000, show_default=True, type=click.IntRange(min=8), help="Events per run.")
@click.option("--runs", default=3, show_default=True, type=click.IntRange(min=1), help="Timed runs of each peer.")
@only_option(PEERS)
def main(events: int, runs: int, only: str | None) -> None:
    """Measure Windrow, Flink, PyFlink and Spark on the same job, on this machine.

    A time is from the submission of a job to its end: starting the JVM, the cluster or session and compiling come
    before, in a warm-up run. A run counts only if its results are the right ones. All numbers are kept in
    bench/windows_results.json; those of a run with --only in .bench/windows_results.json.
    """
    peers = chosen(only, PEERS)
    runner = Runner()
    runner.run(peers, lambda peer: measure(peer, events, runs))
    for line in memory_lines(runner.measurements):
        runner.console.print(line, highlight=False)
    shown = table(runner.measurements, runner.failures)
    runner.finish([shown], (BENCH if only else ROOT / "bench") / "windows_results.json")


if __name__ == "__main__":
    main()
