"""Reads splits in a thread of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Generic, TypeVar

from windrow.connectors.source.split import SourceSplit
from windrow.connectors.source_reader.records import RecordsWithSplitIds

E = TypeVar("E")
SplitT = TypeVar("SplitT", bound=SourceSplit)


class SplitsChange(Generic[SplitT]):
    """A change of the splits that a split reader has: :class:`SplitsAddition` or :class:`SplitsRemoval`."""

    def __init__(self, splits: Sequence[SplitT]) -> None:
        self._splits = tuple(splits)

    def splits(self) -> Sequence[SplitT]:
        """The splits that come or go."""
        return self._splits

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self._splits)!r})"


class SplitsAddition(SplitsChange[SplitT]):
    """Further splits to read, each from where it says."""


class SplitsRemoval(SplitsChange[SplitT]):
    """Splits that are not to be read any further; only sources with an end-of-stream evaluator see it."""


class SplitReader(ABC, Generic[E, SplitT]):
    """Reads the splits of one fetcher, in the fetcher's thread.

    Flink's ``org.apache.flink.connector.base.source.reader.splitreader.SplitReader``. All methods but :meth:`wake_up`
    are called from that thread, one after the other, so they may wait, and need no locks among themselves. What is read
    ahead is bounded: :meth:`fetch` is called again when there is room for what it brings.
    """

    @abstractmethod
    def fetch(self) -> RecordsWithSplitIds[E]:
        """The next records, of any of the splits, and which splits have ended; called only while there are some.

        The records of a split come in its order, and in the same order whenever it is read from the same position. It
        may wait for records, and return without any: it is then called again after a moment. What it raises fails the
        job.
        """

    @abstractmethod
    def handle_splits_changes(self, splits_changes: SplitsChange[SplitT]) -> None:
        """Take further splits (:class:`SplitsAddition`), or let go of some (:class:`SplitsRemoval`)."""

    def wake_up(self) -> None:
        """Make :meth:`fetch` return early, with what it has; called from another thread.

        A call that comes while ``fetch`` is not running counts for the next one, for it may just be about to begin. A
        ``fetch`` that waits for longer than some 100 ms should be woken: split changes, pauses and the end of the
        reader wait for it.
        """

    def pause_or_resume_splits(self, splits_to_pause: Collection[SplitT], splits_to_resume: Collection[SplitT]) -> None:
        """Leave some splits out of :meth:`fetch`, and take in others again; for watermark alignment.

        Raises:
            NotImplementedError: the reader cannot; then watermark alignment within it is refused.
        """
        msg = f"{type(self).__name__} cannot pause splits: override pause_or_resume_splits"
        raise NotImplementedError(msg)

    def close(self) -> None:
        """The reader is not needed any more; called in its thread too."""

    def can_pause_splits(self) -> bool:
        """Tell whether :meth:`pause_or_resume_splits` is overridden."""
        return type(self).pause_or_resume_splits is not SplitReader.pause_or_resume_splits
