"""Messages between a hybrid source's enumerator and readers, and its splits.

Every message says which source it belongs to. What goes to a reader brings the source along if a factory has made it:
a reader that is made anew from its splits, in another process, needs nothing else. Such a reader may be told once more
of a source that it has read before; what it says of that is of no interest any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from windrow.connectors.source import Source, SourceEvent, SourceSplit


@dataclass(frozen=True)
class HybridSourceSplit(SourceSplit):
    """A split of one of the sources, as that source's serializer has written it (Flink's class)."""

    wrapped_split_id: str
    source_index: int
    #: The source, if a factory has made it.
    source: Source[Any, Any, Any] | None
    wrapped_split: bytes
    serializer_version: int
    #: Whether the reader that holds it has heard that the source has no more splits for it.
    no_more_splits: bool = False

    def split_id(self) -> str:
        return self.wrapped_split_id


@dataclass(frozen=True)
class SwitchSourceEvent(SourceEvent):
    """To a reader: it reads this source now, all those before it have been read (Flink's class)."""

    source_index: int
    #: The source, if a factory has made it.
    source: Source[Any, Any, Any] | None


@dataclass(frozen=True)
class NoMoreSplitsEvent(SwitchSourceEvent):
    """To a reader: this source, which is not the last one, has no more splits for it."""


@dataclass(frozen=True)
class UnderlyingEvent(SwitchSourceEvent):
    """To a reader: an event that the source's own enumerator has sent to its reader."""

    event: SourceEvent


@dataclass(frozen=True)
class SplitRequestEvent(SourceEvent):
    """To the enumerator: the reader of this source, on this host, asks for a split."""

    source_index: int
    host: str


@dataclass(frozen=True)
class UnderlyingReaderEvent(SourceEvent):
    """To the enumerator: an event that the reader of this source has sent to the source's own enumerator."""

    source_index: int
    event: SourceEvent


@dataclass(frozen=True)
class SourceReaderFinishedEvent(SourceEvent):
    """To the enumerator: the reader has read all of this source, or does not know what comes after it (Flink's class).

    A reader that knows nothing says -1.
    """

    source_index: int
