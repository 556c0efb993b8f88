"""Shows on a terminal how a job goes on, while the program waits for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread, main_thread

from rich.console import Console, Group
from rich.live import Live

from windrow.runtime.monitor.findings import findings
from windrow.runtime.monitor.monitor import JobMonitor, wall_clock
from windrow.ui.rest.job import job_details
from windrow.ui.status import sentences, status_line

#: Jobs that are over sooner show nothing; in seconds.
_PATIENCE = 1.0
_BETWEEN = 0.5
_DEBUGGERS = {"pdb", "bdb", "ipdb", "IPython.terminal.debugger", "IPython.core.debugger"}


@contextmanager
def progress(monitor: JobMonitor, console: Console | None = None) -> Iterator[None]:
    """Show lines that are brought up to date, and gone when the job is over.

    What the program prints meanwhile stands above them. While somebody is in a debugger, they are not there.

    Args:
        monitor: Of the job.
        console: Where; None: standard error.
    """
    over = Event()
    shown = Thread(
        target=_show, args=(monitor, console or Console(stderr=True), over), name="windrow-progress", daemon=True
    )
    shown.start()
    try:
        yield
    finally:
        over.set()
        shown.join()


def _show(monitor: JobMonitor, console: Console, over: Event) -> None:
    if over.wait(_PATIENCE):
        return
    # Where standard output goes elsewhere, to a file say, what is printed has to go there.
    aside = sys.stdout is not None and sys.stdout.isatty()
    live = Live(console=console, auto_refresh=False, transient=True, redirect_stdout=aside, redirect_stderr=True)
    started = False
    try:
        while not over.is_set():
            debugs = _in_debugger()
            if debugs and started:
                live.stop()
            elif not debugs:
                if not started:
                    live.start()
                live.update(_lines(monitor), refresh=True)
            started = not debugs
            over.wait(_BETWEEN)
    finally:
        if started:
            live.stop()


def _lines(monitor: JobMonitor) -> Group:
    now = wall_clock()
    with monitor.reading() as record:
        details = job_details(record, now, stoppable=False)
        found = [finding.as_json() for finding in findings(record, now)]
    return Group(status_line(details), *sentences(found))


def _in_debugger() -> bool:
    """Tell whether somebody types into a debugger: functions of the local runtime run in the program's own thread."""
    frame = sys._current_frames().get(main_thread().ident or 0)
    while frame is not None:
        if frame.f_globals.get("__name__") in _DEBUGGERS:
            return True
        frame = frame.f_back
    return False
