"""Aggregate functions of a program's own, over the values of rows."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from windrow.errors import ElementError, shorten, user_function_error
from windrow.expressions.logical_types import arrow_of, is_integer, name_of
from windrow.expressions.nodes import USER_AGGREGATE
from windrow.expressions.python_values import given_as, taken_as
from windrow.operators.user_function import NoElement
from windrow.table import data_types as t
from windrow.table.udf import AggregateFunction, FunctionContext, UserDefinedAggregateFunctionWrapper

if TYPE_CHECKING:
    from windrow.operators.table.row_aggregates import RowCall

#: The types whose values need no look: each value of Python's type is one of theirs.
_SURE: dict[type[t.DataType], type] = {t.VarCharType: str, t.DoubleType: float, t.BooleanType: bool}


class OwnAggregate:
    """One aggregate function: what it has seen is an accumulator of its own, or of series the rows themselves.

    Args:
        call: The aggregate.
    """

    def __init__(self, call: RowCall) -> None:
        function, types = call.options
        self._wrapper: UserDefinedAggregateFunctionWrapper = function
        self._function: Any = function.function
        self._types: Sequence[t.DataType] = types
        self._result = call.type
        self._given = [given_as(kind) for kind in types]
        self._converts = any(convert is not None for convert in self._given)
        self._taken = taken_as(call.type)

    def open(self, runtime_context: Any, operator: str) -> None:
        """Open the function, which no other subtask has then."""
        self._function = copy.deepcopy(self._wrapper.function)
        if isinstance(self._function, AggregateFunction):
            try:
                self._function.open(FunctionContext(runtime_context))
            except BaseException as error:
                raise user_function_error(operator, NoElement("open"), error) from error

    def close(self) -> None:
        """Close it."""
        if isinstance(self._function, AggregateFunction):
            self._function.close()

    def create(self) -> Any:
        """The accumulator that a group begins with."""
        return [] if self._wrapper.takes_columns else self._called(self._function.create_accumulator)

    def accumulate(self, accumulator: Any, values: Sequence[Any]) -> None:
        """Take the arguments of a row."""
        if self._wrapper.takes_columns:
            accumulator.append(values)
        else:
            self._called(self._function.accumulate, accumulator, *self._arguments(values))

    def retract(self, accumulator: Any, values: Sequence[Any]) -> None:
        """Take the arguments of a row back."""
        if self._wrapper.takes_columns:
            accumulator.remove(values)
        else:
            self._called(self._function.retract, accumulator, *self._arguments(values))

    def merge(self, accumulator: Any, other: Any) -> None:
        """Take what was seen elsewhere."""
        if self._wrapper.takes_columns:
            accumulator.extend(other)
        else:
            self._called(self._function.merge, accumulator, [other])

    def value(self, accumulator: Any) -> Any:
        """The result so far, which does not change with the accumulator.

        Raises:
            ElementError: it is no value of the type that was said.
        """
        found = (
            self._of_columns(accumulator)
            if self._wrapper.takes_columns
            else self._called(self._function.get_value, accumulator)
        )
        if found is None or type(found) is _SURE.get(type(self._result)):
            return found
        return self._checked(found if self._taken is None else self._taken(found))

    def _arguments(self, values: Sequence[Any]) -> Sequence[Any]:
        if not self._converts:
            return values
        pairs = zip(values, self._given, strict=True)
        return [value if value is None or convert is None else convert(value) for value, convert in pairs]

    def _of_columns(self, rows: Sequence[Sequence[Any]]) -> Any:
        values = zip(*rows, strict=True) if rows else [()] * len(self._types)
        columns: list[Any] = [pa.array(each, arrow_of(kind)) for each, kind in zip(values, self._types, strict=True)]
        if self._wrapper.func_type == "pandas":
            columns = [column.to_pandas() for column in columns]
        if isinstance(self._function, AggregateFunction):
            accumulator = self._called(self._function.create_accumulator)
            self._called(self._function.accumulate, accumulator, *columns)
            found = self._called(self._function.get_value, accumulator)
        else:
            found = self._called(self._function, *columns)
        return found.as_py() if isinstance(found, pa.Scalar) else found

    def _called(self, method: Callable[..., Any], *given: Any) -> Any:
        try:
            return method(*given)
        except BaseException as error:
            name = f"function {self._wrapper.name}"
            raise user_function_error(name, given, error) from error

    def _checked(self, found: Any) -> Any:
        said = f"function {self._wrapper.name} gave {shorten(found)}, and its result_type is {name_of(self._result)}"
        try:
            array = pa.array([found], arrow_of(self._result), from_pandas=self._wrapper.func_type == "pandas")
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            msg = f"{said}: {error}"
            raise ElementError(msg) from error
        # Another object, as the function may have given its accumulator.
        made = array[0].as_py()
        if isinstance(found, float) and is_integer(self._result) and made is not None and made != found:
            raise ElementError(said)
        return made


def own_of(call: RowCall) -> OwnAggregate | None:
    """The function of an aggregate of the program's own; None: it is one of SQL's."""
    return OwnAggregate(call) if call.name == USER_AGGREGATE else None
