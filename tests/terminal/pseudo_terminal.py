"""A command at a terminal that is none: what it prints is read, and what is typed is written."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from typing import Self

_SECONDS = 60
#: Makes standard input the terminal that Ctrl-C comes from, and then is the command.
_BEGIN = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"


class Terminal:
    """A command, and its terminal.

    Args:
        command: What is run.
    """

    def __init__(self, command: list[str]) -> None:
        self._master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "30", "PROMPT_TOOLKIT_NO_CPR": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BEGIN, *command],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self._unread = ""

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._master, text.encode())

    def wait_for(self, text: str) -> None:
        """Read what is printed until there is a text; what follows it is read by the next call."""
        until = time.monotonic() + _SECONDS
        while text not in self._unread:
            left = until - time.monotonic()
            ready = left > 0 and select.select([self._master], [], [], left)[0]
            assert ready, f"nothing has printed {text!r}, but {self._unread!r}"
            self._unread += os.read(self._master, 65536).decode(errors="replace")
        self._unread = self._unread.partition(text)[2]

    def exit_code(self) -> int:
        """Wait for the command's end."""
        return self._process.wait(_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._master)
