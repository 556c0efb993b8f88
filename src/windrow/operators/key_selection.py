"""Opens and closes the key selector of a ``key_by``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.datastream.functions import KeySelector
from windrow.elements.batch import Batch
from windrow.operators.base import Operator, OperatorContext
from windrow.operators.forecast import Forecast
from windrow.operators.user_function import open_function

if TYPE_CHECKING:
    from windrow.elements.shape import Shape


class SharedKeySelector:
    """A key selector that all subtasks of a process use: opened for the first of them, closed behind the last."""

    def __init__(self, selector: KeySelector) -> None:
        self._selector = selector
        self._users = 0

    def open(self, context: OperatorContext) -> None:
        self._users += 1
        if self._users == 1:
            open_function(self._selector, context)

    def close(self) -> None:
        self._users -= 1
        if self._users == 0:
            self._selector.close()


class KeySelectorOperator(Operator):
    """Stands before the exchange that asks a key selector for keys, and hands elements on as they are.

    The exchange itself is no operator, so nobody opens what it calls (in PyFlink an operator adds the keys).
    """

    def __init__(self, selector: SharedKeySelector) -> None:
        self._selector = selector

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._selector.open(context)

    def close(self) -> None:
        self._selector.close()

    def forecast(self, shape: Shape | None) -> Forecast:
        return Forecast(True, shape=shape) if shape is not None else super().forecast(shape)

    def process_batch(self, batch: Batch) -> None:
        self.context.output.emit_batch(batch)
