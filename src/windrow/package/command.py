"""``windrow package``: makes what brings Windrow to executors."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("path", required=False, default=".", type=click.Path(path_type=Path))
def package(path: Path) -> None:
    """Make an archive of Windrow for executors whose Python does not have it: spark-submit --py-files ARCHIVE.

    PATH is a file whose name ends in .zip, or a folder; without it the archive is made here. The executors' Python has
    to be of the same minor version as this one, with pyarrow, pandas, numpy and protobuf.
    """
    # Imported here, so that the command line's help stays quick.
    from windrow.errors import ConfigurationError
    from windrow.package.archive import make_archive

    try:
        made = make_archive(path)
    except ConfigurationError as error:
        raise click.ClickException(str(error)) from error
    click.echo(made)
