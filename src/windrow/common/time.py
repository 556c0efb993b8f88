"""Amounts and points of time: :class:`Time`, :class:`Duration` and :class:`Instant`.

``Time`` and ``Duration`` are interchangeable: whatever takes one takes the other, and also a number of milliseconds
or a :class:`datetime.timedelta`.
"""

from __future__ import annotations

import datetime
from typing import Any

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.errors import ConfigurationError, ConfigurationTypeError

_NANOS_PER_MILLI = 1_000_000
_NANOS_PER_SECOND = 1_000_000_000
_MILLI = datetime.timedelta(milliseconds=1)


class Time:
    """A span of time in whole milliseconds (Flink's ``Time``).

    Example:
        >>> Time.minutes(1) == Time(60_000)
        True
        >>> Time.hours(-8).to_milliseconds()
        -28800000
    """

    __slots__ = ("_milliseconds",)

    def __init__(self, milliseconds: int) -> None:
        self._milliseconds = _whole("milliseconds", milliseconds)

    @staticmethod
    def milliseconds(milliseconds: int) -> Time:
        return Time(milliseconds)

    @staticmethod
    def seconds(seconds: int) -> Time:
        return Time(_whole("seconds", seconds) * 1_000)

    @staticmethod
    def minutes(minutes: int) -> Time:
        return Time(_whole("minutes", minutes) * 60_000)

    @staticmethod
    def hours(hours: int) -> Time:
        return Time(_whole("hours", hours) * 3_600_000)

    @staticmethod
    def days(days: int) -> Time:
        return Time(_whole("days", days) * 86_400_000)

    def to_milliseconds(self) -> int:
        """The span in milliseconds."""
        return self._milliseconds

    def to_millis(self) -> int:
        """The same, under ``Duration``'s name for it."""
        return self._milliseconds

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Time) and self._milliseconds == other._milliseconds

    def __hash__(self) -> int:
        return hash(self._milliseconds)

    def __str__(self) -> str:
        return f"{self._milliseconds} ms"

    def __repr__(self) -> str:
        return f"Time({self._milliseconds})"


class Duration:
    """A span of time in whole nanoseconds (Java's ``java.time.Duration``, as PyFlink exposes it).

    Example:
        >>> Duration.of_seconds(20).to_millis()
        20000
        >>> Duration.of_nanos(1_999_999).to_millis()
        1
    """

    __slots__ = ("_nanos",)

    def __init__(self, nanos: int = 0) -> None:
        self._nanos = _whole("nanos", nanos)

    @staticmethod
    def of_days(days: int) -> Duration:
        return Duration.of_seconds(_whole("days", days) * 86_400)

    @staticmethod
    def of_hours(hours: int) -> Duration:
        return Duration.of_seconds(_whole("hours", hours) * 3_600)

    @staticmethod
    def of_minutes(minutes: int) -> Duration:
        return Duration.of_seconds(_whole("minutes", minutes) * 60)

    @staticmethod
    def of_seconds(seconds: int) -> Duration:
        return Duration(_whole("seconds", seconds) * _NANOS_PER_SECOND)

    @staticmethod
    def of_millis(millis: int) -> Duration:
        return Duration(_whole("millis", millis) * _NANOS_PER_MILLI)

    @staticmethod
    def of_nanos(nanos: int) -> Duration:
        return Duration(nanos)

    def to_nanos(self) -> int:
        """The span in nanoseconds."""
        return self._nanos

    def to_millis(self) -> int:
        """The span in milliseconds; a started millisecond does not count."""
        return self._nanos // _NANOS_PER_MILLI

    def to_milliseconds(self) -> int:
        """The same, under ``Time``'s name for it."""
        return self.to_millis()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Duration) and self._nanos == other._nanos

    def __hash__(self) -> int:
        return hash(self._nanos)

    def __repr__(self) -> str:
        millis, rest = divmod(self._nanos, _NANOS_PER_MILLI)
        return f"Duration.of_nanos({self._nanos})" if rest else f"Duration.of_millis({millis})"


class Instant:
    """A point on the time line: seconds since 1970-01-01T00:00Z and nanoseconds within the second.

    Example:
        >>> Instant.of_epoch_milli(-500)
        Instant<-1, 500000000>
        >>> Instant.of_epoch_milli(-500).to_epoch_milli()
        -500
    """

    __slots__ = ("nanos", "seconds")

    def __init__(self, seconds: int, nanos: int) -> None:
        self.seconds = _whole("seconds", seconds)
        self.nanos = _whole("nanos", nanos)
        if not 0 <= nanos < _NANOS_PER_SECOND:
            msg = f"nanos lies between 0 and 999999999, counted forward from the second; got {nanos}"
            raise ConfigurationError(msg)

    @staticmethod
    def of_epoch_milli(epoch_milli: int) -> Instant:
        seconds, millis = divmod(_whole("epoch_milli", epoch_milli), 1_000)
        return Instant(seconds, millis * _NANOS_PER_MILLI)

    def to_epoch_milli(self) -> int:
        """Milliseconds since 1970-01-01T00:00Z; a started millisecond does not count."""
        return self.seconds * 1_000 + self.nanos // _NANOS_PER_MILLI

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instant) and (self.seconds, self.nanos) == (other.seconds, other.nanos)

    def __hash__(self) -> int:
        return hash((self.seconds, self.nanos))

    def __repr__(self) -> str:
        return f"Instant<{self.seconds}, {self.nanos}>"


def to_millis(value: Time | Duration | datetime.timedelta | int, parameter: str) -> int:
    """A span of time in milliseconds, in whichever form a user gave it.

    Args:
        value: a ``Time``, a ``Duration``, a ``datetime.timedelta`` or a number of milliseconds.
        parameter: the name of the parameter it was given for, for the error message.

    Raises:
        ConfigurationTypeError: the value is none of these.
        ConfigurationError: the span does not fit Flink's 64 bits.

    Example:
        >>> to_millis(Duration.of_seconds(2), "size"), to_millis(datetime.timedelta(minutes=1), "size")
        (2000, 60000)
    """
    if isinstance(value, Time | Duration):
        millis = value.to_millis()
    elif isinstance(value, datetime.timedelta):
        millis = value // _MILLI
    elif isinstance(value, int) and not isinstance(value, bool):
        millis = value
    else:
        msg = (
            f"{parameter} takes a Time, a Duration, a timedelta or a whole number of milliseconds; "
            f"got {value!r} ({type(value).__name__})"
        )
        raise ConfigurationTypeError(msg)
    if not LONG_MIN <= millis <= LONG_MAX:
        msg = f"{parameter} must fit 64 bits; got {millis} ms"
        raise ConfigurationError(msg)
    return millis


def _whole(parameter: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        msg = f"{parameter} takes a whole number; got {value!r} ({type(value).__name__}): use a smaller unit"
        raise ConfigurationTypeError(msg)
    return value
