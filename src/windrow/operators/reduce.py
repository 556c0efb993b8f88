"""A reduce over all elements of a key: every intermediate result in streaming, the last one in batch."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from copy import copy
from typing import Any

from windrow.common.limits import LONG_MAX
from windrow.errors import UsageError, user_function_error
from windrow.operators.user_function import UserFunctionOperator

#: Where a key's result so far is; named, so that it is found again after a restart.
_REDUCED = ("_reduced", None)
#: A function may change its first argument and return it, as PyFlink allows; what was emitted before must not change.
_IMMUTABLE = frozenset({tuple, int, float, str, bytes, bool})


class ReduceOperator(UserFunctionOperator):
    """Emits the result so far for each element, with the element's timestamp (Flink's ``StreamGroupedReduceOperator``).

    A result that is None is none: the next element of its key starts anew, as in Flink's value state.
    """

    def __init__(self, function: Any) -> None:
        super().__init__(function, "reduce")

    def process_batch(self, keys: Sequence[Any] | None, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        self.context.output.emit_batch(self._reduce_each(keys, values), timestamps)

    def _reduce_each(self, keys: Sequence[Any] | None, values: Sequence[Any]) -> list[Any]:
        if keys is None:
            msg = f"operator {self.context.name!r} got elements without keys: call key_by before it"
            raise UsageError(msg)
        state, reduce = self.context.state, self._call
        set_current_key = state.set_current_key
        results = []
        value = None
        try:
            for key, value in zip(keys, values, strict=True):
                set_current_key(key)
                entry = state.entry
                current = entry.get(_REDUCED)
                entry[_REDUCED] = current = value if current is None else reduce(current, value)
                results.append(current if type(current) in _IMMUTABLE else copy(current))
        except Exception as error:
            raise user_function_error(self.context.name, value, error) from error
        return results


class BatchReduceOperator(ReduceOperator):
    """Emits each key's last result at the end of the input (Flink's ``BatchGroupedReduceOperator``)."""

    def process_batch(self, keys: Sequence[Any] | None, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        self._reduce_each(keys, values)
        register = self.context.state.event_timers.register
        for key in dict.fromkeys(keys or ()):
            register(LONG_MAX, key, None)

    def process_watermark(self, timestamp: int) -> None:
        self.context.state.fire_event_timers(timestamp, self._emit)

    def _emit(self, time: int, _namespace: Hashable) -> None:
        result = self.context.state.entry.pop(_REDUCED, None)
        if result is not None:
            self.context.output.emit(result, time)
