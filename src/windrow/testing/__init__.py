"""What users test their own functions with: harnesses that run one operator by hand, without Spark."""

from windrow.testing.harness import OperatorHarness, StateEntry
from windrow.testing.outputs import OutputItem, Record, StatusOut, WatermarkOut
from windrow.testing.window_harness import window_harness

__all__ = [
    "OperatorHarness",
    "OutputItem",
    "Record",
    "StateEntry",
    "StatusOut",
    "WatermarkOut",
    "window_harness",
]
