"""A stream all of whose elements go to every subtask, to be kept there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.checks import instance_of
from windrow.common.typeinfo import TypeInformation
from windrow.datastream.state import MapStateDescriptor
from windrow.datastream.streams.data_stream import DataStream
from windrow.errors import ConfigurationError

if TYPE_CHECKING:
    from windrow.datastream.stream_execution_environment import StreamExecutionEnvironment


class BroadcastStream(ExplainsAbsentMethods):
    """A broadcast stream with the states made of it (Flink's ``BroadcastStream``): connect another stream with it.

    Args:
        input_stream: The stream, broadcast already.
        broadcast_state_descriptors: The states.

    Raises:
        ConfigurationTypeError: one is no ``MapStateDescriptor``.
        ConfigurationError: two have the same name.
    """

    def __init__(self, input_stream: DataStream, broadcast_state_descriptors: Sequence[MapStateDescriptor]) -> None:
        names: set[str] = set()
        for descriptor in broadcast_state_descriptors:
            instance_of(descriptor, MapStateDescriptor, "what broadcast is given")
            if descriptor.name in names:
                msg = f"broadcast was given two states named {descriptor.name!r}; make their names differ"
                raise ConfigurationError(msg)
            names.add(descriptor.name)
        self.input_stream = input_stream
        self.broadcast_state_descriptors = tuple(broadcast_state_descriptors)

    def get_type(self) -> TypeInformation:
        """The declared type of the elements."""
        return self.input_stream.get_type()

    def get_environment(self) -> StreamExecutionEnvironment:
        """The environment it belongs to."""
        return self.input_stream.get_execution_environment()

    def get_broadcast_state_descriptors(self) -> list[MapStateDescriptor]:
        """Give the descriptors of the states in which broadcast elements are kept."""
        return list(self.broadcast_state_descriptors)
