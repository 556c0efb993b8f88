"""Running reduce and fold of each key's elements: every result so far in streaming, the last one in batch."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from copy import deepcopy
from typing import Any

from windrow.common.copies import copied
from windrow.common.limits import LONG_MAX
from windrow.elements.batch import Batch
from windrow.errors import UsageError, user_function_error
from windrow.operators.aggregations import FieldAggregator
from windrow.operators.user_function import UserFunctionOperator

#: Where a key's result so far is; named, so that it is found again after a restart.
_RESULT = ("_reduced", None)


class ReduceOperator(UserFunctionOperator):
    """Emits the result so far for each element, with the element's timestamp (Flink's ``StreamGroupedReduceOperator``).

    A result that is None is none: the next element of its key starts anew, as in Flink's value state.
    """

    def __init__(self, function: Any, method: str = "reduce") -> None:
        super().__init__(function, method)

    def process_batch(self, batch: Batch) -> None:
        self.context.output.emit_batch(batch.with_elements(self._reduce_each(batch.keys, batch.elements)))

    def _first(self, value: Any) -> Any:
        """The result of a key's first element."""
        function = self._function
        return function.first(value) if isinstance(function, FieldAggregator) else value

    def _reduce_each(self, keys: Sequence[Any] | None, values: Sequence[Any], *, emits: bool = True) -> list[Any]:
        if keys is None:
            msg = f"operator {self.context.name!r} got elements without keys: call key_by before it"
            raise UsageError(msg)
        state, reduce, first = self.context.state, self._call, self._first
        set_current_key, reuse = state.set_current_key, self.context.object_reuse
        results = []
        value = None
        try:
            for key, value in zip(keys, values, strict=True):
                set_current_key(key)
                entry = state.entry
                current = entry.get(_RESULT)
                entry[_RESULT] = current = first(value) if current is None else reduce(current, value)
                if emits:
                    results.append(current if reuse else copied(current))
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error
        return results


class FoldOperator(ReduceOperator):
    """Emits what a fold function has made of a key's elements so far (Flink 1.x's ``StreamGroupedFold``).

    Args:
        function: A ``FoldFunction``, or a callable of the value so far and an element.
        initial_value: What each key begins with a copy of.
    """

    def __init__(self, function: Any, initial_value: Any) -> None:
        super().__init__(function, "fold")
        self._initial_value = initial_value

    def _first(self, value: Any) -> Any:
        return self._call(deepcopy(self._initial_value), value)


class _LastResult(ReduceOperator):
    """Emits each key's last result at the end of the input (Flink's ``BatchGroupedReduceOperator``)."""

    def process_batch(self, batch: Batch) -> None:
        self._reduce_each(batch.keys, batch.elements, emits=False)
        register = self.context.state.event_timers.register
        for key in dict.fromkeys(batch.keys or ()):
            register(LONG_MAX, key, None)

    def process_watermark(self, timestamp: int) -> None:
        self.context.state.fire_event_timers(timestamp, self._emit)

    def _emit(self, time: int, _namespace: Hashable) -> None:
        result = self.context.state.entry.pop(_RESULT, None)
        if result is not None:
            self.context.output.emit(result, time)


class BatchReduceOperator(_LastResult):
    """Reduces each key's elements to one, at the end of the input."""


class BatchFoldOperator(_LastResult, FoldOperator):
    """Folds each key's elements to one value, at the end of the input."""
