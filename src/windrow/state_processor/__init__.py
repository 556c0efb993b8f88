"""Looks into checkpoints and savepoints: what they hold, and values of keyed state (Flink's State Processor API)."""

from windrow.state_processor.functions import KeyedStateReaderFunction
from windrow.state_processor.reader import SavepointReader
from windrow.state_processor.summary import (
    CheckpointSummary,
    OperatorSummary,
    PlannedChannel,
    ReaderPosition,
    describe,
)

__all__ = [
    "CheckpointSummary",
    "KeyedStateReaderFunction",
    "OperatorSummary",
    "PlannedChannel",
    "ReaderPosition",
    "SavepointReader",
    "describe",
]
