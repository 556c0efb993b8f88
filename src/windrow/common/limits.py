"""The bounds of Flink's 64-bit time: every timestamp, watermark and timer lies between them."""

from typing import Final

LONG_MIN: Final = -(2**63)
LONG_MAX: Final = 2**63 - 1

#: The timestamp of an element that has none (Flink's ``Long.MIN_VALUE`` marker).
NO_TIMESTAMP: Final = LONG_MIN
#: The watermark before any event was seen.
MIN_WATERMARK: Final = LONG_MIN
#: The watermark that ends a stream: every event-time timer is due.
MAX_WATERMARK: Final = LONG_MAX
