"""Window operators whose work one for other windows does, to which elements and time are shown differently."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from windrow.elements.batch import Batch
from windrow.operators.base import Operator
from windrow.operators.forecast import Forecast

if TYPE_CHECKING:
    from windrow.elements.shape import Shape


class ByInner(Operator):
    """Takes what ``inner`` takes, and forecasts what it forecasts.

    Args:
        inner: Does the work.
    """

    def __init__(self, inner: Operator) -> None:
        self._inner = inner

    def takes_columns(self, shape: Shape) -> bool:
        return self._inner.takes_columns(shape)

    def forecast(self, shape: Shape | None) -> Forecast:
        return self._inner.forecast(shape)

    def forecast_by_key(self, shape: Shape | None, key: Shape | None) -> Forecast:
        return self._inner.forecast_by_key(shape, key)

    def forecast_of_several(self, shapes: Sequence[Shape]) -> Forecast:
        return self._inner.forecast_of_several(shapes)

    def process_element(self, value: Any, timestamp: int) -> None:
        self.process_batch(Batch([value], [timestamp], [self.context.state.current_key]))
