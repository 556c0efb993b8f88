"""What users write to read, and to make, keyed state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from windrow.datastream.functions import Function, RuntimeContext


class KeyedStateReaderFunction(Function, ABC):
    """Reads the keyed state of one operator, key by key (Flink's ``KeyedStateReaderFunction``).

    Example:
        >>> from windrow.common import Types
        >>> from windrow.datastream.state import ValueStateDescriptor
        >>> class Counts(KeyedStateReaderFunction):
        ...     def open(self, runtime_context):
        ...         self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))
        ...     def read_key(self, key, ctx):
        ...         yield key, self.count.value()
    """

    @abstractmethod
    def open(self, runtime_context: RuntimeContext) -> None:
        """Ask for the states that are to be read, with the descriptors of the function that has written them."""

    @abstractmethod
    def read_key(self, key: Any, ctx: KeyedStateReaderFunction.Context) -> Iterable[Any]:
        """Give what is to be known of a key: tuples, ``Row``s, or dicts by the names of columns.

        Args:
            key: The key; the states are its own.
            ctx: Knows its timers.
        """

    class Context(ABC):
        """What there is of a key besides its state."""

        @abstractmethod
        def registered_event_time_timers(self) -> Sequence[int]:
            """The times of its timers of event time, in milliseconds, in their order."""

        @abstractmethod
        def registered_processing_time_timers(self) -> Sequence[int]:
            """The times of its timers of processing time, in milliseconds, in their order."""
