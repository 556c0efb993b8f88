"""Lengths and moments of time as a person reads them, in sentences and on terminals."""

from __future__ import annotations

from datetime import UTC, datetime

from windrow.runtime.monitor.measures import ShownWatermark

#: Watermarks below are no time of day: a program that counts from 0.
EARLIEST = 100_000_000_000


def span(millis: float) -> str:
    """A length of time, in the largest unit that says enough.

    Example:
        >>> span(40), span(4200), span(42_300), span(200_000), span(7_500_000)
        ('40 ms', '4.2 s', '42 s', '3 min 20 s', '2 h 5 min')
        >>> span(0), span(7_000), span(120_000), span(7_200_000)
        ('0 s', '7 s', '2 min', '2 h')
    """
    if 0 < millis < 1000:
        return f"{millis:.0f} ms"
    tenths = int(max(millis, 0)) // 100
    seconds, tenths = divmod(tenths, 10)
    if seconds < 120:
        return f"{seconds}.{tenths} s" if tenths and seconds < 10 else f"{seconds} s"
    minutes, seconds = divmod(seconds, 60)
    if minutes < 120:
        return f"{minutes} min {seconds} s" if seconds else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def moment(watermark: ShownWatermark, now: int, *, exact: bool = False) -> str:
    """A watermark, in UTC; without the day, if that is today's.

    Args:
        watermark: What is shown.
        now: When it is, in milliseconds.
        exact: With the milliseconds, if there are any.

    Example:
        >>> moment(1_764_072_007_000, 1_764_072_050_000), moment(1_764_072_007_000, 0), moment(700, 0)
        ('12:00:07', '2025-11-25 12:00:07', '700')
        >>> moment(1_764_072_007_999, 1_764_072_050_000, exact=True)
        '12:00:07.999'
    """
    if not isinstance(watermark, int):
        return "its end" if watermark == "end" else "nothing"
    if watermark < EARLIEST:
        return f"{watermark:,}"
    try:
        at = datetime.fromtimestamp(watermark // 1000, UTC)
    except (OverflowError, ValueError, OSError):  # beyond the year 9999
        return f"{watermark:,}"
    today = datetime.fromtimestamp(now / 1000, UTC).date()
    shown = at.strftime("%H:%M:%S") if at.date() == today else at.strftime("%Y-%m-%d %H:%M:%S")
    return f"{shown}.{watermark % 1000:03}" if exact and watermark % 1000 else shown
