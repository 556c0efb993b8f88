"""The functions that users write to read, and to make, keyed state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from windrow.datastream.functions import Function, KeyedProcessFunction, RuntimeContext


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
        """Give what is to be known of a key: tuples, ``Row`` objects, or dicts by the names of columns.

        Args:
            key: The key; the states are its own.
            ctx: Knows its timers.
        """

    class Context(ABC):
        """Gives what is stored of a key besides its state."""

        @abstractmethod
        def registered_event_time_timers(self) -> Sequence[int]:
            """The times of its timers of event time, in milliseconds, in their order."""

        @abstractmethod
        def registered_processing_time_timers(self) -> Sequence[int]:
            """The times of its timers of processing time, in milliseconds, in their order."""


class KeyedStateBootstrapFunction(Function, ABC):
    """Makes the keyed state of one operator, element by element (Flink's ``KeyedStateBootstrapFunction``).

    Example:
        >>> from windrow.common import Types
        >>> from windrow.datastream.state import ValueStateDescriptor
        >>> class Totals(KeyedStateBootstrapFunction):
        ...     def open(self, runtime_context):
        ...         self.total = runtime_context.get_state(ValueStateDescriptor("total", Types.LONG()))
        ...     def process_element(self, value, ctx):
        ...         self.total.update(value[1])
    """

    @abstractmethod
    def open(self, runtime_context: RuntimeContext) -> None:
        """Ask for the states that are to be made, with the descriptors of the function that is to have them."""

    @abstractmethod
    def process_element(self, value: Any, ctx: KeyedProcessFunction.Context) -> None:
        """Put what is to be known of an element into the state of its key.

        Args:
            value: The element.
            ctx: Knows its key and its timestamp, and registers timers, which fire in the job that begins with them.
        """
