"""Sources whose splits are known when the job starts, and are read by iterating over them."""

from windrow.connectors.iterator_source.reader import IteratorSourceReader, ScriptedTimeOutput
from windrow.connectors.iterator_source.source import IteratorSource, Parts
from windrow.connectors.iterator_source.split import IteratorSourceSplit, SourceBatch, SplitPart

__all__ = [
    "IteratorSource",
    "IteratorSourceReader",
    "IteratorSourceSplit",
    "Parts",
    "ScriptedTimeOutput",
    "SourceBatch",
    "SplitPart",
]
