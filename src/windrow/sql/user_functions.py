"""Calls of functions of a program's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from windrow.errors import ConfigurationError
from windrow.expressions.logical_types import NullType
from windrow.expressions.nodes import USER, USER_DRAWS, Call, Expression
from windrow.sql.dialect import parse_type
from windrow.sql.type_names import type_of
from windrow.table.data_types import LONGEST, DataType, VarCharType
from windrow.table.udf import (
    UserDefinedAggregateFunctionWrapper,
    UserDefinedFunctionWrapper,
    UserDefinedScalarFunctionWrapper,
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
    assert isinstance(function, UserDefinedScalarFunctionWrapper | UserDefinedAggregateFunctionWrapper)
    if function.result_type is not None:
        return named_type(function.result_type)
    annotated = function.annotated_result()
    if annotated is None:
        said = "say udf(..., result_type='STRING') or the like, or annotate its result"
        msg = f"what function {function.name} gives is not known: {said}"
        raise ConfigurationError(msg)
    return annotated


def wanted_types(function: UserDefinedFunctionWrapper, operands: Sequence[Expression]) -> list[DataType]:
    """What a function's arguments are cast to: what it says, and of others NULL alone to a text."""
    if function.input_types is not None:
        return [named_type(each) for each in function.input_types]
    return [VarCharType(LONGEST) if isinstance(each.type, NullType) else each.type for each in operands]


def call_of(function: UserDefinedScalarFunctionWrapper, operands: Sequence[Expression]) -> Call:
    """The call of a function with arguments of the types it wants; whatever it is called with, it may give NULL."""
    name = USER if function.deterministic else USER_DRAWS
    return Call(name, tuple(operands), result_type(function).nullable(), (function,))
