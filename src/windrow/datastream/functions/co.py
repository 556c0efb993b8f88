"""Functions of two connected streams. They yield as those in ``process`` do."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

from windrow.datastream.functions.base import Function
from windrow.datastream.functions.process import KeyedProcessFunction, ProcessFunction
from windrow.datastream.time_domain import TimeDomain


class CoMapFunction(Function):
    """Makes one element of each element of either stream; None emits nothing."""

    @abstractmethod
    def map1(self, value: Any) -> Any:
        """The new element for one of the first stream."""

    @abstractmethod
    def map2(self, value: Any) -> Any:
        """The new element for one of the second stream."""


class CoFlatMapFunction(Function):
    """Makes any number of elements of each element of either stream."""

    @abstractmethod
    def flat_map1(self, value: Any) -> Iterable[Any] | None:
        """The new elements for one of the first stream."""

    @abstractmethod
    def flat_map2(self, value: Any) -> Iterable[Any] | None:
        """The new elements for one of the second stream."""


class CoProcessFunction(Function):
    """Sees each element of two connected streams; of two keyed ones with state and timers, as in Flink's Java API."""

    class Context(ProcessFunction.Context):
        """The element's surroundings."""

    class OnTimerContext(Context):
        """The surroundings of a timer that fires."""

        @abstractmethod
        def time_domain(self) -> TimeDomain:
            """Which kind of timer it is."""

    @abstractmethod
    def process_element1(self, value: Any, ctx: Context) -> Iterable[Any] | None:
        """What to emit for an element of the first stream."""

    @abstractmethod
    def process_element2(self, value: Any, ctx: Context) -> Iterable[Any] | None:
        """What to emit for an element of the second stream."""

    def on_timer(self, timestamp: int, ctx: OnTimerContext) -> Iterable[Any] | None:
        """What to emit when a timer set for ``timestamp`` fires; only keyed streams have timers."""


class KeyedCoProcessFunction(Function):
    """Sees each element of two connected keyed streams, which share keyed state and timers."""

    class Context(KeyedProcessFunction.Context):
        """The element's surroundings."""

    class OnTimerContext(KeyedProcessFunction.OnTimerContext, Context):
        """The surroundings of a timer that fires."""

    @abstractmethod
    def process_element1(self, value: Any, ctx: Context) -> Iterable[Any] | None:
        """What to emit for an element of the first stream."""

    @abstractmethod
    def process_element2(self, value: Any, ctx: Context) -> Iterable[Any] | None:
        """What to emit for an element of the second stream."""

    def on_timer(self, timestamp: int, ctx: OnTimerContext) -> Iterable[Any] | None:
        """What to emit when a timer set for ``timestamp`` fires."""
