"""Messages between a source's enumerator and its readers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class AddSplits:
    """To a reader: it has to read these splits, too."""

    #: As the source's split serializer has written them, and the version it had.
    splits: list[bytes]
    version: int


@dataclass(frozen=True)
class NoMoreSplits:
    """To a reader: it gets no further splits."""


@dataclass(frozen=True)
class EventToReader:
    """To a reader: an event of the source's own."""

    event: Any


@dataclass(frozen=True)
class MaxWatermark:
    """To a reader whose source is aligned: no split is to be read further once its watermark is above this one."""

    watermark: int


ToReader = AddSplits | NoMoreSplits | EventToReader | MaxWatermark


@dataclass(frozen=True)
class SplitRequest:
    """To the enumerator: the reader on this host asks for a split."""

    host: str


@dataclass(frozen=True)
class EventToEnumerator:
    """To the enumerator: an event of the source's own."""

    event: Any


@dataclass(frozen=True)
class ReaderFinished:
    """To the coordinator: the reader has read all it will ever read."""


@dataclass(frozen=True)
class ReportedWatermark:
    """To the coordinator of an aligned source: the watermark of the reader's slowest split at the end of a batch.

    Readers all of whose splits are idle, or have no watermark yet, report nothing: they hold nobody back.
    """

    watermark: int


@dataclass(frozen=True)
class ReaderResting:
    """To who plans batches: until the reader wakes them with the ticket, another batch would read nothing."""

    ticket: bytes


ToEnumerator = SplitRequest | EventToEnumerator | ReaderFinished | ReportedWatermark | ReaderResting
#: By the source's tag, then by the reader's subtask: what readers have sent in one batch.
MessagesBySource = dict[str, dict[int, list[ToEnumerator]]]
