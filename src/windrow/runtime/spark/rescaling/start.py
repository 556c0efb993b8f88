"""Makes a checkpoint of a savepoint for a job that has another parallelism than the one that has left it.

Keyed state is dealt out by key groups, in the first batch, by Spark's workers (``pages.py``). All else is made here
(``dealing.py``): the checkpoint has the parts that sources are yet to give, and what enumerators have decided.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from windrow.connectors.iterator_source import IteratorSource
from windrow.elements.stored import dumps_with_code, loads
from windrow.graph.job_graph import JobGraph
from windrow.runtime.checkpoint_files import ENDED_CHANNELS, FINISHED, LAYOUT, PLAN, reading, totals_name
from windrow.runtime.sources.coordinator_log import FileLog, LogEntry
from windrow.runtime.spark.layout import check_begun, layout_of, rescales
from windrow.runtime.spark.placement import grouping_key
from windrow.runtime.spark.rescaling.dealing import Dealt, Decided, JobBefore, deal_out
from windrow.runtime.spark.rescaling.record import Rescaled
from windrow.runtime.spark.rescaling.stored import stored_level
from windrow.runtime.spark.savepoint import copy_as_its_own
from windrow.runtime.spark.source_plan import DECIDED, ChannelPlan, Offset, SourcePlan, log_name, ticked_subtasks
from windrow.runtime.spark.spark_half import SparkHalf
from windrow.runtime.spark.stored_pages import operator_of
from windrow.runtime.stage.redealing import Producers
from windrow.storage.folder import Folder


def arrive_from(spark: Any, job: JobGraph, partitions: int, savepoint: Folder, target: Folder) -> None:
    """Make a checkpoint of a savepoint: a copy, or, for a job with another parallelism, a new one.

    Args:
        spark: A session.
        job: The job.
        partitions: How many partitions its query has.
        savepoint: What the job begins with.
        target: The checkpoint's folder, which is empty.

    Raises:
        CheckpointError: what is in the savepoint cannot be dealt out anew, or cannot be read.
    """
    layout = layout_of(job, partitions)
    with reading(savepoint.place(LAYOUT), LAYOUT):
        stored: dict[str, Any] = json.loads(savepoint.read(LAYOUT))
        is_other = rescales(stored, layout)
    if not is_other:
        copy_as_its_own(savepoint, target)
        return
    check_begun(stored, savepoint.location)
    if SparkHalf(savepoint.below("spark")).last_committed() >= 0:
        _Start(spark, savepoint, target, job, partitions, stored).make()
    kept = {name: stored[name] for name in ("state_format", "begun")}
    target.write(LAYOUT, json.dumps({**layout, **kept}, indent=1).encode())


class _Start:
    """A start that is being made."""

    def __init__(
        self, spark: Any, savepoint: Folder, target: Folder, job: JobGraph, partitions: int, stored: dict[str, Any]
    ) -> None:
        self._savepoint = savepoint
        self._target = target
        self._job = job
        self._partitions = partitions
        half = SparkHalf(savepoint.below("spark"))
        self._batch = half.last_committed()
        self._offset: Offset = half.offset(self._batch)
        before, state_format, levels = int(stored["partitions"]), int(stored["state_format"]), len(job.levels)
        operators = [operator_of(level, levels) for level in range(levels)]
        pages = [stored_level(spark, half, before, state_format, operator, self._batch) for operator in operators]
        self._before = JobBefore(stored["levels"], before, pages, self._decided)

    def make(self) -> None:
        """Write all but the layout."""
        if self._offset["end"] or self._savepoint.exists(FINISHED):
            self._target.write(FINISHED, b"")
        dealt, pages = deal_out(self._job, self._partitions, self._before)
        pages.write(self._target)
        self._write_plan()
        for entry in self._job.levels[0]:
            readers = dealt[entry.node.tag].readers
            if readers is not None:
                FileLog(self._target, log_name(entry.first_channel)).append(readers.decided)
        self._write_ended_channels(dealt)
        before = Rescaled.read(self._savepoint)
        first = self._batch + 1 + (0 if before is None else before.first_batch)
        Rescaled(self._savepoint.location, self._batch, self._before.partitions, first).write(self._target)
        self._target.write(totals_name(-1), self._savepoint.read(totals_name(self._batch)))

    def _decided(self, first_channel: int) -> Decided:
        name = log_name(first_channel)
        log = FileLog(self._savepoint, name)
        heard = self._offset.get(f"{DECIDED} {name}", 0)
        return Decided(log.entries(heard, log.count(heard)), log.last() or LogEntry())

    def _write_plan(self) -> None:
        with reading(self._savepoint.place(PLAN), PLAN):
            plan: SourcePlan = loads(self._savepoint.read(PLAN))
        known = {planned.channel: planned for planned in plan.channels}
        channels = []
        for entry, source in self._job.sources():
            if isinstance(source, IteratorSource):
                tag = entry.node.tag
                first, before = self._before.first_channel(tag), self._before.levels[0][tag]["subtasks"]
                for number, channel in enumerate(entry.source_channels):
                    place = grouping_key(channel, self._partitions)
                    planned = known[first + number] if number < before else ChannelPlan(channel, place, [], ends=True)
                    channels.append(replace(planned, channel=channel, place=place))
        bounded = all(source.bounded for _, source in self._job.sources())
        ticked = ticked_subtasks(self._job, self._partitions, unbounded=not bounded) if plan.tick_interval else []
        start = {"split": self._offset["split"]}
        made = SourcePlan(channels, ticked, plan.splits_per_batch, plan.tick_interval, bounded, start=start)
        self._target.write(PLAN, dumps_with_code(made))

    def _write_ended_channels(self, dealt: dict[str, Dealt]) -> None:
        producers = Producers([entry for level in self._job.levels for entry in level])
        ended = []
        for sink in self._job.sinks:
            for edge in sink.edges:
                channels = dealt[producers.of(edge)[0].node.tag].channels
                ended += [(edge.key, number) for number, channel in enumerate(channels) if channel.ended]
        self._target.write(ENDED_CHANNELS, json.dumps(sorted(ended)).encode())
