"""A bounded job without a checkpoint: one batch query, the end of the input included."""

from __future__ import annotations

import time
from typing import Any

import pyarrow as pa

from windrow.connectors.dataframe import DataFrameSource
from windrow.connectors.iterator_source import IteratorSource
from windrow.connectors.source import Source as SplitSource
from windrow.errors import UsageError
from windrow.graph.job_graph import JobGraph
from windrow.runtime.spark.batch_enumerators import Assignments
from windrow.runtime.spark.ingest import PackStage
from windrow.runtime.spark.placement import partition_of
from windrow.runtime.spark.rows import END_EDGE, READ_EDGE, ROW_SCHEMA, SparkRow, from_batches, source_row, to_batches
from windrow.runtime.spark.session import create_frame
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.spark.sink_stages import EarlySinkStage, SinkStage, levels_with_early_sinks
from windrow.runtime.spark.stages import BatchStage, ChainedStage, LevelStage, SourceStage

#: Sorts behind every split of its channel.
LAST = 2**63 - 1
#: The columns of ``SparkRow.order``.
SORTED = SparkRow._fields[1:8]


def batch_rows(
    spark: Any,
    job: JobGraph,
    shipped: ShippedJob,
    sinks: SinkStage | None = None,
    assignments: Assignments | None = None,
) -> Any:
    """A DataFrame of everything that reaches the job's sinks; of what ``sinks`` lets through, if it is given."""
    now = time.time_ns() // 1_000_000
    frame = _source_frame(spark, job, shipped, now, assignments or {})
    stages: list[BatchStage] = [SourceStage(shipped)]
    stages += [LevelStage(shipped, level) for level in range(1, len(job.levels))]
    if sinks is not None:
        for level in levels_with_early_sinks(job):
            stages[level] = ChainedStage(stages[level], EarlySinkStage(shipped, level, batch=0))
        stages[-1] = ChainedStage(stages[-1], sinks)
    for level, stage in enumerate(stages):
        placed = frame.repartitionById(shipped.partitions, frame.place)
        ordered = placed.sortWithinPartitions(*(SORTED if level else ("subtask", "sequence")))
        frame = ordered.mapInArrow(stage, ROW_SCHEMA)
    return frame


def run_batch(spark: Any, job: JobGraph, shipped: ShippedJob, assignments: Assignments) -> list[SparkRow]:
    """Run the job and collect what its sinks give to the program's process."""
    frame = batch_rows(spark, job, shipped, SinkStage(shipped, batch=0, job=shipped.run), assignments)
    return list(from_batches(frame.toArrow().to_batches()))


def _source_frame(spark: Any, job: JobGraph, shipped: ShippedJob, now: int, assignments: Assignments) -> Any:
    planned: list[SparkRow] = []
    frames = []
    for entry, source in job.sources():
        places = [partition_of(channel, shipped.partitions) for channel in entry.source_channels]
        if isinstance(source, IteratorSource):
            for channel, place, parts in zip(entry.source_channels, places, source.plan(entry.subtasks), strict=True):
                planned += [
                    source_row(channel, sequence, now, shipped.dump_part(entry, part), place)
                    for sequence, part in enumerate(parts)
                ]
        elif isinstance(source, SplitSource) and entry.node.tag in assignments:
            for channel, place, sent in zip(
                entry.source_channels, places, assignments[entry.node.tag].values(), strict=True
            ):
                planned += [
                    source_row(channel, sequence, now, payload, place, READ_EDGE)
                    for sequence, payload in enumerate(sent)
                ]
        elif isinstance(source, DataFrameSource):
            frames.append(
                source.frame(spark, streaming=False).mapInArrow(PackStage(source, entry, places, now), ROW_SCHEMA)
            )
        else:
            msg = f"source {entry.node.name!r} ({type(source).__name__}) cannot be read by the Spark runtime"
            raise UsageError(msg)
        planned += [
            source_row(channel, LAST, now, b"", place, END_EDGE)
            for channel, place in zip(entry.source_channels, places, strict=True)
        ]
    frame = create_frame(spark, pa.Table.from_batches(list(to_batches(planned))), ROW_SCHEMA)
    for other in frames:
        frame = frame.unionByName(other)
    return frame
