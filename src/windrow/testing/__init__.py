"""Harnesses for users' own tests, which run one operator, or one side of a source, without Spark."""

from windrow.testing.base_harness import StateEntry
from windrow.testing.enumerator_harness import EnumeratorHarness
from windrow.testing.harness import OperatorHarness
from windrow.testing.outputs import OutputItem, Record, StatusOut, WatermarkOut
from windrow.testing.reader_harness import SourceReaderHarness
from windrow.testing.recording_reader import SourceItem, SourceMark, SourceRecord, SplitRelease
from windrow.testing.two_input_harness import TwoInputOperatorHarness
from windrow.testing.window_harness import window_harness

__all__ = [
    "EnumeratorHarness",
    "OperatorHarness",
    "OutputItem",
    "Record",
    "SourceItem",
    "SourceMark",
    "SourceReaderHarness",
    "SourceRecord",
    "SplitRelease",
    "StateEntry",
    "StatusOut",
    "TwoInputOperatorHarness",
    "WatermarkOut",
    "window_harness",
]
