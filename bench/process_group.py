"""Ends a process that was started in a session of its own, with all that it has started."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress

#: So long they may take to end by themselves.
ENDING_SECONDS = 30.0
_POLL_SECONDS = 0.05


def end(process: subprocess.Popen[str], by_itself: bool) -> None:
    """Wait for the end of all of its processes, then kill what is left.

    Args:
        process: One whose number is its group's.
        by_itself: It has ended or is about to. Then what it has started ends as well, and removes its files: Spark's
            Java has gigabytes of shuffled ones. Where something has failed, nothing is waited for.
    """
    until = time.monotonic() + (ENDING_SECONDS if by_itself else 0)
    with suppress(ProcessLookupError):
        while time.monotonic() < until:
            process.poll()  # else the group has it for ever
            os.killpg(process.pid, 0)
            time.sleep(_POLL_SECONDS)
        os.killpg(process.pid, signal.SIGKILL)
