"""Functions that write elements somewhere."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from windrow.datastream.functions.base import Function


class SinkFunction(Function):
    """Writes elements, one at a time, for ``DataStream.add_sink`` (Flink's ``SinkFunction``; PyFlink's is Java's only).

    It is opened once per subtask, like any function, and called by Spark's workers. Its job state is exactly once, what
    it writes is not: after a failure the elements of a batch come again, so writing the same twice should do no harm.

    Example:
        >>> class Print(SinkFunction):
        ...     def invoke(self, value, context):
        ...         print(value, context.timestamp())
        >>> from windrow.common import Configuration, WatermarkStrategy
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda n, _: n * 1000)
        >>> sink = env.from_collection([1, 2]).assign_timestamps_and_watermarks(times).add_sink(Print())
        >>> result = env.execute()
        1 1000
        2 2000
    """

    class Context(ABC):
        """The element's surroundings."""

        @abstractmethod
        def current_processing_time(self) -> int:
            """The current processing time, in milliseconds."""

        @abstractmethod
        def current_watermark(self) -> int:
            """The current watermark, in milliseconds; -2^63 before the first one."""

        @abstractmethod
        def timestamp(self) -> int:
            """The element's timestamp, in milliseconds; -2^63 if it has none."""

    @abstractmethod
    def invoke(self, value: Any, context: Context) -> None:
        """Write one element."""
