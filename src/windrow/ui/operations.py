"""Runs what a page asks a job to do, which may take a while: it goes on by itself, and is asked for by its number."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import Any

#: So many are remembered.
_KEPT = 100


class Operations:
    """Savepoints, and ends of jobs, that were asked for (Flink's asynchronous operations)."""

    def __init__(self) -> None:
        self._asked: dict[str, Future[str | None]] = {}

    def begin(self, work: Callable[[], str | None]) -> str:
        """Let a thread do the work, which may give a path; the number that it has."""
        number = uuid.uuid4().hex
        outcome: Future[str | None] = Future()
        self._asked[number] = outcome
        for old in list(self._asked)[:-_KEPT]:
            del self._asked[old]

        def run() -> None:
            try:
                outcome.set_result(work())
            except Exception as error:  # belongs to whoever asks
                outcome.set_exception(error)

        Thread(target=run, name=f"windrow-operation-{number[:8]}", daemon=True).start()
        return number

    def status(self, number: str) -> dict[str, Any] | None:
        """Report what became of it, in Flink's form; None: nobody has asked for such a thing."""
        outcome = self._asked.get(number)
        if outcome is None:
            return None
        if not outcome.done():
            return {"status": {"id": "IN_PROGRESS"}, "operation": None}
        error = outcome.exception()
        operation: dict[str, Any] = {"location": outcome.result()} if error is None else {}
        if error is not None:
            operation["failure-cause"] = {"class": type(error).__name__, "stack-trace": str(error)}
        return {"status": {"id": "COMPLETED"}, "operation": operation}
