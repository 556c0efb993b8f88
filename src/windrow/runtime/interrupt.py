"""Stops what another thread does, as Flink interrupts the threads of a task that is cancelled."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, get_ident


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
        with self._lock:
            if self._thread not in (None, get_ident()):
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread or 0), ctypes.py_object(InterruptedThread)
                )
