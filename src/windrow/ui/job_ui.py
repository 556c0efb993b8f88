"""Shows the jobs of this program: a page, whose address is said, and progress on a terminal."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from windrow.errors import ConfigurationError
from windrow.runtime.monitor.monitor import JobMonitor
from windrow.runtime.monitor.ui_settings import UiSettings, at_terminal
from windrow.runtime.started_job import StartedJob
from windrow.ui.address_file import AddressFile
from windrow.ui.server import PageServer
from windrow.ui.shown_jobs import ShownJob, ShownJobs

_log = logging.getLogger("windrow")


class _Program:
    """The pages of this process, one for each place where one was asked for: all jobs are on each of them."""

    def __init__(self) -> None:
        self.jobs = ShownJobs()
        self._servers: dict[tuple[str, int], PageServer] = {}
        self._addresses: list[AddressFile] = []
        self._lock = Lock()

    def server(self, host: str, port: int) -> PageServer:
        with self._lock:
            server = self._servers.get((host, port))
            if server is None:
                server = self._servers[host, port] = PageServer(self.jobs, host, port)
                server.start()
                self._addresses.append(AddressFile(server.url, str(server.port)))
            return server

    def close(self) -> None:
        with self._lock:
            for server in self._servers.values():
                server.close()
            self._servers.clear()
            for address in self._addresses:
                address.remove()
            self._addresses.clear()


_program = _Program()


class JobUi:
    """The view of jobs that ``windrow.runtime.submit.JobView`` asks for.

    Args:
        settings: Where the page is, and whether there is progress.
    """

    def __init__(self, settings: UiSettings) -> None:
        self._settings = settings
        self._shown: ShownJob | None = None

    def begin(self, monitor: JobMonitor) -> str | None:
        """Show a job that is about to start, and say where on standard error.

        Raises:
            ConfigurationError: nobody can listen at the port that the settings name.
        """
        try:
            server = _program.server(self._settings.host, self._settings.port)
        except ConfigurationError as error:
            if self._settings.port:
                raise
            _log.warning("the job has no page: %s", error)  # where nobody may listen at all, jobs run all the same
            return None
        self._shown = _program.jobs.add(monitor)
        url = server.url_of(self._shown.id)
        monitor.page(server.base)  # it goes into a file, which may go to somebody else: without the token
        with monitor.reading() as record:
            name = record.job["name"]
        print(f"job {name!r}: {url}", file=sys.stderr, flush=True)  # noqa: T201  (a line for the person who starts it)
        return url

    def started(self, job: StartedJob) -> None:
        """From now on the page can do something to the job."""
        if self._shown is not None:
            self._shown.follow(job)

    @contextmanager
    def following(self, monitor: JobMonitor) -> Iterator[None]:
        """Show how the job goes on, on a terminal."""
        if not (self._settings.progress and at_terminal()):
            yield
            return
        from windrow.ui.progress import progress

        with progress(monitor):
            yield


def close_pages() -> None:
    """Close the pages of this process; the next job opens another one."""
    _program.close()
