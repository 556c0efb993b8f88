"""``windrow demo``: real data through windows, joins and timers; results as files, tables and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.console import Console


@click.command()
@click.option(
    "--joins",
    is_flag=True,
    help="Instead: jams, where speed and occupancy of a road are joined within five minutes; and delays of flights by "
    "the hour, which are corrected as delayed flights become known.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("out/demo"),
    show_default=True,
    help="Where the results go; those of an earlier run are replaced.",
)
@click.option(
    "--runtime",
    type=click.Choice(["spark", "local"]),
    default="spark",
    show_default=True,
    help="Run on Spark, or in this process.",
)
def demo(joins: bool, out: Path, runtime: str) -> None:
    """Windows over seven real road sensors: a table, a picture and the results as files.

    With --joins, two other programs: jams found by joining two measures of a road, and flights that are known late by
    their real delay. A table, a picture and files each.
    """
    # Imported here, so that the command line's help stays quick.
    from windrow.demo.part import Part

    if joins:
        from windrow.demo.flights.part import FLIGHTS
        from windrow.demo.jams.part import JAMS

        parts: list[Part[Any]] = [JAMS, FLIGHTS]
    else:
        from windrow.demo.windows.part import WINDOWS

        parts = [WINDOWS]
    console = Console()
    for number, part in enumerate(parts):
        console.print(*[""] * number)
        part.show(out, runtime, console)
