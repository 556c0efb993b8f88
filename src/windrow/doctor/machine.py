"""Looks at the machine: folders, memory, the loopback address, the time zone."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import time
from pathlib import Path

from windrow.doctor.finding import Finding, fail, note, ok

_MIB = 1 << 20
#: Below that Spark's Java (1 GiB), workers and the program crowd each other.
_MEMORY = 2048 * _MIB
#: Shuffled chunks and the state of streaming queries without a checkpoint directory are there.
_DISK = 1024 * _MIB


def temporary_folder() -> Finding:
    """Look where chunks between stages, state without a checkpoint directory, and Spark's log go."""
    try:
        folder = tempfile.gettempdir()
    except FileNotFoundError as error:
        return fail("temporary folder", f"{error.strerror}; let TMPDIR name a folder that can be written")
    problem = _write_problem(folder)
    if problem is not None:
        return fail("temporary folder", f"{folder}: {problem}; let TMPDIR name a folder that can be written")
    free = shutil.disk_usage(folder).free
    if free < _DISK:
        return note("temporary folder", f"{folder}: {free // _MIB} MiB free, which is little for shuffles and state")
    return ok("temporary folder", f"{folder} can be written, {free // _MIB} MiB free")


def working_directory() -> Finding:
    """Look where relative paths of sinks and checkpoints lead."""
    try:
        folder = os.getcwd()
    except FileNotFoundError:
        return fail("working directory", "it was removed; change into one that is there")
    problem = _write_problem(folder)
    if problem is not None:
        return note("working directory", f"{folder}: {problem}; give sinks and checkpoints absolute paths elsewhere")
    return ok("working directory", f"{folder} can be written")


def memory() -> Finding:
    """Look what is free for Java and the workers; where it is little the system kills workers."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        return note("memory", "cannot be seen on this system; Spark wants 2 GiB and more")
    if free < _MEMORY:
        return note("memory", f"{free // _MIB} MiB free: Spark wants 2 GiB and more, or workers may be killed")
    return ok("memory", f"{free // _MIB} MiB free, {os.cpu_count()} processors")


def loopback() -> Finding:
    """Python and Java talk over it."""
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            socket.create_connection(server.getsockname(), timeout=5).close()
    except OSError as error:
        return fail("127.0.0.1", f"{error}: Python and Java talk over it; allow connections to it")
    return ok("127.0.0.1", "takes connections")


def time_zone() -> Finding:
    """Windrow's times have none; what Spark prints of timestamps has that of its session."""
    named = os.environ.get("TZ") or time.tzname[0]
    return ok("time zone", f"{named}; event times are UTC, and so is the time zone of a Spark session of Windrow's")


def _write_problem(folder: str) -> str | None:
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
    except OSError as error:
        return error.strerror or str(error)
    return None
