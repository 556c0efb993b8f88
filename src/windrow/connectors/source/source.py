"""A source written in Python: what makes its enumerator and its readers."""

from __future__ import annotations

from abc import abstractmethod
from enum import Enum
from typing import Any, Generic, TypeVar

from windrow.common.serializer import SimpleVersionedSerializer
from windrow.connectors.interfaces import Source as RuntimeSource
from windrow.connectors.source.enumerator import SplitEnumerator, SplitEnumeratorContext
from windrow.connectors.source.reader import SourceReader, SourceReaderContext
from windrow.connectors.source.serializer import PickleSerializer
from windrow.connectors.source.split import SourceSplit

T = TypeVar("T")
SplitT = TypeVar("SplitT", bound=SourceSplit)
CheckpointT = TypeVar("CheckpointT")


class Boundedness(Enum):
    """Says if a source ends (Flink's ``org.apache.flink.api.connector.source.Boundedness``)."""

    #: The source ends when all of its splits have been read.
    BOUNDED = "bounded"
    #: The source has no end.
    CONTINUOUS_UNBOUNDED = "continuous_unbounded"


class Source(RuntimeSource, Generic[T, SplitT, CheckpointT]):
    """A source of splits that are found while the job runs (Flink's ``org.apache.flink.api.connector.source.Source``).

    The enumerator runs in the program's own process and deals splits to readers, one of which runs in each subtask.
    What a batch has read is fixed before a sink sees it, so a batch that is run again reads the same. The source, its
    splits, events and checkpoints must pickle.
    """

    @abstractmethod
    def get_boundedness(self) -> Boundedness:
        """Tell whether the source ends."""

    @abstractmethod
    def create_enumerator(self, enum_context: SplitEnumeratorContext[SplitT]) -> SplitEnumerator[SplitT, CheckpointT]:
        """The enumerator of a job that starts."""

    @abstractmethod
    def restore_enumerator(
        self, enum_context: SplitEnumeratorContext[SplitT], checkpoint: CheckpointT
    ) -> SplitEnumerator[SplitT, CheckpointT]:
        """The enumerator of a job that starts again, from what its ``snapshot_state`` gave."""

    @abstractmethod
    def create_reader(self, reader_context: SourceReaderContext) -> SourceReader[T, SplitT]:
        """Make the reader of a subtask."""

    def get_split_serializer(self) -> SimpleVersionedSerializer[SplitT]:
        """Give what keeps splits in checkpoints; they are pickled, unless it is overridden."""
        return PickleSerializer()

    def get_enumerator_checkpoint_serializer(self) -> SimpleVersionedSerializer[Any]:
        """Give what keeps the enumerator's checkpoint; it is pickled, unless this is overridden."""
        return PickleSerializer()

    @property
    def bounded(self) -> bool:  # type: ignore[override]
        """True if the source ends."""
        return self.get_boundedness() is Boundedness.BOUNDED

    @property
    def assigns_at_start(self) -> bool:
        """True if the enumerator assigns all splits, and says so to every reader, without hearing from readers.

        Then a bounded job without checkpoints is one batch query, which costs less than a streaming query. False,
        unless it is overridden; Flink has no such property.
        """
        return False

    def channels(self, parallelism: int) -> int:
        """One for each reader: it has one watermark, combined from those of its splits."""
        return parallelism
