"""The streaming source behind every Windrow job: splits of planned sources, reads of readers, ticks, and the end.

What a batch reads follows from its offsets alone, so a batch that is run again reads the same. An offset counts the
splits each channel has given so far (all channels advance alike), the reads of readers, how many of their enumerator's
decisions they have heard of, the ticks, and whether the end of the input was said.

The rows say what is to be read, and are few. So they are made where batches are planned, and go to the tasks with the
plan: no Python has to run in the tasks to make them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, SimpleDataSourceStreamReader
from pyspark.sql.streaming.datasource import SupportsTriggerAvailableNow

from windrow.runtime.checkpoint_files import DRAIN
from windrow.runtime.sources.coordinator_log import FileLog
from windrow.runtime.spark.batch_size import BatchSize
from windrow.runtime.spark.driver_pythons import finding_windrow
from windrow.runtime.spark.rows import END_EDGE, READ_EDGE, ROW_SCHEMA, TICK_EDGE, SparkRow, source_row, to_batches
from windrow.runtime.spark.served_files import ServedFiles
from windrow.runtime.spark.source_plan import DEALT, DECIDED, ChannelPlan, Offset, ReaderPlan, SourcePlan

#: So many seconds a source at rest is waited for where batches are planned: nothing else need be planned meanwhile.
_AT_REST = 0.5
#: So many seconds are waited for where only the sources of Spark bring anything: it asks all of them in turn.
_BETWEEN_LOOKS = 0.02


class JobSourceReader(SimpleDataSourceStreamReader, SupportsTriggerAvailableNow):  # type: ignore[misc]
    """Plans batches, and makes their rows.

    Args:
        plan: What there is to read.
        files: Those of the checkpoint, if the program's process has one: of readers, and what says that the input ends.
    """

    def __init__(self, plan: SourcePlan, files: ServedFiles | None) -> None:
        self._plan = plan
        self._files = files
        self._available_now = False
        self._size = BatchSize(plan.splits_per_batch)
        self._last_tick = self._last_read = 0
        self._reading = [] if files is None else [_Reading(of_source, files) for of_source in plan.readers]

    def initialOffset(self) -> Offset:  # noqa: N802
        return {
            "split": 0,
            "tick": 0,
            "end": 0,
            "read": 0,
            **{each.key: 0 for each in self._reading},
            **self._plan.start,
        }

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        self._available_now = True

    def read(self, start: Offset) -> tuple[Iterator[pa.RecordBatch], Offset]:
        end = self._latest(start)
        return self.readBetweenOffsets(start, end), end

    def readBetweenOffsets(self, start: Offset, end: Offset) -> Iterator[pa.RecordBatch]:  # noqa: N802
        # Spark copies what it may have to give again.
        return iter([batch.drop_columns(["now"]) for batch in to_batches(self._rows(start, end))])

    def _latest(self, start: Offset) -> Offset:
        if start.get(DEALT) == 0:
            return {**start, DEALT: 1}
        plan = self._plan
        draining = not start["end"] and self._files is not None and self._files.exists(DRAIN)
        split = start["split"]
        if not draining and not start["end"]:
            split = min(split + self._size.next(), max(plan.length, split))
        moved = split != start["split"]
        decided = {each.key: each.count(start.get(each.key, 0)) for each in self._reading}
        reading = not all(each.finished(decided[each.key]) for each in self._reading)
        end = 1 if draining or (plan.bounded and split >= plan.length and not reading) else start["end"]
        read, tick = start.get("read", 0), start["tick"]
        if not start["end"]:
            hurries = draining or self._available_now or bool(end)
            told = moved or any(each.tells(start.get(each.key, 0), decided[each.key]) for each in self._reading)
            rests = not hurries and not told and bool(reading or plan.ticked) and self._all_rest()
            if reading and (hurries or (not rests and self._read_is_due())):
                read, moved = read + 1, True
            if plan.ticked and not self._available_now and (moved or (not rests and self._tick_is_due())):
                tick += 1
            if not (hurries or moved or reading or plan.ticked):
                time.sleep(_BETWEEN_LOOKS)
        if read == start.get("read", 0):  # decisions wait for the next read
            decided = {each.key: start.get(each.key, 0) for each in self._reading}
        return {"split": split, "tick": tick, "end": end, "read": read, **decided}

    def commit(self, end: Offset) -> None:
        """Forget what was decided before this offset: a batch that will not be run again has taken it."""
        for each in self._reading:
            each.prune(end.get(each.key, 0))

    def _all_rest(self) -> bool:
        """Tell whether there is nothing to do: nothing to read, no timer that is due; wait a little until there is."""
        return self._files is not None and self._files.rests(_AT_REST)

    def _read_is_due(self) -> bool:
        now = time.monotonic_ns() // 1_000_000
        if now - self._last_read < self._plan.tick_interval:
            return False
        self._last_read = now
        return True

    def _tick_is_due(self) -> bool:
        now = time.monotonic_ns() // 1_000_000
        if now - self._last_tick < self._plan.tick_interval:
            return False
        self._last_tick = now
        return True

    def _rows(self, start: Offset, end: Offset) -> Iterator[SparkRow]:
        ended = bool(end["end"] and not start["end"])
        for planned in self._plan.channels:
            given = planned.splits[start["split"] : end["split"]]
            for sequence, payload in enumerate(given, start["split"]):
                yield _row(planned, sequence, payload)
            if _ends(planned, start, end):
                yield _row(planned, 2**62, b"", END_EDGE)
        if end.get("read", 0) != start.get("read", 0):
            for each in self._reading:
                yield from each.rows(start.get(each.key, 0), end.get(each.key, 0), end=ended)
        if end["tick"] != start["tick"]:
            for place, subtask, level in self._plan.ticked:
                yield SparkRow(place, level, 0, subtask, -1, TICK_EDGE, 0, 0, 0, b"")


class _Reading:
    """Knows of a source's readers where batches are planned."""

    def __init__(self, plan: ReaderPlan, files: ServedFiles) -> None:
        self._plan = plan
        self._log = FileLog(files, plan.name)
        #: Its name in offsets, which count the enumerator's decisions.
        self.key = f"{DECIDED} {plan.name}"
        self._pruned = 0
        #: The count of decisions up to which, when it was last looked, readers were told nothing; -1: none.
        self._silent_to = -1

    def count(self, known: int) -> int:
        return self._log.count(known)

    def tells(self, known: int, decided: int) -> bool:
        """Tell whether readers hear of these decisions: some are only for the enumerator itself to keep."""
        if decided in (known, self._silent_to):
            return False
        if any(entry.messages for entry in self._log.entries(known, decided)):
            return True
        self._silent_to = decided
        return False

    def finished(self, decided: int) -> bool:
        return len(self._finished(decided)) == len(self._plan.readers)

    def prune(self, decided: int) -> None:
        if decided > self._pruned:
            self._log.prune(decided)
            self._pruned = decided

    def rows(self, start: int, decided: int, *, end: bool) -> list[SparkRow]:
        """A row for each reader that has not ended; before it those with what it was sent, behind it the ``end``."""
        finished = self._finished(decided)
        made = []
        entries = self._log.entries(start, decided)
        for subtask, (channel, place) in enumerate(self._plan.readers):
            if subtask in finished:
                continue
            sent = [entry.messages[subtask] for entry in entries if subtask in entry.messages]
            made += [
                source_row(channel, sequence, 0, payload, place, READ_EDGE)
                for sequence, payload in enumerate([*sent, b""])
            ]
            if end:
                made.append(source_row(channel, 2**62, 0, b"", place, END_EDGE))
        return made

    def _finished(self, decided: int) -> frozenset[int]:
        return self._log.entries(decided - 1, decided)[0].finished if decided else frozenset()


def _ends(planned: ChannelPlan, start: Offset, end: Offset) -> bool:
    """Tell whether the channel ends between the offsets: behind its last split, or where the input ends."""
    if planned.ends and start["split"] < len(planned.splits) <= end["split"]:
        return True
    input_ends = bool(end["end"] and not start["end"])
    return input_ends and (not planned.ends or end["split"] < len(planned.splits))


def _row(planned: ChannelPlan, sequence: int, payload: bytes, edge: int = 0) -> SparkRow:
    return source_row(planned.channel, sequence, 0, payload, planned.place, edge)


def job_source(name: str, plan: SourcePlan, files: ServedFiles | None) -> type[DataSource]:
    """A data source class of this name that gives the plan; Spark takes classes, and ships them by value."""

    class JobSource(DataSource):  # type: ignore[misc]
        @classmethod
        def name(cls) -> str:
            return name

        def __reduce__(self) -> tuple[Any, ...]:
            return finding_windrow(type(self), vars(self))

        def schema(self) -> str:
            return ROW_SCHEMA.replace(" now long,", "")

        def simpleStreamReader(self, schema: Any) -> SimpleDataSourceStreamReader:  # noqa: N802
            return JobSourceReader(plan, files)

    return JobSource
