"""Rows that a function makes of each row, beside it (Flink's ``Correlate``)."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.common.types import Row
from windrow.elements.batch import Batch
from windrow.errors import ElementError, shorten, user_function_error
from windrow.expressions.nodes import Expression
from windrow.expressions.python_values import given_as, taken_as
from windrow.operators.base import Operator, OperatorContext
from windrow.operators.forecast import Forecast
from windrow.operators.table.calc import arrays_of, tuples_of, watermark_of
from windrow.operators.user_function import NoElement
from windrow.table.data_types import DataType
from windrow.table.udf import FunctionContext, UserDefinedFunction, UserDefinedTableFunctionWrapper

if TYPE_CHECKING:
    import pyarrow as pa

    from windrow.elements.shape import Shape

Longs = NDArray[np.int64]


class MadeRows(ABC):
    """Makes rows of the arguments of each row.

    Args:
        types: The types of the columns that it makes.
    """

    def __init__(self, types: Sequence[DataType]) -> None:
        self.types = list(types)

    def open(self, context: OperatorContext) -> None:  # noqa: B027  (most have nothing to open)
        """Open the user's function."""

    def close(self) -> None:  # noqa: B027
        """Close it."""

    @abstractmethod
    def of(self, arguments: Sequence[pa.Array], count: int) -> tuple[Longs, list[pa.Array]]:
        """Of which row each made row is, in their order, and the columns of the made rows."""


class CorrelateOperator(Operator):
    """Tuples with each row that is made of them behind their fields.

    Args:
        input_types: The types of the tuples' fields.
        kept: How many of them, the first ones, a result has.
        arguments: The places of the fields that rows are made of.
        made: What makes rows.
        outer: Whether a tuple of which no row is made has one result, with NULL.
        has_kind: Whether the last field is the kind of the row, which stays the last one.
        condition: What has to be true of the fields that are kept and those of a row that is made; None: nothing.
    """

    def __init__(
        self,
        input_types: Sequence[DataType],
        kept: int,
        arguments: Sequence[int],
        made: MadeRows,
        *,
        outer: bool,
        has_kind: bool,
        condition: Expression | None = None,
    ) -> None:
        self._condition = condition
        self._input_types = list(input_types)
        self._kept = list(range(kept))
        self._behind = [len(input_types) - 1] if has_kind else []
        self._arguments = list(arguments)
        self._made = made
        self._outer = outer
        kinds = [input_types[place] for place in self._kept], [input_types[place] for place in self._behind]
        self._types = [*kinds[0], *made.types, *kinds[1]]

    def takes_columns(self, shape: Shape) -> bool:
        return True

    def forecast(self, shape: Shape | None) -> Forecast:
        return Forecast(True, shape=tuples_of(self._types))

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._made.open(context)

    def close(self) -> None:
        self._made.close()

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        self.context.state.clear_current_key()
        try:
            found = self._results(batch)
        except BaseException as error:
            raise user_function_error(self.context.name, next(iter(batch.elements[:1])), error) from error
        if len(found):
            self.context.output.emit_batch(found)

    def _results(self, batch: Batch) -> Batch:
        from windrow.elements.columns import Columns

        arrays = arrays_of(batch, self._input_types)
        rows, made = self._made.of([arrays[place] for place in self._arguments], len(batch))
        if self._condition is not None:
            rows, made = self._that_fit(self._condition, arrays, rows, made, batch)
        if self._outer:
            rows, made = _with_missing(rows, made, len(batch))
        beside = [arrays[place].take(rows) for place in (*self._kept, *self._behind)]
        columns = [*beside[: len(self._kept)], *made, *beside[len(self._kept) :]]
        return Batch(Columns.of(tuples_of(self._types), columns), batch.timestamp_array()[rows])

    def _that_fit(
        self, condition: Expression, arrays: list[pa.Array], rows: Longs, made: list[pa.Array], batch: Batch
    ) -> tuple[Longs, list[pa.Array]]:
        """The made rows for which the condition is true."""
        from windrow.expressions.evaluation import Input, evaluate

        beside = [arrays[place].take(rows) for place in self._kept]
        time = self.context.time
        given = Input([*beside, *made], batch.timestamp_array()[rows], time.processing_time, watermark_of(time))
        fits = evaluate(condition, given).fill_null(False)
        return rows[np.asarray(fits, bool)], [column.filter(fits) for column in made]


def _with_missing(rows: Longs, made: list[pa.Array], count: int) -> tuple[Longs, list[pa.Array]]:
    """The same with one row of NULL for each row that has none."""
    import pyarrow as pa

    missing = np.setdiff1d(np.arange(count), rows)
    if not missing.size:
        return rows, made
    every = np.concatenate([rows, missing])
    order = np.argsort(every, kind="stable")
    places = pa.array(order, mask=order >= rows.size)
    return every[order], [column.take(places) for column in made]


class Replicated(MadeRows):
    """No columns, as often as a number says: each row comes so many times."""

    def of(self, arguments: Sequence[pa.Array], count: int) -> tuple[Longs, list[pa.Array]]:
        return np.repeat(np.arange(count), np.asarray(arguments[0], np.int64)), []


class FunctionRows(MadeRows):
    """Makes rows by a table function of the program's own.

    Args:
        function: The function.
        argument_types: The types of its arguments.
        types: The types of the columns of its rows.
    """

    def __init__(
        self,
        function: UserDefinedTableFunctionWrapper,
        argument_types: Sequence[DataType],
        types: Sequence[DataType],
    ) -> None:
        super().__init__(types)
        self._function = function
        self._given = [given_as(kind) for kind in argument_types]
        self._taken = [taken_as(kind) for kind in types]

    def open(self, context: OperatorContext) -> None:
        self._function = copy.deepcopy(self._function)  # subtasks of one process must not share its fields
        if isinstance(self._function.function, UserDefinedFunction):
            try:
                self._function.function.open(FunctionContext(context.runtime_context))
            except BaseException as error:
                raise user_function_error(context.name, NoElement("open"), error) from error

    def close(self) -> None:
        if isinstance(self._function.function, UserDefinedFunction):
            self._function.function.close()

    def of(self, arguments: Sequence[pa.Array], count: int) -> tuple[Longs, list[pa.Array]]:
        from windrow.expressions.kernels.user import array_of

        columns = []
        for column, convert in zip(arguments, self._given, strict=True):
            items = column.to_pylist()
            columns.append(items if convert is None else [None if item is None else convert(item) for item in items])
        call, name = self._function.call, f"function {self._function.name}"
        rows: list[int] = []
        made: list[Sequence[Any]] = []
        for place, values in enumerate(zip(*columns, strict=True) if columns else ((),) * count):
            try:
                for row in _rows(call(*values)):
                    made.append(self._checked(row))
                    rows.append(place)
            except ElementError:
                raise
            except BaseException as error:
                raise user_function_error(name, values, error) from error
        arrays = []
        for place, (kind, take) in enumerate(zip(self.types, self._taken, strict=True)):
            found = [row[place] for row in made]
            if take is not None:
                found = [None if value is None else take(value) for value in found]
            arrays.append(array_of(found, kind, self._function))
        return np.asarray(rows, np.int64), arrays

    def _checked(self, row: Any) -> Sequence[Any]:
        values = list(row) if isinstance(row, tuple | Row) else [row]
        if len(values) != len(self.types):
            msg = f"function {self._function.name} gave {shorten(row)}, and its rows have {len(self.types)} columns"
            raise ElementError(msg)
        return values


def _rows(given: Any) -> Iterable[Any]:
    """The rows among what a function gave: each of a list, a range, a generator; nothing of None; else it is one."""
    if given is None:
        return ()
    return given if isinstance(given, list | range | Iterator) else (given,)
