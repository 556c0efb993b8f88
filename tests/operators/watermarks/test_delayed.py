"""Watermarks that are held back."""

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.operators.watermarks.delayed import DelayedWatermarksOperator
from windrow.testing import OperatorHarness, WatermarkOut


def test_watermarks_are_so_much_lower_and_elements_as_they_are():
    """The last one is not: then nothing comes any more; none is below the least."""
    harness = OperatorHarness(DelayedWatermarksOperator(10))
    harness.process_element("a", 5)
    for watermark in (MIN_WATERMARK + 3, 7, 20, MAX_WATERMARK):
        harness.process_watermark(watermark)
    assert harness.values() == ["a"]
    watermarks = [item.watermark for item in harness.output if isinstance(item, WatermarkOut)]
    assert watermarks == [MIN_WATERMARK, -3, 10, MAX_WATERMARK]
