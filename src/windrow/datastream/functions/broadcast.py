"""Functions of a stream connected with a broadcast one. They yield as those in ``process`` do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from windrow.datastream.functions.base import Function
from windrow.datastream.state import BroadcastState, MapStateDescriptor, ReadOnlyBroadcastState, StateDescriptor
from windrow.datastream.time_domain import TimeDomain
from windrow.datastream.timerservice import TimerService

IN1 = TypeVar("IN1")
IN2 = TypeVar("IN2")
OUT = TypeVar("OUT")
KEY = TypeVar("KEY")


class BaseBroadcastProcessFunction(Function):
    """The base of both kinds: the broadcast side may change broadcast state, the other side only reads it."""

    class BaseContext(ABC):
        """The element's surroundings."""

        @abstractmethod
        def timestamp(self) -> int:
            """Give the element's timestamp in milliseconds; -2^63 if it has none."""

        @abstractmethod
        def current_processing_time(self) -> int:
            """Give the processing time in milliseconds."""

        @abstractmethod
        def current_watermark(self) -> int:
            """Give the watermark in milliseconds; -2^63 before the first one."""

    class Context(BaseContext):
        """The surroundings of a broadcast element."""

        @abstractmethod
        def get_broadcast_state(self, state_descriptor: MapStateDescriptor) -> BroadcastState[Any, Any]:
            """The broadcast state of that name."""

    class ReadOnlyContext(BaseContext):
        """The surroundings of an element of the other side."""

        @abstractmethod
        def get_broadcast_state(self, state_descriptor: MapStateDescriptor) -> ReadOnlyBroadcastState[Any, Any]:
            """The broadcast state of that name."""


class BroadcastProcessFunction(BaseBroadcastProcessFunction, Generic[IN1, IN2, OUT]):
    """Connects a stream without keys with a broadcast one.

    Example:
        >>> from windrow.datastream.state import MapStateDescriptor
        >>> LIMITS = MapStateDescriptor("limits")
        >>> class Exceeding(BroadcastProcessFunction):
        ...     def process_element(self, value, ctx):
        ...         name, amount = value
        ...         if amount > (ctx.get_broadcast_state(LIMITS).get(name) or 0):
        ...             yield value
        ...
        ...     def process_broadcast_element(self, value, ctx):
        ...         ctx.get_broadcast_state(LIMITS).put(*value)
    """

    class Context(BaseBroadcastProcessFunction.Context, ABC):
        """The surroundings of a broadcast element."""

    class ReadOnlyContext(BaseBroadcastProcessFunction.ReadOnlyContext, ABC):
        """The surroundings of an element that is not broadcast."""

    @abstractmethod
    def process_element(self, value: IN1, ctx: ReadOnlyContext) -> Iterable[OUT] | None:
        """Give what to emit for an element that is not broadcast."""

    @abstractmethod
    def process_broadcast_element(self, value: IN2, ctx: Context) -> Iterable[OUT] | None:
        """Give what to emit for a broadcast element."""


class KeyedBroadcastProcessFunction(BaseBroadcastProcessFunction, Generic[KEY, IN1, IN2, OUT]):
    """Connects a keyed stream, with its state and timers, with a broadcast one.

    Example:
        >>> from windrow.common import Configuration
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> from windrow.datastream.state import MapStateDescriptor, ValueStateDescriptor
        >>> LIMITS, SUM = MapStateDescriptor("limits"), ValueStateDescriptor("sum")
        >>> class Exceeding(KeyedBroadcastProcessFunction):
        ...     def open(self, runtime_context):
        ...         self.sum = runtime_context.get_state(SUM)
        ...
        ...     def process_element(self, value, ctx):
        ...         self.sum.update((self.sum.value() or 0) + value[1])
        ...         if self.sum.value() > ctx.get_broadcast_state(LIMITS).get("all"):
        ...             yield ctx.get_current_key(), self.sum.value()
        ...
        ...     def process_broadcast_element(self, value, ctx):
        ...         ctx.get_broadcast_state(LIMITS).put("all", value)
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> limits = env.from_collection([4]).broadcast(LIMITS)
        >>> sales = env.from_collection([("a", 3), ("b", 1), ("a", 2)]).key_by(lambda sale: sale[0])
        >>> sales.connect(limits).process(Exceeding()).execute_and_collect(limit=9)
        [('a', 5)]
    """

    class Context(BaseBroadcastProcessFunction.Context, ABC):
        """The surroundings of a broadcast element. It has no key, so keyed state is reached through a function."""

        @abstractmethod
        def apply_to_keyed_state(
            self, state_descriptor: StateDescriptor, function: Callable[[Any, Any], object]
        ) -> None:
            """Call ``function(key, state)`` for each key that has this state; it may change the state.

            Reads all of the subtask's keyed state, so its cost follows the number of keys. PyFlink lacks it.

            Args:
                state_descriptor: Which of the function's keyed states.
                function: Gets a key and its state; what it returns is ignored. To emit something, gather it there
                    and yield it from ``process_broadcast_element``.
            """

    class ReadOnlyContext(BaseBroadcastProcessFunction.ReadOnlyContext, ABC):
        """The surroundings of an element of the keyed side."""

        @abstractmethod
        def timer_service(self) -> TimerService:
            """The current times, and timers for this key."""

        @abstractmethod
        def get_current_key(self) -> Any:
            """The element's key."""

    class OnTimerContext(ReadOnlyContext, ABC):
        """The surroundings of a timer that fires."""

        @abstractmethod
        def time_domain(self) -> TimeDomain:
            """Tell which kind of timer it is."""

    @abstractmethod
    def process_element(self, value: IN1, ctx: ReadOnlyContext) -> Iterable[OUT] | None:
        """Give what to emit for an element of the keyed side."""

    @abstractmethod
    def process_broadcast_element(self, value: IN2, ctx: Context) -> Iterable[OUT] | None:
        """Give what to emit for a broadcast element."""

    def on_timer(self, timestamp: int, ctx: OnTimerContext) -> Iterable[OUT] | None:
        """Give what to emit when a timer set for ``timestamp`` fires."""
