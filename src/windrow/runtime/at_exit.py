"""Ends the jobs that still run in the background when the program ends.

A thread that is in the middle of a job when Python goes down ends in an abort. Handlers of ``atexit`` run while threads
do.
"""

from __future__ import annotations

import atexit
from typing import Protocol


class Stoppable(Protocol):
    """A job in the background."""

    def stop(self, seconds: float) -> None:
        """Stop it, and wait so many seconds for that at most; raises nothing."""


#: So long the end of a program waits for a job to stop.
_SECONDS = 10.0
_running: set[Stoppable] = set()


def stop_at_exit(job: Stoppable) -> None:
    """Let the job be stopped when the program ends."""
    if not _running:
        atexit.unregister(_stop_all)
        # Behind what was registered before, so that this runs first: Spark is still there.
        atexit.register(_stop_all)
    _running.add(job)


def forget_at_exit(job: Stoppable) -> None:
    """Forget the job, which need not be stopped any more."""
    _running.discard(job)


def _stop_all() -> None:
    for job in list(_running):
        job.stop(_SECONDS)
