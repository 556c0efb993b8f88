"""The interface of sources written in Python; ``source_reader`` has an easier way to write their readers."""

from windrow.connectors.source import (
    Boundedness,
    InputStatus,
    PickleSerializer,
    ReaderInfo,
    ReaderOutput,
    SimpleVersionedSerializer,
    Source,
    SourceEvent,
    SourceOutput,
    SourceReader,
    SourceReaderContext,
    SourceSplit,
    SplitEnumerator,
    SplitEnumeratorContext,
    available,
)

__all__ = [
    "Boundedness",
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
