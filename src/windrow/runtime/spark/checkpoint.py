"""A checkpoint directory: Spark's own, and beside it what Windrow has to know when it starts again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from windrow.elements.stored import dumps, dumps_with_code, loads
from windrow.errors import CheckpointError, ConfigurationError
from windrow.graph.job_graph import JobGraph
from windrow.runtime.checkpoint_files import is_damaged, is_gone, writing
from windrow.runtime.spark.layout import differences, layout_of
from windrow.runtime.spark.session import STATE_FORMAT
from windrow.runtime.spark.source_plan import DECIDED, SourcePlan
from windrow.runtime.spark.spark_half import SparkHalf
from windrow.runtime.stage.totals import Totals
from windrow.storage import disk

#: What a job that has begun has in its checkpoint, besides its layout.
_BEGUN = ("sources.pickle", "finished", "ended", "reads", "decisions", "spark/offsets", "spark/commits", "spark/state")


class Checkpoint:
    """The checkpoint of one job.

    Args:
        directory: Where it is; made if it is not there.
        job: The job that starts, or starts again.
        partitions: How many partitions the query has; a checkpoint keeps the number it began with.

    Raises:
        CheckpointError: The directory holds a checkpoint that this program does not fit, or that cannot be read.
    """

    def __init__(self, directory: str, job: JobGraph, partitions: int) -> None:
        self.directory = checkpoint_directory(directory)
        self.spark = SparkHalf(self.directory / "spark")
        self._layout_file = self.directory / "windrow.json"
        self._plan_file = self.directory / "sources.pickle"
        self._finished_file = self.directory / "finished"
        self._ended_file = self.directory / "ended"
        self._channels_file = self.directory / "ended_channels.json"
        self.partitions, self.state_format = self._check_layout(layout_of(job, partitions))
        if not self._finished_file.exists():
            self._check_parts(len(job.levels))

    def remove_leftovers(self) -> None:
        """Remove what dead writers have left; nobody may be writing."""
        folders = [self.directory]
        for of_sources in (Path(self.reads), self.directory / "decisions"):
            folders += of_sources.iterdir() if of_sources.is_dir() else ()
        for folder in folders:
            disk.remove_partials(folder)

    @property
    def finished(self) -> bool:
        """True once the job has read its bounded input to the end."""
        if self._finished_file.exists() or self._end_is_committed():
            return True
        if not self._ended_file.exists():
            return False
        try:
            return int(self._ended_file.read_text()) <= self.spark.last_committed()
        except ValueError as error:
            raise is_damaged(self._ended_file, "ended", error) from error

    def mark_finished(self) -> None:
        """Remember that the job has come to the end of its input."""
        self._write(self._finished_file, b"")

    def mark_ended(self, batch: int) -> None:
        """Remember that the end of the input is in this batch, which Spark is about to commit."""
        self._write(self._ended_file, str(batch).encode())

    def ended_channels(self) -> set[tuple[str, int]]:
        """The (edge, channel) pairs of sinks that have ended, in a batch that is committed or will be run again."""
        if not self._channels_file.exists():
            return set()
        try:
            return {(edge, channel) for edge, channel in json.loads(self._channels_file.read_text())}
        except (ValueError, TypeError) as error:
            raise is_damaged(self._channels_file, self._channels_file.name, error) from error

    def mark_channels_ended(self, channels: set[tuple[str, int]]) -> None:
        """Remember which channels have ended: a job that starts again does not hear of it a second time."""
        self._write(self._channels_file, json.dumps(sorted(channels)).encode())

    @property
    def reads(self) -> str:
        """The directory where is written down what batches have read."""
        return str(self.directory / "reads")

    def decisions(self, source: str) -> str:
        """The directory of what a source's enumerator has decided."""
        return str(self.directory / "decisions" / source)

    @property
    def drain_file(self) -> str:
        """The file that says that the input is to end where it is."""
        return str(self.directory / "drain")

    def drain(self) -> None:
        """Let the input end where it is, as soon as the next batch is planned."""
        self._write(Path(self.drain_file), b"")

    def do_not_drain(self) -> None:
        """Forget what an earlier run was asked for; if it has planned the end of the input, it is in the offsets."""
        Path(self.drain_file).unlink(missing_ok=True)

    def plan(self, make: Callable[[], SourcePlan]) -> SourcePlan:
        """The sources' splits as they were planned when the job first started: a restart reads the same."""
        if self._plan_file.exists():
            try:
                plan: SourcePlan = loads(self._plan_file.read_bytes())
            except Exception as error:
                raise is_damaged(self._plan_file, "sources.pickle", error) from error
            return plan
        plan = make()
        self._write(self._plan_file, dumps_with_code(plan))
        return plan

    def totals_before(self, batch: int) -> Totals:
        """Give what was counted in all batches before this one."""
        if batch == 0:
            return Totals()
        file = self._totals_file(batch - 1)
        try:
            totals: Totals = loads(file.read_bytes())
        except Exception as error:
            raise is_damaged(file, "totals", error) from error
        return totals

    def write_totals(self, batch: int, totals: Totals) -> None:
        """Keep what was counted up to this batch, which Spark is about to commit.

        If it does not come to that, the batch is run again, and begins with what the one before it left.
        """
        self._write(self._totals_file(batch), dumps(totals))
        self._totals_file(batch - 2).unlink(missing_ok=True)

    def last_totals(self) -> Totals:
        """Give what was counted up to the last committed batch."""
        return self.totals_before(self.spark.last_committed() + 1)

    def _totals_file(self, batch: int) -> Path:
        return self.directory / f"totals.{batch}.pickle"

    def forget_plan(self) -> None:
        """Let the sources be planned anew at the next start; what was read stays read."""
        self._plan_file.unlink(missing_ok=True)

    def _check_layout(self, layout: dict[str, Any]) -> tuple[int, int]:
        """The number of partitions that the checkpoint has, and the format of its state files."""
        if not self._layout_file.exists():
            if any((self.directory / name).exists() for name in _BEGUN) or any(self._counted()):
                raise is_gone(self._layout_file, "windrow.json")
            stated = {**layout, "state_format": STATE_FORMAT}
            self._write(self._layout_file, json.dumps(stated, indent=1).encode())
            return int(layout["partitions"]), STATE_FORMAT
        stored, partitions, state_format = self._read_layout()
        try:
            differing = differences(stored, layout)
        except (KeyError, TypeError, AttributeError) as error:
            raise is_damaged(self._layout_file, "windrow.json", error) from error
        if differing:
            msg = f"checkpoint {self.directory} does not fit this program: {'; '.join(differing)}"
            raise CheckpointError(msg)
        if stored["version"] != layout["version"]:
            # What is written from here on is not for the version that has begun it.
            self._write(self._layout_file, json.dumps({**stored, "version": layout["version"]}, indent=1).encode())
        return partitions, state_format

    def _read_layout(self) -> tuple[dict[str, Any], int, int]:
        """The layout as it was written, its number of partitions, and the format of Spark's state files."""
        try:
            stored = json.loads(self._layout_file.read_text())
            return stored, int(stored["partitions"]), int(stored.get("state_format", 1))
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise is_damaged(self._layout_file, "windrow.json", error) from error

    def _check_parts(self, levels: int) -> None:
        """See whether all is there that belongs together: nothing may be read twice because of a file that is gone."""
        self.spark.check(levels, self.partitions)
        planned, committed = max(self.spark.planned(), default=-1), self.spark.last_committed()
        counted = max((batch for batch in self._counted()), default=-1)
        if counted > planned:
            raise is_gone(self.spark.directory / "offsets" / str(counted), "offsets")
        if planned >= 0 and not self._plan_file.exists():
            raise is_gone(self._plan_file, "sources.pickle")
        if committed >= 0:
            if not self._totals_file(committed).exists():
                raise is_gone(self._totals_file(committed), "totals")
            if self.spark.offset(committed).get("read", 0) and not _has_files(Path(self.reads)):
                raise is_gone(Path(self.reads), "reads")
        if planned >= 0:
            self._check_decisions(planned)

    def _check_decisions(self, batch: int) -> None:
        """Of what enumerators have decided there is all that the last batch has taken, and what stood before it."""
        committed = self.spark.last_committed()
        before = self.spark.offset(committed) if committed >= 0 else {}
        for key, decided in self.spark.offset(batch).items():
            prefix, _, source = key.partition(" ")
            if prefix != DECIDED or not decided:
                continue
            for number in range(min(before.get(key, 0), decided - 1), decided):
                file = Path(self.decisions(source)) / str(number)
                if not file.exists():
                    raise is_gone(file, "decisions")

    def _counted(self) -> Iterator[int]:
        """The batches whose totals are there."""
        for file in self.directory.glob("totals.*.pickle"):
            number = file.name.split(".")[1]
            if number.isdigit():
                yield int(number)

    def _end_is_committed(self) -> bool:
        """Tell whether the last committed batch had the end of the input: the process may have died right after it."""
        last = self.spark.last_committed()
        return last >= 0 and self.spark.offset(last)["end"] == 1

    def _write(self, file: Path, data: bytes) -> None:
        with writing(file):
            disk.write(file, data)


def checkpoint_directory(path: str) -> Path:
    """The directory, which is made if it is not there.

    Raises:
        ConfigurationError: it cannot be made.
    """
    directory = Path(path).absolute()
    try:
        disk.make_folder(directory)
    except OSError as error:
        msg = (
            f"the checkpoint directory {directory} (execution.checkpointing.dir) cannot be made: "
            f"{error.filename}: {error.strerror}; name a directory that can be written"
        )
        raise ConfigurationError(msg) from error
    return directory


def _has_files(folder: Path) -> bool:
    return any(file.is_file() for file in folder.rglob("*"))
