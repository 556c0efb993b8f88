"""Calls of functions of a program's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from windrow.errors import ConfigurationError
from windrow.expressions.logical_types import NullType
from windrow.expressions.nodes import USER, USER_DRAWS, Call, Expression
from windrow.sql.dialect import parse_type
from windrow.sql.type_names import type_of
from windrow.table.data_types import LONGEST, DataType, RowType, VarCharType
from windrow.table.udf import (
    UserDefinedAggregateFunctionWrapper,
    UserDefinedFunctionWrapper,
    UserDefinedScalarFunctionWrapper,
    UserDefinedTableAggregateFunctionWrapper,
    UserDefinedTableFunctionWrapper,
)

#: By their names in upper case.
UserFunctions = Mapping[str, UserDefinedFunctionWrapper]


def named_type(given: DataType | str) -> DataType:
    """A type, which may be written as in SQL.

    Raises:
        SqlError: there is no such type.
    """
    return given if isinstance(given, DataType) else type_of(parse_type(given), given)


def result_type(function: UserDefinedFunctionWrapper) -> DataType:
    """The type of what a function gives.

    Raises:
        ConfigurationError: neither ``result_type`` nor an annotation says it.
        SqlError: there is no type of that name.
    """
    assert isinstance(
        function,
        UserDefinedScalarFunctionWrapper
        | UserDefinedAggregateFunctionWrapper
        | UserDefinedTableAggregateFunctionWrapper,
    )
    if function.result_type is not None:
        return named_type(function.result_type)
    assert isinstance(function, UserDefinedScalarFunctionWrapper)
    annotated = function.annotated_result()
    if annotated is None:
        said = "say udf(..., result_type='STRING') or the like, or annotate its result"
        msg = f"what function {function.name} gives is not known: {said}"
        raise ConfigurationError(msg)
    return annotated


def result_columns(function: UserDefinedTableFunctionWrapper) -> list[tuple[str, DataType]]:
    """The names and types of the columns of what a table function gives; all may be NULL.

    Raises:
        SqlError: there is no type of such a name.
    """
    given = function.result_types
    found = named_type(given) if isinstance(given, DataType | str) else [named_type(each) for each in given]
    if isinstance(given, str) and isinstance(found, RowType):
        return [(field.name, field.data_type.nullable()) for field in found.fields]
    kinds = found if isinstance(found, list) else found.field_types() if isinstance(found, RowType) else [found]
    return [(f"f{place}", kind.nullable()) for place, kind in enumerate(kinds)]


def check_result(function: UserDefinedFunctionWrapper) -> None:
    """Say what is wrong with the types that a function gives, if something is.

    Raises:
        ConfigurationError: what it gives is not known.
        SqlError: there is no type of such a name.
    """
    if isinstance(function, UserDefinedTableFunctionWrapper):
        result_columns(function)
    else:
        result_type(function)


def wanted_types(function: UserDefinedFunctionWrapper, operands: Sequence[Expression]) -> list[DataType]:
    """The types that a function's arguments are cast to: those that it says, and of others NULL alone to a text."""
    if function.input_types is not None:
        return [named_type(each) for each in function.input_types]
    return [VarCharType(LONGEST) if isinstance(each.type, NullType) else each.type for each in operands]


def call_of(function: UserDefinedScalarFunctionWrapper, operands: Sequence[Expression]) -> Call:
    """The call of a function with arguments of the types it wants; whatever it is called with, it may give NULL."""
    name = USER if function.deterministic else USER_DRAWS
    return Call(name, tuple(operands), result_type(function).nullable(), (function,))
