"""Watermarks as tables declare them."""

from __future__ import annotations

from windrow.common.watermark_generators import BoundedOutOfOrdernessWatermarks


class Behind:
    """Makes generators of watermarks ``delay`` milliseconds behind the newest timestamp."""

    def __init__(self, delay: int) -> None:
        self._delay = delay

    def __call__(self) -> BoundedOutOfOrdernessWatermarks:
        return DelayedWatermarks(self._delay)


class DelayedWatermarks(BoundedOutOfOrdernessWatermarks):
    """Watermarks as SQL declares them: what is no later than the newest timestamp - ``delay`` has come."""

    def __init__(self, delay: int) -> None:
        super().__init__(max(delay, 0))
        self._bound = delay - 1
