"""Lets functions find what they need, while they work and no longer."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from windrow.runtime.dependencies.packing import WORK, contents_of

#: What Flink's workers have the path of their Python in.
_EXECUTABLE = "python"
#: Modules that were imported from a job's files, while the job does not work: another's may have the same names.
_APART: dict[Path, dict[str, ModuleType]] = {}


@contextmanager
def at_work(unpacked: Path | None, *, in_folder: bool = True) -> Iterator[None]:
    """Let modules be imported from what was unpacked, and files be opened in its working directory.

    Afterwards the path, the working directory and the modules are as they were: a worker process works for many jobs.

    Args:
        unpacked: What :func:`unpack` has made; None does nothing.
        in_folder: Whether to change the working directory, which the whole process has in common.
    """
    if unpacked is None:
        yield
        return
    paths, archives, executable = contents_of(unpacked)
    before, folder, known = list(sys.path), os.getcwd(), os.environ.get(_EXECUTABLE)
    modules = set(sys.modules)
    sys.modules.update(_APART.pop(unpacked, {}))
    sys.path[:0] = [str(unpacked / path) for path in paths]
    if executable is not None:
        os.environ[_EXECUTABLE] = executable
    moved = in_folder and bool(archives)
    if moved:
        os.chdir(unpacked / WORK)
    try:
        yield
    finally:
        if moved:
            os.chdir(folder)
        sys.path[:] = before
        if executable is not None:
            _restore(known)
        _set_apart(unpacked, modules)


def _restore(known: str | None) -> None:
    if known is None:
        os.environ.pop(_EXECUTABLE, None)
    else:
        os.environ[_EXECUTABLE] = known


def _set_apart(unpacked: Path, before: set[str]) -> None:
    prefix = f"{unpacked}{os.sep}"
    found = {}
    for name in set(sys.modules) - before:
        module = sys.modules[name]
        places = [getattr(module, "__file__", None), *(getattr(module, "__path__", None) or ())]
        if any(isinstance(place, str) and place.startswith(prefix) for place in places):
            found[name] = sys.modules.pop(name)
    if found:
        _APART.setdefault(unpacked, {}).update(found)
