"""The functions that run in Spark's workers for sinks that workers write."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from windrow.connectors.interfaces import WriterContext, WriterSink
from windrow.graph.job_graph import SINK_LEVEL, Edge, JobGraph, SinkEntry
from windrow.runtime.spark.rows import COMMIT_LEVEL, SparkRow, decode, encode, note
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.spark.stages import BatchStage
from windrow.runtime.stage.chunk import Chunk
from windrow.runtime.stage.record_writer import is_dropped
from windrow.runtime.stage.sinks import PartitionWriters

#: Where Spark tells tasks which batch of a streaming query they are in.
_BATCH = "streaming.sql.batchId"


class SinkStage(BatchStage):
    """Behind the last level: writes what workers write, and lets through what the program's process is to see."""

    def __init__(self, shipped: ShippedJob, batch: int, job: str) -> None:
        super().__init__(shipped)
        self._batch = batch
        #: What the job is called over all its runs on one checkpoint.
        self._job = job

    def rows(self, rows: Iterator[SparkRow]) -> Iterator[SparkRow]:
        context = WriterContext(self._batch, _partition(), job=self._job)
        yield from written(rows, self._shipped.job().sinks, context)


class EarlySinkStage(BatchStage):
    """Behind an earlier level: writes what it has made for sinks that show nothing before the commit.

    So that crosses no later exchange. What the sinks' commits need goes on, like all other rows.
    """

    def __init__(self, shipped: ShippedJob, level: int, batch: int | None, batches_before: int = 0) -> None:
        super().__init__(shipped)
        self._level = level
        #: None: that of the streaming query's batch.
        self._batch = batch
        #: How many batches its sinks have had before.
        self._batches_before = batches_before

    def rows(self, rows: Iterator[SparkRow]) -> Iterator[SparkRow]:
        batch = _batch_of_query() if self._batch is None else self._batch
        if batch is None:  # they are written behind the last level
            yield from rows
            return
        job = self._shipped.job()
        # A sink may be behind several levels: none takes the names of another one's files.
        later = len(job.levels) - 1 - self._level
        number = later * self._shipped.partitions + _partition()
        yield from written(rows, _hidden(job), WriterContext(self._batches_before + batch, number))


def levels_with_early_sinks(job: JobGraph) -> set[int]:
    """Find the levels, but for the last one, behind which there is something to write."""
    hidden = {edge.id for entry in _hidden(job) for edge in entry.edges}
    last = len(job.levels) - 1
    return {
        node.level
        for node in job.nodes()
        if node.level < last and any(isinstance(taker, Edge) and taker.id in hidden for _, taker in node.takers)
    }


def has_writers(job: JobGraph) -> bool:
    """Tell whether rows for sinks that workers write may come out behind the last level."""
    return any(
        isinstance(entry.sink, WriterSink) and not all(is_dropped(edge, job.sinks) for edge in entry.edges)
        for entry in job.sinks
    )


def written(rows: Iterator[SparkRow], sinks: Collection[SinkEntry], context: WriterContext) -> Iterator[SparkRow]:
    """Write what is for the sinks; give the other rows, the ends of inputs, and what the sinks' commits need."""
    writers = PartitionWriters(sinks, context)
    try:
        for row in rows:
            if row.level != SINK_LEVEL or not writers.takes(row.edge):
                yield row
                continue
            chunk_row = decode(row)
            writers.write(chunk_row)
            if "end" in chunk_row.chunk.controls:
                chunk_row.chunk = Chunk(controls=["end"])
                yield encode(chunk_row, row.place)
        committables = writers.prepare_commit()
    except BaseException:
        writers.abort()
        raise
    if committables:
        yield note(COMMIT_LEVEL, committables)


def _hidden(job: JobGraph) -> list[SinkEntry]:
    return [entry for entry in job.sinks if isinstance(entry.sink, WriterSink) and entry.sink.hidden_until_commit]


def _partition() -> int:
    from pyspark import TaskContext

    context = TaskContext.get()
    return context.partitionId() if context is not None else 0


def _batch_of_query() -> int | None:
    from pyspark import TaskContext

    context = TaskContext.get()
    batch = context.getLocalProperty(_BATCH) if context is not None else None
    return None if batch is None else int(batch)
