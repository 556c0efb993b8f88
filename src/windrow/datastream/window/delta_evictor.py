"""The evictor that keeps the elements that are near enough to the newest one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windrow.datastream.window.arguments import check_threshold
from windrow.datastream.window.delta import DeltaFunction, delta_callable
from windrow.datastream.window.either_side_evictor import EitherSideEvictor
from windrow.datastream.window.evictor import TimestampedValue


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
