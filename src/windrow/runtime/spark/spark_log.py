"""Sends Spark's log into a file that goes with the program, if nothing of Spark has failed."""

from __future__ import annotations

import atexit
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: The environment variable that names the file; "stderr" shows the log.
VARIABLE = "WINDROW_SPARK_LOG"
#: Java's stack, and what Spark says whenever it starts.
_UNIMPORTANT = re.compile(r"\s+at |WARNING|Using Spark's |\S+ \S+ (WARN|INFO) |Exception in thread \"[^\"]*\" *$")


class _Log:
    #: The file of this process; None: Spark writes elsewhere.
    path: Path | None = None


@contextmanager
def into_log_file() -> Iterator[None]:
    """Start Java with its error stream in a file: Spark's log is not part of what a program prints."""
    if os.environ.get(VARIABLE) == "stderr":
        yield
        return
    asked_for = os.environ.get(VARIABLE)
    _Log.path = Path(asked_for or Path(tempfile.gettempdir()) / f"windrow-spark-{os.getpid()}.log")
    if not asked_for:
        atexit.register(_remove, _Log.path, os.getpid())
    sys.stderr.flush()
    kept = os.dup(2)
    with _Log.path.open("ab") as file:
        os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def keep_log() -> str:
    """Keep the file: something of Spark has failed. Its place, in words; empty if there is none."""
    atexit.unregister(_remove)
    return "" if _Log.path is None else f"Spark's log: {_Log.path}"


def last_words(lines: int = 5) -> str:
    """Read the end of the log."""
    if _Log.path is None or not _Log.path.exists():
        return ""
    written = _Log.path.read_text(errors="replace").splitlines()
    said = [line.strip() for line in written if line.strip() and not _UNIMPORTANT.match(line)]
    return "\n".join(said[-lines:])


def _remove(path: Path, owner: int) -> None:
    if os.getpid() == owner:  # not in a process that was forked from it
        path.unlink(missing_ok=True)
