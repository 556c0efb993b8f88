"""``windrow history``: the page of jobs that are over, out of their files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import TYPE_CHECKING

import click

from windrow.errors import ConfigurationError, WindrowError

if TYPE_CHECKING:
    from windrow.runtime.monitor.record import JobRecord


@click.command()
@click.argument("place", metavar="PATH")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where the page listens.")
@click.option("--port", default=0, show_default=True, help="The page's port; 0 for a free one.")
@click.option("--conf", multiple=True, metavar="NAME=VALUE", help="A setting of the Spark session that reads a URI.")
def history(place: str, host: str, port: int, conf: tuple[str, ...]) -> None:
    """Serve the page of jobs from their history files, until it is interrupted.

    PATH is such a file, a folder of them, or a job's checkpoint directory; a URI is read with Spark (some 15 s).
    """
    from windrow.ui.server import PageServer
    from windrow.ui.shown_jobs import ShownJobs, Stored

    jobs = ShownJobs()
    try:
        for record in _records(place, conf):
            jobs.add(Stored(record))
        server = PageServer(jobs, host, port)
    except WindrowError as error:
        raise click.ClickException(str(error)) from error
    server.start()
    shown = list(jobs)
    click.echo(server.url_of(shown[0].id) if len(shown) == 1 else server.url)
    try:
        Event().wait()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()


def _records(place: str, conf: tuple[str, ...]) -> list[JobRecord]:
    """The jobs at a place, of which there is at least one; what cannot be read beside others is named.

    Raises:
        WindrowError: there is none, or Spark does not start.
    """
    from windrow.runtime.monitor.history_file import history_files, read_history

    records = []
    with _files(place, conf) as folder:
        files = history_files(folder)
        for file in files:
            try:
                records.append(read_history(file))
            except ConfigurationError as error:
                if len(files) == 1:
                    raise
                click.echo(f"left out: {error}", err=True)  # the others can be shown
    if not records:
        msg = f"no file at {place!r} is a history of a job that can be read"
        raise ConfigurationError(msg)
    return records


@contextmanager
def _files(place: str, conf: tuple[str, ...]) -> Iterator[Path]:
    """The place on the disk, or a folder with copies of what is at a URI."""
    if "://" not in place:
        yield Path(place)
        return
    from windrow.runtime.monitor.history_file import fetch_histories
    from windrow.runtime.spark.folders import folder_at
    from windrow.runtime.spark.session import session
    from windrow.state_processor.command import settings_of

    settings = settings_of(conf)
    with TemporaryDirectory(prefix="windrow-history-") as copies:
        spark = session(settings)
        try:
            fetch_histories(partial(folder_at, spark), place, Path(copies))
        finally:
            spark.stop()
        yield Path(copies)
