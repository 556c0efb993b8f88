"""Two outputs in front of one, which is idle when both are."""

from __future__ import annotations

from typing import Any

from windrow.common.limits import MIN_WATERMARK
from windrow.common.watermark import Watermark, WatermarkOutput


class IdlenessAwareOutput(WatermarkOutput):
    """One of the two; its watermarks go on at once, and that it is idle only together with the other one."""

    def __init__(self, manager: IdlenessManager) -> None:
        self._manager = manager
        self.watermark = MIN_WATERMARK
        #: None: nothing was said yet, which counts as idle beside the other one.
        self.idle: bool | None = None

    def emit_watermark(self, watermark: Watermark) -> None:
        self.idle = False
        self.watermark = max(self.watermark, watermark.timestamp)
        self._manager.underlying_output.emit_watermark(watermark)

    def mark_idle(self) -> None:
        self.idle = True
        self._manager.mark_idle_if_both_are()

    def mark_active(self) -> None:
        self.idle = False
        self._manager.underlying_output.mark_active()


class IdlenessManager:
    """The main output of a reader and what its splits' outputs combine to (Flink's class of the same name).

    Each writes watermarks without regard to the other. The underlying output lets only those pass that rise, so the
    greater of the two counts. A vacant one holds nothing back: nothing said, it is idle.

    Args:
        underlying_output: Takes the watermarks of both, and that both are idle.

    Example:
        >>> from windrow.operators.watermarks.emitter import WatermarkEmitter
        >>> emitter = WatermarkEmitter()
        >>> manager = IdlenessManager(emitter)
        >>> manager.main_output.emit_watermark(Watermark(20))
        >>> manager.split_local_output.emit_watermark(Watermark(10))
        >>> manager.main_output.mark_idle()
        >>> manager.split_local_output.mark_idle()
        >>> emitter.pending
        [20, True]
    """

    def __init__(self, underlying_output: WatermarkOutput) -> None:
        self.underlying_output = underlying_output
        self.main_output = IdlenessAwareOutput(self)
        self.split_local_output = IdlenessAwareOutput(self)

    def mark_idle_if_both_are(self) -> None:
        """Mark the underlying output as idle, unless one of the two is active."""
        if self.main_output.idle is not False and self.split_local_output.idle is not False:
            self.underlying_output.mark_idle()

    def no_splits(self) -> None:
        """The last split is released: the main output alone says what is idle.

        Flink keeps what the splits have said last, and a reader whose splits have all ended is then never idle.
        """
        self.split_local_output.idle = None
        if self.main_output.idle:
            self.underlying_output.mark_idle()

    def snapshot(self) -> Any:
        """Give what both have said; picklable."""
        return [(output.watermark, output.idle) for output in (self.main_output, self.split_local_output)]

    def restore(self, snapshot: Any) -> None:
        """Take back what :meth:`snapshot` gave."""
        for output, kept in zip((self.main_output, self.split_local_output), snapshot, strict=True):
            output.watermark, output.idle = kept
