"""Rows for a table whose columns may not be NULL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from windrow.elements.batch import Batch
from windrow.errors import ElementError, user_function_error
from windrow.operators.base import Operator
from windrow.operators.forecast import Forecast
from windrow.operators.table.calc import arrays_of, tuples_of
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    from windrow.elements.shape import Shape

_ADVICE = "leave such rows out with WHERE, or give another value with COALESCE"


class NotNullOperator(Operator):
    """The tuples as they are; an error where one has NULL in a column that takes none.

    Flink's ``ConstraintEnforcer``, with ``table.exec.sink.not-null-enforcer`` = ``ERROR``.

    Args:
        types: The types of the tuples' fields.
        columns: The names of the columns that take no NULL, by their place.
    """

    def __init__(self, types: Sequence[DataType], columns: Mapping[int, str]) -> None:
        self._types = list(types)
        self._columns = dict(columns)

    def takes_columns(self, shape: Shape) -> bool:
        return True

    def forecast(self, shape: Shape | None) -> Forecast:
        return Forecast(True, shape=tuples_of(self._types))

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        arrays = arrays_of(batch, self._types)
        for place, name in self._columns.items():
            if arrays[place].null_count:
                first = int(np.argmax(np.asarray(arrays[place].is_null())))
                error = ElementError(f"{name!r} of the table is NOT NULL, and the row has NULL for it: {_ADVICE}")
                raise user_function_error(self.context.name, next(iter(batch.elements[first : first + 1])), error)
        self.context.output.emit_batch(batch)
