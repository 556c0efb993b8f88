"""Lets Spark's Pythons beside the tasks' workers be forked, in sessions that Windrow starts on this machine.

For each streaming query Spark starts a Python that plans batches, and one for each level, and for the first one three
daemons besides. Spark does not let them be of its daemons, but asks for a Python by the path of a program. So it gets
one that asks a server to fork (``fork_client.py``, ``fork_server.py``); a query begins a second earlier.
"""

from __future__ import annotations

import atexit
import os
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from shlex import quote
from threading import Lock
from typing import Any

from windrow.runtime.spark import fork_client

#: On a Mac libraries of the system fail in processes that were forked.
_FORKS = sys.platform == "linux"
_PROGRAM, _SOCKET = "python", "socket"
_starting = Lock()
#: The servers of this program, by their sockets.
_servers: dict[Path, subprocess.Popen[bytes]] = {}


def offer_forks(spark: Any) -> None:
    """Let a new session's Pythons be a program that asks for forks, if they are to be this program's own Python."""
    context = spark.sparkContext
    if not _FORKS or context.pythonExec != sys.executable:
        return
    try:
        folder = Path(tempfile.mkdtemp(prefix="windrow-pythons-"))
        program = folder / _PROGRAM
        words = [sys.executable, "-I", "-S", fork_client.__file__, str(folder / _SOCKET), sys.executable]
        program.write_text(f'#!/bin/sh\nexec {" ".join([quote(word) for word in words])} "$@"\n')
        program.chmod(0o700)
    except OSError:
        return  # there is no room, and the Pythons are started as ever
    for each in (folder, program, folder / _SOCKET):
        context._jvm.java.io.File(str(each)).deleteOnExit()  # the last one first
    context.pythonExec = str(program)


def asks_for_forks(python: str) -> bool:
    """Tell whether the path of a Python is that of the program which asks for forks."""
    return Path(python).name == _PROGRAM and Path(python).parent.name.startswith("windrow-pythons-")


def start_forks(spark: Any) -> None:
    """Start the server that forks a session's Pythons, unless it runs: a query is about to ask for them."""
    context = spark.sparkContext
    if not asks_for_forks(context.pythonExec):
        return
    address = Path(context.pythonExec).parent / _SOCKET
    with _starting:
        if address in _servers:
            return  # or it has failed, and would again: then Pythons are started as ever
        for of_ended_session in _servers.values():
            end(of_ended_session)
        with suppress(OSError):
            environment = {**os.environ, **context.environment, "PYTHONUNBUFFERED": "YES"}
            _servers[address] = fork_server(address, environment)


def fork_server(address: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """A server that listens already, whatever it has yet to import; it ends when this process ends."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(address))
        listener.listen()
        server = subprocess.Popen(
            [sys.executable, "-P", "-m", "windrow.runtime.spark.fork_server", str(listener.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            pass_fds=[listener.fileno()],
        )
    atexit.register(end, server)
    return server


def end(server: subprocess.Popen[bytes]) -> None:
    """End a server; those that it has forked go on."""
    server.kill()
    server.communicate()
