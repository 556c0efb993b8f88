"""The base of operators on two streams with one user function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windrow.datastream.functions import Function
from windrow.elements.batch import Batch
from windrow.operators.base import OperatorContext, TwoInputOperator
from windrow.operators.user_function import open_function


class TwoInputFunctionOperator(TwoInputOperator):
    """Base of operators around one function object with a method for each input.

    Subclasses that are not ``keyed`` see no keys, though one input may have them: state and timers belong to a key,
    and elements of the other input would have none (Flink sets the keys of two inputs if both have them).

    Args:
        function: The function object.
        method1: The name of the method for elements of the first input.
        method2: The same for the second input.
    """

    keyed = False

    def __init__(self, function: Function, method1: str, method2: str) -> None:
        self._function = function
        self._call1: Callable[..., Any] = getattr(function, method1)
        self._call2: Callable[..., Any] = getattr(function, method2)

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        if not self.keyed:
            context.runtime_context.state = None
        open_function(self._function, context)

    def close(self) -> None:
        self._function.close()

    def process_batch1(self, batch: Batch) -> None:
        super().process_batch1(self.as_seen(batch))

    def process_batch2(self, batch: Batch) -> None:
        super().process_batch2(self.as_seen(batch))

    def as_seen(self, batch: Batch) -> Batch:
        """A batch with the keys that the function's elements have."""
        return batch if self.keyed else Batch(batch.elements, batch.timestamps)
