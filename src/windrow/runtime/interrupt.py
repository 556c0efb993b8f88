"""Stops what another thread does, as Flink interrupts the threads of a task that is cancelled."""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Thread, get_ident
from types import FrameType

#: How long to wait, in seconds, before looking again at a thread that cannot be interrupted where it is.
_PAUSE = 0.0005


class InterruptedThread(BaseException):
    """Raised in the thread, at its next line of Python; no ``except Exception`` takes it."""


class Interruptible:
    """Something that one thread does, and others may interrupt."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: int | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """While this thread is in here, it may be interrupted."""
        with self._lock:
            self._thread = get_ident()
        try:
            yield
        finally:
            with self._lock:
                self._thread = None

    def interrupt(self) -> None:
        """Interrupt the thread that is in there, if one is, and if it is not this one."""
        while True:
            time.sleep(_PAUSE)  # whoever comes back from it has Python for itself for longer than what is below takes
            with self._lock:
                if self._thread in (None, get_ident()):
                    return
                if not _starts_a_thread(sys._current_frames().get(self._thread)):
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self._thread), ctypes.py_object(InterruptedThread)
                    )
                    return


def _starts_a_thread(frame: FrameType | None) -> bool:
    """Tell whether a thread, seen from its innermost frame, waits in ``Thread.start`` for one that does not run yet.

    Until then CPython knows the new one by the id of who starts it, and would give it the exception: it would end
    before it has said that it runs, for which the other waits without end.
    """
    while frame is not None:
        if frame.f_code is Thread.start.__code__:
            started: Thread = frame.f_locals["self"]
            return started.ident is None
        frame = frame.f_back
    return False
