"""The folder below a sink's base path that an element goes to."""

from __future__ import annotations

import datetime
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from windrow.errors import ConfigurationError

_PATTERN = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|(')")
_FIELDS = {
    "yyyy": "%Y",
    "uuuu": "%Y",
    "yy": "%y",
    "MM": "%m",
    "dd": "%d",
    "DDD": "%j",
    "HH": "%H",
    "mm": "%M",
    "ss": "%S",
}


class BucketAssigner(ABC):
    """Says which folder elements go to that are written now (Flink's ``BucketAssigner``)."""

    @abstractmethod
    def bucket(self, now: float) -> str:
        """The folder, relative to the base path and empty for that itself; ``now`` is in seconds since the epoch."""

    def split(self, values: Sequence[Any], now: float) -> list[tuple[str, Sequence[Any]]]:
        """Elements that are written now, by the folder that they go to: all to that of :meth:`bucket`."""
        return [(self.bucket(now), values)]

    @staticmethod
    def base_path_bucket_assigner() -> BucketAssigner:
        """No folders: all files lie in the base path itself."""
        return BasePathBucketAssigner()

    @staticmethod
    def date_time_bucket_assigner(format_str: str = "yyyy-MM-dd--HH", timezone_id: str | None = None) -> BucketAssigner:
        """A folder for each hour, or whatever the format tells apart, of the time at which elements are written.

        Args:
            format_str: A format of ``java.time`` made of yyyy, yy, MM, dd, DDD, HH, mm, ss, text in single quotes,
                and characters that are not letters; a slash makes a folder in a folder.
            timezone_id: A time zone such as ``Europe/Berlin``; None: the machine's own.

        Raises:
            ConfigurationError: the format has other letters, or there is no such time zone.
        """
        return DateTimeBucketAssigner(format_str, timezone_id)


class BasePathBucketAssigner(BucketAssigner):
    """All files lie in the base path itself."""

    def bucket(self, now: float) -> str:
        return ""


class DateTimeBucketAssigner(BucketAssigner):
    """A folder for each span of time that the format tells apart.

    Example:
        >>> DateTimeBucketAssigner("yyyy/MM/dd'T'HH", "UTC").bucket(0)
        '1970/01/01T00'
    """

    def __init__(self, format_str: str, timezone_id: str | None) -> None:
        self._format = _strftime_format(format_str)
        self._zone = None if timezone_id is None else _zone(timezone_id)

    def bucket(self, now: float) -> str:
        return datetime.datetime.fromtimestamp(now, self._zone).strftime(self._format)


def _zone(timezone_id: str) -> ZoneInfo:
    try:
        return ZoneInfo(timezone_id)
    except (KeyError, ValueError, TypeError, OSError):
        msg = f"timezone_id names a time zone such as 'Europe/Berlin'; got {timezone_id!r}"
        raise ConfigurationError(msg) from None


def _strftime_format(pattern: str) -> str:
    if not isinstance(pattern, str) or not pattern:
        msg = f"format_str of a date-time bucket assigner takes a format such as 'yyyy-MM-dd--HH'; got {pattern!r}"
        raise ConfigurationError(msg)
    parts = []
    for token in _PATTERN.finditer(pattern):
        text = token.group()
        if token.group(3):
            msg = f"format_str {pattern!r} has a single quote that is not closed"
            raise ConfigurationError(msg)
        if token.group(1) is not None:
            parts.append((token.group(1) or "'").replace("''", "'").replace("%", "%%"))
        elif token.group(2) is None:
            parts.append(text.replace("%", "%%"))
        elif text in _FIELDS:
            parts.append(_FIELDS[text])
        else:
            msg = f"format_str {pattern!r}: {text!r} is none of {', '.join(_FIELDS)}; put text in single quotes"
            raise ConfigurationError(msg)
    return "".join(parts)
