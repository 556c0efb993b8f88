"""Joins of two streams by window."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeAlias

from windrow.common.typeinfo import DeclaredType
from windrow.datastream.functions import FlatJoinFunction, JoinFunction
from windrow.datastream.functions.checks import function_of
from windrow.datastream.streams.co_grouping import CoGrouping, CoGroupWindows
from windrow.datastream.streams.data_stream import DataStream
from windrow.errors import ConfigurationTypeError
from windrow.operators import tagged_union
from windrow.operators.window.co_group import JoinWindowFunction


class JoinedWindows(CoGroupWindows):
    """Windows of two joined streams (Flink's ``JoinedStreams.WithWindow``)."""

    def apply(
        self, function: JoinFunction | FlatJoinFunction | Callable[[Any, Any], Any], output_type: DeclaredType = None
    ) -> DataStream:
        """Call a function with each pair of elements of the two streams that are in one window of a key.

        When a window fires, each element of the first stream meets each of the second, in the order in which they
        came. Results carry the window's maximum timestamp.

        Args:
            function: A ``JoinFunction`` or a function of two elements, which gives one result for a pair; or a
                ``FlatJoinFunction`` or a generator function of two elements, which yields any number of them.
            output_type: The type of the results.

        Raises:
            ConfigurationTypeError: ``function`` is something else.
        """
        if isinstance(function, FlatJoinFunction):
            checked, flat = function, True
        else:
            checked = function_of(function, JoinFunction, "apply of a window join", arguments=2)
            flat = _yields(checked)
        return self._windows.apply(JoinWindowFunction(checked, flat=flat), output_type)

    #: Flink's other name for it.
    with_ = apply


class JoinedStreams(CoGrouping[JoinedWindows]):
    """Two streams whose elements are joined by key and window (Flink's ``JoinedStreams``): an inner join.

    A join is a co-group that calls a function with each pair. Elements without a partner are dropped with their window.

    Example:
        >>> from windrow.common import Configuration, WatermarkStrategy
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> from windrow.datastream.window import TumblingEventTimeWindows
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda event, _: event[1])
        >>> speeds = env.from_collection([("a", 1, 90), ("a", 12, 30)]).assign_timestamps_and_watermarks(times)
        >>> counts = env.from_collection([("a", 2, 7), ("b", 5, 8)]).assign_timestamps_and_watermarks(times)
        >>> joined = speeds.join(counts).where(0).equal_to(0).window(TumblingEventTimeWindows.of(10))
        >>> joined.apply(lambda speed, count: (speed[0], speed[2], count[2])).execute_and_collect(limit=9)
        [('a', 90, 7)]
    """

    TaggedUnion: TypeAlias = tagged_union.TaggedUnion
    WithWindow: TypeAlias = JoinedWindows

    def __init__(self, first: DataStream, second: DataStream) -> None:
        super().__init__(first, second, "join", JoinedWindows)


def _yields(function: Any) -> bool:
    """Tell whether a plain function is a generator function, and so gives any number of results.

    Raises:
        ConfigurationTypeError: the ``join`` of a ``JoinFunction`` is one: it would give a generator for a pair.
    """
    if isinstance(function, JoinFunction):
        if inspect.isgeneratorfunction(function.join):
            name = type(function).__name__
            msg = (
                f"join of {name}, a JoinFunction, yields, but has to return one value; derive it from FlatJoinFunction"
            )
            raise ConfigurationTypeError(msg)
        return False
    return inspect.isgeneratorfunction(function) or inspect.isgeneratorfunction(type(function).__call__)
