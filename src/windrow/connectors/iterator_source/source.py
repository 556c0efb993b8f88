"""Sources whose splits are known when the job starts."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from windrow.connectors.iterator_source.reader import IteratorSourceReader
from windrow.connectors.iterator_source.split import IteratorSourceSplit, SplitPart
from windrow.connectors.source.enumerator import SplitEnumeratorContext
from windrow.connectors.source.fixed_splits import FixedSplitsEnumerator
from windrow.connectors.source.reader import SourceReader, SourceReaderContext
from windrow.connectors.source.source import Boundedness, Source

_Enumerator = FixedSplitsEnumerator[IteratorSourceSplit]


class IteratorSource(Source[Any, IteratorSourceSplit, dict[int, list[IteratorSourceSplit]]]):
    """A bounded source that knows all it reads when the job starts, and reads it by iterating.

    It has a split for each channel, and each split is a list of parts. A runtime that reads the source itself deals the
    parts, so that what a batch reads is fixed before it begins, and no enumerator runs. Where another source has this
    one inside (a hybrid source), its enumerator deals whole splits. The same reader reads both.
    """

    @abstractmethod
    def plan(self, parallelism: int) -> list[list[SplitPart]]:
        """The parts of each channel's split, in reading order."""

    def channels(self, parallelism: int) -> int:
        return len(self.plan(parallelism))

    def get_boundedness(self) -> Boundedness:
        return Boundedness.BOUNDED

    def create_enumerator(self, enum_context: SplitEnumeratorContext[IteratorSourceSplit]) -> _Enumerator:
        readers = enum_context.current_parallelism()
        dealt: dict[int, list[IteratorSourceSplit]] = {}
        for number, parts in enumerate(self.plan(readers)):
            dealt.setdefault(number % readers, []).append(IteratorSourceSplit(number, tuple(parts)))
        return FixedSplitsEnumerator(enum_context, dealt)

    def restore_enumerator(
        self,
        enum_context: SplitEnumeratorContext[IteratorSourceSplit],
        checkpoint: dict[int, list[IteratorSourceSplit]],
    ) -> _Enumerator:
        return FixedSplitsEnumerator(enum_context, checkpoint)

    def create_reader(self, reader_context: SourceReaderContext) -> SourceReader[Any, IteratorSourceSplit]:
        return IteratorSourceReader()

    def for_readers(self) -> IteratorSource:
        """Leave behind what the source reads, which is dealt to its readers: they need only the rest.

        One that makes a reader of its own goes to them as it is.
        """
        return Parts() if type(self).create_reader is IteratorSource.create_reader else self

    @property
    def assigns_at_start(self) -> bool:
        return True


class Parts(IteratorSource):
    """Parts that somebody else deals: what is left of a source where only its reader is needed."""

    def plan(self, parallelism: int) -> list[list[SplitPart]]:
        return []
