"""The kinds of rows in a changelog, and what gives such rows of tuples one by one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from windrow.elements.batch import Batch
from windrow.errors import user_function_error
from windrow.operators.base import Operator, OperatorContext

#: The values of Flink's ``RowKind``, as fields of tuples.
INSERT, UPDATE_BEFORE, UPDATE_AFTER, DELETE = 0, 1, 2, 3
#: The kinds of rows that take back others.
TAKES_BACK = (UPDATE_BEFORE, DELETE)


def emit_changes(context: OperatorContext, batch: Batch, take: Callable[[Any, list[Any]], None]) -> None:
    """Emit what keyed tuples change, each with its tuple's timestamp.

    Args:
        context: The operator's.
        batch: The tuples; the key of each is current when it is taken.
        take: Adds what a tuple changes.

    Raises:
        UserFunctionError: Taking a tuple has failed; it names the tuple.
    """
    state, keys = context.state, batch.keys
    assert keys is not None
    state.expect(keys)
    made: list[Any] = []
    times: list[int] = []
    row = None
    try:
        for key, row, time in zip(keys, batch.elements, batch.timestamp_list(), strict=True):
            state.set_current_key(key)
            before = len(made)
            take(row, made)
            times += [time] * (len(made) - before)
    except BaseException as error:
        raise user_function_error(context.name, row, error) from error
    if made:
        context.output.emit_batch(Batch(made, times))


class ChangesOperator(Operator):
    """Gives changes for each keyed tuple, with its timestamp."""

    def process_batch(self, batch: Batch) -> None:
        emit_changes(self.context, batch, self._take)

    @abstractmethod
    def _take(self, row: Any, made: list[Any]) -> None:
        """Add to ``made`` what a tuple of the current key changes."""
