"""Forks the Pythons that Spark starts for each streaming query beside the tasks' workers.

One plans the query's batches, one for each level tells what state there is, and three daemons answer questions about
data sources. Each would import PySpark, Arrow and Windrow for itself, which takes longer than what it does then. Here
that is done once for a program. Whoever asks is a process that Spark has started (``fork_client.py``): what is forked
gets its variables, its folder, and its standard input and outputs.
"""

from __future__ import annotations

import gc
import importlib
import os
import re
import runpy
import selectors
import signal
import socket
import sys
import warnings
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from windrow.runtime.spark.fork_client import SIZE

#: Run as programs, so they are not kept as modules: what they import is.
_PROGRAMS = (
    "pyspark.daemon",
    "pyspark.sql.streaming.python_streaming_source_runner",
    "pyspark.sql.streaming.transform_with_state_driver_worker",
)
_MODULES = (
    "pandas",  # Arrow imports it with the first array that it makes of a list
    "pyspark.sql.worker.create_data_source",
    "pyspark.sql.worker.lookup_data_sources",
    "pyspark.sql.worker.plan_data_source_read",
    "windrow.runtime.spark.job_source",
    "windrow.runtime.spark.processor",
)
#: Variables that Python itself reads when it starts; those of PySpark have more than one word.
_OF_PYTHON = re.compile("PYTHON[A-Z0-9]+")
#: So many seconds one who asks may take to say it all.
_PATIENCE = 5.0


class Request(NamedTuple):
    """A Python that is wanted: what it is to run, and where."""

    arguments: list[str]
    folder: str
    variables: dict[str, str]

    @staticmethod
    def of(data: bytes) -> Request:
        r"""Read what a client sends.

        >>> Request.of(b"2\0-m\0pyspark.daemon\0/tmp\0A=b=c")
        Request(arguments=['-m', 'pyspark.daemon'], folder='/tmp', variables={'A': 'b=c'})
        """
        count, *parts = [os.fsdecode(part) for part in data.split(b"\0")]
        arguments, (folder, *variables) = parts[: int(count)], parts[int(count) :]
        named = (each.partition("=") for each in variables)
        return Request(arguments, folder, {name: value for name, _, value in named})

    def fits(self, environment: Mapping[str, str]) -> bool:
        """Tell whether a Python that was started with ``environment`` is as the wanted one would be."""
        return _started_with(self.variables) == _started_with(environment)

    def run(self) -> None:
        """Do what the wanted one does."""
        os.chdir(self.folder)
        os.environ.clear()
        os.environ.update(self.variables)
        sys.path.insert(0, self.folder)  # as for each Python that runs a module
        _, module, *arguments = self.arguments
        sys.argv = [module, *arguments]
        runpy.run_module(module, run_name="__main__", alter_sys=True)


def _started_with(environment: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
    """Find what shows in a Python that has started: its places for modules, and other variables that it has read."""
    named = environment.get("PYTHONPATH", "").split(os.pathsep)
    # Spark names files that are not there, and a jar, in which there is nothing for Python.
    places = [place for place in named if place and not place.endswith(".jar") and os.path.exists(place)]
    others = {name: value for name, value in environment.items() if _OF_PYTHON.fullmatch(name)}
    others.pop("PYTHONPATH", None)
    return list(dict.fromkeys(places)), others


class ForkServer:
    """Forks for all who connect, until its standard input ends: the program has ended that has started it.

    Args:
        listener: Where they connect.
    """

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._environment = dict(os.environ)
        self._forked: dict[int, socket.socket] = {}
        self._selector = selectors.DefaultSelector()
        self._ended, self._wakes = socket.socketpair()
        for each in (self._ended, self._wakes):
            each.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)
        for waited_for in (self._listener, self._ended, sys.stdin):
            self._selector.register(waited_for, selectors.EVENT_READ)

    def run(self) -> Request | None:
        """Serve; None at the end, and in each process that was forked what it is to do."""
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is sys.stdin:
                    return None
                if key.fileobj is self._listener:
                    request = self._serve()
                    if request is not None:
                        return request
                elif key.fileobj is self._ended:
                    self._reap()
                else:
                    self._end(key.fileobj)

    def _serve(self) -> Request | None:
        connection, _ = self._listener.accept()
        descriptors: list[int] = []
        try:
            connection.settimeout(_PATIENCE)
            length, descriptors, _, _ = socket.recv_fds(connection, SIZE, 3)
            request = Request.of(_read(connection, int.from_bytes(length)))
            pid = os.fork() if request.fits(self._environment) else None
            if pid == 0:
                self._leave(connection, descriptors)
                return request
            if pid is not None:
                self._forked[pid] = connection
                self._selector.register(connection, selectors.EVENT_READ)
            connection.sendall((pid or 0).to_bytes(SIZE))
            if pid is None:
                connection.close()
        except (OSError, ValueError):
            if connection not in self._forked.values():  # else it is seen that nobody is there any more
                connection.close()
        finally:
            for descriptor in descriptors:
                with suppress(OSError):
                    os.close(descriptor)
        return None

    def _leave(self, connection: socket.socket, descriptors: list[int]) -> None:
        """In what was forked: nothing of the server is left, and standard input and outputs are those of the client."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._selector.close()
        for each in (self._listener, self._ended, self._wakes, connection, *self._forked.values()):
            each.close()
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)

    def _reap(self) -> None:
        """Say who has ended to who stands for it."""
        with suppress(BlockingIOError):
            while self._ended.recv(SIZE):
                pass
        while self._forked:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            with self._forked.pop(pid) as connection:
                if connection in self._selector.get_map():  # else nobody stands for it any more
                    self._selector.unregister(connection)
                code = os.waitstatus_to_exitcode(status)
                with suppress(OSError):
                    connection.sendall((code if code >= 0 else 128 - code).to_bytes(SIZE))

    def _end(self, connection: object) -> None:
        """Kill whom nobody stands for any more."""
        for pid, known in self._forked.items():
            if known is connection:
                self._selector.unregister(known)
                os.kill(pid, signal.SIGKILL)


def _read(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise ConnectionResetError(size)
        data += more
    return data


def preload() -> None:
    """Import what is needed by those that are forked."""
    for name in (*_MODULES, *_PROGRAMS):
        importlib.import_module(name)
    for name in _PROGRAMS:
        del sys.modules[name]


def main(descriptor: int) -> None:
    """Serve those who connect to a socket that listens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever interrupts a program at a terminal means that one
    # NumPy and Arrow have threads, and say themselves what becomes of them.
    warnings.filterwarnings("ignore", category=DeprecationWarning, message=".*fork.*")
    preload()
    gc.freeze()
    server = ForkServer(socket.socket(fileno=descriptor))
    request = server.run()
    if request is not None:
        request.run()


if __name__ == "__main__":
    main(int(sys.argv[1]))
