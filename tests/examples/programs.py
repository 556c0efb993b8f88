"""Running an example as its user does, or one after the other in a program that has a Spark already."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
_PROGRAMS = Path(__file__).parents[2] / "scripts" / "run_programs.py"


def _environment() -> dict[str, str]:
    """The program starts its session itself, and its virtual environment is not activated."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYSPARK_")}


def run(example: str, *arguments: object) -> None:
    """Run the program with its arguments in a process of its own, and fail unless it succeeds."""
    command = [sys.executable, EXAMPLES / example, *map(str, arguments)]
    done = subprocess.run(command, env=_environment(), capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


class Programs:
    """A process that runs examples one after the other: starting Spark takes longer than any of them.

    Args:
        folder: Where it works, and writes what it says on standard error.
    """

    def __init__(self, folder: Path) -> None:
        self._errors = folder / "errors"
        with self._errors.open("w") as errors:
            self._process = subprocess.Popen(
                [sys.executable, _PROGRAMS],
                cwd=folder,
                env=_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )

    def run(self, example: str, *arguments: object) -> None:
        """Run the program with its arguments, and fail unless it succeeds."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([str(EXAMPLES / example), *map(str, arguments)]), file=self._process.stdin, flush=True)
        told = self._process.stdout.readline()
        assert told, self._errors.read_text()
        raised = json.loads(told)["raised"]
        assert not raised, raised

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@contextmanager
def programs(folder: Path) -> Iterator[Programs]:
    """The process, until the end of the block."""
    started = Programs(folder)
    try:
        yield started
    finally:
        started.close()
