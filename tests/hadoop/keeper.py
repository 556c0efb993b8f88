"""Servers of tests that end with the process that has started them, in whatever way that ends."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

START_SECONDS = 90
#: Ends the server too when its end of the pipe is closed: that of a process that was killed is.
_KEEPER = '"$@" & server=$!; read _; kill -9 $server 2>/dev/null; wait $server'


@contextmanager
def running(command: Sequence[str], folder: Path, is_up: Callable[[], bool]) -> Iterator[None]:
    """A server that runs until the end of the block.

    Args:
        command: Starts it.
        folder: Where it works, and writes ``server.log``.
        is_up: Tells whether it answers.

    Raises:
        AssertionError: it does not start; says what it has written.
    """
    with (folder / "server.log").open("w") as log:
        keeper = subprocess.Popen(
            ["sh", "-c", _KEEPER, "keeper", *command], cwd=folder, stdin=subprocess.PIPE, stdout=log, stderr=log
        )
    try:
        deadline = time.monotonic() + START_SECONDS
        while not is_up():
            if keeper.poll() is not None or time.monotonic() > deadline:
                msg = "the server did not start:\n" + (folder / "server.log").read_text()[-4000:]
                raise AssertionError(msg)
            time.sleep(0.05)
        yield
    finally:
        assert keeper.stdin is not None
        keeper.stdin.close()
        keeper.wait(timeout=30)
