"""Looks into checkpoints and savepoints: what they hold, and values of keyed state (Flink's State Processor API)."""

from windrow.state_processor.functions import KeyedStateBootstrapFunction, KeyedStateReaderFunction
from windrow.state_processor.reader import SavepointReader
from windrow.state_processor.summary import (
    CheckpointSummary,
    OperatorSummary,
    PlannedChannel,
    ReaderPosition,
    describe,
)
from windrow.state_processor.writer import OperatorTransformation, SavepointWriter

__all__ = [
    "CheckpointSummary",
    "KeyedStateBootstrapFunction",
    "KeyedStateReaderFunction",
    "OperatorSummary",
    "OperatorTransformation",
    "PlannedChannel",
    "ReaderPosition",
    "SavepointReader",
    "SavepointWriter",
    "describe",
]
