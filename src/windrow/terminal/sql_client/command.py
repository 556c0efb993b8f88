"""``windrow sql``: statements of SQL from a file, the command line, standard input, or a person."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from windrow.terminal.sql_client.client import SqlClient


@click.command()
@click.option(
    "-f", "--file", "path", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A file of SQL."
)
@click.option("-e", "--execute", "text", help="Statements of SQL, with semicolons between them.")
@click.option(
    "--runtime",
    type=click.Choice(["local", "spark"]),
    default="spark",
    show_default=True,
    help="Run jobs in this process, or on Spark; SET 'windrow.runtime' does it, too.",
)
@click.option("--batch", is_flag=True, help="Read tables at once: results are shown without the column op.")
@click.option(
    "--history",
    metavar="FILE",
    envvar="WINDROW_SQL_HISTORY",
    show_envvar=True,
    help="Where statements that were typed are kept: 'off' for nowhere; else in the user's folder for state.",
)
def sql(path: Path | None, text: str | None, runtime: str, batch: bool, history: str | None) -> None:
    """Run statements of SQL, one behind the other, and print what each gives.

    They are read from a file, the command line or standard input. The first one that fails ends the run, with its
    place in the text; it exits with 1 then. At a terminal they are asked for. An INSERT INTO is waited for.
    """
    if path is not None and text is not None:
        message = "give either a file of SQL (-f FILE) or statements (-e '...')"
        raise click.UsageError(message)
    asked_for = path is None and text is None and sys.stdin.isatty() and sys.stdout.isatty()
    # Imported here, so that the command line's help stays quick.
    from windrow.errors import WindrowError

    try:
        client = _client(runtime, batch=batch, live=asked_for)
        if asked_for:
            from windrow.terminal.sql_client.conversation import converse

            converse(client, history)
        elif path is not None:
            client.run(path.read_text())
        else:
            client.run(sys.stdin.read() if text is None else text)
    except (WindrowError, ImportError) as error:  # a package that an extra names may not be there
        raise click.ClickException(str(error)) from error


def _client(runtime: str, *, batch: bool, live: bool) -> SqlClient:
    from windrow.common.configuration import Configuration
    from windrow.table.environment_settings import EnvironmentSettings
    from windrow.table.table_environment import TableEnvironment
    from windrow.terminal.sql_client.client import SqlClient

    # What RESET goes back to.
    first = Configuration.from_dict({"windrow.runtime": runtime})
    settings = EnvironmentSettings(streaming=not batch, configuration=first)
    return SqlClient(TableEnvironment.create(settings), live=live)
