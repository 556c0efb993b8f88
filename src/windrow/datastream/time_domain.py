"""The two domains a timer can belong to."""

from enum import Enum


class TimeDomain(Enum):
    """The time that made a timer fire: a watermark's or the clock's."""

    EVENT_TIME = 0
    PROCESSING_TIME = 1
