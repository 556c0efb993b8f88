"""What users test their own functions with: harnesses that run one operator by hand, without Spark."""

from windrow.testing.base_harness import StateEntry
from windrow.testing.harness import OperatorHarness
from windrow.testing.outputs import OutputItem, Record, StatusOut, WatermarkOut
from windrow.testing.two_input_harness import TwoInputOperatorHarness
from windrow.testing.window_harness import window_harness

__all__ = [
    "OperatorHarness",
    "OutputItem",
    "Record",
    "StateEntry",
    "StatusOut",
    "TwoInputOperatorHarness",
    "WatermarkOut",
    "window_harness",
]
