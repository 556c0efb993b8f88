"""The rows of sessions, with the sessions' windows."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any
from zoneinfo import ZoneInfo

from windrow.datastream.functions import ProcessWindowFunction


def _moment(time: int) -> dt.datetime:
    return dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(milliseconds=time)


class SessionRows(ProcessWindowFunction[Any, Any, Any, Any]):
    """The tuples of a session without their key, and its start, end and last millisecond behind their fields.

    Args:
        zoned: Whether the last millisecond is a point in time.
        zone: The time zone in which the start and the end are shown.
    """

    def __init__(self, *, zoned: bool, zone: str | None) -> None:
        self._zoned, self._zone = zoned, zone or "UTC"

    def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
        window = context.window()
        zone = ZoneInfo(self._zone)
        start, end = (_moment(time).astimezone(zone).replace(tzinfo=None) for time in (window.start, window.end))
        last = _moment(window.end - 1)
        bounds = start, end, last if self._zoned else last.replace(tzinfo=None)
        return [(*element[1:], *bounds) for element in elements]
