"""Logs that brokers are away: a line for each attempt, and not one for each connection that is refused."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from typing import Any

#: Warnings of sources and sinks, and librdkafka's own messages.
log = logging.getLogger("windrow.kafka")

#: Seconds between two lines about the same: the first pause, and the longest.
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 60.0
#: What librdkafka logs of connections it also reports as errors, which are logged by those who know what for.
_REPORTED = ("FAIL", "ERROR")
_DETAILS = re.compile(r"/bootstrap(?=:)|(?<=: )Connect to \S+ failed: | \(after \d+ms in state .*\)$")


class ClientLogger:
    """Takes librdkafka's own messages as a ``logging.Logger`` does."""

    def log(self, level: int, message: str, *args: Any) -> None:
        """Log a message; ``args`` are its facility, the client's name and a text."""
        log.log(logging.DEBUG if args and args[0] in _REPORTED else level, message, *args)


class Repeats:
    """Logs warnings that come again and again: the first at once, then after 1 s, 2 s, 4 s, ..., at most 60 s.

    Each further line says how many there were since the last one. What was not heard of for twice as long is new.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        #: By kind: when the last line was said, how long it is quiet now, and what came since.
        self._said: dict[Any, tuple[float, float, int]] = {}

    def warn(self, kind: Any, message: str) -> None:
        """Log a message of a kind, or count it."""
        now = self._clock()
        last, pause, since = self._said.get(kind, (now, 0.0, 0))
        if now < last + pause:
            self._said[kind] = last, pause, since + 1
            return
        log.warning("%s%s", message, f" ({since + 1} times since the last line)" if since else "")
        over = now > last + pause + 2 * _LONGEST_PAUSE
        pause = _FIRST_PAUSE if over or not pause else min(2 * pause, _LONGEST_PAUSE)
        self._said[kind] = now, pause, 0


def plain(text: str) -> str:
    """An error's text without what only librdkafka's developers need.

    Example:
        >>> plain("host:9092/bootstrap: Connect to ipv4#10.0.0.1:9092 failed: Connection refused (after 0ms in state CONNECT)")
        'host:9092: Connection refused'
    """  # noqa: E501
    return _DETAILS.sub("", text)
