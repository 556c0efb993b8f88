"""A checkpoint directory: Spark's own, and beside it what Windrow has to know when it starts again."""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Callable
from typing import Any

from windrow.elements.stored import dumps, dumps_with_code, loads
from windrow.errors import CheckpointError, ConfigurationError, JobExecutionError
from windrow.graph.job_graph import JobGraph
from windrow.runtime.checkpoint_files import (
    ARRIVING,
    ASSIGNED_PAGES,
    DECISIONS,
    DRAIN,
    ENDED,
    ENDED_CHANNELS,
    FINISHED,
    LAYOUT,
    ORIGIN,
    PLAN,
    PLAN_BEFORE,
    READS,
    damaged_error,
    gone_error,
    reading,
    totals_name,
    writing,
)
from windrow.runtime.spark.layout import differences, layout_of
from windrow.runtime.spark.session import STATE_FORMAT
from windrow.runtime.spark.source_plan import DECIDED, SourcePlan
from windrow.runtime.spark.spark_half import SparkHalf
from windrow.runtime.spark.state_assignment.pages import AssignedState
from windrow.runtime.spark.state_assignment.record import AssignedPages, Origin
from windrow.runtime.stage.totals import Totals
from windrow.storage import disk
from windrow.storage.folder import Files, Folder
from windrow.storage.remembered_files import RememberedFiles

_TOTALS = re.compile(r"totals\.(\d+)\.pickle")
#: What a job that has begun has in its checkpoint, besides its layout.
_BEGUN = (ARRIVING, PLAN, FINISHED, ENDED, READS, DECISIONS, "spark/offsets", "spark/commits", "spark/state")


class Checkpoint:
    """The checkpoint of one job.

    Args:
        folder: Where it is; made if it is not there.
        job: The job that starts, or starts again.
        partitions: How many partitions the query has; a checkpoint keeps the number it began with.

    Raises:
        CheckpointError: The folder holds a checkpoint that this program does not fit, or that cannot be read.
        ConfigurationError: The folder cannot be made.
    """

    def __init__(self, folder: Folder, job: JobGraph, partitions: int) -> None:
        make_checkpoint_folder(folder)
        self.folder = folder
        self.spark = SparkHalf(folder.below("spark"))
        #: What other processes read and write as well, through this one.
        self.shared: Files = RememberedFiles(folder, (READS, DECISIONS, DRAIN))
        self.partitions, self.state_format, self._has_origin = self._begin_or_read(layout_of(job, partitions))
        self._origin = Origin.read(folder)
        if not folder.exists(FINISHED):
            self._check_parts(len(job.levels))

    def remove_leftovers(self) -> None:
        """Remove what dead writers have left; nobody may be writing."""
        of_sources = [f"{part}/{name}" for part in (READS, DECISIONS) for name in self.folder.names(part)]
        for folder in ["", *of_sources]:
            for name in self.folder.names(folder):
                if disk.is_partial(name):
                    self.folder.remove(f"{folder}/{name}" if folder else name)
        self.spark.remove_leftovers()

    @property
    def finished(self) -> bool:
        """True once the job has read its bounded input to the end."""
        if self.folder.exists(FINISHED) or self._end_is_committed():
            return True
        if not self.folder.exists(ENDED):
            return False
        with reading(self.folder.place(ENDED), ENDED):
            return int(self.folder.read(ENDED)) <= self.spark.last_committed()

    def mark_finished(self) -> None:
        """Remember that the job has come to the end of its input."""
        self._write(FINISHED, b"")

    def mark_ended(self, batch: int) -> None:
        """Remember that the end of the input is in this batch, which Spark is about to commit."""
        self._write(ENDED, str(batch).encode())

    def ended_channels(self) -> set[tuple[str, int]]:
        """The (edge, channel) pairs of sinks that have ended, in a batch that is committed or will be run again."""
        if not self.folder.exists(ENDED_CHANNELS):
            return set()
        with reading(self.folder.place(ENDED_CHANNELS), ENDED_CHANNELS):
            return {(edge, channel) for edge, channel in json.loads(self.folder.read(ENDED_CHANNELS))}

    def mark_channels_ended(self, channels: set[tuple[str, int]]) -> None:
        """Remember which channels have ended: a job that starts again does not hear of it a second time."""
        self._write(ENDED_CHANNELS, json.dumps(sorted(channels)).encode())

    def drain(self) -> None:
        """Let the input end where it is, as soon as the next batch is planned."""
        with writing(self.folder.place(DRAIN)):
            self.shared.write(DRAIN, b"")

    def do_not_drain(self) -> None:
        """Forget what an earlier run was asked for; if it has planned the end of the input, it is in the offsets."""
        self.shared.remove(DRAIN)

    def plan(self, make: Callable[[], SourcePlan]) -> SourcePlan:
        """The sources' splits as they were planned when the job first started: a restart reads the same."""
        if self.folder.exists(PLAN):
            return self._read_plan(PLAN)
        plan = make()
        self._write(PLAN, dumps_with_code(plan))
        self.folder.remove(PLAN_BEFORE)
        return plan

    def plan_before(self) -> SourcePlan | None:
        """Read what sources of another job's savepoint are yet to give; None: nothing, or it is in the plan already."""
        return self._read_plan(PLAN_BEFORE) if self.folder.exists(PLAN_BEFORE) else None

    def _read_plan(self, name: str) -> SourcePlan:
        with reading(self.folder.place(name), name):
            plan: SourcePlan = loads(self.folder.read(name))
        return plan

    @property
    def batches_before(self) -> int:
        """The number of batches before the first one: those of the savepoint that another job has left."""
        return 0 if self._origin is None else self._origin.batches_before

    def assigned_state(self, spark: Any) -> AssignedState | None:
        """The state of a savepoint that the first batch is to deal out; None: it was dealt out, or there is none.

        Raises:
            CheckpointError: the savepoint is gone.
        """
        if self._origin is None:
            return None
        if self.spark.last_committed() >= 0:
            self.folder.remove(ASSIGNED_PAGES)
            return None
        savepoint = self._origin.folder(spark, self.folder)
        half = SparkHalf(savepoint.below("spark"))
        return AssignedState(half, self._origin, AssignedPages.read(self.folder))

    def totals_before(self, batch: int) -> Totals:
        """Give what was counted in all batches before this one."""
        name = totals_name(batch - 1)
        if batch == 0 and not self.folder.exists(name):
            return Totals()
        with reading(self.folder.place(name), "totals"):
            totals: Totals = loads(self.folder.read(name))
        return totals

    def write_totals(self, batch: int, totals: Totals) -> None:
        """Keep what was counted up to this batch, which Spark is about to commit.

        If it does not come to that, the batch is run again, and begins with what the one before it left.
        """
        self._write(totals_name(batch), dumps(totals))
        self.folder.remove(totals_name(batch - 2))

    def last_totals(self) -> Totals:
        """Give what was counted up to the last committed batch."""
        return self.totals_before(self.spark.last_committed() + 1)

    def forget_plan(self) -> None:
        """Let the sources be planned anew at the next start; what was read stays read."""
        self.folder.remove(PLAN)

    def _begin_or_read(self, layout: dict[str, Any]) -> tuple[int, int, bool]:
        """Begin a checkpoint, or read from one that has begun what it began with.

        Returns its number of partitions, the format of its state files, and whether it began with a savepoint.
        """
        if not self.folder.exists(LAYOUT):
            if any(self.folder.exists(name) for name in _BEGUN) or self._counted():
                raise gone_error(self.folder.place(LAYOUT), LAYOUT)
            stated = {**layout, "state_format": STATE_FORMAT, "begun": layout["version"]}
            self._write(LAYOUT, json.dumps(stated, indent=1).encode())
            return int(layout["partitions"]), STATE_FORMAT, False
        with reading(self.folder.place(LAYOUT), LAYOUT):
            stored = json.loads(self.folder.read(LAYOUT))
            partitions, state_format = int(stored["partitions"]), int(stored.get("state_format", 1))
        try:
            differing = differences(stored, layout)
        except (KeyError, TypeError, AttributeError) as error:
            raise damaged_error(self.folder.place(LAYOUT), LAYOUT, error) from error
        if differing:
            msg = f"checkpoint {self.folder.location} does not fit this program: {'; '.join(differing)}"
            raise CheckpointError(msg)
        if stored["version"] != layout["version"]:
            # What is written from here on is not for the version that has begun it.
            self._write(LAYOUT, json.dumps({**stored, "version": layout["version"]}, indent=1).encode())
        return partitions, state_format, bool(stored.get("has_origin"))

    def _check_parts(self, levels: int) -> None:
        """See whether all is there that belongs together: nothing may be read twice because of a file that is gone."""
        self.spark.check(levels, self.partitions)
        self._check_origin()
        planned, committed = max(self.spark.planned(), default=-1), self.spark.last_committed()
        counted = self._counted()
        if max(counted, default=-1) > planned:
            raise gone_error(self.spark.folder.place(f"offsets/{max(counted)}"), "offsets")
        if planned >= 0 and not self.folder.exists(PLAN):
            raise gone_error(self.folder.place(PLAN), PLAN)
        if committed >= 0:
            if committed not in counted:
                raise gone_error(self.folder.place(totals_name(committed)), "totals")
            if self.spark.offset(committed).get("read", 0) and not any(self.folder.files(READS)):
                raise gone_error(self.folder.place(READS), READS)
        if planned >= 0:
            self._check_decisions(planned)

    def _check_origin(self) -> None:
        """Of a job that has begun with another one's state, and has no batch yet, there is all that it begins with."""
        if not self._has_origin:
            return
        if self._origin is None:
            raise gone_error(self.folder.place(ORIGIN), ORIGIN)
        if self.spark.last_committed() >= 0:
            return
        if not (self.folder.exists(PLAN) or self.folder.exists(PLAN_BEFORE)):
            raise gone_error(self.folder.place(PLAN_BEFORE), PLAN_BEFORE)
        needed = {ASSIGNED_PAGES: ASSIGNED_PAGES, totals_name(-1): "totals"}
        needed |= {f"{DECISIONS}/{log}/0": DECISIONS for log in self._origin.logs}
        for name, part in needed.items():
            if not self.folder.exists(name):
                raise gone_error(self.folder.place(name), part)

    def _check_decisions(self, batch: int) -> None:
        """Of what enumerators have decided there is all that the last batch has taken, and what stood before it."""
        committed = self.spark.last_committed()
        before = self.spark.offset(committed) if committed >= 0 else {}
        for key, decided in self.spark.offset(batch).items():
            prefix, _, source = key.partition(" ")
            if prefix != DECIDED or not decided:
                continue
            there = set(self.folder.names(f"{DECISIONS}/{source}"))
            for number in range(min(before.get(key, 0), decided - 1), decided):
                if str(number) not in there:
                    raise gone_error(self.folder.place(f"{DECISIONS}/{source}/{number}"), DECISIONS)

    def _counted(self) -> set[int]:
        """The batches whose totals are there."""
        return {int(found[1]) for name in self.folder.names() if (found := _TOTALS.fullmatch(name))}

    def _end_is_committed(self) -> bool:
        """Tell whether the last committed batch had the end of the input: the process may have died right after it."""
        last = self.spark.last_committed()
        return last >= 0 and self.spark.offset(last)["end"] == 1

    def _write(self, name: str, data: bytes) -> None:
        with writing(self.folder.place(name)):
            self.folder.write(name, data)


def make_checkpoint_folder(folder: Folder) -> None:
    """Make the folder of a checkpoint if it is not there.

    Raises:
        ConfigurationError: it cannot be made.
        JobExecutionError: its file system does not answer now; another attempt may make it.
    """
    try:
        folder.make()
    except OSError as error:
        if error.errno == errno.EIO:
            msg = f"the checkpoint directory {folder.location} cannot be made now: {error.strerror}"
            raise JobExecutionError(msg) from error
        msg = (
            f"the checkpoint directory {folder.location} (execution.checkpointing.dir) cannot be made: "
            f"{error.filename or folder.location}: {error.strerror or error}; name a directory that can be written"
        )
        raise ConfigurationError(msg) from error
