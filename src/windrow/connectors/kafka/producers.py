"""The producers of a process: connections outlive batches."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from typing import Any

from windrow.connectors.kafka.client import log, new_producer

_producers: dict[tuple[Any, ...], Any] = {}
_lock = threading.Lock()


def producer(settings: Mapping[str, str]) -> Any:
    """This process's producer with these settings, made when it is first asked for."""
    key = _key(settings)
    with _lock:
        if key not in _producers:
            _producers[key] = new_producer(settings, _warn)
        return _producers[key]


def drop(settings: Mapping[str, str]) -> None:
    """A producer has failed: have a new one made the next time."""
    with _lock:
        _producers.pop(_key(settings), None)


def _key(settings: Mapping[str, str]) -> tuple[Any, ...]:
    # Threads do not survive a fork, so a producer is not the child's.
    return os.getpid(), *sorted(settings.items())


def _warn(error: Any) -> None:
    log.warning("KafkaSink: %s (%s); records are sent again until delivery.timeout.ms", error.str(), error.name())
