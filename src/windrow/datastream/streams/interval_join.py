"""Joins of two keyed streams by how far the timestamps of their elements lie apart."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.checks import instance_of
from windrow.common.time import Duration, Time, to_millis
from windrow.common.typeinfo import DeclaredType
from windrow.datastream.functions import ProcessJoinFunction
from windrow.datastream.functions.checks import object_of
from windrow.datastream.output_tag import OutputTag
from windrow.datastream.streams.checks import same_environment, same_key_types
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.keyed_stream import KeyedStream
from windrow.datastream.streams.program import factory
from windrow.datastream.streams.two_inputs import two_inputs
from windrow.datastream.time_characteristic import TimeCharacteristic
from windrow.errors import ConfigurationError, UsageError
from windrow.operators.interval_join import Interval, interval_join_operator

if TYPE_CHECKING:
    from windrow.datastream.stream_execution_environment import StreamExecutionEnvironment

#: A relative time: a Time, a Duration, a timedelta or a number of milliseconds; it may be negative.
Bound = Time | Duration | datetime.timedelta | int


class IntervalJoin(ExplainsAbsentMethods):
    """Two keyed streams, for which it remains to be said how far apart elements join (``KeyedStream.IntervalJoin``).

    Example:
        >>> from windrow.common import Configuration, Duration, WatermarkStrategy
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> from windrow.datastream.functions import ProcessJoinFunction
        >>> class Both(ProcessJoinFunction):
        ...     def process_element(self, left, right, ctx):
        ...         yield left, right
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda pair, _: pair[1])
        >>> def keyed(*pairs):
        ...     return env.from_collection(pairs).assign_timestamps_and_watermarks(strategy).key_by(lambda n: n[0])
        >>> orders, payments = keyed(("a", 1), ("b", 2)), keyed(("a", 5), ("b", 9))
        >>> paid = orders.interval_join(payments).between(0, Duration.of_millis(5)).process(Both())
        >>> paid.execute_and_collect(limit=9)
        [(('a', 1), ('a', 5))]
    """

    def __init__(self, stream1: KeyedStream, stream2: KeyedStream) -> None:
        self._left = stream1
        self._right = stream2
        self._processing_time = False

    def in_event_time(self) -> IntervalJoin:
        """Compare timestamps of elements, as is done anyway."""
        self._processing_time = False
        return self

    def in_processing_time(self) -> IntervalJoin:
        """Compare times of arrival: :meth:`between` refuses it, as Flink does."""
        self._processing_time = True
        return self

    def between(self, lower_bound: Bound, upper_bound: Bound) -> IntervalJoined:
        """Say which elements join: left timestamp + lower <= right timestamp <= left timestamp + upper.

        Args:
            lower_bound: A span of time, or a number of milliseconds; it may be negative.
            upper_bound: The same, not less than ``lower_bound``.

        Raises:
            ConfigurationError: the lower bound is above the upper one.
            ConfigurationTypeError: a bound is no span of time.
            UsageError: the join, or the environment, is not in event time.
        """
        environment = self._left.get_execution_environment()
        characteristic = environment.get_stream_time_characteristic()
        if self._processing_time or characteristic is not TimeCharacteristic.EventTime:
            found = "in_processing_time() was called"
            advice = "leave that call out"
            if not self._processing_time:
                found = f"the environment's time characteristic is {characteristic.name}"
                advice = "call set_stream_time_characteristic(TimeCharacteristic.EventTime)"
            msg = (
                f"an interval join compares the timestamps of elements, so it works in event time only, but {found}; "
                f"{advice} and give both streams timestamps with assign_timestamps_and_watermarks"
            )
            raise UsageError(msg)
        lower = to_millis(lower_bound, "lower_bound of between")
        upper = to_millis(upper_bound, "upper_bound of between")
        if lower > upper:
            msg = (
                f"between takes a lower bound that is not above the upper one; got {lower} ms and {upper} ms: "
                "no two elements lie so"
            )
            raise ConfigurationError(msg)
        return IntervalJoined(self._left, self._right, lower, upper)


class IntervalJoined(ExplainsAbsentMethods):
    """Two keyed streams and how far apart their elements join (``KeyedStream.IntervalJoined``).

    Both bounds belong to the interval unless they are made exclusive. Elements whose timestamp is below the watermark,
    which is that of the stream that is behind, are dropped unless they have a side output. Methods other than
    :meth:`process` return the object itself.
    """

    def __init__(self, left_stream: KeyedStream, right_stream: KeyedStream, lower_bound: int, upper_bound: int) -> None:
        self._left = left_stream
        self._right = right_stream
        self._lower = lower_bound
        self._upper = upper_bound
        self._lower_inclusive = self._upper_inclusive = True
        self._late_left: str | None = None
        self._late_right: str | None = None

    def get_execution_environment(self) -> StreamExecutionEnvironment:
        """The environment both streams belong to."""
        return self._left.get_execution_environment()

    def lower_bound_exclusive(self, exclusive: bool = True) -> IntervalJoined:
        """Leave the lower bound itself out of the interval."""
        self._lower_inclusive = not instance_of(exclusive, bool, "the argument of lower_bound_exclusive")
        return self

    def upper_bound_exclusive(self, exclusive: bool = True) -> IntervalJoined:
        """Leave the upper bound itself out of the interval."""
        self._upper_inclusive = not instance_of(exclusive, bool, "the argument of upper_bound_exclusive")
        return self

    def side_output_left_late_data(self, output_tag: OutputTag) -> IntervalJoined:
        """Send elements of the left stream that are late to a side output of the resulting stream."""
        self._late_left = instance_of(output_tag, OutputTag, "output_tag").tag_id
        return self

    def side_output_right_late_data(self, output_tag: OutputTag) -> IntervalJoined:
        """Send elements of the right stream that are late to a side output of the resulting stream."""
        self._late_right = instance_of(output_tag, OutputTag, "output_tag").tag_id
        return self

    def process(self, process_join_function: ProcessJoinFunction, output_type: DeclaredType = None) -> DataStream:
        """Give each pair that joins to the function.

        A pair is found when the later of the two arrives, whatever their timestamps; an element meets those of the
        other stream in the order of their timestamps. An element without a timestamp ends the job with an error.

        Args:
            process_join_function: Called with each pair.
            output_type: The type of the results.

        Raises:
            ConfigurationTypeError: it is another kind of function.
        """
        function = object_of(
            process_join_function, ProcessJoinFunction, "the function given to process on an interval join"
        )
        interval = Interval.of(
            self._lower, self._upper, lower_inclusive=self._lower_inclusive, upper_inclusive=self._upper_inclusive
        )
        make = factory(interval_join_operator, function, interval, self._late_left, self._late_right)
        return two_inputs("Interval Join", self._left, self._right, make, output_type, operation=interval)


def interval_join(left: KeyedStream, right: KeyedStream) -> IntervalJoin:
    """Begin a join, for ``KeyedStream.interval_join``.

    Raises:
        ConfigurationTypeError: ``right`` is no keyed stream.
        ConfigurationError: it is one of another environment, or has keys of another declared type.
    """
    hint = "call key_by on it" if isinstance(right, DataStream) else ""
    instance_of(right, KeyedStream, "the stream given to interval_join", hint)
    same_environment(left, right, "interval_join")
    same_key_types(left, right, "interval_join")
    return IntervalJoin(left, right)
