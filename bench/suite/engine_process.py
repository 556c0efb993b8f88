"""A process that runs one job as often as it is asked to."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from bench.jobs.requests import Request
from bench.measure import RunError
from bench.process_group import end

LIMIT_SECONDS = 900


class EngineProcess:
    """An engine with a job, started with ``with``; ended with all that it has started itself.

    Args:
        command: Its command line.
        variables: Its environment.
        log: Where its standard error goes.
    """

    def __init__(self, command: list[str], variables: dict[str, str], log: Path) -> None:
        self._command, self._variables, self._log = command, variables, log
        self._lines: queue.Queue[str | None] = queue.Queue()

    def __enter__(self) -> EngineProcess:
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("w") as log:
            # A session of its own, so that everything it starts can be ended with it.
            self._process = subprocess.Popen(
                self._command,
                env=self._variables,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()  # there are no more requests
        end(self._process, by_itself=failed is None)
        self._reader.join(timeout=10)
        with suppress(BrokenPipeError), self._process:
            pass  # closes its pipes, and waits for it

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def ask(self, request: Request) -> dict[str, Any]:
        """Run the job once.

        Returns:
            The seconds that it took, and the digest of its results if the request is for that.

        Raises:
            RunError: the process has ended, or has not answered in time.
        """
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write(request.line() + "\n")
            self._process.stdin.flush()
        try:
            line = self._lines.get(timeout=LIMIT_SECONDS)
        except queue.Empty as error:
            message = f"no answer within {LIMIT_SECONDS} s; see {self._log}"
            raise RunError(message) from error
        if line is None:
            message = f"its process ended with exit code {self._process.wait()}; see {self._log}"
            raise RunError(message)
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{"):
                self._lines.put(line)
        self._lines.put(None)
