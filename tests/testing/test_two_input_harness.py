"""The harness of two inputs keeps them apart and combines their watermarks."""

from windrow.common.limits import MAX_WATERMARK, NO_TIMESTAMP
from windrow.datastream.functions import NullByteKeySelector
from windrow.operators.base import TwoInputOperator
from windrow.testing import Record, StatusOut, TwoInputOperatorHarness, WatermarkOut


class Sides(TwoInputOperator):
    """Emits which input an element came on, its key if there is one, and the watermark."""

    def process_element1(self, value, timestamp):
        self._emit(1, value, timestamp)

    def process_element2(self, value, timestamp):
        self._emit(2, value, timestamp)

    def _emit(self, side, value, timestamp):
        state = self.context.state
        self.context.output.emit((side, value, state.current_key, self.context.time.watermark), timestamp)

    def process_watermark(self, timestamp):
        self.context.output.emit("due", timestamp)

    def end_of_input(self):
        self.context.counters["ended"] += 1


def test_elements_go_to_their_input_with_its_key():
    """Each input has a key selector of its own."""
    harness = TwoInputOperatorHarness(Sides, len, NullByteKeySelector())
    harness.process_element1("abc", 5)
    harness.process_elements2([("de", None), ("f", 7)])
    found = [(*record.value[:3], record.timestamp) for record in harness.records()]
    assert found == [(1, "abc", 3, 5), (2, "de", 0, NO_TIMESTAMP), (2, "f", 0, 7)]


def test_the_watermark_is_that_of_the_input_behind():
    """It goes out when the minimum of both rises, behind what it releases."""
    harness = TwoInputOperatorHarness(Sides())
    harness.process_watermark1(10)
    assert harness.output == []
    harness.process_watermark2(4)
    harness.process_watermark2(12)
    assert harness.output == [Record("due", 4), WatermarkOut(4), Record("due", 10), WatermarkOut(10)]


def test_an_idle_input_holds_nothing_back():
    """Both inputs are idle together only."""
    harness = TwoInputOperatorHarness(Sides())
    harness.process_watermark1(10)
    harness.process_status2(idle=True)
    harness.process_status1(idle=True)
    assert harness.output == [Record("due", 10), WatermarkOut(10), StatusOut(idle=True)]


def test_the_end_of_the_input():
    """The operator hears of it, then of the maximum watermark."""
    harness = TwoInputOperatorHarness(Sides())
    harness.end_of_input()
    assert harness.counters["ended"] == 1
    assert harness.output[-1] == WatermarkOut(MAX_WATERMARK)
