"""The easy way to write a source's reader: Flink's ``org.apache.flink.connector.base.source.reader``."""

from windrow.connectors.source_reader.fetchers.manager import SplitFetcherManager
from windrow.connectors.source_reader.fetchers.split_fetcher import SplitFetcher
from windrow.connectors.source_reader.fetchers.threading_models import (
    FixedSizeSplitFetcherManager,
    OneSplitPerFetcherManager,
    SingleThreadFetcherManager,
)
from windrow.connectors.source_reader.options import SourceReaderOptions
from windrow.connectors.source_reader.queue import FutureCompletingBlockingQueue
from windrow.connectors.source_reader.record_emitter import RecordEmitter, RecordEvaluator
from windrow.connectors.source_reader.records import RecordsBySplits, RecordsBySplitsBuilder, RecordsWithSplitIds
from windrow.connectors.source_reader.source_reader_base import SingleThreadMultiplexSourceReaderBase, SourceReaderBase
from windrow.connectors.source_reader.split_reader import SplitReader, SplitsAddition, SplitsChange, SplitsRemoval
from windrow.connectors.source_reader.static_enumerator import StaticSplitEnumerator

__all__ = [
    "FixedSizeSplitFetcherManager",
    "FutureCompletingBlockingQueue",
    "OneSplitPerFetcherManager",
    "RecordEmitter",
    "RecordEvaluator",
    "RecordsBySplits",
    "RecordsBySplitsBuilder",
    "RecordsWithSplitIds",
    "SingleThreadFetcherManager",
    "SingleThreadMultiplexSourceReaderBase",
    "SourceReaderBase",
    "SourceReaderOptions",
    "SplitFetcher",
    "SplitFetcherManager",
    "SplitReader",
    "SplitsAddition",
    "SplitsChange",
    "SplitsRemoval",
    "StaticSplitEnumerator",
]
