"""Elements that have moved far enough: the trigger that fires for them and the evictor that removes the others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from windrow.common.typeinfo import Types
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window.arguments import check_threshold
from windrow.datastream.window.evictors import EitherSideEvictor, TimestampedValue
from windrow.datastream.window.trigger import OnMergeContext, Trigger, TriggerContext, TriggerResult
from windrow.datastream.window.windows import Window
from windrow.errors import ConfigurationTypeError, UsageError

_LAST_ELEMENT = ValueStateDescriptor("last-element", Types.PICKLED_BYTE_ARRAY())


class DeltaFunction(ABC):
    """Measures how far one element is from another (Flink's ``DeltaFunction``). The result may be negative."""

    @abstractmethod
    def get_delta(self, old_data_point: Any, new_data_point: Any) -> float:
        """The distance from ``old_data_point`` to ``new_data_point``."""


def delta_callable(delta_function: DeltaFunction | Callable[[Any, Any], float]) -> Callable[[Any, Any], float]:
    """The plain function behind ``delta_function``.

    Raises:
        ConfigurationTypeError: if it is neither a ``DeltaFunction`` nor a function.
    """
    if isinstance(delta_function, DeltaFunction):
        return delta_function.get_delta
    if not callable(delta_function):
        msg = (
            "delta_function takes a DeltaFunction or a function of the old and the new element; "
            f"got {delta_function!r} ({type(delta_function).__name__})"
        )
        raise ConfigurationTypeError(msg)
    return delta_function


class DeltaTrigger(Trigger[Any, Window]):
    """Fires when the delta to the element that fired last exceeds a threshold (Flink's ``DeltaTrigger``).

    The first element of a window fires nothing. It cannot be used with merging windows.

    >>> every_100_metres = DeltaTrigger.of(100.0, lambda old, new: new["metres"] - old["metres"])
    """

    def __init__(self, threshold: float, delta_function: DeltaFunction | Callable[[Any, Any], float]) -> None:
        self.threshold = check_threshold(threshold, "DeltaTrigger")
        self._delta = delta_callable(delta_function)

    @staticmethod
    def of(threshold: float, delta_function: DeltaFunction | Callable[[Any, Any], float]) -> DeltaTrigger:
        """Fire when ``delta_function(last fired element, element)`` is more than ``threshold``.

        Args:
            threshold: what a delta must exceed.
            delta_function: a :class:`~windrow.datastream.window.DeltaFunction` or a function of the old and the new
                element.
        """
        return DeltaTrigger(threshold, delta_function)

    def on_element(self, element: Any, timestamp: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        last_element = ctx.get_partitioned_state(_LAST_ELEMENT)
        last = last_element.value()
        if last is None:
            last_element.update(element)
            return TriggerResult.CONTINUE
        if self._delta(last, element) > self.threshold:
            last_element.update(element)
            return TriggerResult.FIRE
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_event_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_merge(self, window: Window, ctx: OnMergeContext) -> None:
        msg = "DeltaTrigger cannot be used with merging windows: which element fired last cannot be merged"
        raise UsageError(msg)

    def clear(self, window: Window, ctx: TriggerContext) -> None:
        ctx.get_partitioned_state(_LAST_ELEMENT).clear()

    def __repr__(self) -> str:
        return f"DeltaTrigger({self._delta!r}, {self.threshold})"


class DeltaEvictor(EitherSideEvictor):
    """Removes elements whose delta to the last one is at least a threshold (Flink's ``DeltaEvictor``).

    The delta is signed: a negative one never removes, unless the threshold is negative too.

    >>> near = DeltaEvictor.of(100.0, lambda element, last: abs(last["metres"] - element["metres"]))
    """

    def __init__(
        self,
        threshold: float,
        delta_function: DeltaFunction | Callable[[Any, Any], float],
        do_evict_after: bool = False,
    ) -> None:
        super().__init__(do_evict_after)
        self.threshold = check_threshold(threshold, "DeltaEvictor")
        self._delta = delta_callable(delta_function)

    @staticmethod
    def of(
        threshold: float,
        delta_function: DeltaFunction | Callable[[Any, Any], float],
        do_evict_after: bool = False,
    ) -> DeltaEvictor:
        """Remove elements for which ``delta_function(element, last element)`` is at least ``threshold``.

        Args:
            threshold: the delta from which on an element is removed.
            delta_function: a :class:`~windrow.datastream.window.DeltaFunction` or a function of the two elements.
            do_evict_after: whether to evict after the window function instead of before it.
        """
        return DeltaEvictor(threshold, delta_function, do_evict_after)

    def evict(self, elements: list[TimestampedValue[Any]]) -> None:
        if not elements:
            return
        last = elements[-1].value
        elements[:] = [element for element in elements if self._delta(element.value, last) < self.threshold]

    def __repr__(self) -> str:
        return f"DeltaEvictor({self._delta!r}, {self.threshold})"
