"""A checkpoint directory: Spark's own, and beside it what Windrow has to know when it starts again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from windrow.errors import CheckpointError
from windrow.graph.job_graph import JobGraph
from windrow.runtime.spark.pieces import PiecePlan
from windrow.runtime.stage.totals import Totals
from windrow.state.codec import dumps, dumps_with_code, loads

_VERSION = 3


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
        self.directory = Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self._layout_file = self.directory / "windrow.json"
        self._plan_file = self.directory / "sources.pickle"
        self._finished_file = self.directory / "finished"
        self._ended_file = self.directory / "ended"
        self._channels_file = self.directory / "ended_channels.json"
        self.partitions = self._check_layout({**job.layout(), "partitions": partitions, "version": _VERSION})

    @property
    def spark_path(self) -> str:
        """Spark's checkpoint location."""
        return str(self.directory / "spark")

    @property
    def finished(self) -> bool:
        """Whether the job has read its bounded input to the end."""
        if self._finished_file.exists() or self._end_is_committed():
            return True
        return self._ended_file.exists() and int(self._ended_file.read_text()) <= self._last_committed()

    def mark_finished(self) -> None:
        """Remember that the job has come to the end of its input."""
        self._write(self._finished_file, b"")

    def mark_ended(self, batch: int) -> None:
        """Remember that the end of the input is in this batch, which Spark is about to commit."""
        self._write(self._ended_file, str(batch).encode())

    def ended_channels(self) -> set[tuple[int, int]]:
        """The (edge, channel) pairs of sinks that have ended, in a batch that is committed or will be run again."""
        if not self._channels_file.exists():
            return set()
        return {(edge, channel) for edge, channel in json.loads(self._channels_file.read_text())}

    def mark_channels_ended(self, channels: set[tuple[int, int]]) -> None:
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

    def committed(self, batch: int) -> bool:
        """Whether Spark has committed the batch."""
        return (Path(self.spark_path) / "commits" / str(batch)).exists()

    def plan(self, make: Callable[[], PiecePlan]) -> PiecePlan:
        """The sources' splits as they were planned when the job first started: a restart reads the same."""
        if self._plan_file.exists():
            try:
                plan: PiecePlan = loads(self._plan_file.read_bytes())
            except Exception as error:
                msg = f"checkpoint {self.directory}: {self._plan_file.name} cannot be read ({error}); it is damaged"
                raise CheckpointError(msg) from error
            return plan
        plan = make()
        self._write(self._plan_file, dumps_with_code(plan))
        return plan

    def totals_before(self, batch: int) -> Totals:
        """What was counted in all batches before this one."""
        if batch == 0:
            return Totals()
        file = self._totals_file(batch - 1)
        try:
            totals: Totals = loads(file.read_bytes())
        except Exception as error:
            msg = f"checkpoint {self.directory}: {file.name} cannot be read ({error}); it is damaged"
            raise CheckpointError(msg) from error
        return totals

    def write_totals(self, batch: int, totals: Totals) -> None:
        """Keep what was counted up to this batch, which Spark is about to commit.

        If it does not come to that, the batch is run again, and begins with what the one before it left.
        """
        self._write(self._totals_file(batch), dumps(totals))
        self._totals_file(batch - 2).unlink(missing_ok=True)

    def last_totals(self) -> Totals:
        """What was counted up to the last committed batch."""
        return self.totals_before(self._last_committed() + 1)

    def _totals_file(self, batch: int) -> Path:
        return self.directory / f"totals.{batch}.pickle"

    def forget_plan(self) -> None:
        """Let the sources be planned anew at the next start; what was read stays read."""
        self._plan_file.unlink(missing_ok=True)

    def _check_layout(self, layout: dict[str, Any]) -> int:
        if not self._layout_file.exists():
            self._write(self._layout_file, json.dumps(layout, indent=1).encode())
            return int(layout["partitions"])
        stored, partitions = self._read_layout()
        for field, what in (("version", "format"), ("max_parallelism", "max parallelism"), ("levels", "operators")):
            if stored.get(field) != layout[field]:
                msg = (
                    f"checkpoint {self.directory} was written by another job: its {what} is {stored.get(field)!r}, "
                    f"this program's is {layout[field]!r}; give operators the same uid() as before, or use another "
                    "checkpoint directory"
                )
                raise CheckpointError(msg)
        self._check_state(stored.get("state", {}), layout["state"])
        return partitions

    def _check_state(self, stored: dict[str, str], state: dict[str, str]) -> None:
        changed = [tag for tag in {**stored, **state} if stored.get(tag) != state.get(tag)]
        for tag in changed:
            before, now = (kinds.get(tag, "no windows") for kinds in (stored, state))
            msg = (
                f"checkpoint {self.directory}: operator {tag!r} has kept {before}, and in this program it keeps {now}; "
                "what is in the checkpoint cannot become that: let the operator keep what it kept, or begin anew with "
                "another checkpoint directory"
            )
            raise CheckpointError(msg)

    def _read_layout(self) -> tuple[dict[str, Any], int]:
        """The layout as it was written, and its number of partitions."""
        try:
            stored = json.loads(self._layout_file.read_text())
            return stored, int(stored["partitions"])
        except (ValueError, TypeError, KeyError) as error:
            msg = f"checkpoint {self.directory}: {self._layout_file.name} cannot be read ({error}); it is damaged"
            raise CheckpointError(msg) from error

    def _end_is_committed(self) -> bool:
        """Whether the last committed batch had the end of the input: the process may have died right after it."""
        last = self._last_committed()
        if last < 0:
            return False
        offsets = (Path(self.spark_path) / "offsets" / str(last)).read_text().splitlines()
        return any('"end": 1' in line or '"end":1' in line for line in offsets[2:])

    def _last_committed(self) -> int:
        """The number of the last batch that Spark has committed; -1 if there is none."""
        commits = Path(self.spark_path) / "commits"
        files = commits.iterdir() if commits.exists() else ()
        return max((int(file.name) for file in files if file.name.isdigit()), default=-1)

    def _write(self, file: Path, data: bytes) -> None:
        # Written beside and renamed: a process that dies in between leaves no half of a file.
        partial = file.with_name(f".{file.name}.{os.getpid()}")
        partial.write_bytes(data)
        partial.replace(file)
