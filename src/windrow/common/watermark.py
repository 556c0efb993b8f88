"""Watermarks and where generators emit them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from operator import index

from windrow.common.limits import LONG_MAX, LONG_MIN


@dataclass(frozen=True, slots=True)
class Watermark:
    """A claim about a stream: no more elements with a timestamp of ``timestamp`` or less are expected.

    Flink's ``org.apache.flink.api.common.eventtime.Watermark``.

    Args:
        timestamp: Milliseconds, between -2^63 and 2^63-1.

    Raises:
        TypeError: ``timestamp`` is not an integer.
        OverflowError: ``timestamp`` does not fit in 64 bits.

    Example:
        >>> Watermark(41)
        Watermark(timestamp=41)
    """

    timestamp: int

    def __post_init__(self) -> None:
        given = self.timestamp
        try:
            # A NumPy integer becomes a Python one: arithmetic on the former wraps around.
            timestamp = index(given)
        except TypeError:
            msg = (
                f"a watermark's timestamp must be an integer (milliseconds); got {given!r} of type "
                f"{type(given).__name__}"
            )
            raise TypeError(msg) from None
        if not LONG_MIN <= timestamp <= LONG_MAX:
            msg = f"a watermark's timestamp must lie between -2^63 and 2^63-1 (milliseconds); got {given}"
            raise OverflowError(msg)
        object.__setattr__(self, "timestamp", timestamp)


class WatermarkOutput(ABC):
    """Takes watermarks from a generator, and that its stream is idle or active.

    Flink's ``org.apache.flink.api.common.eventtime.WatermarkOutput``.
    """

    @abstractmethod
    def emit_watermark(self, watermark: Watermark) -> None:
        """Emit a watermark; this also makes the stream active. One that is not above the last is ignored."""

    @abstractmethod
    def mark_idle(self) -> None:
        """Mark the stream as idle: others that it is combined with stop waiting for its watermarks."""

    @abstractmethod
    def mark_active(self) -> None:
        """Mark the stream as active again, without a watermark."""
