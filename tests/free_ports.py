"""Ports of 127.0.0.1 for servers that are started, stopped and waited for: the system gives none of them to others.

A port that the system chooses (a server's that listens on port 0) can be anybody's next: clients of a server that is
gone, or not there yet, would then connect to a stranger. Spark's server of a task's state takes the first that comes.
"""

from __future__ import annotations

import random
import socket
from contextlib import ExitStack

#: Below those that systems choose from: Linux from 32,768 on, macOS and Windows from 49,152 on.
_PLACES = range(20_000, 32_768)


def free_ports(count: int) -> list[int]:
    """Different ports on which nobody listens now."""
    with ExitStack() as taken:
        found: list[int] = []
        for port in random.SystemRandom().sample(_PLACES, len(_PLACES)):
            if len(found) == count:
                break
            try:
                taken.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue  # somebody's
            found.append(port)
        return found


def free_port() -> int:
    """A port on which nobody listens now."""
    return free_ports(1)[0]
