"""Calls a function when it is time, again and again, from one thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Condition, Thread

#: So long the thread waits for another time before it ends.
_PATIENCE_SECONDS = 10.0


class Alarm:
    """Calls ``ring`` once for each time that was set, in a thread of its own.

    The thread stays for the next time: a ``threading.Timer`` would be a thread for each of them.

    Args:
        ring: What is called.

    Example:
        >>> from threading import Event
        >>> rang = Event()
        >>> alarm = Alarm(rang.set)
        >>> alarm.set(0.01)
        >>> rang.wait(10)
        True
        >>> alarm.close()
    """

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._changed = Condition()
        self._thread: Thread | None = None
        #: When it rings, by the clock that only goes forward; None: not at all.
        self._at: float | None = None
        self._closed = False

    def set(self, wait: float) -> None:
        """Ring in so many seconds, unless it is to ring before that already."""
        at = time.monotonic() + wait
        with self._changed:
            if self._at is None or at < self._at:
                self._at = at
            self._changed.notify()
            if self._thread is None:
                self._thread = Thread(target=self._run, name="windrow-alarm", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Ring no more."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _run(self) -> None:
        while self._wait():
            self._ring()

    def _wait(self) -> bool:
        """Wait until it is to ring; False if nobody wants it to any more."""
        idle_since = time.monotonic()
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                if self._at is not None and self._at <= now:
                    self._at = None
                    return True
                if self._at is None and now >= idle_since + _PATIENCE_SECONDS:
                    break
                self._changed.wait((idle_since + _PATIENCE_SECONDS if self._at is None else self._at) - now)
            self._thread = None
            return False
