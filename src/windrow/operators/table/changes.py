"""The kinds of rows in a changelog, and what gives such rows of tuples one by one."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from windrow.elements.batch import Batch
from windrow.errors import user_function_error
from windrow.operators.base import Operator

#: The values of Flink's ``RowKind``, as fields of tuples.
INSERT, UPDATE_BEFORE, UPDATE_AFTER, DELETE = 0, 1, 2, 3
#: The kinds of rows that take back others.
TAKES_BACK = (UPDATE_BEFORE, DELETE)


class ChangesOperator(Operator):
    """Gives changes for each keyed tuple, with its timestamp."""

    def process_batch(self, batch: Batch) -> None:
        state = self.context.state
        keys = batch.keys
        assert keys is not None
        state.expect(keys)
        made: list[Any] = []
        times: list[int] = []
        row = None
        try:
            for key, row, time in zip(keys, batch.elements, batch.timestamp_list(), strict=True):
                state.set_current_key(key)
                before = len(made)
                self._take(row, made)
                times += [time] * (len(made) - before)
        except BaseException as error:
            raise user_function_error(self.context.name, row, error) from error
        if made:
            self.context.output.emit_batch(Batch(made, times))

    @abstractmethod
    def _take(self, row: Any, made: list[Any]) -> None:
        """Add to ``made`` what a tuple of the current key changes."""
