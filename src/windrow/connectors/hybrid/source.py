"""The hybrid source and its builder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windrow.connectors.hybrid.enumerator import HybridSourceEnumeratorState, HybridSourceSplitEnumerator
from windrow.connectors.hybrid.messages import HybridSourceSplit
from windrow.connectors.hybrid.reader import HybridSourceReader
from windrow.connectors.hybrid.source_list import SourceFactory, SourceListEntry
from windrow.connectors.source import Boundedness, Source, SourceReaderContext, SplitEnumeratorContext
from windrow.errors import ConfigurationError


class HybridSource(Source[Any, HybridSourceSplit, HybridSourceEnumeratorState]):
    """Several sources, one after the other: history from files, then what is new from Kafka.

    Flink's ``org.apache.flink.connector.base.source.hybrid.HybridSource``. All sources but the last are bounded. The
    next one begins when all readers have read the current one, and not before. A checkpoint knows which source is
    being read and where its readers are.

    Splits have their own watermarks in every source. A reader that has read its part of a source holds its watermark
    until the next source begins, so what comes from there is not late because of a quicker reader.

    Example:
        >>> from windrow.connectors.number_sequence import NumberSequenceSource
        >>> first, second = NumberSequenceSource(1, 3), NumberSequenceSource(10, 11)
        >>> source = HybridSource.builder(first).add_source(second).build()
        >>> from windrow.common import WatermarkStrategy
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
        >>> env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers").execute_and_collect(limit=9)
        [1, 2, 3, 10, 11]
    """

    def __init__(self, sources: Sequence[SourceListEntry]) -> None:
        self._sources = list(sources)
        types = [entry.source().produced_type if entry.is_given else None for entry in sources]
        if all(each == types[0] for each in types):
            self.produced_type = types[0]

    @staticmethod
    def builder(first_source: Source[Any, Any, Any]) -> HybridSourceBuilder:
        """Begin with the source that is read first.

        Raises:
            ConfigurationTypeError: it is no source.
        """
        return HybridSourceBuilder().add_source(first_source)

    def get_boundedness(self) -> Boundedness:
        return self._sources[-1].boundedness

    def create_enumerator(self, enum_context: SplitEnumeratorContext[HybridSourceSplit]) -> HybridSourceSplitEnumerator:
        return HybridSourceSplitEnumerator(enum_context, self._sources)

    def restore_enumerator(
        self, enum_context: SplitEnumeratorContext[HybridSourceSplit], checkpoint: HybridSourceEnumeratorState
    ) -> HybridSourceSplitEnumerator:
        return HybridSourceSplitEnumerator(enum_context, self._sources, checkpoint)

    def create_reader(self, reader_context: SourceReaderContext) -> HybridSourceReader:
        return HybridSourceReader(self._sources, reader_context)

    def __repr__(self) -> str:
        return f"HybridSource({', '.join(repr(entry.given) for entry in self._sources)})"


class HybridSourceBuilder:
    """Builds a :class:`HybridSource` (Flink's ``HybridSourceBuilder``)."""

    def __init__(self) -> None:
        self._sources: list[SourceListEntry] = []

    def add_source(
        self, source: Source[Any, Any, Any] | SourceFactory, boundedness: Boundedness | None = None
    ) -> HybridSourceBuilder:
        """Add the source that is read next.

        Args:
            source: A source; or a function that makes it when the source before it has been read. The function takes
                a ``SourceSwitchContext``: its ``get_previous_enumerator()`` may say where the next source has to
                begin. It is called once, in the program's own process; what it makes is kept in checkpoints.
            boundedness: Whether the source that such a function makes ends.

        Raises:
            ConfigurationTypeError: it is neither.
            ConfigurationError: the source before it has no end, or ``boundedness`` is missing.
        """
        entry = SourceListEntry.of(source, boundedness)
        if self._sources and self._sources[-1].boundedness is not Boundedness.BOUNDED:
            msg = f"all sources of a hybrid source but the last must end; {self._sources[-1].given!r} does not"
            raise ConfigurationError(msg)
        self._sources.append(entry)
        return self

    def build(self) -> HybridSource:
        """Make the source of those added so far."""
        return HybridSource(self._sources)
