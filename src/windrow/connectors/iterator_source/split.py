"""Splits that are read by iterating over their parts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from windrow.connectors.source.split import SourceSplit


class SourceBatch(NamedTuple):
    """Elements of a split, in order."""

    values: Sequence[Any]
    #: None: the source gives no timestamps.
    timestamps: Sequence[int] | None = None
    #: A watermark that the source itself puts behind these elements; None for none.
    watermark: int | None = None
    #: For elements that go to a side output instead (malformed lines, say): its name.
    side: str | None = None
    #: Processing time behind these elements, in a job whose source sets it.
    processing_time: int | None = None


class SplitPart(ABC):
    """A part of a split, so large that a batch of a streaming query reads a few of them; must pickle."""

    @abstractmethod
    def read(self) -> Iterator[SourceBatch]:
        """The elements, some thousands at a time, the same at every call."""

    def cut(self, elements: int) -> list[SplitPart]:
        """The part as several of at most ``elements`` elements; a part that cannot be cut stays whole."""
        return [self]


@dataclass(frozen=True)
class IteratorSourceSplit(SourceSplit):
    """The rest of one of a source's splits, which has one watermark (Flink's ``IteratorSourceSplit``)."""

    channel: int
    #: Its parts, in reading order; they have this name in checkpoints.
    splits: tuple[SplitPart, ...]
    #: How many batches of the first of them were read, and how many elements of the next batch.
    batches_read: int = 0
    elements_read: int = 0

    def split_id(self) -> str:
        return f"channel {self.channel}"
