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
    """Sees each element of a stream without keys, with its timestamp."""

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
        """What to emit for one element."""


class KeyedProcessFunction(Function):
    """Sees each element of a keyed stream, with keyed state and timers."""

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
            """Which kind of timer it is."""

    @abstractmethod
    def process_element(self, value: Any, ctx: Context) -> Iterable[Any] | None:
        """What to emit for one element."""

    def on_timer(self, timestamp: int, ctx: OnTimerContext) -> Iterable[Any] | None:
        """What to emit when a timer set for ``timestamp`` fires."""
