"""Computes columns of columns: projections, filters, and the time of rows (Flink's ``Calc``)."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.common.limits import MIN_WATERMARK
from windrow.elements.batch import Batch
from windrow.errors import ElementError, UserFunctionError, WindrowError, shorten, user_function_error
from windrow.expressions.nodes import USERS, Call, Expression, InputRef, calls_own, shared, walk
from windrow.operators.base import Operator, OperatorContext, Time
from windrow.operators.forecast import Forecast
from windrow.operators.user_function import NoElement
from windrow.table.data_types import DataType
from windrow.table.udf import FunctionContext, UserDefinedFunction

if TYPE_CHECKING:
    import pyarrow as pa

    from windrow.elements.deferred import DeferredFields
    from windrow.elements.shape import Shape


class CalcOperator(Operator):
    """Tuples of expressions over tuples.

    Args:
        input_types: The types of the tuples' fields.
        expressions: What the results' fields are.
        condition: Only tuples for which it is true have a result; None: all.
        time: Gives each result its timestamp, in milliseconds; None: it has that of its tuple.
    """

    def __init__(
        self,
        input_types: Sequence[DataType],
        expressions: Sequence[Expression],
        condition: Expression | None = None,
        time: Expression | None = None,
    ) -> None:
        self._input_types = list(input_types)
        self._expressions = list(expressions)
        self._condition = condition
        self._time = time
        self._functions: list[UserDefinedFunction] = []
        #: What is computed once for all that have it.
        self._shared: frozenset[int] = frozenset()

    def takes_columns(self, shape: Shape) -> bool:
        return True

    def forecast(self, shape: Shape | None) -> Forecast:
        return Forecast(True, shape=tuples_of([each.type for each in self._expressions]))

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        # Subtasks of one process must not share the fields of functions.
        if _functions_in(self._all()):
            self._expressions, self._condition, self._time = copy.deepcopy(
                (self._expressions, self._condition, self._time)
            )
        made, self._shared = shared(self._all())
        self._time = None if self._time is None else made.pop()
        self._condition = None if self._condition is None else made.pop()
        self._expressions = made
        self._functions = _functions_in(self._all())
        for function in self._functions:
            try:
                function.open(FunctionContext(context.runtime_context))
            except BaseException as error:
                raise user_function_error(context.name, NoElement("open"), error) from error

    def close(self) -> None:
        for function in self._functions:
            function.close()

    def _all(self) -> list[Expression]:
        return [each for each in (*self._expressions, self._condition, self._time) if each is not None]

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        self.context.state.clear_current_key()
        try:
            made = self._made(batch)
        except BaseException as error:
            raise self._error(batch, error) from error
        if len(made):
            self.context.output.emit_batch(made)

    def _error(self, batch: Batch, error: BaseException) -> WindrowError:
        """Make the error of a batch: of SQL's own functions it says which row fails first, and what is wrong."""
        calls = any(calls_own(each) for each in self._all())
        if calls or not isinstance(error, ArithmeticError | ValueError):
            return user_function_error(self.context.name, next(iter(batch.elements[:1])), error)
        fine, failing = 0, len(batch)  # so many rows from the first one on
        while failing - fine > 1:
            middle = (fine + failing) // 2
            try:
                self._made(batch.slice(0, middle))
            except (ArithmeticError, ValueError) as earlier:
                failing, error = middle, earlier
            else:
                fine = middle
        row = next(iter(batch.slice(fine, failing).elements))
        return UserFunctionError(self.context.name, shorten(row), f"{type(error).__name__}: {error}")

    def _made(self, batch: Batch) -> Batch:
        # Here, because they import Arrow.
        from windrow.elements.columns import Columns
        from windrow.expressions.evaluation import Input, evaluate

        fields, now = fields_of(batch, self._input_types), self.context.time.processing_time
        watermark = watermark_of(self.context.time)
        given = Input(fields, batch.timestamp_array(), now, watermark, self._shared)
        if self._condition is not None:
            chosen = evaluate(self._condition, given)
            if chosen.true_count < len(given):
                places = np.flatnonzero(np.asarray(chosen.fill_null(False)))
                fields = fields.taken(places)
                given = Input(fields, given.timestamps[places], now, watermark, self._shared)
        shape = tuples_of([each.type for each in self._expressions])
        passed = [each.index if isinstance(each, InputRef) else None for each in self._expressions]
        made = {place: evaluate(each, given) for place, each in enumerate(self._expressions) if passed[place] is None}
        times = given.timestamps
        if self._time is not None:
            times = milliseconds_of(evaluate(self._time, given))
        if len(made) == len(passed):
            return Batch(Columns.of(shape, list(made.values())), times)
        return Batch(Columns.deferred(shape, fields.selected(passed, made)), times)


def _functions_in(expressions: Sequence[Expression]) -> list[UserDefinedFunction]:
    """The functions of the program's own that have to be opened, each once."""
    found = [
        part.options[0].function
        for each in expressions
        for part in walk(each)
        if isinstance(part, Call) and part.name in USERS
    ]
    return list({id(each): each for each in found if isinstance(each, UserDefinedFunction)}.values())


def watermark_of(time: Time) -> int | None:
    """The watermark that SQL's functions are told, in milliseconds; None: there is none yet."""
    return None if time.stream_watermark == MIN_WATERMARK else time.stream_watermark


def tuples_of(types: Sequence[DataType]) -> Shape:
    """The shape of tuples with fields of these types."""
    from windrow.elements.shape import TupleShape
    from windrow.expressions.logical_types import arrow_of

    return TupleShape(tuple([arrow_of(kind) for kind in types]))


def arrays_of(batch: Batch, types: Sequence[DataType]) -> list[pa.Array]:
    """The fields of tuples as columns."""
    import pyarrow as pa

    from windrow.expressions.logical_types import arrow_of

    wanted = [arrow_of(kind) for kind in types]
    columns = batch.columns
    if columns is not None:
        pairs = zip(columns.batch.columns, wanted, strict=True)
        return [column if column.type == kind else column.cast(kind) for column, kind in pairs]
    fields = list(zip(*batch.elements, strict=True)) if wanted else []
    return [pa.array(values, kind) for values, kind in zip(fields, wanted, strict=True)]


def fields_of(batch: Batch, types: Sequence[DataType]) -> DeferredFields:
    """The same, each made when somebody asks for it."""
    from windrow.elements.deferred import ArrowFields
    from windrow.expressions.logical_types import arrow_of

    columns, wanted = batch.columns, [arrow_of(kind) for kind in types]
    if columns is None:
        return ArrowFields(arrays_of(batch, types), wanted, len(batch))
    fields = ArrowFields(columns.fields, wanted, len(batch))
    for place, pair in enumerate(zip(columns.shape.types, wanted, strict=True)):
        if pair[0] != pair[1]:
            fields[place]  # a value that does not fit is an error here
    return fields


def milliseconds_of(times: pa.Array) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Times in milliseconds.

    Raises:
        ElementError: one is NULL.
    """
    import pyarrow as pa

    if times.null_count:
        msg = "RowTime field should not be null, please convert it to a non-null long value"
        raise ElementError(msg)
    ticks = np.asarray(times.cast(pa.int64()), np.int64)
    return ticks if pa.types.is_int64(times.type) else ticks // 1000
