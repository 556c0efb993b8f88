"""``windrow run``: a program with the page of its jobs, and progress on the terminal."""

from __future__ import annotations

import os
import sys

import click


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--runtime", type=click.Choice(["local", "spark"]), help="Where jobs run that do not say it themselves.")
@click.argument("program", type=click.Path(exists=True, dir_okay=False))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def run(runtime: str | None, program: str, arguments: tuple[str, ...]) -> None:
    """Run PROGRAM with the page of its jobs, and progress on the terminal.

    It is what ``python PROGRAM ARGUMENTS`` runs, with ``windrow.ui.enabled`` where the program says nothing of it.
    """
    environment = {**os.environ, "WINDROW_UI": "true"}
    if runtime is not None:
        environment["WINDROW_RUNTIME"] = runtime
    os.execve(sys.executable, [sys.executable, program, *arguments], environment)
