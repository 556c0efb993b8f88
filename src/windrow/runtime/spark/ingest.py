"""Packs the rows of a user's DataFrame into chunks, so that Spark moves a few rows and not every element."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import pyarrow as pa

from windrow.common.limits import NO_TIMESTAMP
from windrow.common.types import Row
from windrow.connectors.dataframe import FILE_COLUMN, DataFrameSource
from windrow.connectors.iterator_source import SourceBatch, SplitPart
from windrow.elements.stored import dumps
from windrow.errors import MalformedInputError
from windrow.graph.job_graph import Entry, JobGraph
from windrow.operators.watermarks.per_split import SplitsAppear
from windrow.operators.watermarks.timestamp_assignment import Timestamps
from windrow.runtime.spark.failures import shipping_errors
from windrow.runtime.spark.rows import SparkRow, source_row, to_batches


@dataclass
class PackedSplit(SplitPart):
    """Elements that a worker has packed."""

    values: list[Any]
    side: str | None = None
    timestamps: Timestamps | None = None

    def read(self) -> Iterator[SourceBatch]:
        yield SourceBatch(self.values, cast("Sequence[int] | None", self.timestamps), side=self.side)


def has_frames(job: JobGraph) -> bool:
    """Tell whether a job reads rows of DataFrames, which Spark computes."""
    return any(isinstance(source, DataFrameSource) for _, source in job.sources())


class PackStage:
    """Given to ``mapInArrow`` on the user's DataFrame."""

    def __init__(self, source: DataFrameSource, entry: Entry, places: list[int], now: int) -> None:
        self._split = source.split
        self._timestamp_column = source.timestamp_column
        self._found_splits = source.found_splits
        #: The splits of this partition, in the order of their first rows.
        self._found: dict[Any, None] = {}
        self._corrupt = source.corrupt_column
        self._dead_letter = source.dead_letter
        self._name = entry.node.name
        self._channels = list(entry.source_channels)
        self._places = places
        self._now = now

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return shipping_errors(self._run)(batches)

    def _run(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from to_batches(self._rows(batches))

    def _rows(self, batches: Iterable[pa.RecordBatch]) -> Iterator[SparkRow]:
        from pyspark import TaskContext

        context = TaskContext.get()
        partition = context.partitionId() if context is not None else 0
        packed = ((channel, dumps(split)) for batch in self._noted(batches) for channel, split in self._packed(batch))
        if self._found_splits is not None:
            # What was found in any partition stands in front of the rows of all: else the first partition's rows
            # would be read as if there were no splits but theirs. A partition of a batch is bounded.
            waiting = list(packed)
            if self._found:
                announced = PackedSplit([SplitsAppear(tuple(self._found))])
                yield self._row(0, partition, dumps(announced))
            packed = (each for each in waiting)
        for sequence, (channel, payload) in enumerate(packed, (partition + 1) << 32):
            yield self._row(channel, sequence, payload)

    def _row(self, channel: int, sequence: int, payload: bytes) -> SparkRow:
        return source_row(self._channels[channel], sequence, self._now, payload, self._places[channel])

    def _noted(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The batches, with note taken of the splits that are in them."""
        for batch in batches:
            if self._found_splits is not None:
                self._found.update(dict.fromkeys(batch.column(self._found_splits).unique().to_pylist()))
            yield batch

    def _packed(self, batch: pa.RecordBatch) -> Iterator[tuple[int, PackedSplit]]:
        columns = {name: batch.column(index).to_pylist() for index, name in enumerate(batch.schema.names)}
        files = columns.pop(FILE_COLUMN, None)
        if self._corrupt is not None:
            corrupt = columns.pop(self._corrupt)
            bad = [index for index, text in enumerate(corrupt) if text is not None]
            if bad:
                lines = [(files[index] if files else None, corrupt[index]) for index in bad]
                if self._dead_letter is None:
                    advice = "mend it, or have such lines go to a side output: dead_letter=OutputTag(...) of the source"
                    raise MalformedInputError("", *lines[0], advice=advice).in_source(self._name)
                yield 0, PackedSplit(lines, side=self._dead_letter)
                dropped = set(bad)
                columns = {
                    name: [value for index, value in enumerate(column) if index not in dropped]
                    for name, column in columns.items()
                }
        names = list(columns)
        rows = [Row(**dict(zip(names, values, strict=True))) for values in zip(*columns.values(), strict=True)]
        timestamps = None if self._timestamp_column is None else timestamps_of(batch.column(self._timestamp_column))
        if self._split is None:
            yield 0, PackedSplit(rows, timestamps=timestamps)
            return
        by_channel: dict[int, list[int]] = {}
        for position, (channel, row) in enumerate(zip(columns[self._split], rows, strict=True)):
            by_channel.setdefault(self._channel(channel, row), []).append(position)
        for channel, positions in sorted(by_channel.items()):
            of_channel = None if timestamps is None else timestamps[positions]
            yield channel, PackedSplit([rows[position] for position in positions], timestamps=of_channel)

    def _channel(self, channel: Any, row: Row) -> int:
        if not isinstance(channel, int) or not 0 <= channel < len(self._channels):
            msg = (
                f"source {self._name!r}: column {self._split!r} must hold the split, an integer from 0 to "
                f"{len(self._channels) - 1}; got {channel!r} in {row!r}; pass splits=N to from_dataframe"
            )
            raise ValueError(msg)
        return channel


def timestamps_of(column: pa.Array) -> Timestamps:
    """A column of timestamps or of milliseconds as milliseconds; those that are null as "no timestamp"."""
    millis = column
    if pa.types.is_timestamp(column.type):
        micros = column.cast(pa.timestamp("us", tz=column.type.tz)).cast(pa.int64())
        # Rounded down, also before 1970; NumPy does not see which ones are null.
        millis = pa.array(micros.fill_null(0).to_numpy() // 1000, mask=micros.is_null().to_numpy(zero_copy_only=False))
    filled: Timestamps = millis.cast(pa.int64()).fill_null(NO_TIMESTAMP).to_numpy()
    return filled
