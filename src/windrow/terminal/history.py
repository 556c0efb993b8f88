"""``windrow history``: the page of jobs that are over, out of their files."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import click

from windrow.errors import ConfigurationError


@click.command()
@click.argument("place", metavar="PATH", type=click.Path(path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="Where the page listens.")
@click.option("--port", default=0, show_default=True, help="The page's port; 0 for a free one.")
def history(place: Path, host: str, port: int) -> None:
    """Serve the page of jobs from their history files, until it is interrupted.

    PATH is such a file, a folder of them, or a job's checkpoint directory.
    """
    from windrow.runtime.monitor.history_file import history_files, read_history
    from windrow.ui.server import PageServer
    from windrow.ui.shown_jobs import ShownJobs, Stored

    jobs = ShownJobs()
    try:
        files = history_files(place)
        for file in files:
            try:
                jobs.add(Stored(read_history(file)))
            except ConfigurationError as error:
                if len(files) == 1:
                    raise
                click.echo(f"left out: {error}", err=True)  # the others can be shown
        if not list(jobs):
            msg = f"no file at {str(place)!r} is a history of a job that can be read"
            raise ConfigurationError(msg)
        server = PageServer(jobs, host, port)
    except ConfigurationError as error:
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
