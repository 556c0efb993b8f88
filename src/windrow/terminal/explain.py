"""``windrow explain``: the plan of a program's job, without running it."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:  # imported when the command runs
    from windrow.graph.job_graph import JobGraph


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--mermaid", "as_mermaid", is_flag=True, help="Only the chart, as Mermaid's text.")
@click.option("--text", "as_text", is_flag=True, help="Only the plan as text.")
@click.argument("program", type=click.Path(exists=True, dir_okay=False))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def explain(as_mermaid: bool, as_text: bool, program: str, arguments: tuple[str, ...]) -> None:
    """Show the plan of the job that PROGRAM would start first: which operators, which exchanges, columns or rows.

    The program runs up to there, and then ends.
    """
    from windrow.graph.column_plan import describe
    from windrow.runtime.monitor.described_job import described_job
    from windrow.runtime.monitor.mermaid import mermaid

    def show(job: JobGraph) -> None:
        if not as_mermaid:
            click.echo(describe(job))
        if not (as_mermaid or as_text):
            click.echo()
        if not as_text:
            click.echo(mermaid(described_job(job)))

    with _showing(show), _as_main(program, arguments):
        try:
            runpy.run_path(program, run_name="__main__")
        except _ExplainedError:
            return
    msg = f"{program} starts no job"
    raise click.ClickException(msg)


class _ExplainedError(BaseException):
    """The job was shown; no part of the program is to catch it."""


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
def _showing(show: Callable[[Any], None]) -> Iterator[None]:
    """Instead of being started, a job is shown, and the program ends."""
    from windrow.datastream import StreamExecutionEnvironment

    take = StreamExecutionEnvironment._take_job

    def explained(environment: StreamExecutionEnvironment, job_name: str | None) -> Any:
        show(take(environment, job_name))
        raise _ExplainedError

    def instead_of_dataframe(environment: StreamExecutionEnvironment, job: JobGraph) -> Any:
        show(job)
        raise _ExplainedError

    dataframe_of = StreamExecutionEnvironment._dataframe_of
    StreamExecutionEnvironment._take_job = explained  # type: ignore[method-assign, assignment]
    StreamExecutionEnvironment._dataframe_of = instead_of_dataframe  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        StreamExecutionEnvironment._take_job = take  # type: ignore[method-assign]
        StreamExecutionEnvironment._dataframe_of = dataframe_of  # type: ignore[method-assign]
