"""Streams, under PyFlink's module path."""

from windrow.absent.explained import module_getattr
from windrow.datastream.streams.broadcast_connected_stream import BroadcastConnectedStream
from windrow.datastream.streams.broadcast_stream import BroadcastStream
from windrow.datastream.streams.closeable_iterator import CloseableIterator
from windrow.datastream.streams.connected_streams import ConnectedStreams
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.data_stream_sink import DataStreamSink
from windrow.datastream.streams.keyed_stream import KeyedStream
from windrow.datastream.streams.split_stream import SplitStream
from windrow.datastream.streams.windowed_stream import AllWindowedStream, WindowedStream

__all__ = [
    "AllWindowedStream",
    "BroadcastConnectedStream",
    "BroadcastStream",
    "CloseableIterator",
    "ConnectedStreams",
    "DataStream",
    "DataStreamSink",
    "KeyedStream",
    "SplitStream",
    "WindowedStream",
]

__getattr__ = module_getattr(__name__)
