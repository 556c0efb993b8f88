"""The two domains a timer can belong to."""

from enum import Enum


class TimeDomain(Enum):
    """Whether a timer fired because of a watermark or because of the clock."""

    EVENT_TIME = 0
    PROCESSING_TIME = 1
