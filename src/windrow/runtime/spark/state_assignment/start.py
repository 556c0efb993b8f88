"""Makes a checkpoint of a savepoint for a job of another parallelism, or another program, than the one that left it.

Keyed state is dealt out by key groups, in the first batch, by Spark's workers (``pages.py``). All else is made here
(``dealing.py``): the checkpoint has the parts that sources are yet to give, and what enumerators have decided.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from windrow.connectors.iterator_source import IteratorSource
from windrow.elements.stored import dumps, dumps_with_code, loads
from windrow.graph.job_graph import JobGraph
from windrow.runtime.checkpoint_files import (
    DECISIONS,
    ENDED_CHANNELS,
    FINISHED,
    LAYOUT,
    PLAN,
    PLAN_BEFORE,
    gone_error,
    reading,
    totals_name,
)
from windrow.runtime.sources.coordinator_log import FileLog
from windrow.runtime.spark.layout import READABLE, differences, first_channel, layout_of
from windrow.runtime.spark.lease import refuse_if_used
from windrow.runtime.spark.placement import grouping_key
from windrow.runtime.spark.savepoint import copy_as_its_own
from windrow.runtime.spark.source_plan import DEALT, DECIDED, ChannelPlan, Offset, SourcePlan, log_name
from windrow.runtime.spark.spark_half import SparkHalf
from windrow.runtime.spark.state_assignment.before import Decided, JobBefore
from windrow.runtime.spark.state_assignment.compatibility import check_compatibility
from windrow.runtime.spark.state_assignment.dealing import Dealt, deal_out
from windrow.runtime.spark.state_assignment.record import AssignedPages, Origin
from windrow.runtime.spark.state_assignment.stored import stored_level
from windrow.runtime.spark.stored_pages import operator_of
from windrow.runtime.stage.redealing import Producers
from windrow.runtime.stage.totals import Totals
from windrow.storage.folder import Folder


def make_checkpoint_from(
    spark: Any, job: JobGraph, partitions: int, savepoint: Folder, target: Folder, *, ignore_unclaimed: bool = False
) -> None:
    """Make a checkpoint of a savepoint: a copy, or, for another program or another parallelism, a new one.

    Args:
        spark: A session.
        job: The job.
        partitions: How many partitions its query has.
        savepoint: What the job begins with.
        target: The checkpoint's folder, which is empty.
        ignore_unclaimed: Whether state of operators that are gone may be lost.

    Raises:
        CheckpointError: what is in the savepoint cannot be dealt out to the job, or cannot be read.
    """
    layout = layout_of(job, partitions)
    with reading(savepoint.place(LAYOUT), LAYOUT):
        stored: dict[str, Any] = json.loads(savepoint.read(LAYOUT))
        is_copied = stored.get("version") not in READABLE or not differences(stored, layout)
    if is_copied:
        copy_as_its_own(savepoint, target)
        return
    half = SparkHalf(savepoint.below("spark"))
    half.check(len(stored["levels"]), int(stored["partitions"]))
    if half.last_committed() < 0:
        origin = Origin.read(savepoint)
        if origin is not None:  # it has dealt out nothing yet
            before = origin.folder(spark, savepoint)
            refuse_if_used(before)
            make_checkpoint_from(spark, job, partitions, before, target, ignore_unclaimed=ignore_unclaimed)
        return  # else nothing was read
    start = _Start(spark, savepoint, target, job, partitions, stored)
    check_compatibility(job, layout, start.before, savepoint.location, ignore_unclaimed=ignore_unclaimed)
    start.make()
    kept = {name: stored[name] for name in ("state_format", "begun")}
    target.write(LAYOUT, json.dumps({**layout, **kept, "has_origin": True}, indent=1).encode())


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
        before, state_format, levels = (
            int(stored["partitions"]),
            int(stored.get("state_format", 1)),
            len(stored["levels"]),
        )
        operators = [operator_of(level, levels) for level in range(levels)]
        pages = [stored_level(spark, half, before, state_format, operator, self._batch) for operator in operators]
        self.before = JobBefore(job, stored, before, pages, self._decided)

    def make(self) -> None:
        """Write all but the layout."""
        dealt, made = deal_out(self._job, self._partitions, self.before)
        if all(channel.ended for entry in self._job.levels[0] for channel in dealt[entry.node.tag].channels):
            self._target.write(FINISHED, b"")
        depth = len(self.before.layout["levels"])
        AssignedPages(made, self.before.columns(), self.before.levels, depth).write(self._target)
        self._write_plan()
        logs = []
        for entry in self._job.levels[0]:
            readers = dealt[entry.node.tag].readers
            if readers is not None:
                logs.append(log_name(entry.first_channel))
                FileLog(self._target, logs[-1]).append(readers.decided)
        self._write_ended_channels(dealt)
        totals = totals_name(self._batch)
        with reading(self._savepoint.place(totals), "totals"):
            counted = dumps(Totals()) if self.before.is_bootstrapped else self._savepoint.read(totals)
            self._target.write(totals_name(-1), counted)
        before = Origin.read(self._savepoint)
        batches = self._batch + 1 + (0 if before is None else before.batches_before)
        Origin(self._savepoint.location, self._batch, self.before.partitions, batches, logs).write(self._target)

    def _decided(self, first_channel: int) -> Decided:
        name = log_name(first_channel)
        log = FileLog(self._savepoint, name)
        heard = self._offset.get(f"{DECIDED} {name}", 0)
        first = max(heard - 1, 0)
        # What a batch has led to that is not committed nobody knows of: readers will say it again.
        known = [entry for entry in log.entries(first, log.count(first)) if entry.batch <= self._batch]
        if not known:
            raise gone_error(self._savepoint.place(f"{DECISIONS}/{name}/{first}"), DECISIONS)
        return Decided(known[heard - first :], known[-1])

    def _write_plan(self) -> None:
        """Write what sources that were there are yet to give; the job plans what new ones give behind it."""
        with reading(self._savepoint.place(PLAN), PLAN):
            plan: SourcePlan = loads(self._savepoint.read(PLAN))
        known = {planned.channel: planned for planned in plan.channels}
        channels = []
        for entry, source in self._job.sources():
            before = self.before.chains.get(entry.node.tag)
            if isinstance(source, IteratorSource) and before is not None and not before.edges:
                first = first_channel(self.before.layout, entry.node.tag)
                for number, channel in enumerate(entry.source_channels):
                    place = grouping_key(channel, self._partitions)
                    none = ChannelPlan(channel, place, [], ends=True)
                    planned = known[first + number] if number < before.subtasks else none
                    channels.append(replace(planned, channel=channel, place=place))
        start = {"split": self._offset["split"], DEALT: 0}
        self._target.write(PLAN_BEFORE, dumps_with_code(replace(plan, channels=channels, start=start)))

    def _write_ended_channels(self, dealt: dict[str, Dealt]) -> None:
        producers = Producers([entry for level in self._job.levels for entry in level])
        ended = []
        for sink in self._job.sinks:
            for edge in sink.edges:
                channels = dealt[producers.of(edge)[0].node.tag].channels
                ended += [(edge.key, number) for number, channel in enumerate(channels) if channel.ended]
        self._target.write(ENDED_CHANNELS, json.dumps(sorted(ended)).encode())
