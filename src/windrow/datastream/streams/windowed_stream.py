"""Windows of a keyed stream, and of a whole one."""

from __future__ import annotations

from windrow.common.typeinfo import DeclaredType
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.windows import WindowsBase
from windrow.graph.partitioners import SingleKeyPartitioner


class WindowedStream(WindowsBase):
    """Windows of each key (Flink's ``WindowedStream``).

    ``apply`` takes a ``WindowFunction``, ``process`` a ``ProcessWindowFunction``; either may follow ``reduce`` or
    ``aggregate``.

    Example:
        >>> from windrow.common import Configuration, Time, WatermarkStrategy
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda event, _: event[1])
        >>> events = env.from_collection([("a", 1), ("a", 2), ("a", 12)]).assign_timestamps_and_watermarks(times)
        >>> windows = events.key_by(lambda event: event[0]).time_window(Time.milliseconds(10))
        >>> windows.reduce(lambda a, b: (a[0], a[1] + b[1])).execute_and_collect(limit=9)
        [('a', 3), ('a', 12)]
    """


class AllWindowedStream(WindowsBase):
    """Windows of a whole stream, computed by a single subtask (Flink's ``AllWindowedStream``).

    ``apply`` takes an ``AllWindowFunction``, ``process`` a ``ProcessAllWindowFunction``; either may follow ``reduce``
    or ``aggregate``.
    """

    _all_windows = True

    def _partitioned(self) -> DataStream:
        stream = DataStream(self._stream.get_execution_environment(), self._stream._values())
        return stream._partitioned("Single key", SingleKeyPartitioner())

    def _apply(
        self, incremental: object, function: object, output_type: DeclaredType, *, convert: bool = True
    ) -> DataStream:
        return super()._apply(incremental, function, output_type, convert=convert).force_non_parallel()
