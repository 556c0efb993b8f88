"""``windrow sql``: statements of SQL from a file or the command line."""

from __future__ import annotations

from pathlib import Path

import click


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
def sql(path: Path | None, text: str | None, runtime: str, batch: bool) -> None:
    """Run statements of SQL, one behind the other, and print what each gives.

    An INSERT INTO is waited for. The first statement that fails ends the run, with its place in the text; it exits
    with 1 then.
    """
    if (path is None) == (text is None):
        message = "give either a file of SQL (-f FILE) or statements (-e '...')"
        raise click.UsageError(message)
    # Imported here, so that the command line's help stays quick.
    from windrow.errors import WindrowError
    from windrow.sql.dialect import statements_of
    from windrow.table.environment_settings import EnvironmentSettings
    from windrow.table.table_environment import TableEnvironment

    settings = EnvironmentSettings.in_batch_mode() if batch else EnvironmentSettings.in_streaming_mode()
    tables = TableEnvironment.create(settings)
    tables.get_config().set("windrow.runtime", runtime)
    try:
        for statement in statements_of(path.read_text() if path is not None else text or ""):
            result = tables.execute_sql(statement)
            result.print()
            result.wait()
    except WindrowError as error:
        raise click.ClickException(str(error)) from error
