"""Sends what functions print in a worker to the program, where the program is on the same machine.

Spark writes the output of workers into a log: of a local session Java's, on a cluster the executor's.
"""

from __future__ import annotations

import io
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Lock
from typing import Any, TextIO

#: Which stream a message is for, and how many bytes of UTF-8 follow.
HEADER = struct.Struct(">BI")
OUT, ERR = 1, 2

#: This worker's connections, by the path of the program's socket; None: it cannot be reached from here.
_CONNECTIONS: dict[str, socket.socket | None] = {}


class WorkerStream(io.TextIOBase):
    """Stands for ``sys.stdout`` or ``sys.stderr`` while functions run. Sends whole lines.

    Args:
        kind: ``OUT`` or ``ERR``.
        original: Where the text goes if there is no connection.
        connection: The connection to the program.
    """

    def __init__(self, kind: int, original: TextIO, connection: socket.socket | None) -> None:
        self._kind = kind
        self._original = original
        self._connection = connection
        self._line = ""
        self._lock = Lock()
        #: Whether anything was written that the program does not see.
        self.unseen = False

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._original.fileno()

    def write(self, text: str) -> int:
        with self._lock:
            lines, newline, rest = (self._line + text).rpartition("\n")
            self._line = rest
            if newline:
                self._send(lines + newline)
        return len(text)

    def end(self) -> None:
        """Send the line that has no end yet."""
        with self._lock:
            if self._line:
                self._send(self._line + "\n")
                self._line = ""

    def _send(self, text: str) -> None:
        if self._connection is not None:
            data = text.encode("utf-8", "backslashreplace")
            try:
                self._connection.sendall(HEADER.pack(self._kind, len(data)) + data)
            except OSError:
                self._connection = None  # the program is gone
            else:
                return
        self.unseen = True
        self._original.write(text)
        self._original.flush()


@contextmanager
def printing_to(path: str | None) -> Iterator[tuple[WorkerStream, WorkerStream]]:
    """While this is open what functions print goes to the program whose socket is at ``path``."""
    connection = _connection(path)
    before: tuple[Any, Any] = sys.stdout, sys.stderr
    streams = WorkerStream(OUT, before[0], connection), WorkerStream(ERR, before[1], connection)
    sys.stdout, sys.stderr = streams
    try:
        yield streams
    finally:
        for stream in streams:
            stream.end()
        sys.stdout, sys.stderr = before


def _connection(path: str | None) -> socket.socket | None:
    if path is None:
        return None
    if path not in _CONNECTIONS:
        _CONNECTIONS[path] = None
        with suppress(OSError, AttributeError), ExitStack() as stack:
            connection = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            connection.connect(path)
            stack.pop_all()
            _CONNECTIONS[path] = connection
    return _CONNECTIONS[path]
