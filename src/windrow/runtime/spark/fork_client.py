"""Stands for a Python that Spark starts, which the server forks; or becomes it, where that cannot be.

It runs without site-packages, so that it starts in a hundredth of a second, and imports nothing of Windrow.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from contextlib import suppress
from types import FrameType

#: What it stands for: Pythons beside the tasks' workers, each of which is there for one query or one kind of question.
_FORKED = ("pyspark.sql.streaming.", "pyspark.sql.worker.")
#: So many seconds the server may take, which may import what it forks at first.
_PATIENCE = 60.0
#: Bytes of a length, of a process's number, of its exit code.
SIZE = 4


def is_forked(arguments: list[str]) -> bool:
    """Tell whether the server is asked for a Python with these arguments.

    >>> is_forked(["-m", "pyspark.daemon", "pyspark.sql.worker.create_data_source"])
    True
    >>> is_forked(["-m", "windrow.runtime.spark.daemon", "pyspark.worker"])
    False
    """
    return arguments[:1] == ["-m"] and arguments[-1].startswith(_FORKED)


def asked(address: str, arguments: list[str]) -> tuple[socket.socket, int]:
    """Have the server fork a Python; the connection on which it says how that has ended, and its number.

    Raises:
        OSError: there is no server, or it does not fork this one.
    """
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(_PATIENCE)
    connection.connect(address)
    variables = [name + b"=" + value for name, value in os.environb.items()]
    parts = [b"%d" % len(arguments), *[os.fsencode(each) for each in arguments], os.fsencode(os.getcwd()), *variables]
    request = b"\0".join(parts)
    socket.send_fds(connection, [len(request).to_bytes(SIZE)], [0, 1, 2])
    connection.sendall(request)
    pid = int.from_bytes(connection.recv(SIZE))
    if not pid:
        raise OSError(address)
    connection.settimeout(None)
    return connection, pid


def main(address: str, python: str, arguments: list[str]) -> None:
    """Stand for a Python: it gets the signals that come here, and ends this process when it ends."""
    if not is_forked(arguments):
        os.execv(python, [python, *arguments])
    try:
        connection, pid = asked(address, arguments)
    except OSError:
        os.execv(python, [python, *arguments])

    def pass_on(number: int, _: FrameType | None) -> None:
        with suppress(ProcessLookupError):  # it has ended, and the server is about to say so
            os.kill(pid, number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, pass_on)
    sys.exit(int.from_bytes(connection.recv(SIZE)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
