from windrow.common.limits import MAX_WATERMARK
from windrow.operators.ingestion_time import IngestionTimeOperator
from windrow.testing.harness import OperatorHarness
from windrow.testing.outputs import Record, WatermarkOut


def test_elements_get_processing_time_and_watermarks_follow_it():
    """The watermark before elements stamped t is t - 1, so that none of them is late."""
    harness = OperatorHarness(IngestionTimeOperator())
    harness.set_processing_time(10)
    harness.process_element("a", 999)
    harness.set_processing_time(10)
    harness.set_processing_time(30)
    assert harness.output == [WatermarkOut(9), Record("a", 10), WatermarkOut(29)]


def test_only_the_last_watermark_of_the_input_goes_on():
    """Watermarks of the source are replaced; the end of input is the maximum."""
    harness = OperatorHarness(IngestionTimeOperator())
    harness.process_watermark(5)
    harness.process_watermark(MAX_WATERMARK)
    assert harness.output == [WatermarkOut(MAX_WATERMARK)]


def test_batch_has_no_watermark_but_the_last():
    """In batch elements are stamped, and no watermark follows them."""
    harness = OperatorHarness(IngestionTimeOperator(emit_progressive=False))
    harness.set_processing_time(10)
    harness.process_element("a")
    assert harness.output == [Record("a", 10)]


def test_a_restored_operator_does_not_go_back():
    """Watermarks do not fall after a restart, also if the clock did."""
    harness = OperatorHarness(IngestionTimeOperator())
    harness.set_processing_time(100)
    restored = OperatorHarness(IngestionTimeOperator(), snapshot=harness.snapshot())
    restored.set_processing_time(50)
    assert restored.output == []
