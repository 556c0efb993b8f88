"""The streaming source behind every Windrow job: splits of planned sources, ticks, and the end of the input.

What a batch reads follows from its offsets alone, so a batch that is run again reads the same. An offset counts the
splits each channel has given so far (all channels advance alike), the ticks, and whether the end was said.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadLimit, SupportsTriggerAvailableNow

from windrow.runtime.spark.rows import END_EDGE, ROW_SCHEMA, TICK_EDGE, SparkRow, source_row, to_batches

Offset = dict[str, int]


@dataclass(frozen=True)
class Piece:
    """A channel, the grouping key that brings it to its partition, and what it gives: pickled splits, in order."""

    channel: int
    place: int
    splits: list[bytes]
    #: Whether the channel ends with its last split; if not, it ends when the job's input does.
    ends: bool


@dataclass(frozen=True)
class PiecePlan:
    """All that the source gives."""

    pieces: list[Piece]
    #: Grouping key, subtask and level of those that a tick goes to; empty where nobody needs ticks.
    ticked: list[tuple[int, int, int]]
    #: How many splits of each channel go into one batch.
    splits_per_batch: int
    #: Milliseconds between ticks.
    tick_interval: int
    #: Whether the input ends when all splits are read.
    bounded: bool

    @property
    def length(self) -> int:
        return max((len(piece.splits) for piece in self.pieces), default=0)


class PieceReader(DataSourceStreamReader, SupportsTriggerAvailableNow):  # type: ignore[misc]
    """Plans batches on the driver, hands rows to the workers."""

    def __init__(self, plan: PiecePlan) -> None:
        self._plan = plan
        self._available_now = False
        self._last_tick = 0

    def initialOffset(self) -> Offset:  # noqa: N802
        return {"split": 0, "tick": 0, "end": 0}

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        return ReadAllAvailable()

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        self._available_now = True

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:  # noqa: N802
        plan = self._plan
        split = min(start["split"] + plan.splits_per_batch, max(plan.length, start["split"]))
        moved = split != start["split"]
        end = 1 if plan.bounded and split >= plan.length else start["end"]
        tick = start["tick"]
        if plan.ticked and not start["end"] and not self._available_now and (moved or self._tick_is_due()):
            tick += 1
        return {"split": split, "tick": tick, "end": end}

    def _tick_is_due(self) -> bool:
        now = time.monotonic_ns() // 1_000_000
        if now - self._last_tick < self._plan.tick_interval:
            return False
        self._last_tick = now
        return True

    def partitions(self, start: Offset, end: Offset) -> Sequence[InputPartition]:
        ended = bool(end["end"] and not start["end"])
        rows: list[list[SparkRow]] = []
        for piece in self._plan.pieces:
            given = piece.splits[start["split"] : end["split"]]
            of_piece = [_row(piece, sequence, payload) for sequence, payload in enumerate(given, start["split"])]
            if (start["split"] < len(piece.splits) <= end["split"]) if piece.ends else ended:
                of_piece.append(_row(piece, 2**62, b"", END_EDGE))
            if of_piece:
                rows.append(of_piece)
        if end["tick"] != start["tick"]:
            rows.append(
                [
                    SparkRow(place, level, 0, subtask, -1, TICK_EDGE, 0, 0, 0, b"")
                    for place, subtask, level in self._plan.ticked
                ]
            )
        return [InputPartition(of_partition) for of_partition in rows]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        for batch in to_batches(partition.value):
            yield batch.drop_columns(["now"])


def _row(piece: Piece, sequence: int, payload: bytes, edge: int = 0) -> SparkRow:
    return source_row(piece.channel, sequence, 0, payload, piece.place, edge)


def piece_source(name: str, plan: PiecePlan) -> type[DataSource]:
    """A data source class of this name that gives the plan; Spark takes classes, and ships them by value."""

    class PieceSource(DataSource):  # type: ignore[misc]
        @classmethod
        def name(cls) -> str:
            return name

        def schema(self) -> str:
            return ROW_SCHEMA.replace(" now long,", "")

        def streamReader(self, schema: Any) -> DataSourceStreamReader:  # noqa: N802
            return PieceReader(plan)

    return PieceSource
