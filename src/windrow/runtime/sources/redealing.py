"""Deals the splits of a source's readers out among another number of readers, with all that belongs to each split.

As in Flink, readers begin anew with the splits that they get, and the enumerator goes on from its own state: it hears
of new readers. What Flink's readers forget stays: a split's watermark, its generator and how long it has been idle.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from windrow.common.limits import MIN_WATERMARK
from windrow.connectors.source import Source
from windrow.elements.stored import dumps_with_code
from windrow.errors import CheckpointError
from windrow.operators.user_function import NamingErrors
from windrow.runtime.sources.coordinator_log import LogEntry
from windrow.runtime.sources.messages import AddSplits, EventToEnumerator, EventToReader, NoMoreSplits, ToReader
from windrow.runtime.sources.reader_task import ReaderState


class Redealt(NamedTuple):
    """Readers that begin where others have ended."""

    readers: list[ReaderState]
    #: What the enumerator's log begins with: its state, and nothing for any reader.
    decided: LogEntry
    #: Whether all of it was read: no reader will give anything any more.
    finished: bool


def redealt(
    source: Source[Any, Any, Any],
    name: str,
    readers: Sequence[ReaderState],
    unheard: Sequence[Sequence[ToReader]],
    last: LogEntry,
    count: int,
) -> Redealt:
    """Deal what readers have to ``count`` others.

    Args:
        source: The source.
        name: Its name, for error messages.
        readers: The state of each reader.
        unheard: What the enumerator has sent to each since.
        last: The enumerator's last decision.
        count: How many readers there are to be.

    Raises:
        CheckpointError: an event is on its way, which nobody can deal to others.
        UserFunctionError: the source's serializer has failed.
    """
    if count == len(readers):
        return _as_they_are(readers, unheard, last)
    _refuse_events(name, readers, unheard)
    everyone = frozenset(range(count))
    if all(state.finished for state in readers):
        made = [ReaderState(finished=True, no_more_splits=True) for _ in everyone]
        return Redealt(made, LogEntry({}, last.snapshot, last.version, -1, everyone, everyone), True)
    told = [
        state.no_more_splits or any(isinstance(message, NoMoreSplits) for message in messages)
        for state, messages in zip(readers, unheard, strict=True)
    ]
    with NamingErrors(name, "its split serializer"):
        serializer = source.get_split_serializer()
        splits = [
            serializer.deserialize(version, data)
            for state, messages in zip(readers, unheard, strict=True)
            for version, data in _splits_of(state, messages)
        ]
        owners = {split.split_id(): number % count for number, split in enumerate(splits)}
        written = [[serializer.serialize(split) for split in splits[reader::count]] for reader in range(count)]
        version = serializer.get_version()
    waiting: defaultdict[int, list[Any]] = defaultdict(list)
    for split_id, item in (each for state in readers for each in state.waiting):
        reader = 0 if split_id is None else owners.setdefault(split_id, 0)
        waiting[reader].append((split_id, item))
    still_read = [state.watermarks for state in readers if not state.finished and state.watermarks is not None]
    watermarks = _watermarks(still_read, owners, count)
    made = [
        ReaderState(
            splits=written[reader],
            version=version,
            waiting=waiting[reader],
            no_more_splits=all(told),
            watermarks=watermarks[reader],
        )
        for reader in range(count)
    ]
    complete = everyone if all(told) else frozenset[int]()
    return Redealt(made, LogEntry({}, last.snapshot, last.version, -1, frozenset(), complete), False)


def _as_they_are(readers: Sequence[ReaderState], unheard: Sequence[Sequence[ToReader]], last: LogEntry) -> Redealt:
    """As many readers go on as they were, and hear in their first batch what they have not heard."""
    made = [replace(state, number=0, token=b"") for state in readers]
    messages = {reader: dumps_with_code(list(sent)) for reader, sent in enumerate(unheard) if sent}
    decided = replace(last, messages=messages, batch=-1)
    return Redealt(made, decided, all(state.finished for state in readers))


def _refuse_events(name: str, readers: Sequence[ReaderState], unheard: Sequence[Sequence[ToReader]]) -> None:
    events = [
        *(message for state in readers for message in state.unsent if isinstance(message, EventToEnumerator)),
        *(message for messages in unheard for message in messages if isinstance(message, EventToReader)),
    ]
    if events:
        msg = (
            f"source {name!r}: {events[0]} is on its way between its enumerator and a reader, and cannot be dealt to "
            "another number of readers; start the job as it was and make another savepoint"
        )
        raise CheckpointError(msg)


def _splits_of(state: ReaderState, messages: Sequence[ToReader]) -> list[tuple[int, bytes]]:
    sent = [message for message in messages if isinstance(message, AddSplits)]
    own = [(state.version, data) for data in state.splits]
    return own + [(message.version, data) for message in sent for data in message.splits]


def _watermarks(snapshots: Sequence[Any], owners: dict[str, int], count: int) -> list[Any]:
    """Make of the old readers' snapshots what ``SplitWatermarks`` is restored from in each of ``count`` new ones.

    What was combined begins at the least of all: a reader whose splits are further emits that as soon as it is asked.
    Nobody is idle but splits: those readers whose splits all are say so when they are asked.
    """
    combined = min((emitter[0] for _, _, _, (_, _, emitter), _ in snapshots), default=MIN_WATERMARK)
    splits: list[dict[str, Any]] = [{} for _ in range(count)]
    parts: list[dict[str, Any]] = [{} for _ in range(count)]
    for of_reader, _, _, (((of_splits, _, _), _, _)), _ in snapshots:
        # Who ends without a word has released its splits: nobody goes on with them.
        for split_id in owners.keys() & of_reader.keys():
            splits[owners[split_id]][split_id] = of_reader[split_id]
        for split_id in owners.keys() & of_splits.keys():
            parts[owners[split_id]][split_id] = of_splits[split_id]
    made = []
    for reader in range(count):
        main, is_used, since_emit = None, False, 0
        if reader < len(snapshots):
            _, main, is_used, _, since_emit = snapshots[reader]
        idleness = [(combined, False if is_used else None), (combined, False if splits[reader] else None)]
        of_all = (parts[reader], combined, False), idleness, (combined, False)
        made.append((splits[reader], main if is_used else None, is_used, of_all, since_emit))
    return made
