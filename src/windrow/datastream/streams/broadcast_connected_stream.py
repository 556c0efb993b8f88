"""A stream connected with a broadcast one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windrow.common.typeinfo import DeclaredType, TypeInformation
from windrow.datastream.functions import BroadcastProcessFunction, KeyedBroadcastProcessFunction
from windrow.datastream.functions.checks import object_of
from windrow.datastream.streams.broadcast_stream import BroadcastStream
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.keyed_stream import KeyedStream
from windrow.datastream.streams.program import factory
from windrow.datastream.streams.two_inputs import two_inputs
from windrow.operators.broadcast_process import BroadcastProcessOperator, KeyedBroadcastProcessOperator

if TYPE_CHECKING:
    from windrow.datastream.stream_execution_environment import StreamExecutionEnvironment


class BroadcastConnectedStream:
    """A stream, keyed or not, whose function also sees a broadcast stream (Flink's ``BroadcastConnectedStream``).

    Every subtask sees all broadcast elements, keeps of them what it likes in broadcast state, and reads that for the
    elements of the other stream. Of elements that are there at the same time in both streams the broadcast ones come
    first.

    Example:
        >>> from windrow.common import Configuration
        >>> from windrow.datastream import BroadcastProcessFunction, StreamExecutionEnvironment
        >>> from windrow.datastream.state import MapStateDescriptor
        >>> NAMES = MapStateDescriptor("names")
        >>> class Translate(BroadcastProcessFunction):
        ...     def process_element(self, value, ctx):
        ...         yield ctx.get_broadcast_state(NAMES).get(value)
        ...
        ...     def process_broadcast_element(self, value, ctx):
        ...         ctx.get_broadcast_state(NAMES).put(*value)
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> names = env.from_collection([(1, "one"), (2, "two")]).broadcast(NAMES)
        >>> translated = env.from_collection([2, 1, 2]).connect(names).process(Translate()).set_parallelism(1)
        >>> translated.execute_and_collect(limit=9)
        ['two', 'one', 'two']
    """

    def __init__(self, non_broadcast_stream: DataStream, broadcast_stream: BroadcastStream) -> None:
        self.non_broadcast_stream = non_broadcast_stream
        self.broadcast_stream = broadcast_stream

    def get_execution_environment(self) -> StreamExecutionEnvironment:
        """The environment both streams belong to."""
        return self.non_broadcast_stream.get_execution_environment()

    def get_first_input(self) -> DataStream:
        """The stream that is not broadcast."""
        return self.non_broadcast_stream

    def get_second_input(self) -> BroadcastStream:
        """The broadcast stream."""
        return self.broadcast_stream

    def get_type1(self) -> TypeInformation:
        """The declared type of the elements of the stream that is not broadcast."""
        return self.non_broadcast_stream.get_type()

    def get_type2(self) -> TypeInformation:
        """The declared type of the broadcast elements."""
        return self.broadcast_stream.input_stream.get_type()

    def process(
        self,
        func: BroadcastProcessFunction[Any, Any, Any] | KeyedBroadcastProcessFunction[Any, Any, Any, Any],
        output_type: DeclaredType = None,
    ) -> DataStream:
        """Give the elements of both streams to the function.

        Args:
            func: A ``KeyedBroadcastProcessFunction`` if the stream is keyed, else a ``BroadcastProcessFunction``.
            output_type: The type of the results.

        Raises:
            ConfigurationTypeError: ``func`` is the other one, or none of them.
        """
        broadcast, descriptors = self.broadcast_stream.input_stream, self.broadcast_stream.broadcast_state_descriptors
        if isinstance(self.non_broadcast_stream, KeyedStream):
            hint = "the stream is keyed" if isinstance(func, BroadcastProcessFunction) else ""
            object_of(func, KeyedBroadcastProcessFunction, "the function given to process on a keyed stream", hint)
            make, name = factory(KeyedBroadcastProcessOperator, func, descriptors), "Keyed Co-Process-Broadcast"
        else:
            hint = "call key_by before connect" if isinstance(func, KeyedBroadcastProcessFunction) else ""
            object_of(func, BroadcastProcessFunction, "the function given to process on a stream without keys", hint)
            make, name = factory(BroadcastProcessOperator, func, descriptors), "Co-Process-Broadcast"
        keyed = isinstance(self.non_broadcast_stream, KeyedStream)
        return two_inputs(name, self.non_broadcast_stream, broadcast, make, output_type, uses_processing_time=keyed)
