"""Builds a job as a streaming query: a stateful operator per level, behind the source of all that is read."""

from __future__ import annotations

from typing import Any

from windrow.connectors.collection import CollectionSplit
from windrow.connectors.dataframe import DataFrameSource
from windrow.connectors.interfaces import Source
from windrow.connectors.iterator_source import IteratorSource, SplitPart
from windrow.connectors.source import Source as SplitSource
from windrow.errors import ConfigurationError, UsageError
from windrow.graph.job_graph import Entry, JobGraph
from windrow.runtime.spark.failures import error_of
from windrow.runtime.spark.ingest import PackStage
from windrow.runtime.spark.job_source import job_source
from windrow.runtime.spark.level_work import LevelWork
from windrow.runtime.spark.placement import grouping_key
from windrow.runtime.spark.processor import LevelProcessor
from windrow.runtime.spark.rows import ROW_SCHEMA, SparkRow
from windrow.runtime.spark.served_files import ServedFiles
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.spark.sink_stages import EarlySinkStage, levels_with_early_sinks
from windrow.runtime.spark.source_plan import ChannelPlan, SourcePlan
from windrow.runtime.spark.state_assignment.pages import AssignedState
from windrow.runtime.spark.stream_settings import StreamSettings


def streaming_rows(
    spark: Any,
    job: JobGraph,
    shipped: ShippedJob,
    plan: SourcePlan,
    files: ServedFiles | None = None,
    initial_state: AssignedState | None = None,
    batches_before: int = 0,
) -> Any:
    """Make a streaming DataFrame of everything that reaches the job's sinks.

    Args:
        spark: The session.
        job: The job.
        shipped: The same, as workers get it.
        plan: What there is to read.
        files: Those of the checkpoint, for the process in which Spark plans batches; None: there is none of ours.
        initial_state: State of a savepoint that the first batch deals out; None: it was dealt out, or there is none.
        batches_before: How many batches sinks have had before the first one.

    Raises:
        JobExecutionError: the workers' Python cannot read the job's source.
    """
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as F  # noqa: N812

    name = f"windrow_{shipped.run}"
    spark.dataSource.register(job_source(name, plan, files))
    try:
        frame = spark.readStream.format(name).load()
    except PySparkException as error:  # the first Python that Spark starts for the job: it may lack what is needed
        raise error_of(error) from None
    for entry, source in job.sources():
        if isinstance(source, DataFrameSource):
            places = [grouping_key(channel, shipped.partitions) for channel in entry.source_channels]
            packed = source.frame(spark, streaming=True).mapInArrow(PackStage(source, entry, places, 0), ROW_SCHEMA)
            frame = frame.unionByName(packed.drop("now"))
    # The batch's time in the offset log: the same when the batch is run again.
    frame = frame.withColumn("now", F.unix_millis(F.current_timestamp())).select(*SparkRow._fields)
    early = levels_with_early_sinks(job)
    for level in range(len(job.levels)):
        frame = frame.groupBy("place").transformWithState(
            LevelProcessor(LevelWork(shipped, level)),
            outputStructType=ROW_SCHEMA,
            outputMode="Append",
            timeMode="None",
            initialState=None if initial_state is None else initial_state.of_level(spark, job, shipped, level),
        )
        if level in early:
            frame = frame.mapInArrow(
                EarlySinkStage(shipped, level, batch=None, batches_before=batches_before), ROW_SCHEMA
            )
    return frame


def plan_source(
    job: JobGraph, shipped: ShippedJob, settings: StreamSettings, before: SourcePlan | None = None, *, bounded: bool
) -> SourcePlan:
    """Plan what the source behind the job gives: the parts of sources that the runtime deals, ticks, the end.

    Sources that have enumerators are not in the plan: where their decisions are follows from the checkpoint.

    Args:
        job: The job.
        shipped: The same, as workers get it.
        settings: How many splits go into a batch, how large they are, how often it ticks.
        before: Channels of a savepoint, which go on as they were planned; others begin where those are.
        bounded: Whether the input ends when all splits are read.

    Raises:
        UsageError: a source is of a kind that Spark cannot read.
        ConfigurationError: a source's end does not fit the job.
    """
    unbounded = not bounded
    channels = [] if before is None else [*before.channels]
    start = {} if before is None else before.start
    known = {planned.channel for planned in channels}
    for entry, source in job.sources():
        if entry.first_channel in known:
            continue
        places = [grouping_key(channel, shipped.partitions) for channel in entry.source_channels]
        if isinstance(source, IteratorSource):
            given: list[bytes] = [b""] * start.get("split", 0)
            planned = source.plan(entry.subtasks)
            parts = [given + _parts(entry, shipped, of_channel, settings) for of_channel in planned]
            numbered = zip(entry.source_channels, places, parts, strict=True)
            channels += [
                ChannelPlan(channel, place, splits, ends=source.bounded) for channel, place, splits in numbered
            ]
        elif not isinstance(source, SplitSource):
            _check_streams(entry, source, unbounded)
            numbered_places = zip(entry.source_channels, places, strict=True)
            channels += [ChannelPlan(channel, place, [], ends=False) for channel, place in numbered_places]
    ticked = _ticked_subtasks(job, shipped.partitions, unbounded=unbounded) if settings.tick_interval else []
    return SourcePlan(channels, ticked, settings.splits_per_batch, settings.tick_interval, bounded, start=start)


def _check_streams(entry: Entry, source: Source, unbounded: bool) -> None:
    """Refuse a source that a streaming query cannot read."""
    name = entry.node.name
    if not isinstance(source, DataFrameSource):
        msg = f"source {name!r} ({type(source).__name__}) cannot be read by the Spark runtime"
        raise UsageError(msg)
    if source.bounded and not source.streamable:
        msg = (
            f"source {name!r} is a batch DataFrame, and this job is a streaming query (it has a checkpoint, or another "
            "source without end); pass a streaming DataFrame (spark.readStream), or run without a checkpoint directory"
        )
        raise ConfigurationError(msg)
    if source.bounded and unbounded:
        msg = (
            f"source {name!r} ends, and another source of this job does not: nobody would say when all of its files "
            "are read; read them with from_dataframe(spark.readStream...), which does not end"
        )
        raise ConfigurationError(msg)


def _parts(entry: Entry, shipped: ShippedJob, of_channel: list[SplitPart], settings: StreamSettings) -> list[bytes]:
    """A channel's parts, cut if that is wanted; at least one, behind which the channel can end."""
    size = settings.elements_per_split
    cut = of_channel if size is None else [piece for part in of_channel for piece in part.cut(size)]
    return [shipped.dump_part(entry, part) for part in cut or [CollectionSplit([])]]


def _ticked_subtasks(job: JobGraph, partitions: int, *, unbounded: bool) -> list[tuple[int, int, int]]:
    """Grouping key, number and level of the subtasks that have to hear of processing time."""
    return [
        (grouping_key(subtask, partitions), subtask, level)
        for level, entries in enumerate(job.levels)
        if level > 0 or unbounded
        for subtask in _ticked_of_level(level, entries, unbounded)
    ]


def _ticked_of_level(level: int, entries: list[Entry], unbounded: bool) -> list[int]:
    """The subtasks of a level, or channels of sources, that have to hear of processing time."""
    ticked = [entry for entry in entries if entry.ticked(unbounded)]
    if level == 0:
        # Readers that an enumerator deals splits to are told the time whenever they are to read.
        dealt = [
            entry
            for entry in ticked
            if isinstance(entry.source, IteratorSource) or not isinstance(entry.source, SplitSource)
        ]
        return [channel for entry in dealt for channel in entry.source_channels]
    return list(range(max((entry.subtasks for entry in ticked), default=0)))
