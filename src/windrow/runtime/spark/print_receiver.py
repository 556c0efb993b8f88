"""Shows in the program what functions print in the worker processes of this machine."""

from __future__ import annotations

import atexit
import os
import selectors
import shutil
import socket
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from windrow.runtime.spark.print_sender import HEADER, OUT

_BYTES = 1 << 16


class PrintReceiver:
    """Takes lines from workers over a socket in the folder for temporary files, and writes them as the program's own.

    A worker sends a line before it goes on: what a task has printed can be read when the task is over, or has failed.
    """

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="windrow-prints-"))
        self.path = str(self._folder / "socket")
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._server.bind(self.path)
        except OSError:
            self._server.close()
            shutil.rmtree(self._folder)
            raise
        self._server.listen(64)
        self._waiting = selectors.DefaultSelector()
        self._waiting.register(self._server, selectors.EVENT_READ)
        #: Ends the thread's wait.
        self._wake, self._woken = socket.socketpair()
        self._waiting.register(self._woken, selectors.EVENT_READ)
        #: What has arrived of each worker and is not a whole message yet.
        self._partial: dict[Any, bytearray] = {}
        self._reading = Lock()
        self._closed = False
        self._thread = Thread(target=self._run, name="windrow-prints", daemon=True)
        self._thread.start()

    def drain(self) -> None:
        """Write all that has arrived so far."""
        with self._reading:
            while not self._closed and self._read_ready(0):
                pass

    def close(self) -> None:
        """Write what has arrived, and take no more."""
        self.drain()
        with self._reading:
            self._closed = True
        self._wake.send(b"x")
        self._thread.join()
        for connection in [self._server, self._wake, self._woken, *self._partial]:
            connection.close()
        self._waiting.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self) -> None:
        while True:
            self._waiting.select()
            with self._reading:
                if self._closed:
                    return
                self._read_ready(0)

    def _read_ready(self, timeout: float) -> bool:
        """Read once from everybody who has something; whether anybody had."""
        ready = [key.fileobj for key, _ in self._waiting.select(timeout) if key.fileobj is not self._woken]
        for connection in ready:
            if connection is self._server:
                accepted, _ = self._server.accept()
                self._partial[accepted] = bytearray()
                self._waiting.register(accepted, selectors.EVENT_READ)
            else:
                self._read(connection)
        return bool(ready)

    def _read(self, connection: Any) -> None:
        try:
            data = connection.recv(_BYTES)
        except OSError:
            data = b""
        if not data:
            self._waiting.unregister(connection)
            del self._partial[connection]
            connection.close()
            return
        partial = self._partial[connection]
        partial += data
        while len(partial) >= HEADER.size:
            kind, length = HEADER.unpack_from(partial)
            end = HEADER.size + length
            if len(partial) < end:
                return
            _write(kind, partial[HEADER.size : end].decode("utf-8", "replace"))
            del partial[:end]


def _write(kind: int, text: str) -> None:
    # Looked up here: whoever redirects standard output while the job runs gets the lines.
    stream = sys.stdout if kind == OUT else sys.stderr
    with suppress(OSError, ValueError):  # nobody reads it any more
        stream.write(text)
        stream.flush()


class _OfThisProcess:
    receiver: PrintReceiver | None = None
    process: int | None = None


def print_receiver() -> PrintReceiver | None:
    """The receiver of this process, which is started when it is first asked for; None where there can be none."""
    if _OfThisProcess.process != os.getpid():
        _OfThisProcess.process = os.getpid()
        try:
            _OfThisProcess.receiver = PrintReceiver()
        except (OSError, AttributeError):  # no such sockets here, or the folder's name is too long for one
            _OfThisProcess.receiver = None
        else:
            atexit.register(_close, _OfThisProcess.receiver, os.getpid())
    return _OfThisProcess.receiver


def prints_path(spark: Any) -> str | None:
    """Give the path where workers of the session send what functions print; None if they are on other machines."""
    receiver = print_receiver() if spark.sparkContext.master.startswith("local") else None
    return None if receiver is None else receiver.path


def drain_prints() -> None:
    """Write what workers have printed so far."""
    if _OfThisProcess.receiver is not None and _OfThisProcess.process == os.getpid():
        _OfThisProcess.receiver.drain()


def _close(receiver: PrintReceiver, owner: int) -> None:
    if os.getpid() == owner:  # not in a process that was forked from it
        receiver.close()
