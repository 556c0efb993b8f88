"""The functions over the rows of a partition that run in Spark's workers in a batch query: one for each level."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, groupby

import pyarrow as pa

from windrow.connectors.iterator_source import SplitPart
from windrow.elements.codec import loads
from windrow.runtime.sources.host import SourceHost
from windrow.runtime.sources.messages import MessagesBySource, ToReader
from windrow.runtime.sources.reading import ReadSettings
from windrow.runtime.spark.failures import shipping_errors
from windrow.runtime.spark.placement import partition_of
from windrow.runtime.spark.print_sender import WorkerStream, printing_to
from windrow.runtime.spark.rows import (
    DUE_LEVEL,
    END_EDGE,
    PRINTED_LEVEL,
    READ_EDGE,
    SENT_LEVEL,
    TOTALS_LEVEL,
    SparkRow,
    decode,
    from_batches,
    note,
    to_batches,
)
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.stage.chunk import ChunkRow
from windrow.runtime.stage.garbage import rarely_collected
from windrow.runtime.stage.host import LevelHost, Subtask
from windrow.runtime.stage.totals import Totals
from windrow.state.page_store import NoPages


class BatchStage:
    """Base of the functions given to ``mapInArrow``."""

    def __init__(self, shipped: ShippedJob) -> None:
        self._shipped = shipped

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return shipping_errors(self._run)(batches)

    def _run(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with rarely_collected(), self._shipped.at_work():
            self._shipped.use_classes()
            yield from to_batches(self._printing(from_batches(batches)))

    def _printing(self, rows: Iterator[SparkRow]) -> Iterator[SparkRow]:
        with printing_to(self._shipped.prints) as streams:
            yield from self.rows(rows)
        yield from printed_rows(streams)

    def rows(self, rows: Iterator[SparkRow]) -> Iterator[SparkRow]:
        raise NotImplementedError

    def place(self, row: ChunkRow) -> SparkRow:
        """A row on its way to the partition of its subtask."""
        return self._shipped.encode(row, partition_of(row.subtask, self._shipped.partitions))


class SourceStage(BatchStage):
    """Level 0: reads the parts of the channels in this partition; rows are sorted by channel and sequence."""

    def rows(self, rows: Iterator[SparkRow]) -> Iterator[SparkRow]:
        with SourceHost(self._shipped.job(), ReadSettings.to_the_end()) as host:
            for channel, same in groupby(rows, key=lambda row: row.subtask):
                of_channel = list(same)
                now = of_channel[0].now
                if any(row.edge == READ_EDGE for row in of_channel):
                    made = host.run_reader(channel, messages_of(of_channel), NoPages(), now)
                else:
                    made = host.run(channel, _parts(of_channel), NoPages(), now, end=True)
                for row in made:
                    yield self.place(row)
            yield from totals_rows(host.take_totals())
            yield from sent_rows(host.take_sent())


class LevelStage(BatchStage):
    """A later level: rows are sorted (``SparkRow.order``)."""

    def __init__(self, shipped: ShippedJob, level: int) -> None:
        super().__init__(shipped)
        self._level = level

    def rows(self, rows: Iterator[SparkRow]) -> Iterator[SparkRow]:
        with LevelHost(self._shipped.job(), self._level) as host:
            for (level, _, subtask), same in groupby(rows, key=lambda row: (row.level, row.entry, row.subtask)):
                if level != self._level:
                    yield from same
                    continue
                arrived = iter(same)
                first = next(arrived)
                # Not by map: it takes a StopIteration from elements that are pickled for the end.
                chunks = (decode(row) for row in chain([first], arrived))
                for made in host.run(subtask, chunks, NoPages(), first.now):
                    yield self.place(made)
            yield from totals_rows(host.take_totals())


class ChainedStage(BatchStage):
    """Two stages in one worker: no rows go through Spark between them."""

    def __init__(self, first: BatchStage, second: BatchStage) -> None:
        super().__init__(first._shipped)
        self._first = first
        self._second = second

    def rows(self, rows: Iterator[SparkRow]) -> Iterator[SparkRow]:
        return self._second.rows(self._first.rows(rows))


def _parts(rows: list[SparkRow]) -> Iterator[SplitPart]:
    for row in rows:
        if row.edge != END_EDGE:
            part: SplitPart = loads(row.payload)
            yield part


def messages_of(rows: Iterable[SparkRow]) -> list[ToReader]:
    """Unpack what a reader's enumerator has sent to it from the rows that tell it to read."""
    return [message for row in rows if row.payload for message in loads(row.payload)]


def printed_rows(streams: Iterable[WorkerStream]) -> Iterator[SparkRow]:
    """That functions have printed into a log of Spark's, as a row: the program says where it is."""
    if any(stream.unseen for stream in streams):
        yield note(PRINTED_LEVEL, None)


def totals_rows(totals: Totals) -> Iterator[SparkRow]:
    """Make a row of what was counted in a task: it counts once when the batch commits, however often the task ran."""
    if totals:
        yield note(TOTALS_LEVEL, totals)


def due_rows(due: dict[Subtask, int | None]) -> Iterator[SparkRow]:
    """Make a row of the times at which subtasks' next timers are due: heard when the batch commits."""
    if due:
        yield note(DUE_LEVEL, due)


def sent_rows(sent: MessagesBySource) -> Iterator[SparkRow]:
    """Make a row of what readers have sent to their enumerators: heard when the batch commits."""
    if sent:
        yield note(SENT_LEVEL, sent)
