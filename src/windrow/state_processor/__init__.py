"""Looks into checkpoints and savepoints."""

from windrow.state_processor.summary import (
    CheckpointSummary,
    OperatorSummary,
    PlannedChannel,
    ReaderPosition,
    describe,
)

__all__ = ["CheckpointSummary", "OperatorSummary", "PlannedChannel", "ReaderPosition", "describe"]
