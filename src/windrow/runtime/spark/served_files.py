"""Files of a job's checkpoint, as other processes than the program's see them: over a connection to it."""

from __future__ import annotations

import hmac
import json
import os
import socket
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any

from windrow.errors import JobExecutionError
from windrow.storage.folder import Files

#: Seconds that one side may take to connect, or to show that it knows the key.
_PATIENCE = 30.0
_NONCE = 32
#: Longer than anything that is said before both know each other.
_SHORT = 256
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

    def close(self) -> None:
        """End the connection; the next question opens another one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _ask(self, do: str, name: str, data: bytes = b"") -> tuple[Any, bytes]:
        request = json.dumps({"do": do, "name": name}).encode() + b"\n" + data
        with self._asking:
            try:
                if self._connection is None:
                    self._connection = self._connected()
                self._connection.send_bytes(request)
                answer = self._connection.recv_bytes()
            except (EOFError, OSError) as error:
                self.close()
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

    def _connected(self) -> Connection:
        connected = socket.create_connection((self.host, self.port), timeout=_PATIENCE)
        connected.settimeout(None)
        keep_alive(connected)
        connection = Connection(connected.detach())
        if not _shows_key(connection, self.key):
            connection.close()
            msg = "who listens there is another program"
            raise ConnectionRefusedError(msg)
        return connection


def knows_key(connection: Connection, key: bytes) -> bool:
    """Let who has connected show that they know the key, and show it to them; nobody says it."""
    mine = os.urandom(_NONCE)
    connection.send_bytes(mine)
    said = _short_message(connection)
    theirs, shown = said[:_NONCE], said[_NONCE:]
    if not hmac.compare_digest(shown, _proof(key, b"asks", mine, theirs)):
        return False
    connection.send_bytes(_proof(key, b"serves", mine, theirs))
    return True


def keep_alive(connected: socket.socket) -> None:
    """Notice when the other machine is gone; send what is short at once."""
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _shows_key(connection: Connection, key: bytes) -> bool:
    """The other side of ``knows_key``; tells whether who serves knows the key as well."""
    theirs, mine = _short_message(connection), os.urandom(_NONCE)
    connection.send_bytes(mine + _proof(key, b"asks", theirs, mine))
    return hmac.compare_digest(_short_message(connection), _proof(key, b"serves", theirs, mine))


def _short_message(connection: Connection) -> bytes:
    if not connection.poll(_PATIENCE):
        msg = "nothing was said in time"
        raise TimeoutError(msg)
    return connection.recv_bytes(_SHORT)


def _proof(key: bytes, role: bytes, serves: bytes, asks: bytes) -> bytes:
    return hmac.digest(key, role + serves + asks, "sha256")
