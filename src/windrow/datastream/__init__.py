"""The DataStream API: PyFlink's ``pyflink.datastream``.

Names are imported when they are first asked for: the modules below are what operators are made of too, and an
operator must not need a whole environment.
"""

from typing import TYPE_CHECKING

from windrow.absent.explained import module_getattr

if TYPE_CHECKING:
    from windrow.datastream.async_data_stream import AsyncDataStream
    from windrow.datastream.checkpoint_config import CheckpointConfig
    from windrow.datastream.checkpoint_storage import (
        CheckpointStorage,
        CustomCheckpointStorage,
        FileSystemCheckpointStorage,
        JobManagerCheckpointStorage,
    )
    from windrow.datastream.checkpointing_mode import CheckpointingMode
    from windrow.datastream.data_stream import (
        BroadcastConnectedStream,
        BroadcastStream,
        ConnectedStreams,
        DataStream,
        DataStreamSink,
        KeyedStream,
        WindowedStream,
    )
    from windrow.datastream.execution_mode import RuntimeExecutionMode
    from windrow.datastream.externalized_checkpoint_retention import ExternalizedCheckpointRetention
    from windrow.datastream.functions import (
        AggregateFunction,
        AsyncFunction,
        AsyncRetryPredicate,
        AsyncRetryStrategy,
        BroadcastProcessFunction,
        CoFlatMapFunction,
        CoMapFunction,
        CoProcessFunction,
        FilterFunction,
        FlatMapFunction,
        KeyedBroadcastProcessFunction,
        KeyedCoProcessFunction,
        KeyedProcessFunction,
        KeySelector,
        MapFunction,
        Partitioner,
        ProcessFunction,
        ProcessWindowFunction,
        ReduceFunction,
        RuntimeContext,
        SinkFunction,
        WindowFunction,
    )
    from windrow.datastream.output_tag import OutputTag
    from windrow.datastream.slot_sharing_group import MemorySize, SlotSharingGroup
    from windrow.datastream.state_backend import (
        CustomStateBackend,
        EmbeddedRocksDBStateBackend,
        HashMapStateBackend,
        PredefinedOptions,
        StateBackend,
    )
    from windrow.datastream.stream_execution_environment import StreamExecutionEnvironment
    from windrow.datastream.time_characteristic import TimeCharacteristic
    from windrow.datastream.time_domain import TimeDomain
    from windrow.datastream.timerservice import TimerService
    from windrow.datastream.window import (
        CountWindow,
        GlobalWindow,
        MergingWindowAssigner,
        TimeWindow,
        Trigger,
        TriggerResult,
        Window,
        WindowAssigner,
    )

_MODULES = {
    "async_data_stream": ("AsyncDataStream",),
    "checkpoint_config": ("CheckpointConfig",),
    "checkpoint_storage": (
        "CheckpointStorage",
        "CustomCheckpointStorage",
        "FileSystemCheckpointStorage",
        "JobManagerCheckpointStorage",
    ),
    "checkpointing_mode": ("CheckpointingMode",),
    "data_stream": (
        "BroadcastConnectedStream",
        "BroadcastStream",
        "ConnectedStreams",
        "DataStream",
        "DataStreamSink",
        "KeyedStream",
        "WindowedStream",
    ),
    "execution_mode": ("RuntimeExecutionMode",),
    "externalized_checkpoint_retention": ("ExternalizedCheckpointRetention",),
    "functions": (
        "AggregateFunction",
        "AsyncFunction",
        "AsyncRetryPredicate",
        "AsyncRetryStrategy",
        "BroadcastProcessFunction",
        "CoFlatMapFunction",
        "CoMapFunction",
        "CoProcessFunction",
        "FilterFunction",
        "FlatMapFunction",
        "KeySelector",
        "KeyedBroadcastProcessFunction",
        "KeyedCoProcessFunction",
        "KeyedProcessFunction",
        "MapFunction",
        "Partitioner",
        "ProcessFunction",
        "ProcessWindowFunction",
        "ReduceFunction",
        "RuntimeContext",
        "SinkFunction",
        "WindowFunction",
    ),
    "output_tag": ("OutputTag",),
    "slot_sharing_group": (
        "MemorySize",
        "SlotSharingGroup",
    ),
    "state_backend": (
        "CustomStateBackend",
        "EmbeddedRocksDBStateBackend",
        "HashMapStateBackend",
        "PredefinedOptions",
        "StateBackend",
    ),
    "stream_execution_environment": ("StreamExecutionEnvironment",),
    "time_characteristic": ("TimeCharacteristic",),
    "time_domain": ("TimeDomain",),
    "timerservice": ("TimerService",),
    "window": (
        "CountWindow",
        "GlobalWindow",
        "MergingWindowAssigner",
        "TimeWindow",
        "Trigger",
        "TriggerResult",
        "Window",
        "WindowAssigner",
    ),
}
_MODULE_OF = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names}

__all__ = [
    "AggregateFunction",
    "AsyncDataStream",
    "AsyncFunction",
    "AsyncRetryPredicate",
    "AsyncRetryStrategy",
    "BroadcastConnectedStream",
    "BroadcastProcessFunction",
    "BroadcastStream",
    "CheckpointConfig",
    "CheckpointStorage",
    "CheckpointingMode",
    "CoFlatMapFunction",
    "CoMapFunction",
    "CoProcessFunction",
    "ConnectedStreams",
    "CountWindow",
    "CustomCheckpointStorage",
    "CustomStateBackend",
    "DataStream",
    "DataStreamSink",
    "EmbeddedRocksDBStateBackend",
    "ExternalizedCheckpointRetention",
    "FileSystemCheckpointStorage",
    "FilterFunction",
    "FlatMapFunction",
    "GlobalWindow",
    "HashMapStateBackend",
    "JobManagerCheckpointStorage",
    "KeySelector",
    "KeyedBroadcastProcessFunction",
    "KeyedCoProcessFunction",
    "KeyedProcessFunction",
    "KeyedStream",
    "MapFunction",
    "MemorySize",
    "MergingWindowAssigner",
    "OutputTag",
    "Partitioner",
    "PredefinedOptions",
    "ProcessFunction",
    "ProcessWindowFunction",
    "ReduceFunction",
    "RuntimeContext",
    "RuntimeExecutionMode",
    "SinkFunction",
    "SlotSharingGroup",
    "StateBackend",
    "StreamExecutionEnvironment",
    "TimeCharacteristic",
    "TimeDomain",
    "TimeWindow",
    "TimerService",
    "Trigger",
    "TriggerResult",
    "Window",
    "WindowAssigner",
    "WindowFunction",
    "WindowedStream",
]


__getattr__ = module_getattr(__name__, _MODULE_OF)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
