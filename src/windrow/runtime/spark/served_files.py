"""Files of a job's checkpoint, as other processes than the program's see them: over a connection to it."""

from __future__ import annotations

import hmac
import json
import os
import socket
import time
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any

from windrow.errors import JobExecutionError
from windrow.storage.folder import Files

#: Seconds that one side may take to connect, or to show that it knows the key.
_PATIENCE = 30.0
#: Bytes of a number that is drawn, and of a proof.
_SIZE = 32
#: What can be asked twice.
_REPEATABLE = ("read", "exists", "names", "rests", "wake")
_ERRORS: dict[str, type[OSError]] = {
    kind.__name__: kind for kind in (FileNotFoundError, FileExistsError, PermissionError, NotADirectoryError)
}


@dataclass
class ServedFiles(Files):
    """Files that a ``FileServer`` serves; connects when something is asked for first.

    Raises:
        JobExecutionError: the program's process cannot be reached, or has ended.
    """

    location: str
    host: str
    port: int
    key: bytes = field(repr=False)

    def __post_init__(self) -> None:
        self._connection: Connection | None = None
        self._asking = Lock()

    def __getstate__(self) -> tuple[str, str, int, bytes]:
        return self.location, self.host, self.port, self.key

    def __setstate__(self, state: tuple[str, str, int, bytes]) -> None:
        self.location, self.host, self.port, self.key = state
        self.__post_init__()

    def read(self, name: str) -> bytes:
        return self._ask("read", name)[1]

    def exists(self, name: str) -> bool:
        return bool(self._ask("exists", name)[0])

    def names(self, name: str = "") -> list[str]:
        said: list[str] = self._ask("names", name)[0]
        return said

    def write(self, name: str, data: bytes) -> None:
        self._ask("write", name, data)

    def create(self, name: str, data: bytes) -> None:
        self._ask("create", name, data)

    def remove(self, name: str) -> None:
        self._ask("remove", name)

    def wake(self, ticket: bytes) -> None:
        """Tell the program that a reader has something again; one that hears nothing asks by itself some time later."""
        with suppress(JobExecutionError):
            self._ask("wake", "readers", ticket)

    def rests(self, seconds: float) -> bool:
        """Wait until there is something to do, for so long at most; tell whether there still is nothing."""
        return bool(self._ask("rests", "readers", str(seconds).encode())[0])

    def close(self) -> None:
        """End the connection; the next question opens another one."""
        with self._asking:
            self._close()

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _ask(self, do: str, name: str, data: bytes = b"") -> tuple[Any, bytes]:
        request = json.dumps({"do": do, "name": name}).encode() + b"\n" + data
        with self._asking:
            try:
                answer = self._answer(request, again=do in _REPEATABLE and self._connection is not None)
            except (EOFError, OSError) as error:
                msg = (
                    f"the program's process, which keeps {self.place(name)}, cannot be reached from here at "
                    f"{self.host}:{self.port} ({error or type(error).__name__}): it has ended, or spark.driver.host "
                    "is no name for its machine on this one, or the port is closed to it (windrow.driver.port)"
                )
                raise JobExecutionError(msg) from error
        said, _, found = answer.partition(b"\n")
        words = json.loads(said)
        if "error" in words:
            raise _ERRORS.get(words["error"], OSError)(words["number"], words["words"], self.place(name))
        return words["said"], found

    def _answer(self, request: bytes, *, again: bool) -> bytes:
        """Send a request and receive its answer; ``again``: if the connection broke off, try once more on a new one."""
        try:
            if self._connection is None:
                self._connection = self._connected()
            self._connection.send_bytes(request)
            return self._connection.recv_bytes()
        except BaseException as error:
            self._close()  # the answer may come later, and is none to the next question
            if again and isinstance(error, EOFError | OSError):
                return self._answer(request, again=False)
            raise

    def _connected(self) -> Connection:
        with socket.create_connection((self.host.strip("[]"), self.port), timeout=_PATIENCE) as connected:
            if not _shows_key(connected, self.key):
                msg = "who listens there is another program"
                raise ConnectionRefusedError(msg)
            return Connection(connected.detach())


def knows_key(connected: socket.socket, key: bytes) -> bool:
    """Let who has connected show that they know the key, and show it to them; nobody says it.

    Raises:
        OSError: they have ended, or do not say enough in time.
    """
    connected.settimeout(_PATIENCE)
    mine = os.urandom(_SIZE)
    connected.sendall(mine)
    theirs, shown = _received(connected), _received(connected)
    if not hmac.compare_digest(shown, _proof(key, b"asks", mine, theirs)):
        return False
    connected.sendall(_proof(key, b"serves", mine, theirs))
    _trust(connected)
    return True


def _shows_key(connected: socket.socket, key: bytes) -> bool:
    """The other side of ``knows_key``; tells whether who serves knows the key as well."""
    theirs, mine = _received(connected), os.urandom(_SIZE)
    connected.sendall(mine + _proof(key, b"asks", theirs, mine))
    is_known = hmac.compare_digest(_received(connected), _proof(key, b"serves", theirs, mine))
    _trust(connected)
    return is_known


def _received(connected: socket.socket) -> bytes:
    """A number, or a proof."""
    data = b""
    deadline = time.monotonic() + _PATIENCE
    while len(data) < _SIZE:
        part = connected.recv(_SIZE - len(data))
        if not part or time.monotonic() > deadline:
            msg = "it was not said who is there"
            raise ConnectionAbortedError(msg)
        data += part
    return data


def _trust(connected: socket.socket) -> None:
    """From now on wait for what comes, and notice when the other machine is gone; send what is short at once."""
    connected.settimeout(None)
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 6), ("TCP_USER_TIMEOUT", 90_000)):
        if hasattr(socket, name):  # these are Linux's
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _proof(key: bytes, role: bytes, serves: bytes, asks: bytes) -> bytes:
    return hmac.digest(key, role + serves + asks, "sha256")
