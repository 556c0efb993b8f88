"""Two streams whose elements go to one function, which keeps them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.typeinfo import DeclaredType, TypeInformation
from windrow.datastream.functions import (
    CoFlatMapFunction,
    CoMapFunction,
    CoProcessFunction,
    KeyedCoProcessFunction,
)
from windrow.datastream.functions.checks import object_of
from windrow.datastream.streams.checks import same_key_types
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.keyed_stream import KeyedStream
from windrow.datastream.streams.program import factory
from windrow.datastream.streams.two_inputs import two_inputs
from windrow.errors import ConfigurationTypeError
from windrow.operators.co_process import CoProcessOperator, KeyedCoProcessOperator
from windrow.operators.co_simple import CoFlatMapOperator, CoMapOperator, KeyedCoFlatMapOperator, KeyedCoMapOperator

if TYPE_CHECKING:
    from windrow.datastream.stream_execution_environment import StreamExecutionEnvironment


class ConnectedStreams(ExplainsAbsentMethods):
    """Two streams, of the same or of different types, for one operator (Flink's ``ConnectedStreams``).

    Its function has one method for each stream; both see the same fields, and if both streams are keyed the same keyed
    state. If only one is, its elements go to their key's subtask, but there is no keyed state. Time is the time of the
    stream that is behind. Which stream's element comes first is not defined.

    Example:
        >>> from windrow.common import Configuration
        >>> from windrow.datastream import CoMapFunction, StreamExecutionEnvironment
        >>> class Named(CoMapFunction):
        ...     def map1(self, value):
        ...         return f"number {value}"
        ...
        ...     def map2(self, value):
        ...         return f"word {value}"
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> numbers, words = env.from_collection([1, 2]), env.from_collection(["a"])
        >>> sorted(numbers.connect(words).map(Named()).execute_and_collect(limit=9))
        ['number 1', 'number 2', 'word a']
    """

    def __init__(self, stream1: DataStream, stream2: DataStream) -> None:
        self.stream1 = stream1
        self.stream2 = stream2

    def get_execution_environment(self) -> StreamExecutionEnvironment:
        """The environment both streams belong to."""
        return self.stream1.get_execution_environment()

    def get_first_input(self) -> DataStream:
        """The stream that ``connect`` was called on."""
        return self.stream1

    def get_second_input(self) -> DataStream:
        """The stream that was connected with it."""
        return self.stream2

    def get_type1(self) -> TypeInformation:
        """The declared type of the first stream's elements."""
        return self.stream1.get_type()

    def get_type2(self) -> TypeInformation:
        """The declared type of the second stream's elements."""
        return self.stream2.get_type()

    def key_by(self, key_selector1: Any, key_selector2: Any, key_type: DeclaredType = None) -> ConnectedStreams:
        """Both streams with keys, instead of those they may have: elements with equal keys share state.

        Args:
            key_selector1: The key of an element of the first stream; what ``DataStream.key_by`` takes.
            key_selector2: The same for the second stream.
            key_type: The type of the keys of both.
        """
        return ConnectedStreams(
            self.stream1.key_by(key_selector1, key_type=key_type), self.stream2.key_by(key_selector2, key_type=key_type)
        )

    def map(self, func: CoMapFunction, output_type: DeclaredType = None) -> DataStream:
        """Make one element of each element; none where the function returns None.

        Raises:
            ConfigurationTypeError: ``func`` is another kind of function.
        """
        object_of(func, CoMapFunction, "the function given to map on connected streams")
        operator = KeyedCoMapOperator if self._is_keyed() else CoMapOperator
        return two_inputs("Co-Map", self.stream1, self.stream2, factory(operator, func), output_type)

    def flat_map(self, func: CoFlatMapFunction, output_type: DeclaredType = None) -> DataStream:
        """Any number of elements for each element; an ``(OutputTag, value)`` among them goes to that side output.

        Raises:
            ConfigurationTypeError: ``func`` is another kind of function.
        """
        object_of(func, CoFlatMapFunction, "the function given to flat_map on connected streams")
        operator = KeyedCoFlatMapOperator if self._is_keyed() else CoFlatMapOperator
        return two_inputs("Co-Flat Map", self.stream1, self.stream2, factory(operator, func), output_type)

    def process(self, func: CoProcessFunction | KeyedCoProcessFunction, output_type: DeclaredType = None) -> DataStream:
        """Give each element and its timestamp to the function; on keyed streams with state and timers.

        Args:
            func: On two keyed streams a ``KeyedCoProcessFunction``; Flink takes a ``CoProcessFunction`` there too. If
                not both are keyed a ``CoProcessFunction``.
            output_type: The type of the results.

        Raises:
            ConfigurationTypeError: ``func`` is another kind of function.
        """
        if self._is_keyed():
            if not isinstance(func, CoProcessFunction):
                object_of(func, KeyedCoProcessFunction, "the function given to process on connected keyed streams")
            make = factory(KeyedCoProcessOperator, func)
            return two_inputs(
                "Keyed Co-Process", self.stream1, self.stream2, make, output_type, uses_processing_time=True
            )
        if isinstance(func, KeyedCoProcessFunction):
            unkeyed = [n for n, s in enumerate((self.stream1, self.stream2), 1) if not isinstance(s, KeyedStream)]
            which = "neither stream is" if len(unkeyed) > 1 else f"stream {unkeyed[0]} is not"
            msg = f"a KeyedCoProcessFunction needs two keyed streams, but {which} keyed: call key_by behind connect"
            raise ConfigurationTypeError(msg)
        object_of(func, CoProcessFunction, "the function given to process on connected streams")
        return two_inputs("Co-Process", self.stream1, self.stream2, factory(CoProcessOperator, func), output_type)

    def _is_keyed(self) -> bool:
        """Tell whether both streams have keys.

        Raises:
            ConfigurationError: they have, but of different types.
        """
        if isinstance(self.stream1, KeyedStream) and isinstance(self.stream2, KeyedStream):
            same_key_types(self.stream1, self.stream2, "connect")
            return True
        return False
