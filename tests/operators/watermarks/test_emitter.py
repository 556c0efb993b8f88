"""What of a generator's calls goes out."""

from typing import Any

from windrow.common.limits import LONG_MIN
from windrow.common.watermark import Watermark
from windrow.operators.watermarks.emitter import WatermarkEmitter


def test_watermarks_that_do_not_rise_stay_in(output: Any) -> None:
    """Equal, lower, and the lowest of all: none goes out."""
    emitter = WatermarkEmitter()
    for timestamp in (LONG_MIN, 5, 5, 3, 6):
        emitter.emit_watermark(Watermark(timestamp))
    emitter.flush(output)
    assert output.take() == [5, 6]


def test_a_status_goes_out_when_it_changes(output: Any) -> None:
    """Idle twice is idle once, and active while active is nothing."""
    emitter = WatermarkEmitter()
    for call in (emitter.mark_active, emitter.mark_idle, emitter.mark_idle, emitter.mark_active):
        call()
    emitter.flush(output)
    assert output.take() == ["idle", "active"]


def test_a_watermark_that_rises_ends_idleness_and_another_does_not(output: Any) -> None:
    """ACTIVE goes out right before the watermark."""
    emitter = WatermarkEmitter()
    emitter.emit_watermark(Watermark(5))
    emitter.mark_idle()
    emitter.emit_watermark(Watermark(5))
    emitter.emit_watermark(Watermark(6))
    emitter.flush(output)
    assert output.take() == [5, "idle", "active", 6]


def test_flushing_twice_emits_once(output: Any) -> None:
    """What has gone out is no longer pending."""
    emitter = WatermarkEmitter()
    emitter.emit_watermark(Watermark(0))
    emitter.flush(output)
    emitter.flush(output)
    assert output.take() == [0]
