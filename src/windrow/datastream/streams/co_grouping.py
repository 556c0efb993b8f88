"""Shared by joins and co-groups of two streams: both streams become one, with a key and windows.

As in Flink elements are tagged with the stream that they are from, the streams are united, and what follows is a
window operation on that union: assigners, triggers and evictors see its elements.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.checks import instance_of
from windrow.common.time import Duration, Time
from windrow.common.typeinfo import DeclaredType, PickledBytesTypeInfo
from windrow.datastream.functions import KeySelector
from windrow.datastream.output_tag import OutputTag
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.keyed_stream import KeyedStream
from windrow.datastream.streams.keys import Key, has_lifecycle
from windrow.datastream.streams.program import factory
from windrow.datastream.streams.windowed_stream import WindowedStream
from windrow.datastream.window import Evictor, Trigger, WindowAssigner
from windrow.errors import ConfigurationError
from windrow.operators.tagged_union import One, OpenedUnionKeySelector, TaggedUnion, Two, UnionKeySelector
from windrow.operators.tagging import TaggingOperator
from windrow.operators.window.co_group import LateTags


class CoGroupWindows(ExplainsAbsentMethods):
    """Windows of two streams, for which it remains to be said what is done with their elements.

    Methods that say how windows behave return the object itself. Triggers and evictors see ``TaggedUnion`` objects.
    """

    def __init__(self, stream: KeyedStream, assigner: WindowAssigner[Any, Any]) -> None:
        self._windows = WindowedStream(stream, assigner)

    def trigger(self, trigger: Trigger[Any, Any]) -> Self:
        """Say when windows fire, in place of the assigner's default.

        Raises:
            ConfigurationError: the trigger does not go with the windows, as on a ``WindowedStream``.
        """
        self._windows.trigger(trigger)
        return self

    def evictor(self, evictor: Evictor[Any, Any]) -> Self:
        """Say which elements, of both streams together, are removed when a window fires."""
        self._windows.evictor(evictor)
        return self

    def allowed_lateness(self, time_ms: int | Time | Duration) -> Self:
        """Say how long after its end an event-time window still takes elements, in milliseconds.

        Each of them makes the window fire again, with all its elements.

        Raises:
            ConfigurationError: it is negative.
        """
        self._windows.allowed_lateness(time_ms)
        return self

    def side_output_late_data(self, output_tag: OutputTag, second_tag: OutputTag | None = None) -> Self:
        """Send elements that are too late to a side output of the resulting stream, as they came, not tagged.

        Flink has no such thing on joins and co-groups, where late elements are lost.

        Args:
            output_tag: The side output for late elements of both streams; with ``second_tag``, of the first one.
            second_tag: The side output for late elements of the second stream.
        """
        first = instance_of(output_tag, OutputTag, "output_tag").tag_id
        second = first if second_tag is None else instance_of(second_tag, OutputTag, "second_tag").tag_id
        self._windows._late_tag = LateTags(first, second)
        return self


Windows = TypeVar("Windows", bound=CoGroupWindows)


class EqualTo(ExplainsAbsentMethods, Generic[Windows]):
    """Two streams with keys; what remains to be said is which windows they have."""

    def __init__(self, stream: KeyedStream, windows: type[Windows]) -> None:
        self._stream = stream
        self._kind = windows

    def window(self, assigner: WindowAssigner[Any, Any]) -> Windows:
        """Put the elements of each key into windows, over both streams.

        Args:
            assigner: Any assigner; one that looks at elements sees ``TaggedUnion`` objects.
        """
        return self._kind(self._stream, assigner)


class Where(ExplainsAbsentMethods, Generic[Windows]):
    """Two streams, of which the first has keys; what remains to be said is the second one's."""

    def __init__(self, streams: CoGrouping[Windows], key_selector: Any, key: Key) -> None:
        self._streams = streams
        self._given = key_selector
        self._key = key

    def equal_to(
        self,
        key_selector: KeySelector | Callable[[Any], Any] | int | str | list[int] | list[str],
        key_type: DeclaredType = None,
    ) -> EqualTo[Windows]:
        """Say the key of the second stream's elements; those with equal keys meet.

        Args:
            key_selector: As for :meth:`CoGrouping.where`.
            key_type: The key's type.

        Raises:
            ConfigurationError: the keys of the two streams are declared to be of different types.
        """
        streams = self._streams
        key = Key.of((key_selector,), streams.second.get_type(), key_type, "equal_to")
        types = (self._key.type_info, key.type_info)
        if PickledBytesTypeInfo() not in types and types[0] != types[1]:
            msg = (
                f"the keys of the two streams must be of one type; where has {types[0]}, equal_to has {types[1]}: "
                "give both the same key_type"
            )
            raise ConfigurationError(msg)
        given = (self._given, key_selector)
        selectors = (self._key.selector, key.selector)
        if any(map(has_lifecycle, given)):
            selector: UnionKeySelector = OpenedUnionKeySelector(*selectors, given)
        else:
            selector = UnionKeySelector(*selectors)
        return EqualTo(_tagged(streams.first, One).union(_tagged(streams.second, Two)).key_by(selector), streams.kind)


class CoGrouping(ExplainsAbsentMethods, Generic[Windows]):
    """Two streams whose elements are to meet by key and window; what remains to be said are the keys.

    Args:
        first: The first stream.
        second: The second stream, of the same environment; it may be the same.
        call: The stream's method that joins them, for error messages.
        kind: The class of their windows.
    """

    def __init__(self, first: DataStream, second: DataStream, call: str, kind: type[Windows]) -> None:
        instance_of(second, DataStream, f"the stream given to {call}")
        if second.get_execution_environment() is not first.get_execution_environment():
            msg = f"{call} takes a stream of the same environment; got one of another"
            raise ConfigurationError(msg)
        self.first = first
        self.second = second
        self.kind = kind

    def where(
        self,
        key_selector: KeySelector | Callable[[Any], Any] | int | str | list[int] | list[str],
        key_type: DeclaredType = None,
    ) -> Where[Windows]:
        """Say the key of the first stream's elements.

        Args:
            key_selector: A function of an element, a ``KeySelector``, a field's index or name, or several in a list.
            key_type: The key's type.
        """
        return Where(self, key_selector, Key.of((key_selector,), self.first.get_type(), key_type, "where"))


def _tagged(stream: DataStream, tag: type[TaggedUnion]) -> DataStream:
    # The keys that a stream may have are not those that it is joined by.
    values = DataStream(stream.get_execution_environment(), stream._values())
    return values._transform("Map", factory(TaggingOperator, tag), None, stateless=True, convert=False)
