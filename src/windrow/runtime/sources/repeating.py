"""Polling a reader for a batch that is run again, until it has given what the batch had read before."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator
from typing import Any

from windrow.connectors.source import InputStatus, SourceReader
from windrow.elements.codec import dumps_with_code
from windrow.errors import CheckpointError
from windrow.runtime.sources.buffered_reader_output import (
    BufferedReaderOutput,
    Item,
    Mark,
    Records,
    Side,
    SplitItem,
    cut,
    length,
)
from windrow.runtime.sources.messages import EventToEnumerator, SplitRequest, ToEnumerator
from windrow.runtime.sources.read_record import ReadRecord, Run
from windrow.runtime.sources.reading import poll

#: How long a reader may give nothing of what it is to give again, in seconds.
_PATIENCE = 120.0
#: Between two polls of a reader that has nothing, in seconds.
_PAUSE = 0.005


class RepeatedRead:
    """Reads what a record says, no more and no less.

    Args:
        name: The source's, for error messages.
        reader: A reader at the position where the recorded read began.
        output: Its output.
        record: What was read.
        waiting: What the reader has given before, and no batch has taken.
    """

    def __init__(
        self,
        name: str,
        reader: SourceReader[Any, Any],
        output: BufferedReaderOutput,
        record: ReadRecord,
        waiting: list[SplitItem],
    ) -> None:
        self._name = name
        self._reader = reader
        self._output = output
        self._record = record
        #: Splits that have given enough; they would only be kept waiting.
        self.paused: set[str] = set()
        # What comes from no split comes in the order in which the reader takes its splits.
        self._can_pause = all(run.split_id is not None or not run.elements for run in record.runs)
        self._queues: dict[str | None, deque[Item]] = {}
        #: How many elements are in the queue of each split.
        self._queued: Counter[str | None] = Counter()
        #: The splits whose queues have grown since somebody has last looked for those that have enough: of ten thousand
        #: splits not all can be looked at for each poll.
        self._grown: set[str] = set()
        self._put(waiting)
        #: How many elements of each split are still to be given.
        self._missing: Counter[str | None] = Counter()
        #: The marks of each split that the record has behind the split's last element.
        self._last_marks: dict[str | None, deque[Mark]] = {}
        for run in record.runs:
            self._note(run)

    def items(self) -> Iterator[SplitItem]:
        """Give what the record says.

        Raises:
            CheckpointError: the reader does not give it again.
        """
        for split_id, elements, mark in self._record.runs:
            if mark is not None:
                if mark == "release":
                    self._await_release(split_id)
                yield split_id, mark
                continue
            missing = elements
            while missing:
                item, rest = cut(self._next(split_id), missing)
                if rest is not None:
                    self._queues[split_id].appendleft(rest)
                    self._queued[split_id] += length(rest)
                missing -= length(item)
                self._missing[split_id] -= length(item)
                yield split_id, item

    def left(self) -> list[SplitItem]:
        """Give what the reader has given beyond the record: it belongs to the next batch."""
        for split_id, queue in self._queues.items():
            marks = self._last_marks.get(split_id)
            while queue and marks and queue[0] == marks[0]:
                queue.popleft()
                marks.popleft()
        return [(split_id, item) for split_id, queue in self._queues.items() for item in queue]

    def _note(self, run: Run) -> None:
        marks = self._last_marks.setdefault(run.split_id, deque())
        if run.mark is None:
            self._missing[run.split_id] += run.elements
            marks.clear()
        elif run.mark != "emit":
            marks.append(run.mark)

    def _next(self, split_id: str | None) -> Item:
        """The next elements of that split; the marks before them are in the record."""
        queue = self._queues.setdefault(split_id, deque())
        deadline = time.monotonic() + _PATIENCE
        while True:
            while queue:
                item = queue.popleft()
                if isinstance(item, (Records, Side)):
                    self._queued[split_id] -= length(item)
                    return item
            self._pause_those_that_have_enough()
            if not self._poll(queue, deadline):
                msg = (
                    f"source {self._name!r} does not give again what a batch had read of split {split_id!r}: "
                    f"{self._missing[split_id]} elements are missing. Are they gone from where they were read?"
                )
                raise CheckpointError(msg)

    def _poll(self, queue: deque[Item], deadline: float) -> bool:
        """Poll once; False if ``queue``, which is waited for, is empty after that and nothing more can be hoped for."""
        status = poll(self._name, self._reader, self._output)
        taken = self._output.take()
        self._put(taken)
        if not queue and (status is InputStatus.END_OF_INPUT or time.monotonic() > deadline):
            return False
        if not taken:
            time.sleep(_PAUSE)
        return True

    def _put(self, items: list[SplitItem]) -> None:
        for split_id, item in items:
            self._queues.setdefault(split_id, deque()).append(item)
            self._queued[split_id] += length(item)
            if split_id is not None:
                self._grown.add(split_id)
            if item == "release" and split_id is not None:
                self.paused.discard(split_id)

    def _await_release(self, split_id: str | None) -> None:
        """Let the reader come to the end of a split, too: or it would hold a split that the batch has released."""
        queue = self._queues.setdefault(split_id, deque())
        if split_id in self.paused:
            self.paused.discard(split_id)
            self._reader.pause_or_resume_splits([], [split_id])
        deadline = time.monotonic() + _PATIENCE
        while True:
            while queue:
                item = queue.popleft()
                if item == "release":
                    return
                if isinstance(item, (Records, Side)):
                    raise CheckpointError(self._not_ended(split_id))
            if not self._poll(queue, deadline):
                raise CheckpointError(self._not_ended(split_id))

    def _not_ended(self, split_id: str | None) -> str:
        return (
            f"source {self._name!r} does not come to the end of split {split_id!r} again, where a batch had ended it. "
            "Has it grown where it is read?"
        )

    def _pause_those_that_have_enough(self) -> None:
        if not self._can_pause:
            return
        grown, self._grown = self._grown, set()
        enough = {
            split_id
            for split_id in grown
            if (queue := self._queues[split_id]) and queue[-1] != "release"
            if self._queued[split_id] >= self._missing[split_id]
        } - self.paused
        if enough:
            try:
                self._reader.pause_or_resume_splits(sorted(enough), [])
            except NotImplementedError:
                self._can_pause = False
            else:
                self.paused |= enough


def unsent(recorded: list[ToEnumerator], sent: list[ToEnumerator]) -> list[ToEnumerator]:
    """Of what a reader has sent while it read again, that which it had not sent the first time.

    A reader that gives more at once than the batch had read may be ahead of where it was: at the end of a split, say,
    where it asks for the next one.
    """
    known = Counter(map(_kind, recorded))
    surplus = []
    for message in sent:
        kind = _kind(message)
        if known[kind]:
            known[kind] -= 1
        else:
            surplus.append(message)
    return surplus


def _kind(message: ToEnumerator) -> bytes:
    """Give what makes two messages the same: of requests not the host, of events their content."""
    if isinstance(message, SplitRequest):
        return b""
    return dumps_with_code(message.event if isinstance(message, EventToEnumerator) else message)
