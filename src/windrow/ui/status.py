"""A job in some lines of text, for terminals: made of the same JSON as the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from windrow.runtime.monitor.shown_time import span

_TONES = {"RUNNING": "green", "FINISHED": "green", "FAILED": "red"}
Details = dict[str, Any]


def status_line(details: Details) -> Text:
    """Put into a line the job's state, what goes in and out, and how long the last batch took.

    Args:
        details: What ``/jobs/<id>`` gives.
    """
    line = Text()
    line.append(details["state"], style=_TONES.get(details["state"], "yellow"))
    line.append(f" {span(details['duration'])}")
    for word, kind, count, rate in (
        ("in", "source", "write-records", "records-out-per-second"),
        ("out", "sink", "read-records", "records-in-per-second"),
    ):
        vertices = [vertex for vertex in details["vertices"] if vertex["windrow"]["kind"] == kind]
        records = sum(vertex["metrics"][count] for vertex in vertices)
        line.append(f"  {word} {records:,} ({sum(vertex['windrow'][rate] for vertex in vertices):,.0f}/s)")
    pending = [n for vertex in details["vertices"] if (n := vertex["windrow"].get("pending-records")) is not None]
    if pending:
        line.append(f"  to be read {sum(pending):,}")
    late = sum(vertex["windrow"]["dropped"].get("num_late_records_dropped", 0) for vertex in details["vertices"])
    if late:
        line.append(f"  late {late:,}", style="yellow")
    watermark = details.get("watermark")
    if watermark is not None:
        line.append(f"  watermark {watermark['shown']}")
        if watermark["lag"] is not None:
            line.append(f" ({span(watermark['lag'])} behind)")
    if details.get("last-batch") is not None:
        line.append(f"  batch {span(details['last-batch'])}")
    progress = details["progress"]
    if progress.get("tasks"):
        line.append(f"  tasks {progress['tasks_finished']} of {progress['tasks']}")
    if progress.get("state"):
        line.append(f"  state {sum(level.get('bytes', 0) for level in progress['state']) / 2**20:,.1f} MiB")
    return line


def sentences(findings: Iterable[dict[str, Any]]) -> list[Text]:
    """Findings, a line each; names of the program stand out.

    Args:
        findings: What ``/jobs/<id>/findings`` gives.
    """
    made = []
    for finding in findings:
        warning = finding["level"] == "warning"
        line = Text("! " if warning else "  ", style="yellow" if warning else "")
        for number, part in enumerate(finding["text"].split("`")):
            line.append(part, style="bold" if number % 2 else "")
        if finding["waiting"]:
            line.append(f" (waiting: {', '.join(finding['waiting'])})")
        made.append(line)
    return made


def table_of(details: Details, findings: Sequence[dict[str, Any]]) -> RenderableType:
    """The whole job: a line, its operators, and what there is to know."""
    table = Table(title=escape(details["name"]), title_justify="left", expand=False)
    table.add_column("operator", overflow="fold")
    for name in ("subtasks", "in", "out", "in/s", "out/s", "time", "share", "dropped"):
        table.add_column(name, justify="right")
    table.add_column("works on", overflow="fold")
    for vertex in details["vertices"]:
        metrics, of = vertex["metrics"], vertex["windrow"]
        table.add_row(
            Text("  " * of["level"] + vertex["name"]),
            str(vertex["parallelism"]),
            f"{metrics['read-records']:,}",
            f"{metrics['write-records']:,}",
            f"{of['records-in-per-second']:,.0f}",
            f"{of['records-out-per-second']:,.0f}",
            span(metrics["accumulated-busy-time"]),
            f"{of['share']:.0%}",
            f"{sum(of['dropped'].values()):,}",
            Text(of["form"]),
        )
    return Group(status_line(details), table, *sentences(findings))
