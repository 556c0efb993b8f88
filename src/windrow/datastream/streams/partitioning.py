"""Brings a stream's elements to the subtasks of the next operator."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast, overload

from windrow.common.typeinfo import TypeInformation
from windrow.datastream.functions import KeySelector
from windrow.datastream.functions import Partitioner as PartitionFunction
from windrow.datastream.functions.checks import function_of
from windrow.datastream.state import MapStateDescriptor
from windrow.datastream.streams.keys import Key
from windrow.graph.partitioners import (
    BroadcastPartitioner,
    CustomPartitioner,
    ForwardPartitioner,
    GlobalPartitioner,
    Partitioner,
    RebalancePartitioner,
    RescalePartitioner,
    ShufflePartitioner,
)

if TYPE_CHECKING:
    from windrow.datastream.streams.broadcast_stream import BroadcastStream
    from windrow.datastream.streams.data_stream import DataStream


class Partitioning(ABC):
    """The methods of a ``DataStream`` that partition it."""

    @abstractmethod
    def get_type(self) -> TypeInformation: ...

    @abstractmethod
    def _partitioned(self, name: str, partitioner: Partitioner, opened: Iterable[Any] = ()) -> DataStream:
        """The stream behind a partitioner; those of ``opened`` that can be are opened and closed where it runs."""

    def rebalance(self) -> DataStream:
        """Elements go to the next operator's subtasks in turn, so that each gets as many as the others.

        Example:
            >>> from windrow.common import Configuration
            >>> from windrow.datastream import StreamExecutionEnvironment
            >>> local = Configuration().set_string("windrow.runtime", "local")
            >>> env = StreamExecutionEnvironment.get_execution_environment(local)
            >>> squares = env.from_collection([1, 2, 3, 4]).rebalance().map(lambda n: n * n).set_parallelism(2)
            >>> squares.execute_and_collect(limit=9)  # those of the first subtask, then those of the second
            [1, 9, 4, 16]
        """
        return self._partitioned("Rebalance", RebalancePartitioner())

    def rescale(self) -> DataStream:
        """Elements of a subtask go in turn to some of the next operator's subtasks only.

        Of 2 subtasks before 4, the first one serves the first two; of 4 before 2, the first two share the first one.
        """
        return self._partitioned("Rescale", RescalePartitioner())

    def shuffle(self) -> DataStream:
        """Elements go to the next operator's subtasks as if drawn by lot; a batch that is run again draws the same."""
        return self._partitioned("Shuffle", ShufflePartitioner())

    def forward(self) -> DataStream:
        """Elements stay in the subtask of the same number: the next operator must have as many as this one.

        Raises:
            ConfigurationError: it has another parallelism; raised when the job is executed.
        """
        return self._partitioned("Forward", ForwardPartitioner())

    def global_(self) -> DataStream:
        """Send all elements to the first subtask of the next operator."""
        return self._partitioned("Global", GlobalPartitioner())

    @overload
    def broadcast(self) -> DataStream: ...

    @overload
    def broadcast(
        self,
        broadcast_state_descriptor: MapStateDescriptor,
        *other_broadcast_state_descriptors: MapStateDescriptor,
    ) -> BroadcastStream: ...

    def broadcast(
        self,
        broadcast_state_descriptor: MapStateDescriptor | None = None,
        *other_broadcast_state_descriptors: MapStateDescriptor,
    ) -> DataStream | BroadcastStream:
        """Every element goes to every subtask of the next operator.

        Args:
            broadcast_state_descriptor: The state that is made of the stream there, for :meth:`connect`; without it,
                the stream is only partitioned so.
            other_broadcast_state_descriptors: Further ones.

        Raises:
            ConfigurationTypeError: one is no ``MapStateDescriptor``.
        """
        from windrow.datastream.streams.broadcast_stream import BroadcastStream

        stream = self._partitioned("Broadcast", BroadcastPartitioner())
        if broadcast_state_descriptor is None and not other_broadcast_state_descriptors:
            return stream
        descriptors = (broadcast_state_descriptor, *other_broadcast_state_descriptors)
        return BroadcastStream(stream, cast("tuple[MapStateDescriptor, ...]", descriptors))

    def partition_custom(
        self,
        partitioner: PartitionFunction | Callable[[Any, int], int],
        key_selector: KeySelector | Callable[[Any], Any] | int | str,
    ) -> DataStream:
        """Elements go to the subtask that a function says.

        Args:
            partitioner: A ``Partitioner`` or a function, from a key and the number of subtasks to the number of one,
                counted from 0.
            key_selector: What the partitioner is given of an element: a function, a ``KeySelector``, a field's index
                or name.

        Raises:
            ConfigurationTypeError: one of them is something else. A number out of range ends the job.
        """
        function = function_of(partitioner, PartitionFunction, "partition_custom", arguments=2)
        key = Key.of((key_selector,), self.get_type(), None)
        partition = function.partition if isinstance(function, PartitionFunction) else function
        custom = CustomPartitioner(partition, key.selector)
        return self._partitioned("Custom partition", custom, opened=(partitioner, key_selector))
