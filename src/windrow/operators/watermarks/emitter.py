"""Makes what a generator emits monotonous."""

from __future__ import annotations

from windrow.common.limits import MIN_WATERMARK
from windrow.common.watermark import Watermark, WatermarkOutput
from windrow.operators.base import Output

#: Generators are asked for a watermark after so many elements of a channel or reader: a count, which is state, so that
#: where batches are cut moves nothing.
EMIT_EVERY = 1 << 15


class WatermarkEmitter(WatermarkOutput):
    """Keeps watermarks that do not rise, and statuses that do not change, from going out.

    What is to go out waits until :meth:`flush`, so that elements that come before it can be emitted many at a time.
    """

    def __init__(self) -> None:
        self.current_watermark = MIN_WATERMARK
        self.idle = False
        #: In order: a watermark's timestamp, or whether the stream has become idle.
        self.pending: list[int | bool] = []

    def emit_watermark(self, watermark: Watermark) -> None:
        timestamp = watermark.timestamp
        if timestamp > self.current_watermark:
            self.current_watermark = timestamp
            self.mark_active()
            self.pending.append(timestamp)

    def mark_idle(self) -> None:
        if not self.idle:
            self.idle = True
            self.pending.append(True)

    def mark_active(self) -> None:
        if self.idle:
            self.idle = False
            self.pending.append(False)

    def flush(self, output: Output) -> None:
        """Send on what is pending."""
        for item in self.pending:
            if isinstance(item, bool):
                output.emit_status(idle=item)
            else:
                output.emit_watermark(item)
        self.pending.clear()
