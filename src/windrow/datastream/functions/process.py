"""Functions with access to time, timers and keyed state.

The main output is what ``process_element`` and ``on_timer`` yield; a yielded ``(OutputTag, value)`` goes to that side
output; returning None emits nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from windrow.datastream.functions.base import Function
from windrow.datastream.time_domain import TimeDomain
from windrow.datastream.timerservice import TimerService


class ProcessFunction(Function):
    """Sees each element of a stream without keys, with its timestamp.

    As Flink's ``ProcessFunction``; it has no timers and no keyed state, which belong to keys.

    Example:
        >>> from windrow.common import Configuration
        >>> from windrow.datastream import OutputTag, StreamExecutionEnvironment
        >>> ODD = OutputTag("odd")
        >>> class Halves(ProcessFunction):
        ...     def process_element(self, value, ctx):
        ...         if value % 2:
        ...             yield ODD, value
        ...         else:
        ...             yield value // 2
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> halves = env.from_collection([1, 2, 4]).process(Halves())
        >>> halves.union(halves.get_side_output(ODD)).execute_and_collect(limit=9)
        [1, 2, 1]
    """

    class Context(ABC):
        """The element's surroundings."""

        @abstractmethod
        def timer_service(self) -> TimerService:
            """The current times; timers need a key."""

        @abstractmethod
        def timestamp(self) -> int:
            """The element's timestamp; -2^63 if it has none."""

    @abstractmethod
    def process_element(self, value: Any, ctx: Context) -> Iterable[Any] | None:
        """Give what to emit for one element."""


class KeyedProcessFunction(Function):
    """Sees each element of a keyed stream, with keyed state and timers.

    As Flink's ``KeyedProcessFunction``.

    Example:
        >>> from windrow.common import Configuration
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> from windrow.datastream.state import ValueStateDescriptor
        >>> class Count(KeyedProcessFunction):
        ...     def open(self, runtime_context):
        ...         self.count = runtime_context.get_state(ValueStateDescriptor("count"))
        ...
        ...     def process_element(self, value, ctx):
        ...         self.count.update((self.count.value() or 0) + 1)
        ...         ctx.timer_service().register_event_time_timer(1000)  # of each key one, however often it is set
        ...
        ...     def on_timer(self, timestamp, ctx):
        ...         yield ctx.get_current_key(), self.count.value()
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> words = env.from_collection(["to", "be", "or", "not", "to", "be"]).key_by(lambda word: word)
        >>> sorted(words.process(Count()).execute_and_collect(limit=9))
        [('be', 2), ('not', 1), ('or', 1), ('to', 2)]
    """

    class Context(ABC):
        """The element's surroundings."""

        @abstractmethod
        def get_current_key(self) -> Any:
            """The element's key."""

        @abstractmethod
        def timer_service(self) -> TimerService:
            """The current times, and timers for this key."""

        @abstractmethod
        def timestamp(self) -> int:
            """The element's timestamp, or the time of the timer; -2^63 if the element has none."""

    class OnTimerContext(Context):
        """The surroundings of a timer that fires."""

        @abstractmethod
        def time_domain(self) -> TimeDomain:
            """Tell which kind of timer it is."""

    @abstractmethod
    def process_element(self, value: Any, ctx: Context) -> Iterable[Any] | None:
        """Give what to emit for one element."""

    def on_timer(self, timestamp: int, ctx: OnTimerContext) -> Iterable[Any] | None:
        """Give what to emit when a timer set for ``timestamp`` fires."""
