"""Looks at the Python that workers will run before Spark starts it: it must be this one's like."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from windrow.errors import JobExecutionError

#: What a worker imports.
NEEDED = ("cloudpickle", "numpy", "pandas", "pyarrow", "google.protobuf", "windrow")
_ASKED = (
    "import importlib.util, json, sys\n"
    "def there(name):\n"
    "    try:\n"
    "        return importlib.util.find_spec(name) is not None\n"
    "    except ImportError:\n"
    "        return False\n"
    "print(json.dumps([list(sys.version_info[:3]), [name for name in sys.argv[1:] if not there(name)]]))"
)
_REMEDY = f"let PYSPARK_PYTHON name this program's own Python ({sys.executable}), or leave it unset"
_SECONDS = 30


class WorkerPython(NamedTuple):
    """A Python that workers can run."""

    path: str
    version: tuple[int, ...]


def check_worker_python(environment: Mapping[str, str] = os.environ) -> WorkerPython:
    """The Python that Spark's workers on this machine run: ``PYSPARK_PYTHON``, else this one.

    Raises:
        JobExecutionError: there is none, it does not run, is of another minor version, or cannot import what workers
            need.
    """
    named = environment.get("PYSPARK_PYTHON") or sys.executable
    if named == sys.executable:
        return WorkerPython(named, tuple(sys.version_info[:3]))
    path = shutil.which(named, path=environment.get("PATH"))
    if path is None:
        msg = f"PYSPARK_PYTHON is {named!r}, and there is no such program; {_REMEDY}"
        raise JobExecutionError(msg)
    return _checked(named, path)


@cache
def _checked(named: str, path: str) -> WorkerPython:
    who = f"PYSPARK_PYTHON is {named!r}"
    try:
        asked = subprocess.run(
            [path, "-c", _ASKED, *NEEDED], capture_output=True, text=True, timeout=_SECONDS, check=False
        )
        version, missing = json.loads(asked.stdout)
    except (OSError, subprocess.TimeoutExpired) as error:
        msg = f"{who}, which does not run: {error}; {_REMEDY}"
        raise JobExecutionError(msg) from None
    except ValueError:
        words = " ".join(asked.stderr.split())[-200:] or f"exit code {asked.returncode}"
        msg = f"{who}, which is no Python that runs: {words}; {_REMEDY}"
        raise JobExecutionError(msg) from None
    if tuple(version[:2]) != sys.version_info[:2]:
        msg = (
            f"{who}, which is Python {'.'.join(map(str, version))}, and this program runs on "
            f"{'.'.join(map(str, sys.version_info[:3]))}: both must have the same minor version; {_REMEDY}"
        )
        raise JobExecutionError(msg)
    if missing:
        msg = f"{who}, which cannot import {', '.join(missing)}: install them there, or {_REMEDY}"
        raise JobExecutionError(msg)
    return WorkerPython(path, tuple(version))
