"""What delta triggers and delta evictors measure elements with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from windrow.errors import ConfigurationTypeError


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
