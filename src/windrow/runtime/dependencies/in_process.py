"""What functions need that run in the program's own process."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from windrow.errors import ConfigurationError
from windrow.runtime.dependencies.named import Dependencies
from windrow.runtime.dependencies.packing import pack, unpack
from windrow.runtime.dependencies.pythons import is_same_python


class LocalDependencies:
    """Unpacked into a folder that goes when the job is over.

    Raises:
        ConfigurationError: another Python is asked for than the one that the program runs in, or something that is
            asked for cannot be had.
    """

    def __init__(self, dependencies: Dependencies) -> None:
        #: What ``at_work`` takes; None: functions need nothing.
        self.unpacked: Path | None = None
        if dependencies.executable is not None and not is_same_python(dependencies.executable, sys.executable):
            msg = (
                f"python.executable is {dependencies.executable!r}, and the local runtime runs functions in the "
                f"program's own process, which is {sys.executable}; start the program with the one, or run it on Spark"
            )
            raise ConfigurationError(msg)
        if dependencies:
            self._folder = Path(tempfile.mkdtemp(prefix="windrow-dependencies-"))
            try:
                self.unpacked = unpack(pack(dependencies, self._folder), self._folder)
            except BaseException:
                shutil.rmtree(self._folder, ignore_errors=True)
                raise

    def remove(self) -> None:
        """Remove the folder."""
        if self.unpacked is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
