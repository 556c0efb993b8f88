"""The table of jams: one row a jam."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from windrow.demo.jams.results import Results
from windrow.demo.joins import FULL, SLOW


def summary(results: Results) -> Table:
    """The jams that were found, and when an alert said so."""
    table = Table(box=SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    for column in ("sensor", "jam"):
        table.add_column(column, no_wrap=True)
    for column in ("minutes", "alert", "pairs", "slowest", "fullest"):
        table.add_column(column, justify="right", no_wrap=True)
    alerts = {(row.sensor, row.since): row.last for row in results.alerts}
    for jam in results.jams:
        table.add_row(
            jam.sensor,
            f"{jam.since:%d %b %H:%M} to {jam.last:%H:%M}",
            f"{(jam.last - jam.since).total_seconds() / 60:.0f}",
            f"{alerts[jam.sensor, jam.since]:%H:%M}",
            f"{jam.pairs:,}",
            f"{jam.slowest:g}",
            f"{jam.fullest:g}",
        )
    return table


def words(results: Results) -> str:
    """Say in words what one sees."""
    slow = [pair for pair in results.pairs if pair.speed < SLOW]
    full = [pair for pair in results.pairs if pair.occupancy > FULL]
    both = [pair for pair in slow if pair.occupancy > FULL]
    late = len(results.late_speeds) + len(results.late_occupancies)
    return (
        f"{len(results.pairs):,} times a sensor measured a speed and an occupancy within five minutes. Of these pairs "
        f"{len(slow):,} are slow (below {SLOW}) and {len(full):,} are of a full road (above {FULL}). Slow cars on an "
        f"empty road are no jam, nor is a full road that flows; {len(both):,} are both. Where that lasted for a "
        f"quarter of an hour there was an alert: {len(results.jams):,} jams. {late:,} readings came too late to be "
        "joined; they are kept beside the results."
    )
