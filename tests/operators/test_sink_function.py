from windrow.common.limits import MIN_WATERMARK, NO_TIMESTAMP
from windrow.datastream import SinkFunction
from windrow.operators.sink_function import SinkFunctionOperator
from windrow.testing import OperatorHarness


class Seen(SinkFunction):
    def __init__(self):
        self.calls = []

    def invoke(self, value, context):
        self.calls.append((value, context.timestamp(), context.current_watermark(), context.current_processing_time()))


def test_the_context_tells_the_times():
    """The element's timestamp, the watermark before it and the processing time; no output."""
    function = Seen()
    harness = OperatorHarness(SinkFunctionOperator(function))
    harness.process_element("a", 5)
    harness.process_watermark(7)
    harness.set_processing_time(100)
    harness.process_element("b")
    assert function.calls == [("a", 5, MIN_WATERMARK, 0), ("b", NO_TIMESTAMP, 7, 100)]
