"""Lets other processes of a job read and write files of its checkpoint, which only the program's process opens.

Workers have no way to the file systems that Spark knows, and which of two attempts at a read ends first has to be
decided in one place.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import time
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from threading import Lock, Thread, current_thread
from typing import Any

from windrow.errors import ConfigurationError
from windrow.runtime.sources.resting import Resting
from windrow.runtime.spark.served_files import ServedFiles, knows_key
from windrow.storage.folder import Files

_LAST_PORT = 65_535
#: Addresses that stand for all of a machine.
_ANY = ("", "0.0.0.0", "::", "[::]")


def server_address(spark: Any) -> tuple[str, str]:
    """The host by which workers of the session find the program's machine, and the address to listen on.

    They are those that Spark's own driver has.
    """
    context = spark.sparkContext
    if context.master.startswith("local"):
        return "127.0.0.1", "127.0.0.1"
    host = context.getConf().get("spark.driver.host")
    return host, context.getConf().get("spark.driver.bindAddress", host)


def workers_live_on(spark: Any) -> bool:
    """Tell whether Python workers of the session live longer than their tasks: then readers in them can wake us."""
    conf = spark.sparkContext.getConf()
    settings = ("spark.python.worker.reuse", "spark.python.use.daemon")
    return all(conf.get(name, "true").lower() == "true" for name in settings)


class FileServer:
    """Serves files to those who know its key, as long as it is not closed.

    Args:
        files: What is served.
        host: The name or address by which other processes of the job find this machine.
        listens_on: The address of this machine that connections are taken on.
        port: 0 takes a free one.
        resting: Which readers have nothing to read; None: there is no telling.

    Raises:
        ConfigurationError: it cannot listen there.
    """

    def __init__(self, files: Files, host: str, listens_on: str, port: int = 0, resting: Resting | None = None) -> None:
        self._files = files
        self._resting = Resting([], follows_clock=True) if resting is None else resting
        self._key = os.urandom(32)
        self._server = _listening(listens_on, port)
        self._connections: set[Connection] = set()
        self._threads: set[Thread] = set()
        self._changing = Lock()
        self._closed = False
        #: What other processes are given.
        self.served = ServedFiles(files.location, host, self._server.getsockname()[1], self._key)
        #: The same for a process on this machine.
        self.near = replace(self.served, host="127.0.0.1" if listens_on in _ANY else listens_on)
        self._thread = Thread(target=self._accept, name="windrow-files", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Take no more connections, and end those that there are; what is being written is written first."""
        with self._changing:
            self._closed = True
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join()
        with self._changing:
            threads = list(self._threads)
            for connection in self._connections:
                _hang_up(connection)
        for thread in threads:
            thread.join()

    def _accept(self) -> None:
        while not self._closed:
            try:
                accepted, _ = self._server.accept()
            except OSError:
                time.sleep(0.1)  # who has connected is gone already, or this process has too many files open
                continue
            thread = Thread(target=self._serve, args=(accepted,), name="windrow-files", daemon=True)
            with self._changing:
                self._threads.add(thread)
            try:
                thread.start()
            except RuntimeError:  # there are too many
                accepted.close()
                with self._changing:
                    self._threads.discard(thread)

    def _serve(self, accepted: socket.socket) -> None:
        try:
            with accepted:
                if not knows_key(accepted, self._key):
                    return
                connection = Connection(accepted.detach())
            with self._changing:
                self._connections.add(connection)
            try:
                while not self._closed:
                    connection.send_bytes(self._answer(connection.recv_bytes()))
            finally:
                with self._changing:
                    self._connections.discard(connection)
                    connection.close()
        except (EOFError, OSError):
            pass  # the other process has ended, or this one takes no more
        finally:
            with self._changing:
                self._threads.discard(current_thread())

    def _answer(self, request: bytes) -> bytes:
        asked, _, data = request.partition(b"\n")
        question: dict[str, Any] = json.loads(asked)
        try:
            said, found = self._do(question["do"], question["name"], data)
        except Exception as error:  # whoever has asked is told of it
            number = error.errno if isinstance(error, OSError) else errno.EIO
            said_of_it = (error.strerror if isinstance(error, OSError) else None) or f"{type(error).__name__}: {error}"
            words = {"error": type(error).__name__, "number": number, "words": said_of_it}
            return json.dumps(words).encode() + b"\n"
        return json.dumps({"said": said}).encode() + b"\n" + found

    def _do(self, what: str, name: str, data: bytes) -> tuple[Any, bytes]:
        match what:
            case "read":
                return None, self._files.read(name)
            case "exists":
                return self._files.exists(name), b""
            case "names":
                return self._files.names(name), b""
            case "rests":
                return self._resting.wait(float(data)), b""
            case "write":
                self._files.write(name, data)
            case "create":
                self._files.create(name, data)
            case "remove":
                self._files.remove(name)
            case "wake":
                self._resting.wake(data)
            case _:
                raise KeyError(what)
        return None, b""


def _listening(address: str, port: int) -> socket.socket:
    """A socket that takes connections, on an address of either version of IP."""
    try:
        if port > _LAST_PORT:
            raise OSError(errno.EINVAL, f"there are ports up to {_LAST_PORT}")
        family, *_, place = socket.getaddrinfo(address.strip("[]"), None, type=socket.SOCK_STREAM)[0]
        return socket.create_server((place[0], port), family=family, backlog=128)
    except OSError as error:
        msg = (
            f"the program cannot listen on {address}, port {port or 'of its choice'}, for workers that ask for files "
            f"of the checkpoint: {error}; see spark.driver.host, spark.driver.bindAddress and windrow.driver.port "
            "(each job that runs has a port of its own)"
        )
        raise ConfigurationError(msg) from error


def _hang_up(connection: Connection) -> None:
    """End a connection that a thread may be reading from."""
    with suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as same:
        same.shutdown(socket.SHUT_RDWR)
