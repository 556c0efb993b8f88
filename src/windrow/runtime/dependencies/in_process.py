"""Unpacks what functions need that run in the program's own process."""

from __future__ import annotations

import sys
from pathlib import Path

from windrow.errors import ConfigurationError
from windrow.runtime.dependencies.named import Dependencies, is_same_python
from windrow.runtime.dependencies.packed import packed, process_folder
from windrow.runtime.dependencies.packing import unpack


def unpacked_here(dependencies: Dependencies) -> Path | None:
    """Unpack it for ``at_work``; None if functions need nothing.

    Raises:
        ConfigurationError: another Python is asked for than the one that the program runs in, or something that is
            asked for cannot be had.
    """
    python = dependencies.executable
    if python is not None and not is_same_python(python, sys.executable):
        msg = (
            f"python.executable is {python!r}, and the local runtime runs functions in the program's own process, "
            f"which is {sys.executable}; start the program with the one, or run it on Spark"
        )
        raise ConfigurationError(msg)
    return unpack(packed(dependencies), process_folder()) if dependencies else None
