"""``python -m bench.delay``: how long after its last element the program has a window.

1,000 elements/s of Spark's rate source, one-second windows by key, one exchange, in micro-batches as fast as they go:
Windrow with ``execute`` and a sink in the program's process, Windrow as a DataFrame, and ``groupBy(window, key)``, both
with ``foreachBatch``. Flink, which has no batches, is given as many elements in the same way; it
makes a checkpoint every 2 s. The rate source gives a second's elements when that is over: a window's last element is
half a second old by then. One row has a source of Windrow's, which gives each element at its time.
"""

from __future__ import annotations

from statistics import quantiles
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from bench.beside_spark import keep, load_now, printed_by
from bench.environments import ROOT

#: Spark comes first: the others are shown as multiples of it.
ENGINES = {
    "spark": "Spark, groupBy(window)",
    "windrow-dataframe": "Windrow, to_dataframe",
    "windrow": "Windrow, execute",
    "windrow-source": "Windrow, execute, its own source",
    "flink": "Flink Java",
}
#: How many times as long as Spark the median and the 99th percentile may be.
MOST = {"p50": 1.2, "p99": 1.5}
#: The median with a source of Windrow's, in milliseconds.
MOST_WITH_SOURCE = 400
KEPT = ROOT / "bench" / "delay_results.json"


def percentiles(delays: list[int]) -> dict[str, float]:
    """Median and 99th percentile of some delays."""
    cuts = quantiles(delays, n=100, method="inclusive")
    return {"p50": cuts[49], "p99": cuts[98]}


def measured(engine: str, warm_up: int, seconds: int) -> list[int]:
    """The delays of an engine's windows in milliseconds, in a process of its own.

    Raises:
        click.ClickException: it fails.
    """
    delays: list[int] = printed_by("delay", ENGINES[engine], engine, warm_up, seconds)
    return delays


def table(results: dict[str, dict[str, float]]) -> Table:
    """What is printed."""
    shown = Table(title="milliseconds from a window's last element to its sum in the program")
    for heading in ("", "sums", "p50", "p99", "p50 x Spark", "p99 x Spark"):
        shown.add_column(heading, justify="right" if heading else "left")
    for engine, result in results.items():
        ratios = [f"{result[name] / results['spark'][name]:.2f}" if "spark" in results else "-" for name in MOST]
        shown.add_row(
            ENGINES[engine], f"{result['sums']:,.0f}", f"{result['p50']:,.0f}", f"{result['p99']:,.0f}", *ratios
        )
    return shown


@click.command()
@click.option("--seconds", default=120, show_default=True, type=click.IntRange(min=5), help="That count, of each.")
@click.option("--warm-up", default=30, show_default=True, type=click.IntRange(min=0), help="Seconds before they count.")
@click.option("--only", type=click.Choice(list(ENGINES)), multiple=True, help="These engines; nothing is kept.")
def main(seconds: int, warm_up: int, only: tuple[str, ...]) -> None:
    """Measure Windrow, Spark and Flink one after the other, and keep it in bench/delay_results.json.

    To reach: a median of at most 1.2 times, and a 99th percentile of at most 1.5 times Spark's; a median under 400 ms
    with a source that gives each element at its time.
    """
    console = Console()
    load = load_now(console)
    results: dict[str, dict[str, Any]] = {}
    for engine in only or ENGINES:
        with console.status(f"{ENGINES[engine]} ..."):
            delays = measured(engine, warm_up, seconds)
        results[engine] = {"sums": len(delays), **percentiles(delays)}
    console.print(table(results))
    if not only:
        keep(KEPT, load, seconds=seconds, most=MOST, most_with_source=MOST_WITH_SOURCE, results=results)


if __name__ == "__main__":
    main()
