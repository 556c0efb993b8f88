"""``python -m bench.idle``: how much of a processor a job takes that has nothing to do.

Windrow, Spark and Flink follow a folder of texts and count lines, with a checkpoint; one file is there at the
beginning, and no other one comes. What counts is the processor time of all their processes, Java's as well.
"""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console
from rich.table import Table

from bench.beside_spark import keep, load_now, printed_by
from bench.environments import ROOT

ENGINES = {
    "spark": "Spark, readStream.text",
    "windrow": "Windrow, a FileSource that monitors its folder",
    "flink": "Flink Java, the same FileSource",
}
#: The share of one processor that Windrow may take.
MOST = 0.03
KEPT = ROOT / "bench" / "idle_results.json"


def measured(engine: str, warm_up: int, seconds: int) -> float:
    """The processor seconds that an engine takes, in a process of its own.

    Raises:
        click.ClickException: it fails.
    """
    taken: float = printed_by("idle", ENGINES[engine], engine, warm_up, seconds)
    return taken


def table(results: dict[str, dict[str, Any]]) -> Table:
    """What is printed."""
    shown = Table(title=f"Processors that an idle job takes (to reach: {MOST})")
    for heading in ("", "processors"):
        shown.add_column(heading, justify="right" if heading else "left")
    for engine, result in results.items():
        shown.add_row(ENGINES[engine], f"{result['processors']:.3f}")
    return shown


@click.command()
@click.option("--seconds", default=120, show_default=True, type=click.IntRange(min=5), help="That count, of each.")
@click.option("--warm-up", default=60, show_default=True, type=click.IntRange(min=0), help="Seconds before they count.")
@click.option("--only", type=click.Choice(list(ENGINES)), multiple=True, help="These engines; nothing is kept.")
def main(seconds: int, warm_up: int, only: tuple[str, ...]) -> None:
    """Measure Windrow, Spark and Flink one after the other, and keep it in bench/idle_results.json."""
    console = Console()
    load = load_now(console)
    results: dict[str, dict[str, Any]] = {}
    for engine in only or ENGINES:
        with console.status(f"{ENGINES[engine]} ..."):
            taken = measured(engine, warm_up, seconds)
        results[engine] = {"processor_seconds": taken, "processors": round(taken / seconds, 4)}
    console.print(table(results))
    if not only:
        keep(KEPT, load, seconds=seconds, most=MOST, results=results)


if __name__ == "__main__":
    main()
