"""Functions of two connected streams. They yield as those in ``process`` do."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

from windrow.datastream.functions.base import Function
from windrow.datastream.functions.process import KeyedProcessFunction, ProcessFunction
from windrow.datastream.time_domain import TimeDomain


class CoMapFunction(Function):
    """Makes one element of each element of either stream; None emits nothing.

    Example:
        >>> class Signed(CoMapFunction):
        ...     def map1(self, value):
        ...         return value
        ...
        ...     def map2(self, value):
        ...         return -value
        >>> Signed().map1(3), Signed().map2(3)
        (3, -3)
    """

    @abstractmethod
    def map1(self, value: Any) -> Any:
        """The new element for one of the first stream."""

    @abstractmethod
    def map2(self, value: Any) -> Any:
        """The new element for one of the second stream."""


class CoFlatMapFunction(Function):
    """Makes any number of elements of each element of either stream.

    Example:
        >>> class Allowed(CoFlatMapFunction):
        ...     def __init__(self):
        ...         self.names = set()
        ...
        ...     def flat_map1(self, value):
        ...         if value in self.names:
        ...             yield value
        ...
        ...     def flat_map2(self, value):
        ...         self.names.add(value)
    """

    @abstractmethod
    def flat_map1(self, value: Any) -> Iterable[Any] | None:
        """The new elements for one of the first stream."""

    @abstractmethod
    def flat_map2(self, value: Any) -> Iterable[Any] | None:
        """The new elements for one of the second stream."""


class CoProcessFunction(Function):
    """Sees each element of two connected streams; of two keyed ones with state and timers, as in Flink's Java API.

    Example:
        >>> class Delay(CoProcessFunction):
        ...     def process_element1(self, value, ctx):
        ...         yield "first", value, ctx.timestamp() - ctx.timer_service().current_watermark()
        ...
        ...     def process_element2(self, value, ctx):
        ...         yield "second", value, ctx.timestamp() - ctx.timer_service().current_watermark()
    """

    class Context(ProcessFunction.Context):
        """The element's surroundings."""

    class OnTimerContext(Context):
        """The surroundings of a timer that fires."""

        @abstractmethod
        def time_domain(self) -> TimeDomain:
            """Tell which kind of timer it is."""

    @abstractmethod
    def process_element1(self, value: Any, ctx: Context) -> Iterable[Any] | None:
        """Give what to emit for an element of the first stream."""

    @abstractmethod
    def process_element2(self, value: Any, ctx: Context) -> Iterable[Any] | None:
        """Give what to emit for an element of the second stream."""

    def on_timer(self, timestamp: int, ctx: OnTimerContext) -> Iterable[Any] | None:
        """Give what to emit when a timer set for ``timestamp`` fires; only keyed streams have timers."""


class KeyedCoProcessFunction(Function):
    """Sees each element of two connected keyed streams, which share keyed state and timers.

    Example:
        >>> from windrow.common import Configuration
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> from windrow.datastream.state import ListStateDescriptor
        >>> class Together(KeyedCoProcessFunction):
        ...     def open(self, runtime_context):
        ...         self.seen = runtime_context.get_list_state(ListStateDescriptor("seen"))
        ...
        ...     def process_element1(self, value, ctx):
        ...         self.seen.add(value)
        ...         ctx.timer_service().register_event_time_timer(1000)
        ...
        ...     process_element2 = process_element1
        ...
        ...     def on_timer(self, timestamp, ctx):
        ...         yield ctx.get_current_key(), sorted(self.seen.get())
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> small, large = env.from_collection([1, 2]), env.from_collection([10, 11])
        >>> connected = small.connect(large).key_by(lambda n: n % 2, lambda n: n % 2)
        >>> sorted(connected.process(Together()).execute_and_collect(limit=9))
        [(0, [2, 10]), (1, [1, 11])]
    """

    class Context(KeyedProcessFunction.Context):
        """The element's surroundings."""

    class OnTimerContext(KeyedProcessFunction.OnTimerContext, Context):
        """The surroundings of a timer that fires."""

    @abstractmethod
    def process_element1(self, value: Any, ctx: Context) -> Iterable[Any] | None:
        """Give what to emit for an element of the first stream."""

    @abstractmethod
    def process_element2(self, value: Any, ctx: Context) -> Iterable[Any] | None:
        """Give what to emit for an element of the second stream."""

    def on_timer(self, timestamp: int, ctx: OnTimerContext) -> Iterable[Any] | None:
        """Give what to emit when a timer set for ``timestamp`` fires."""
