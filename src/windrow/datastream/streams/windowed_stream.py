"""Windows of a keyed stream."""

from __future__ import annotations

from windrow.datastream.streams.windows import WindowsBase


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
