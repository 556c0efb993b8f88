"""Chunks as rows of a Spark DataFrame, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import pyarrow as pa

from windrow.elements.codec import dumps, loads
from windrow.graph.job_graph import SINK_LEVEL
from windrow.runtime.stage.chunk import Chunk, ChunkRow

#: Levels of rows that are not elements: what was counted, and what sinks have written.
TOTALS_LEVEL = SINK_LEVEL + 1
COMMIT_LEVEL = SINK_LEVEL + 2
#: What readers have sent to their enumerators.
SENT_LEVEL = SINK_LEVEL + 3
#: That functions have printed where the program does not see it.
PRINTED_LEVEL = SINK_LEVEL + 4
#: When timers of processing time are due.
DUE_LEVEL = SINK_LEVEL + 5

#: Edges of rows that are not elements either: the end of a channel's input, and the passing of processing time.
END_EDGE = -1
TICK_EDGE = -2
#: A reader is to read; with a payload, what its enumerator has sent to it.
READ_EDGE = -3

#: ``place`` decides where Spark puts a row: the partition in a batch query, the grouping key in a streaming one.
ROW_SCHEMA = (
    "place int, level int, entry int, subtask int, sequence long, edge int, channel int, producer int, now long, "
    "payload binary"
)
ARROW_SCHEMA = pa.schema(
    [
        ("place", pa.int32()),
        ("level", pa.int32()),
        ("entry", pa.int32()),
        ("subtask", pa.int32()),
        ("sequence", pa.int64()),
        ("edge", pa.int32()),
        ("channel", pa.int32()),
        ("producer", pa.int32()),
        ("now", pa.int64()),
        ("payload", pa.binary()),
    ]
)

_BYTES_PER_BATCH = 4 << 20
_ROWS_PER_BATCH = 1024


class SparkRow(NamedTuple):
    """One row, in the order of the schema."""

    place: int
    level: int
    entry: int
    subtask: int
    sequence: int
    edge: int
    channel: int
    producer: int
    now: int
    payload: bytes

    def order(self) -> tuple[int, ...]:
        """Give what rows are sorted by before a level takes them; the same as ``ChunkRow.order``."""
        return self[1:8]


def encode(row: ChunkRow, place: int) -> SparkRow:
    """A chunk's row as Spark's."""
    payload = row.chunk.encode()
    return SparkRow(
        place,
        row.level,
        row.entry,
        row.subtask,
        row.sequence,
        row.edge,
        row.channel,
        row.producer,
        row.now,
        payload,
    )


def decode(row: SparkRow) -> ChunkRow:
    """Spark's row as a chunk's."""
    return ChunkRow(*row[1:9], Chunk.decode(row.payload))


def note(level: int, content: Any) -> SparkRow:
    """A row that carries something else than elements: totals, or what sinks have written."""
    return SparkRow(0, level, 0, 0, 0, 0, 0, 0, 0, dumps(content))


def source_row(channel: int, sequence: int, now: int, payload: bytes, place: int, edge: int = 0) -> SparkRow:
    """The row of a split of a source's channel, or with END_EDGE the end of the channel."""
    return SparkRow(place, 0, 0, channel, sequence, edge, 0, 0, now, payload)


def read_note(row: SparkRow) -> Any:
    """Read what :func:`note` wrote."""
    return loads(row.payload)


def to_batches(rows: Iterable[SparkRow]) -> Iterator[pa.RecordBatch]:
    """Rows as Arrow record batches of some megabytes."""
    pending: list[SparkRow] = []
    size = 0
    for row in rows:
        pending.append(row)
        size += len(row.payload)
        if size >= _BYTES_PER_BATCH or len(pending) >= _ROWS_PER_BATCH:
            yield to_batch(pending)
            pending, size = [], 0
    if pending:
        yield to_batch(pending)


def to_batch(rows: list[SparkRow]) -> pa.RecordBatch:
    """Rows as one Arrow record batch."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(ARROW_SCHEMA)
    arrays = [pa.array(column, type=field.type) for column, field in zip(columns, ARROW_SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=ARROW_SCHEMA)


def from_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[SparkRow]:
    """Rows of Arrow record batches with the columns of the schema, in its order."""
    names = ARROW_SCHEMA.names
    for batch in batches:
        columns = [batch.column(batch.schema.get_field_index(name)).to_pylist() for name in names]
        yield from map(SparkRow._make, zip(*columns, strict=True))
