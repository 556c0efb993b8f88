"""``windrow demo``: the road sensors' windows, as files, a table and a picture."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path
from time import monotonic

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

RESULTS = ("hours", "sessions", "late_hours", "late_sessions")


@click.command()
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
def demo(out: Path, runtime: str) -> None:
    """Windows over seven real road sensors: a table, a picture and the results as files."""
    # Imported here, so that the command line's help stays quick.
    from windrow.common import Configuration
    from windrow.demo import road_sensors
    from windrow.demo.arrivals import write_gateway_log
    from windrow.demo.results import read_results
    from windrow.demo.summary import summary

    console = Console()
    log, picture = out / "readings.csv", out / "road-sensor.png"
    for name in RESULTS:
        shutil.rmtree(out / name, ignore_errors=True)
    columns = SpinnerColumn(finished_text="[green]✓"), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=console) as progress:
        step = progress.add_task("writing the readings of seven sensors in the order in which they arrived", total=1)
        count = write_gateway_log(log)
        progress.update(step, completed=1, description=f"{count:,} readings in the order in which they arrived")

        where = {"spark": "on Spark", "local": "in this process"}[runtime]
        step = progress.add_task(f"sliding windows and sessions {where}", total=1)
        started = monotonic()
        road_sensors.main(str(log), str(out), Configuration.from_dict({"windrow.runtime": runtime}))
        rate = count / (monotonic() - started)
        progress.update(step, completed=1, description=f"windows {where}: {rate:,.0f} readings/s, start-up included")

        results = read_results(log, out)
        if find_spec("matplotlib"):
            from windrow.demo.picture import draw

            step = progress.add_task("drawing one sensor", total=1)
            draw(results, picture)
            progress.update(step, completed=1, description="one sensor, drawn")
    console.print(
        "\nHourly windows every 15 minutes, sessions of continuous reporting, and readings too late for them:\n"
    )
    console.print(summary(results), "", sep="\n")
    console.print(f"Results: {out}/{{{','.join(RESULTS)}}}", highlight=False, soft_wrap=True)
    if find_spec("matplotlib"):
        console.print(f"Picture: {picture}", highlight=False, soft_wrap=True)
    else:
        console.print("No picture: matplotlib is missing (pip install matplotlib)")
