"""The producers of a process: connections outlive batches."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Mapping
from typing import Any

from windrow.connectors.kafka.client import new_producer
from windrow.connectors.kafka.logs import Repeats, plain

_producers: dict[tuple[Any, ...], tuple[Any, Reports]] = {}
_lock = threading.Lock()


class Reports:
    """Takes a producer's reports of what is wrong with no record in particular: logs them, and keeps the last."""

    def __init__(self) -> None:
        self._repeats = Repeats()
        self._last: deque[str] = deque(maxlen=1)
        #: The last report as the client has made it.
        self.last_error: Any = None

    def __call__(self, error: Any) -> None:
        """Take a ``KafkaError``."""
        if error.name() == "_ALL_BROKERS_DOWN" and self._last:
            return  # why has been reported before
        self._last.append(f"{plain(error.str())} ({error.name()})")
        self.last_error = error
        if error.fatal():
            return  # whoever uses the producer is told
        self._repeats.warn(
            error.name(), f"KafkaSink: {self._last[0]}; records are sent again until delivery.timeout.ms"
        )

    @property
    def last(self) -> str | None:
        """The last report; None: there is none yet."""
        return self._last[0] if self._last else None


def producer(settings: Mapping[str, str]) -> tuple[Any, Reports]:
    """This process's producer with these settings, made when it is first asked for, and what it reports."""
    key = _key(settings)
    with _lock:
        if key not in _producers:
            reports = Reports()
            _producers[key] = new_producer(settings, reports), reports
        return _producers[key]


def drop(settings: Mapping[str, str]) -> None:
    """A producer has failed: have a new one made the next time."""
    with _lock:
        _producers.pop(_key(settings), None)


def _key(settings: Mapping[str, str]) -> tuple[Any, ...]:
    # Threads do not survive a fork, so a producer is not the child's.
    return os.getpid(), *sorted(settings.items())
