"""``python -m bench.readme``: the benchmark's tables in the pages that show them, from the file of its results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from bench.environments import ROOT
from bench.suite import results
from bench.suite.tables import tables

BEGIN, END = "<!-- suite:begin -->\n", "<!-- suite:end -->"
#: The pages, and how each shows the chart.
PAGES = {ROOT / "bench" / "README.md": "../docs/benchmark.svg", ROOT / "docs" / "performance.md": "benchmark.svg"}


def filled(page: str, rows: Mapping[str, Any], chart: str) -> str:
    """The page with what was measured between its two markers.

    Raises:
        ValueError: the page does not have both.
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        message = f"a page needs {BEGIN.strip()!r} and {END!r}, in this order"
        raise ValueError(message)
    parts = [when_and_where(rows), f"![Windrow beside Flink Java, job by job]({chart})", tables(rows)]
    return f"{before}{begin}\n" + "\n\n".join(parts) + f"\n\n{end}{after}"


def when_and_where(rows: Mapping[str, Any]) -> str:
    """The days, machines and versions of all measurements.

    >>> machine = {"cpus": 2, "memory_gib": 23.5, "python": "3.11.7"}
    >>> kept = {"date": "2026-01-02T03:04:05", "machine": machine, "windrow": {"version": "1 on Spark 4"}}
    >>> when_and_where({"sliding-fine": {"batch": kept}})
    'Measured with `make bench` on 2026-01-02; 2 cores, 24 GiB, Python 3.11.7; Windrow 1 on Spark 4; parallelism 2.'
    """
    kept = [each for modes in rows.values() for each in modes.values()]
    days = sorted({each["date"][:10] for each in kept})
    machines = {
        f"{machine['cpus']} cores, {machine['memory_gib']:.0f} GiB, Python {machine['python']}"
        for machine in (each["machine"] for each in kept)
    }
    windrows = {f"Windrow {each['windrow']['version']}" for each in kept}
    flinks = {f"Flink {each['flink']['version']}" for each in kept if "flink" in each}
    said = "; ".join(" and ".join(sorted(names)) for names in (machines, windrows, flinks) if names)
    return f"Measured with `make bench` on {' and '.join(days)}; {said}; parallelism 2."


@click.command()
@click.option("--results", "kept", default=results.PATH, type=click.Path(path_type=Path), help="The file of results.")
def main(kept: Path) -> None:
    """Write the tables into bench/README.md and docs/performance.md, between their markers."""
    rows = results.read(kept)
    if not rows:
        message = f"nothing was measured: {kept} has no rows; run `python -m bench` first"
        raise click.ClickException(message)
    for page, chart in PAGES.items():
        page.write_text(filled(page.read_text(), rows, chart))
        click.echo(f"written: {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
