"""A part of a source."""

from __future__ import annotations

from abc import ABC, abstractmethod


class SourceSplit(ABC):
    """A part of a source that one reader reads: a file or a part of it, a Kafka partition with an offset.

    Flink's ``org.apache.flink.api.connector.source.SourceSplit``. What a split holds is where reading it begins: the
    splits that a reader gives in its ``snapshot_state`` say where it has come to.
    """

    @abstractmethod
    def split_id(self) -> str:
        """The split's name: the same for as long as the split exists, and no other split's."""


class SourceEvent:
    """A message between an enumerator and its readers, besides splits; derive from it. It must pickle."""
