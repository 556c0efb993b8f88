"""The rows of sessions, with the sessions' windows."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from windrow.datastream.functions import ProcessWindowFunction

_EPOCH = dt.datetime(1970, 1, 1)
_ZONED_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


class SessionRows(ProcessWindowFunction[Any, Any, Any, Any]):
    """The tuples of a session without their key, and its start, end and last millisecond behind their fields.

    Args:
        zoned: Whether the last millisecond is a point in time.
    """

    def __init__(self, *, zoned: bool = False) -> None:
        self._epoch = _ZONED_EPOCH if zoned else _EPOCH

    def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
        window = context.window()
        bounds = (
            _EPOCH + dt.timedelta(milliseconds=window.start),
            _EPOCH + dt.timedelta(milliseconds=window.end),
            self._epoch + dt.timedelta(milliseconds=window.end - 1),
        )
        return [(*element[1:], *bounds) for element in elements]
