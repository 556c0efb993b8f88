"""Calls a user's function with many elements at once, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.common.limits import NO_TIMESTAMP
from windrow.common.typeinfo import TypeInformation
from windrow.elements.batch import Batch
from windrow.errors import ElementError, UsageError, user_function_error
from windrow.operators.base import OperatorContext
from windrow.operators.forecast import Forecast
from windrow.operators.results import check_value
from windrow.operators.shown_table import ShownTable
from windrow.operators.user_function import UserFunctionOperator

if TYPE_CHECKING:
    import pyarrow as pa

    from windrow.elements.shape import Shape


class MapBatchOperator(UserFunctionOperator):
    """A table of new elements for the table of the elements that came together.

    Args:
        function: A ``MapBatchFunction``, or a function of a table.
        input_type: The declared type of the elements.
        output_type: The declared type of the results.
        timestamps: The name of the column with timestamps; None: each row keeps the timestamp of the element that was
            in its place.
    """

    def __init__(
        self, function: Any, input_type: TypeInformation, output_type: TypeInformation, timestamps: str | None = None
    ) -> None:
        super().__init__(function, "map_batch")
        self._input_type = input_type
        self._output_type = output_type
        self._timestamps = timestamps

    def open(self, context: OperatorContext) -> None:
        # Here, because they import Arrow.
        from windrow.elements.from_table import as_table, columns_from_table
        from windrow.elements.to_table import Tables

        self._tables = Tables(self._input_type)
        self._as_table = as_table
        self._columns_from_table = columns_from_table
        super().open(context)

    def takes_columns(self, shape: Shape) -> bool:
        return True

    def forecast(self, shape: Shape | None) -> Forecast:
        from windrow.elements.from_table import declared_shape

        return Forecast(True, shape=declared_shape(self._output_type))

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        self.context.state.clear_current_key()  # the elements of a table have many keys
        try:
            result = self._call(self._table(batch))
            check_value(result, self._method)
            made = self._made(self._as_table(result), batch)
        except BaseException as error:
            raise user_function_error(self.context.name, ShownTable(batch.elements), error) from error
        self.context.output.emit_batch(made)

    def _table(self, batch: Batch) -> pa.Table:
        table = self._tables.table(batch.elements)
        if self._timestamps is None:
            return table
        if self._timestamps in table.column_names:
            msg = (
                f"operator {self.context.name!r} is to show timestamps as column {self._timestamps!r}, and elements "
                f"have a field of that name: {table.column_names}; give map_batch another one"
            )
            raise UsageError(msg)
        import pyarrow as pa

        times = batch.timestamp_array()
        return table.append_column(self._timestamps, pa.array(times, mask=times == NO_TIMESTAMP))

    def _made(self, table: pa.Table, batch: Batch) -> Batch:
        if self._timestamps is not None:
            times = self._times(table, self._timestamps)
            return Batch(self._columns_from_table(table.drop_columns([self._timestamps]), self._output_type), times)
        if table.num_rows != len(batch):
            msg = (
                f"the function got a table of {len(batch)} rows and returned one of {table.num_rows}, so that nobody "
                "knows their timestamps; give map_batch the name of a column for them, timestamps='...', which the "
                "function then finds in its table and returns with the others"
            )
            raise ElementError(msg)
        return batch.with_elements(self._columns_from_table(table, self._output_type))

    def _times(self, table: pa.Table, name: str) -> np.ndarray[Any, np.dtype[np.int64]]:
        import pyarrow as pa

        if name not in table.column_names:
            msg = (
                f"the function must return a table with the column {name!r} of timestamps; it has {table.column_names}"
            )
            raise ElementError(msg)
        column = table[name]
        kind = column.type
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_null(kind)):
            msg = f"the column {name!r} of timestamps must be whole milliseconds; the function returned {kind}"
            raise ElementError(msg)
        try:
            times: np.ndarray[Any, np.dtype[np.int64]] = column.cast(pa.int64()).fill_null(NO_TIMESTAMP).to_numpy()
        except pa.ArrowInvalid as error:
            msg = f"the column {name!r} of timestamps must be whole milliseconds: {error}"
            raise ElementError(msg) from None
        return times
