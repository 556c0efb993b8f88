"""Streams, under PyFlink's module path."""

from windrow.datastream.streams.all_windowed_stream import AllWindowedStream
from windrow.datastream.streams.closeable_iterator import CloseableIterator
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.data_stream_sink import DataStreamSink
from windrow.datastream.streams.keyed_stream import KeyedStream
from windrow.datastream.streams.windowed_stream import WindowedStream

__all__ = [
    "AllWindowedStream",
    "CloseableIterator",
    "DataStream",
    "DataStreamSink",
    "KeyedStream",
    "WindowedStream",
]
