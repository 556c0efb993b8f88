"""Co-groups of two streams."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from windrow.common.typeinfo import DeclaredType
from windrow.datastream.functions import CoGroupFunction
from windrow.datastream.functions.checks import function_of
from windrow.datastream.streams.co_grouping import CoGrouping, CoGroupWindows
from windrow.datastream.streams.data_stream import DataStream
from windrow.operators import tagged_union
from windrow.operators.window.co_group import CoGroupWindowFunction


class CoGroupedWindows(CoGroupWindows):
    """Windows of two co-grouped streams (Flink's ``CoGroupedStreams.WithWindow``)."""

    def apply(
        self,
        function: CoGroupFunction | Callable[[list[Any], list[Any]], Iterable[Any] | None],
        output_type: DeclaredType = None,
    ) -> DataStream:
        """Call a function with all that a window that fires has of a key: a list of each stream's elements.

        Results carry the window's maximum timestamp.

        Args:
            function: A ``CoGroupFunction``, or a function of two lists that gives an iterable of results or None. One
                of the lists may be empty.
            output_type: The type of the results.

        Raises:
            ConfigurationTypeError: ``function`` is something else.
        """
        checked = function_of(function, CoGroupFunction, "apply of a co-group", arguments=2)
        return self._windows.apply(CoGroupWindowFunction(checked), output_type)

    #: Flink's other name for it.
    with_ = apply


class CoGroupedStreams(CoGrouping[CoGroupedWindows]):
    """Two streams whose elements are brought together by key and window (Flink's ``CoGroupedStreams``).

    The function that is applied is called once for each key and window, also where only one stream has elements.

    Example:
        >>> from windrow.common import Configuration, WatermarkStrategy
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> from windrow.datastream.window import TumblingEventTimeWindows
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda event, _: event[1])
        >>> asked = env.from_collection([("a", 1), ("b", 2)]).assign_timestamps_and_watermarks(times)
        >>> answered = env.from_collection([("a", 3)]).assign_timestamps_and_watermarks(times)
        >>> groups = asked.co_group(answered).where(0).equal_to(0).window(TumblingEventTimeWindows.of(10))
        >>> groups.apply(lambda questions, answers: questions if not answers else None).execute_and_collect(limit=9)
        [('b', 2)]
    """

    TaggedUnion: TypeAlias = tagged_union.TaggedUnion
    WithWindow: TypeAlias = CoGroupedWindows

    def __init__(self, first: DataStream, second: DataStream) -> None:
        super().__init__(first, second, "co_group", CoGroupedWindows)
