"""The channels of the local runtime's sources: read in this process, so that a batch can be cut anywhere."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import islice

from windrow.connectors.iterator_source import SourceBatch, SplitPart
from windrow.elements.codec import loads
from windrow.errors import MalformedInputError
from windrow.operators.user_function import NamingErrors
from windrow.runtime.sources.coordinator_log import CoordinatorLog
from windrow.runtime.sources.host import SourceHost
from windrow.runtime.stage.chunk import ChunkRow
from windrow.state.page_store import PageStore


class Channel(ABC):
    """A channel of a source, read batch by batch."""

    #: Whether all has been read.
    ended = False

    @abstractmethod
    def run(self, sources: SourceHost, number: int, size: int | None, store: PageStore, now: int) -> Iterator[ChunkRow]:
        """Read the next batch, of about ``size`` elements (None: as many as there are), as channel ``number``."""


class ReaderChannel(Channel):
    """A reader that an enumerator deals splits to."""

    def __init__(self, tag: str, subtask: int, log: CoordinatorLog) -> None:
        self.tag = tag
        self.subtask = subtask
        self._log = log
        #: How many of the enumerator's decisions it has heard of.
        self.taken = 0

    def run(self, sources: SourceHost, number: int, size: int | None, store: PageStore, now: int) -> Iterator[ChunkRow]:
        start, self.taken = self.taken, self._log.count(self.taken)
        entries = self._log.entries(start, self.taken)
        pickled = [entry.messages[self.subtask] for entry in entries if self.subtask in entry.messages]
        messages = [message for one in pickled for message in loads(one)]
        return sources.run_reader(number, messages, store, now)


class DealtChannel(Channel):
    """A channel all of whose parts are known; they are dealt to its reader element by element."""

    def __init__(self, parts: list[SplitPart], source: str) -> None:
        self._whole = parts
        self._batches = (batch for part in parts for batch in _batches_of(part, source))
        self._rest: SourceBatch | None = None

    def run(self, sources: SourceHost, number: int, size: int | None, store: PageStore, now: int) -> Iterator[ChunkRow]:
        parts = self._next(size)
        return sources.run(number, parts, store, now, end=self.ended)

    def _next(self, size: int | None) -> list[SplitPart]:
        """The next ``size`` elements (None: all) as parts."""
        if size is None:
            self.ended = True
            return self._whole
        heads: list[SourceBatch] = []
        while size > 0 and (batch := self._rest or next(self._batches, None)) is not None:
            head, self._rest = _cut(batch, size)
            heads.append(head)
            size -= max(1, len(head.values))
        if self._rest is None:
            self._rest = next(self._batches, None)
        self.ended = self._rest is None
        return [_ReadBatches(heads)]


class _ReadBatches(SplitPart):
    """Batches that are read already."""

    def __init__(self, batches: list[SourceBatch]) -> None:
        self._batches = batches

    def read(self) -> Iterator[SourceBatch]:
        return iter(self._batches)


def _cut(batch: SourceBatch, size: int) -> tuple[SourceBatch, SourceBatch | None]:
    if len(batch.values) <= size:
        return batch, None
    timestamps = batch.timestamps
    head = batch._replace(
        values=list(islice(batch.values, size)),
        timestamps=None if timestamps is None else timestamps[:size],
        watermark=None,
    )
    tail = batch._replace(values=batch.values[size:], timestamps=None if timestamps is None else timestamps[size:])
    return head, tail


def _batches_of(part: SplitPart, source: str) -> Iterator[SourceBatch]:
    """Read the part, batch by batch; an error in reading names the source.

    Raises:
        MalformedInputError: a line cannot be parsed.
        UserFunctionError: a format or a source of the user's own raised.
    """
    naming = NamingErrors(source, "its reader")
    with naming:
        reading = iter(part.read())
    while True:
        try:
            with naming:
                batch = next(reading, None)
        except MalformedInputError as error:
            raise error.in_source(source)  # noqa: B904  (it is the error that was caught)
        if batch is None:
            return
        yield batch
