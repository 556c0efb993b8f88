"""``windrow state``: what is in a checkpoint or a savepoint."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.errors import WindrowError
from windrow.state_processor.summary import CheckpointSummary, OperatorSummary

_NUMBERS = ("level", "subtasks", "keys", "rows", "bytes", "watermark", "timers", "next timer")


@click.command()
@click.argument("path")
@click.option("--json", "as_json", is_flag=True, help="Print all of it as JSON.")
@click.option("--values", "uid", metavar="UID", help="Show the values of this operator's state instead.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1), help="How many of them.")
@click.option("--conf", multiple=True, metavar="NAME=VALUE", help="A setting of the Spark session.")
def state(path: str, as_json: bool, uid: str | None, limit: int, conf: tuple[str, ...]) -> None:
    """Show what the checkpoint or savepoint PATH holds: operators, keys, bytes, timers, watermarks, positions.

    It is read with Spark (some 15 s); nothing of the program is loaded, and no class that is not Windrow's. --values
    unpickles what functions have stored: who may write to PATH may run code here then, and the modules of the classes
    must be found.
    """
    # Imported here, so that the command line's help stays quick.
    from windrow.runtime.spark.session import session
    from windrow.state_processor.reader import SavepointReader
    from windrow.state_processor.summary import describe

    settings = settings_of(conf)
    try:
        spark = session(settings)
        try:
            if uid is not None:
                rows = _collected(SavepointReader.read(path, spark).values(uid).limit(limit))
            else:
                summary = describe(path, spark)
        finally:
            spark.stop()
    except WindrowError as error:
        raise click.ClickException(str(error)) from error
    if uid is not None and as_json:
        click.echo(json.dumps(rows, indent=2))
    elif uid is not None:
        show_values(rows, Console())
    elif as_json:
        click.echo(json.dumps(asdict(summary), indent=2))
    else:
        show(summary, Console())


def settings_of(conf: tuple[str, ...]) -> dict[str, str]:
    """Spark's settings as they are given to a command.

    Raises:
        click.BadParameter: one is not ``NAME=VALUE``.
    """
    for each in conf:
        if "=" not in each:
            msg = f"{each!r} is not of the form NAME=VALUE"
            raise click.BadParameter(msg, param_hint="--conf")
    return dict(each.split("=", 1) for each in conf)


def _collected(values: Any) -> list[dict[str, Any]]:
    from windrow.runtime.spark.failures import error_of

    try:
        return [row.asDict() for row in values.collect()]
    except Exception as error:  # Spark's, around what a worker has raised
        advice = "classes of the program itself are known to SavepointReader.values(uid, classes=[...])"
        msg = f"{error_of(error)} ({advice})"
        raise click.ClickException(msg) from error


def show(summary: CheckpointSummary, console: Console) -> None:
    """Print a summary as tables."""
    committed = "nothing is committed yet" if summary.batch < 0 else f"batch {summary.batch} is committed"
    console.print(
        f"{summary.location}: format {summary.format}, max parallelism {summary.max_parallelism}, {committed}",
        soft_wrap=True,
        markup=False,
        highlight=False,
    )
    table = Table(box=box.SIMPLE_HEAD)
    for column in ("uid", "operator"):
        table.add_column(column, overflow="fold")
    for column in _NUMBERS:
        table.add_column(column, justify="right")
    for operator in summary.operators:
        table.add_row(Text(operator.uid), Text(operator.name), *_cells(operator))
    console.print(table)
    for planned in summary.planned:
        console.print(
            f"channel {planned.channel} has read {planned.read} of its {planned.parts} parts", highlight=False
        )
    for reader in summary.readers:
        splits = ", ".join(reader.splits) or "no splits"
        end = ", and has come to its end" if reader.finished else ""
        console.print(
            f"reader {reader.reader} of {reader.uid} has {splits}{end}", soft_wrap=True, markup=False, highlight=False
        )


def show_values(rows: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print values as a table; a window, or another namespace, stands in one column."""
    table = Table(box=box.SIMPLE_HEAD)
    for column in ("key", "state", "window", "value"):
        table.add_column(column, overflow="fold")
    for row in rows:
        window = "" if row["window_start"] is None else f"{row['window_start']:,} to {row['window_end']:,}"
        cells = (row["key"], row["state"], window or row["namespace"] or "", row["value"])
        table.add_row(*[Text(cell) for cell in cells])
    console.print(table)


def _cells(operator: OperatorSummary) -> list[str]:
    timers = operator.event_timers + operator.processing_timers
    earliest = [
        f"{time:,} ({kind})"
        for time, kind in ((operator.next_event_timer, "event"), (operator.next_processing_timer, "processing"))
        if time is not None
    ]
    return [
        f"{operator.level}",
        f"{operator.parallelism}",
        f"{operator.keys:,}",
        f"{operator.rows:,}",
        f"{operator.bytes:,}",
        _watermark(operator.watermark),
        f"{timers:,}",
        " ".join(earliest) or "-",
    ]


def _watermark(time: int | None) -> str:
    if time is None or time == MIN_WATERMARK:
        return "-"
    return "end" if time == MAX_WATERMARK else f"{time:,}"
