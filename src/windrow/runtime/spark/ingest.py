"""Packs the rows of a user's DataFrame into chunks, so that Spark moves a few rows and not every element."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from windrow.common.types import Row
from windrow.connectors.dataframe import FILE_COLUMN, DataFrameSource
from windrow.connectors.interfaces import SourceBatch, Split
from windrow.errors import MalformedInputError
from windrow.graph.job_graph import Entry
from windrow.runtime.spark.failures import shipping_errors
from windrow.runtime.spark.rows import SparkRow, source_row, to_batches
from windrow.state.codec import dumps


@dataclass
class PackedSplit(Split):
    """Elements that a worker has packed."""

    values: list[Any]
    side: str | None = None

    def read(self) -> Iterator[SourceBatch]:
        yield SourceBatch(self.values, side=self.side)


class PackStage:
    """Given to ``mapInArrow`` on the user's DataFrame."""

    def __init__(self, source: DataFrameSource, entry: Entry, places: list[int], now: int) -> None:
        self._split = source.split
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
        sequence = (context.partitionId() if context is not None else 0) << 32
        for batch in batches:
            for channel, split in self._packed(batch):
                yield source_row(self._channels[channel], sequence, self._now, dumps(split), self._places[channel])
                sequence += 1

    def _packed(self, batch: pa.RecordBatch) -> Iterator[tuple[int, PackedSplit]]:
        columns = {name: batch.column(index).to_pylist() for index, name in enumerate(batch.schema.names)}
        files = columns.pop(FILE_COLUMN, None)
        if self._corrupt is not None:
            corrupt = columns.pop(self._corrupt)
            bad = [index for index, text in enumerate(corrupt) if text is not None]
            if bad:
                lines = [(files[index] if files else None, corrupt[index]) for index in bad]
                if self._dead_letter is None:
                    raise MalformedInputError(self._name, lines[0][0], lines[0][1])
                yield 0, PackedSplit(lines, side=self._dead_letter)
                dropped = set(bad)
                columns = {
                    name: [value for index, value in enumerate(column) if index not in dropped]
                    for name, column in columns.items()
                }
        names = list(columns)
        rows = [Row(**dict(zip(names, values, strict=True))) for values in zip(*columns.values(), strict=True)]
        if self._split is None:
            yield 0, PackedSplit(rows)
            return
        by_channel: dict[int, list[Any]] = {}
        for channel, row in zip(columns[self._split], rows, strict=True):
            by_channel.setdefault(self._channel(channel, row), []).append(row)
        for channel, values in sorted(by_channel.items()):
            yield channel, PackedSplit(values)

    def _channel(self, channel: Any, row: Row) -> int:
        if not isinstance(channel, int) or not 0 <= channel < len(self._channels):
            msg = (
                f"source {self._name!r}: column {self._split!r} must hold the split, an integer from 0 to "
                f"{len(self._channels) - 1}; got {channel!r} in {row!r}; pass splits=N to from_dataframe"
            )
            raise ValueError(msg)
        return channel
