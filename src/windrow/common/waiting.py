"""Waiting for another thread in short turns, so that an exception that somebody sends to the one who waits arrives.

A job of the local runtime is cancelled by such an exception, and a thread that waits in C does not hear of it. Python
3.11 is worse: while one is on its way, a thread that is traced (by a debugger, or where coverage is measured) does not
get past the beginning of a function, so that nobody ever does what is waited for.
"""

from __future__ import annotations

import time
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from threading import Event
from typing import Any

#: How long one turn lasts, in seconds.
_TURN = 0.05


def wait_for(event: Event) -> None:
    """Wait until the event is set.

    Example:
        >>> from threading import Timer
        >>> event = Event()
        >>> Timer(0.1, event.set).start()
        >>> wait_for(event)
    """
    while not event.wait(_TURN):
        pass


def is_done(future: Future[Any], seconds: float | None = None) -> bool:
    """Wait until the future is done, or for so many seconds; tell whether it is done then.

    Example:
        >>> is_done(Future(), 0.1)
        False
    """
    end = None if seconds is None else time.monotonic() + seconds
    while not future.done():
        left = _TURN if end is None else min(_TURN, end - time.monotonic())
        if left <= 0:
            return False
        with suppress(TimeoutError, CancelledError):
            future.exception(left)
    return True
