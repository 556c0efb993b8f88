"""A stream of elements with keys."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NoReturn

from windrow.common.typeinfo import DeclaredType, TypeInformation, as_type_information
from windrow.datastream.functions import FoldFunction, KeyedProcessFunction, ProcessFunction, ReduceFunction
from windrow.datastream.functions.checks import function_of, object_of
from windrow.datastream.streams.aggregations import Position, aggregation
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import factory, typed
from windrow.datastream.streams.windowed_stream import WindowedStream
from windrow.datastream.streams.windows import count_window, time_windows
from windrow.datastream.window import WindowAssigner
from windrow.errors import UsageError
from windrow.graph.transformations import Transformation
from windrow.operators.process import KeyedProcessOperator
from windrow.operators.reduce import BatchFoldOperator, BatchReduceOperator, FoldOperator
from windrow.operators.running_reduce import running_reduce

if TYPE_CHECKING:
    from windrow.datastream.streams.interval_join import IntervalJoin


class KeyedStream(DataStream):
    """A stream whose elements have keys (Flink's ``KeyedStream``): operators keep state for each key.

    Its elements are the values alone: ``map``, ``print`` and the like see what they would see before ``key_by``.

    Example:
        >>> from windrow.common import Configuration
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> counts = env.from_collection([("a", 1), ("a", 2)]).key_by(lambda pair: pair[0]).sum(1)
        >>> counts.execute_and_collect(limit=9)
        [('a', 1), ('a', 3)]
    """

    def __init__(self, values: DataStream, partitioned: Transformation, key_type: TypeInformation) -> None:
        super().__init__(values.get_execution_environment(), partitioned)
        self._original = values
        self._key_type = key_type

    def get_key_type(self) -> TypeInformation:
        """The declared type of the keys."""
        return self._key_type

    # Operators

    def process(self, func: Any, output_type: DeclaredType = None) -> DataStream:
        """Give each element to a ``KeyedProcessFunction``, with state and timers of its key.

        Raises:
            ConfigurationTypeError: ``func`` is another kind of function.
        """
        hint = "on a keyed stream derive it from KeyedProcessFunction" if isinstance(func, ProcessFunction) else ""
        object_of(func, KeyedProcessFunction, "the function given to process on a keyed stream", hint)
        make = factory(KeyedProcessOperator, func)
        return self._transform("KeyedProcess", make, output_type, stateless=False, uses_processing_time=True)

    def reduce(self, func: ReduceFunction | Callable[[Any, Any], Any]) -> DataStream:
        """Combine each key's elements: the result so far for each element; in BATCH the last result of each key.

        Args:
            func: A ``ReduceFunction`` or a function of the result so far and an element.
        """
        return self._reduce("Keyed Reduce", function_of(func, ReduceFunction, "reduce", arguments=2))

    def fold(
        self, initial_value: Any, func: FoldFunction | Callable[[Any, Any], Any], output_type: DeclaredType = None
    ) -> DataStream:
        """Add each key's elements to a value: the value so far for each element; in BATCH the last of each key.

        Flink had it until 1.11; a ``KeyedProcessFunction`` can do the same and more.

        Args:
            initial_value: What each key begins with; a copy, so the function may change it.
            func: A ``FoldFunction`` or a function of the value so far and an element.
            output_type: The type of the value.

        Raises:
            ConfigurationTypeError: ``func`` is neither.

        Example:
            >>> from windrow.common import Configuration
            >>> from windrow.datastream import StreamExecutionEnvironment
            >>> local = Configuration().set_string("windrow.runtime", "local")
            >>> env = StreamExecutionEnvironment.get_execution_environment(local)
            >>> numbers = env.from_collection([1, 2, 3]).key_by(lambda n: n % 2)
            >>> numbers.fold("", lambda text, n: text + str(n)).execute_and_collect(limit=9)
            ['1', '2', '13']
        """
        function = function_of(func, FoldFunction, "fold", arguments=2)
        initial_value = deepcopy(initial_value)
        type_info = as_type_information(output_type, "output_type of fold")
        streaming = factory(FoldOperator, function, initial_value)
        batch = typed(factory(BatchFoldOperator, function, initial_value), type_info)
        return self._transform("Keyed Fold", streaming, type_info, stateless=False, batch=batch)

    def sum(self, position_to_sum: Position = 0) -> DataStream:
        """Add up a field so far, by index or name; the other fields are the first element's."""
        return self._aggregate("sum", position_to_sum)

    def min(self, position_to_min: Position = 0) -> DataStream:
        """Find the least value so far of a field; the other fields are the first element's."""
        return self._aggregate("min", position_to_min)

    def max(self, position_to_max: Position = 0) -> DataStream:
        """Find the greatest value so far of a field; the other fields are the first element's."""
        return self._aggregate("max", position_to_max)

    def min_by(self, position_to_min_by: Position = 0, first: bool = True) -> DataStream:
        """Find the element so far with the least value of a field; of several the first, or else the last."""
        return self._aggregate("min_by", position_to_min_by, first=first)

    def max_by(self, position_to_max_by: Position = 0, first: bool = True) -> DataStream:
        """Find the element so far with the greatest value of a field; of several the first, or else the last."""
        return self._aggregate("max_by", position_to_max_by, first=first)

    # Windows

    def window(self, window_assigner: WindowAssigner[Any, Any]) -> WindowedStream:
        """Put the elements of each key into windows."""
        return WindowedStream(self, window_assigner)

    def time_window(self, size: Any, slide: Any = None) -> WindowedStream:
        """Tumbling, or with ``slide`` sliding, windows of each key.

        The environment's time characteristic says whether they are windows of processing time or of event time.
        """
        return self.window(time_windows(self._environment, size, slide))

    def count_window(self, size: int, slide: int | None = None) -> WindowedStream:
        """Make windows of ``size`` elements of a key; with ``slide``, of the last ``size`` every ``slide`` elements.

        As in Flink's Java API: the values 1 to 8 with (3, 2) give [1,2] [2,3,4] [4,5,6] [6,7,8].
        """
        return count_window(self.window, size, slide)

    # Joins

    def interval_join(self, other: KeyedStream) -> IntervalJoin:
        """Join with elements of another keyed stream, of the same key and whose timestamps lie near.

        Raises:
            ConfigurationTypeError: ``other`` is no keyed stream.
            ConfigurationError: it is one of another environment, or has keys of another declared type.
        """
        from windrow.datastream.streams.interval_join import interval_join

        return interval_join(self, other)

    # How it is built

    def _values(self) -> Transformation:
        return self._original._values()

    def _producer(self) -> Transformation:
        return self._original._producer()

    def _aggregate(self, kind: str, position: Position, *, first: bool = True) -> DataStream:
        return self._reduce("Keyed Aggregation", aggregation(kind, position, self.get_type(), first=first))

    def _reduce(self, name: str, function: Any) -> DataStream:
        streaming, batch = factory(running_reduce, function), factory(BatchReduceOperator, function)
        return self._transform(name, streaming, self.get_type(), stateless=False, batch=batch, convert=False)

    # What a keyed stream is not

    def _cannot_partition(self, *_: Any, **__: Any) -> NoReturn:
        msg = "Cannot override partitioning for KeyedStream."
        raise UsageError(msg)

    shuffle = rebalance = rescale = forward = broadcast = global_ = partition_custom = _cannot_partition

    def _no_operator(self, *_: Any, **__: Any) -> NoReturn:
        msg = "a KeyedStream is no operator, so it has no name, uid or parallelism: set them on the streams around it"
        raise UsageError(msg)

    name = get_name = uid = set_uid_hash = set_description = description = _no_operator
    set_parallelism = set_max_parallelism = force_non_parallel = set_buffer_timeout = _no_operator
    start_new_chain = disable_chaining = slot_sharing_group = _no_operator
