"""The interface of sources written in Python: enumerators, readers, splits (Flink's FLIP-27)."""

from windrow.common.serializer import SimpleVersionedSerializer
from windrow.connectors.source.enumerator import ReaderInfo, SplitEnumerator, SplitEnumeratorContext
from windrow.connectors.source.fixed_splits import FixedSplitsEnumerator
from windrow.connectors.source.reader import (
    InputStatus,
    ReaderOutput,
    SourceOutput,
    SourceReader,
    SourceReaderContext,
    available,
)
from windrow.connectors.source.serializer import PickleSerializer
from windrow.connectors.source.source import Boundedness, Source
from windrow.connectors.source.split import SourceEvent, SourceSplit

__all__ = [
    "Boundedness",
    "FixedSplitsEnumerator",
    "InputStatus",
    "PickleSerializer",
    "ReaderInfo",
    "ReaderOutput",
    "SimpleVersionedSerializer",
    "Source",
    "SourceEvent",
    "SourceOutput",
    "SourceReader",
    "SourceReaderContext",
    "SourceSplit",
    "SplitEnumerator",
    "SplitEnumeratorContext",
    "available",
]
