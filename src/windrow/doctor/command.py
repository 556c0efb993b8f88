"""``windrow doctor``: whether jobs can run here, and what to do if not."""

from __future__ import annotations

import click
from rich.console import Console
from rich.text import Text

from windrow.doctor.finding import Finding, State

_COLORS = {State.OK: "green", State.NOTE: "yellow", State.FAIL: "bold red"}


@click.command()
@click.option("--run", is_flag=True, help="Start Spark, too, and run a small job: some 10 s.")
def doctor(run: bool) -> None:
    """Check what jobs need here: Java, Spark, Python of workers, packages, folders, memory, Kafka's client.

    Prints a line for each, with what to do where something is missing; exits with 1 if jobs cannot run on Spark.
    """
    # Imported here, so that the command line's help stays quick.
    from windrow.doctor.checks import examine

    console = Console()
    failed = 0
    for finding in examine(run=run):
        failed += finding.state is State.FAIL
        console.print(_line(finding), soft_wrap=True)
    if failed:
        console.print(f"{failed} to mend before jobs run on Spark; those with windrow.runtime = local may run")
        raise SystemExit(1)


def _line(finding: Finding) -> Text:
    line = Text()
    line.append(f"{finding.state.value:<5}", style=_COLORS[finding.state])
    line.append(f"{finding.what}: ", style="bold")
    line.append(finding.text)
    return line
