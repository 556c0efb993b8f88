"""Lets other processes of a job read and write files of its checkpoint, which only the program's process opens.

Workers have no way to the file systems that Spark knows, and which of two attempts at a read ends first has to be
decided in one place.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Lock, Thread
from typing import Any

from windrow.runtime.spark.served_files import ServedFiles, keep_alive, knows_key
from windrow.storage.folder import Files


def server_address(spark: Any) -> tuple[str, str]:
    """The host by which workers of the session find the program's machine, and the address to listen on.

    They are those that Spark's own driver has.
    """
    context = spark.sparkContext
    if context.master.startswith("local"):
        return "127.0.0.1", "127.0.0.1"
    host = context.getConf().get("spark.driver.host")
    return host, context.getConf().get("spark.driver.bindAddress", host)


class FileServer:
    """Serves files to those who know its key, as long as it is not closed.

    Args:
        files: What is served.
        host: The name or address by which other processes of the job find this machine.
        listens_on: The address of this machine that connections are taken on.
        port: 0 takes a free one.

    Raises:
        OSError: it cannot listen there.
    """

    def __init__(self, files: Files, host: str, listens_on: str, port: int = 0) -> None:
        self._files = files
        self._key = os.urandom(32)
        self._server = socket.create_server((listens_on, port), backlog=128)
        self._connections: set[Connection] = set()
        self._changing = Lock()
        self._closed = False
        #: What other processes are given.
        self.served = ServedFiles(files.location, host, self._server.getsockname()[1], self._key)
        self._thread = Thread(target=self._accept, name="windrow-files", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Take no more connections, and end those that there are."""
        with self._changing:
            self._closed = True
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join()
        with self._changing:
            for connection in self._connections:
                _hang_up(connection)

    def _accept(self) -> None:
        while True:
            try:
                accepted, _ = self._server.accept()
            except OSError:
                if self._closed:
                    return
                continue  # who has connected is gone already
            Thread(target=self._serve, args=(accepted,), name="windrow-files", daemon=True).start()

    def _serve(self, accepted: socket.socket) -> None:
        keep_alive(accepted)
        connection = Connection(accepted.detach())
        with self._changing:
            self._connections.add(connection)
        try:
            if knows_key(connection, self._key):
                while not self._closed:
                    connection.send_bytes(self._answer(connection.recv_bytes()))
        except (EOFError, OSError):
            pass  # the other process has ended, or this one takes no more
        finally:
            with self._changing:
                self._connections.discard(connection)
                connection.close()

    def _answer(self, request: bytes) -> bytes:
        asked, _, data = request.partition(b"\n")
        question: dict[str, Any] = json.loads(asked)
        try:
            said, found = self._do(question["do"], question["name"], data)
        except OSError as error:
            words = {"error": type(error).__name__, "number": error.errno, "words": error.strerror or str(error)}
            return json.dumps(words).encode() + b"\n"
        return json.dumps({"said": said}).encode() + b"\n" + found

    def _do(self, what: str, name: str, data: bytes) -> tuple[Any, bytes]:
        if what == "read":
            return None, self._files.read(name)
        asking: dict[str, Callable[[str], Any]] = {"exists": self._files.exists, "names": self._files.names}
        if what in asking:
            return asking[what](name), b""
        changing: dict[str, Callable[[], None]] = {
            "write": lambda: self._files.write(name, data),
            "create": lambda: self._files.create(name, data),
            "remove": lambda: self._files.remove(name),
        }
        changing[what]()
        return None, b""


def _hang_up(connection: Connection) -> None:
    """End a connection that a thread may be reading from."""
    with suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as same:
        same.shutdown(socket.SHUT_RDWR)
