"""``windrow explain``: the plan of a program's job, without running it."""

from __future__ import annotations

import re
import runpy
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:  # imported when the command runs
    from windrow.graph.job_graph import JobGraph


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--mermaid", "as_mermaid", is_flag=True, help="Only the chart, as Mermaid's text.")
@click.option("--text", "as_text", is_flag=True, help="Only the plan as text.")
@click.option(
    "--trace",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Run the job in this process, tell what happens to its windows and interval joins, and draw it into FOLDER.",
)
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="For how long it is traced at most.")
@click.argument("program", type=click.Path(exists=True, dir_okay=False))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def explain(
    as_mermaid: bool,
    as_text: bool,
    folder: Path | None,
    seconds: float | None,
    program: str,
    arguments: tuple[str, ...],
) -> None:
    """Show the plan of the job that PROGRAM would start first: which operators, which exchanges, columns or rows.

    The program runs up to there, and then ends.
    """
    from windrow.graph.column_plan import describe
    from windrow.runtime.monitor.described_job import described_job
    from windrow.runtime.monitor.mermaid import mermaid

    if seconds is not None and folder is None:
        msg = "--seconds says for how long --trace FOLDER runs the job, and there is no --trace"
        raise click.UsageError(msg)

    def show(job: JobGraph) -> None:
        if folder is not None:
            _trace(job, folder, seconds)
            return
        if not as_mermaid:
            click.echo(describe(job))
        if not (as_mermaid or as_text):
            click.echo()
        if not as_text:
            click.echo(mermaid(described_job(job)))

    jobs: list[JobGraph] = []
    with _as_main(program, arguments):
        with _taking(jobs.append), suppress(_TakenError):
            runpy.run_path(program, run_name="__main__")
        if not jobs:
            msg = f"{program} starts no job"
            raise click.ClickException(msg)
        show(jobs[0])


def _trace(job: JobGraph, folder: Path, seconds: float | None) -> None:
    """Tell what happens to windows and interval joins, and draw each into a file of its own."""
    from windrow.common.configuration import Configuration
    from windrow.runtime.submit import SubmitSettings
    from windrow.viz.job import trace_job

    if job.unbounded and seconds is None:
        msg = "the job has no end: say for how long it is traced, --seconds 10"
        raise click.UsageError(msg)
    traces = trace_job(job, SubmitSettings(Configuration(job.configuration)), seconds=seconds)
    if not traces:
        msg = "there is nothing to trace: the job has neither windows nor interval joins"
        raise click.ClickException(msg)
    folder.mkdir(parents=True, exist_ok=True)
    for number, (tag, trace) in enumerate(traces.items(), 1):
        name = next(node.name for node in job.nodes() if node.tag == tag)
        file = folder / f"{number}-{re.sub(r'[^A-Za-z0-9]+', '-', name).strip('-').lower()}.svg"
        trace.draw(title=name).save(file)
        click.echo(trace)
        click.echo(f"drawn: {file}\n")


class _TakenError(BaseException):
    """The job was taken; no part of the program is to catch it."""


@contextmanager
def _as_main(program: str, arguments: tuple[str, ...]) -> Iterator[None]:
    """As ``python PROGRAM ARGUMENTS``: the program finds the modules beside it."""
    argv, path = sys.argv, sys.path
    sys.argv, sys.path = [program, *arguments], [str(Path(program).resolve().parent), *path]
    try:
        yield
    finally:
        sys.argv, sys.path = argv, path


@contextmanager
def _taking(give: Callable[[JobGraph], None]) -> Iterator[None]:
    """Instead of being started, a job is given, and the program ends."""
    from windrow.datastream import StreamExecutionEnvironment

    take = StreamExecutionEnvironment._take_job

    def taken(environment: StreamExecutionEnvironment, job_name: str | None) -> Any:
        give(take(environment, job_name))
        raise _TakenError

    def instead_of_dataframe(environment: StreamExecutionEnvironment, job: JobGraph) -> Any:
        give(job)
        raise _TakenError

    dataframe_of = StreamExecutionEnvironment._dataframe_of
    StreamExecutionEnvironment._take_job = taken  # type: ignore[method-assign, assignment]
    StreamExecutionEnvironment._dataframe_of = instead_of_dataframe  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        StreamExecutionEnvironment._take_job = take  # type: ignore[method-assign]
        StreamExecutionEnvironment._dataframe_of = dataframe_of  # type: ignore[method-assign]
