"""User functions: the classes a program implements."""

from windrow.absent.explained import module_getattr
from windrow.datastream.functions.arrow import (
    ArrowAggregateFunction,
    ArrowAllWindowFunction,
    ArrowWindowFunction,
    MapBatchFunction,
)
from windrow.datastream.functions.async_ import AsyncFunction, AsyncRetryPredicate, AsyncRetryStrategy
from windrow.datastream.functions.base import Function, KeyedStateStore, RuntimeContext
from windrow.datastream.functions.broadcast import (
    BaseBroadcastProcessFunction,
    BroadcastProcessFunction,
    KeyedBroadcastProcessFunction,
)
from windrow.datastream.functions.co import (
    CoFlatMapFunction,
    CoMapFunction,
    CoProcessFunction,
    KeyedCoProcessFunction,
)
from windrow.datastream.functions.join import CoGroupFunction, FlatJoinFunction, JoinFunction
from windrow.datastream.functions.output_selector import OutputSelector
from windrow.datastream.functions.process import KeyedProcessFunction, ProcessFunction
from windrow.datastream.functions.process_join import ProcessJoinFunction
from windrow.datastream.functions.simple import (
    AggregateFunction,
    FilterFunction,
    FlatMapFunction,
    FoldFunction,
    KeySelector,
    MapFunction,
    NullByteKeySelector,
    Partitioner,
    ReduceFunction,
)
from windrow.datastream.functions.sink import SinkFunction
from windrow.datastream.functions.window import (
    AllWindowFunction,
    PassThroughAllWindowFunction,
    PassThroughWindowFunction,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    WindowFunction,
)
from windrow.datastream.timerservice import TimerService

__all__ = [
    "AggregateFunction",
    "AllWindowFunction",
    "ArrowAggregateFunction",
    "ArrowAllWindowFunction",
    "ArrowWindowFunction",
    "AsyncFunction",
    "AsyncRetryPredicate",
    "AsyncRetryStrategy",
    "BaseBroadcastProcessFunction",
    "BroadcastProcessFunction",
    "CoFlatMapFunction",
    "CoGroupFunction",
    "CoMapFunction",
    "CoProcessFunction",
    "FilterFunction",
    "FlatJoinFunction",
    "FlatMapFunction",
    "FoldFunction",
    "Function",
    "JoinFunction",
    "KeySelector",
    "KeyedBroadcastProcessFunction",
    "KeyedCoProcessFunction",
    "KeyedProcessFunction",
    "KeyedStateStore",
    "MapBatchFunction",
    "MapFunction",
    "NullByteKeySelector",
    "OutputSelector",
    "Partitioner",
    "PassThroughAllWindowFunction",
    "PassThroughWindowFunction",
    "ProcessAllWindowFunction",
    "ProcessFunction",
    "ProcessJoinFunction",
    "ProcessWindowFunction",
    "ReduceFunction",
    "RuntimeContext",
    "SinkFunction",
    "TimerService",
    "WindowFunction",
]

__getattr__ = module_getattr(__name__)
