"""Watermarks that elements move."""

from windrow.common.watermark_strategy import Watermark, WatermarkGenerator


class Moved(WatermarkGenerator):
    """The watermark is the newest element's timestamp; behind an element named idle there is none."""

    def on_event(self, event, event_timestamp, output):
        if event[0] == "idle":
            output.mark_idle()
        else:
            output.emit_watermark(Watermark(event_timestamp))

    def on_periodic_emit(self, output):
        """Elements decide."""
