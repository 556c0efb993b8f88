"""The outputs of an operator under observation, and of its twin."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from windrow.common.copies import copied
from windrow.elements.batch import Batch
from windrow.operators.base import Output


@dataclass
class CollectedOutput:
    """The results that an operator has given in answer to one call."""

    #: Results with their timestamps.
    results: list[tuple[Any, int]] = field(default_factory=list)
    #: How many elements went to each side output.
    sides: Counter[str] = field(default_factory=Counter)
    #: What was counted: elements that were dropped.
    counted: Counter[str] = field(default_factory=Counter)


class ObservedOutput:
    """Hands on what an operator emits, and remembers it."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self.collected = CollectedOutput()
        self.emit_watermark = output.emit_watermark
        self.emit_status = output.emit_status

    def take(self) -> CollectedOutput:
        """Take what was emitted since the last call."""
        taken, self.collected = self.collected, CollectedOutput()
        return taken

    def emit(self, value: Any, timestamp: int) -> None:
        self.collected.results.append((copied(value), timestamp))
        self._output.emit(value, timestamp)

    def emit_batch(self, batch: Batch) -> None:
        rows = [copied(element) for element in batch.rows_apart().elements]
        self.collected.results.extend(zip(rows, batch.timestamp_list(), strict=True))
        self._output.emit_batch(batch)

    def emit_side(self, tag_id: str, value: Any, timestamp: int) -> None:
        self.collected.sides[tag_id] += 1
        self._output.emit_side(tag_id, value, timestamp)


class NoOutput:
    """The output of a twin: what it emits the operator has emitted."""

    def __init__(self) -> None:
        #: How many elements went to each side output.
        self.sides: Counter[str] = Counter()

    def emit(self, value: Any, timestamp: int) -> None:
        """Nobody listens."""

    def emit_batch(self, batch: Batch) -> None:
        """Nobody listens."""

    def emit_side(self, tag_id: str, value: Any, timestamp: int) -> None:
        self.sides[tag_id] += 1

    def emit_watermark(self, timestamp: int) -> None:
        """Nobody listens."""

    def emit_status(self, *, idle: bool) -> None:
        """Nobody listens."""
