"""Sums up a checkpoint or a savepoint: operators, keys, bytes, timers, watermarks, positions of sources.

No function or class of the program is loaded for it, and nothing that a checkpoint's pickles name is called.
"""

from __future__ import annotations

import pickle
import reprlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from windrow.elements.inert import loads_inert
from windrow.runtime.checkpoint_files import LAYOUT, PLAN, damaged_error, reading
from windrow.state_processor.stored import stored_at

if TYPE_CHECKING:
    from windrow.runtime.spark.stored_pages import StoredPages
    from windrow.storage.folder import Folder


#: How a split shows itself, however much is in it.
_SHORT = reprlib.Repr()
_SHORT.maxother = _SHORT.maxstring = 300


@dataclass
class OperatorSummary:
    """The state of an operator in a checkpoint, in numbers."""

    #: Its uid, or the number of its call in the program.
    uid: str
    name: str
    #: How many exchanges are in front of it.
    level: int
    parallelism: int
    pages: int = 0
    bytes: int = 0
    #: Keys that are stored one by one.
    keys: int = 0
    #: Rows of tables: of windows one for each key in a pane or session, or in a window that fires early, of a running
    #: reduce one for each key, of a join and of windows that keep elements one for each element.
    rows: int = 0
    #: How many keys have timers, and the time of the earliest, in milliseconds; None: there is none.
    event_timers: int = 0
    processing_timers: int = 0
    next_event_timer: int | None = None
    next_processing_timer: int | None = None
    #: In milliseconds, the least of its subtasks; None: it has seen no batch.
    watermark: int | None = None


@dataclass
class ReaderPosition:
    """The position of a reader of a source."""

    uid: str
    reader: int
    #: What is left of its splits, as they show themselves; of a class that is not Windrow's, the name.
    splits: list[str]
    finished: bool


@dataclass
class PlannedChannel:
    """The position of a channel whose parts were dealt out when the job began."""

    channel: int
    #: How many of its parts were read.
    read: int
    parts: int


@dataclass
class CheckpointSummary:
    """The contents of a checkpoint behind its last committed batch."""

    location: str
    #: The version of what is in it.
    format: int
    max_parallelism: int
    #: The last batch that is committed; -1: there is none.
    batch: int
    operators: list[OperatorSummary] = field(default_factory=list)
    readers: list[ReaderPosition] = field(default_factory=list)
    planned: list[PlannedChannel] = field(default_factory=list)


def describe(path: str, spark: Any = None) -> CheckpointSummary:
    """Say what a checkpoint or a savepoint holds. It is only read; a job may be running on it.

    Args:
        path: Its directory: a path, or a URI of a file system that Spark knows.
        spark: The Spark session to read it with; None: the active one, or a new one.

    Raises:
        ConfigurationTypeError: the path is no string.
        CheckpointError: there is no checkpoint, or one that is damaged or of another version of Windrow.
        JobExecutionError: Spark does not start, or a file system does not answer.
    """
    from windrow.runtime.spark.placement import grouping_key
    from windrow.runtime.spark.stored_pages import stored_pages

    stored = stored_at(path, spark)
    layout, half = stored.layout, stored.half
    summary = CheckpointSummary(stored.location, layout["version"], layout["max_parallelism"], stored.batch)
    summary.operators = list(_operators(layout))
    operators = {each.uid: each for each in summary.operators}
    if summary.batch >= 0:
        partitions = stored.partitions
        most = sum(entry["subtasks"] for level in layout["levels"] for entry in level.values())
        channels = {grouping_key(channel, partitions): channel for channel in range(most)}
        for operator in range(len(layout["levels"])):
            for found in stored_pages(stored.spark, half, partitions, stored.state_format, operator, summary.batch):
                _add(summary, operators, layout, found, channels[found.place])
        summary.readers.sort(key=lambda each: (each.uid, each.reader))
        summary.planned = list(_planned(stored.folder, half.offset(summary.batch).get("split", 0)))
    return summary


def _operators(layout: dict[str, Any]) -> Iterator[OperatorSummary]:
    names = layout.get("names", {})
    for level, entries in enumerate(layout["levels"]):
        for head, entry in entries.items():
            for uid in (head, *entry["chain"]):
                yield OperatorSummary(uid, names.get(uid, uid), level, entry["subtasks"])


def _add(
    summary: CheckpointSummary,
    operators: dict[str, OperatorSummary],
    layout: dict[str, Any],
    found: StoredPages,
    channel: int,
) -> None:
    from windrow.runtime.spark.layout import first_channel

    uid = found.tag
    if uid not in operators:
        file = f"{summary.location}/{LAYOUT}"
        raise damaged_error(file, LAYOUT, f"it does not know {uid!r}, which has state")
    operator = operators[uid]
    operator.pages += found.pages
    operator.bytes += found.size
    operator.keys += found.keys
    operator.rows += found.rows
    operator.event_timers += found.event_timers
    operator.processing_timers += found.processing_timers
    if found.data is None:
        return
    try:
        content = loads_inert(found.data)
        if found.name == "pages":
            _add_root(operator, content)
        elif found.name == "task":
            behind = next(entry["chain"] for level in layout["levels"] for head, entry in level.items() if head == uid)
            kept = content.operators
            chained = [uid, *behind][-len(kept) :] if kept else []  # a source, at the head, is no operator
            for each, of_operator in zip(chained, kept, strict=True):
                operators[each].watermark = _least(operators[each].watermark, of_operator.watermark)
        else:
            splits = [_split(each) for each in content.splits]
            reader = channel - first_channel(layout, uid)
            summary.readers.append(ReaderPosition(uid, reader, splits, content.finished))
    except (pickle.UnpicklingError, AttributeError, TypeError, ValueError) as error:
        file = f"{summary.location}/spark/state"
        raise damaged_error(file, "state", f"{found.name!r} of {uid!r}: {error}") from error


def _add_root(operator: OperatorSummary, root: tuple[Any, ...]) -> None:
    """The earliest timers of each key group are in the root of its directory."""
    _version, _token, groups, *_ = root
    for _number, _count, event_time, processing_time, *_ in groups:
        operator.next_event_timer = _least(operator.next_event_timer, event_time)
        operator.next_processing_timer = _least(operator.next_processing_timer, processing_time)


def _least(a: int | None, b: int | None) -> int | None:
    return min((time for time in (a, b) if time is not None), default=None)


def _split(data: bytes) -> str:
    """A split as it shows itself; one that a serializer of the source's own has written, by its size."""
    try:
        return _SHORT.repr(loads_inert(data))
    except (pickle.UnpicklingError, RecursionError):
        return f"<{len(data)} bytes>"


def _planned(folder: Folder, given: int) -> Iterator[PlannedChannel]:
    with reading(folder.place(PLAN), PLAN):
        plan = loads_inert(folder.read(PLAN))
        for each in plan.channels:
            if each.splits:
                yield PlannedChannel(each.channel, min(given, len(each.splits)), len(each.splits))
