"""Functions of whole rows: what ``map``, ``flat_map`` and ``aggregate`` call, and what becomes of what it gives."""

from __future__ import annotations

from typing import Any

from windrow.common.checks import described
from windrow.errors import ConfigurationTypeError
from windrow.sql.plan import Relation
from windrow.sql.user_functions import result_type
from windrow.table.data_types import RowField, RowType
from windrow.table.expression import Expression
from windrow.table.udf import UserDefinedFunctionWrapper


def called(relation: Relation, given: Any, verb: str) -> tuple[Expression, list[str]]:
    """The call of a function, and the names that it has for what it gives.

    Args:
        relation: The rows; a function that is not called is called with each as a whole.
        given: A function of the program's own, or the call of one, perhaps behind ``alias``.
        verb: Who asks, for errors.

    Raises:
        ConfigurationTypeError: it is something else.
    """
    if isinstance(given, UserDefinedFunctionWrapper):
        given = Expression("whole", given)
    names: list[str] = []
    inner = given
    if isinstance(given, Expression) and given._kind == "alias":
        inner, *names = given._parts
    if not isinstance(inner, Expression):
        msg = f"{verb} takes a function, as udf gives it, or its call: words(col('a')); got {described(given)}"
        raise ConfigurationTypeError(msg)
    if inner._kind == "whole":
        row = RowType([RowField(column.name, column.type) for column in relation.columns])
        return Expression("own", inner._parts[0], Expression("whole row", row)), names
    return inner, names


def fields_of_result(call: Expression, names: list[str], otherwise: str) -> list[Expression]:
    """Name what a call gives: each field of a row, or the value itself."""
    function = call._parts[0] if call._kind == "own" else None
    kind = result_type(function) if isinstance(function, UserDefinedFunctionWrapper) else None
    if not isinstance(kind, RowType):
        return [call.alias(names[0] if names else otherwise)]
    own = kind.field_names()
    named = [*names, *own[len(names) :]]
    return [Expression("FIELD", call, field).alias(name) for field, name in zip(own, named, strict=True)]


def with_results(fields: tuple[Expression, ...], results: list[Expression]) -> list[Expression]:
    """Expressions in which the names of results stand for these."""
    by_name = {each._parts[1]: each._parts[0] for each in results}

    def put(given: Any) -> Any:
        if not isinstance(given, Expression):
            return given
        if given._kind == "col" and given._parts[0] in by_name:
            return by_name[given._parts[0]]
        return Expression(given._kind, *[put(part) for part in given._parts])

    made = []
    for field in fields:
        if field._kind == "col" and field._parts[0] == "*":
            made += [field, *results]
        elif field._kind == "col" and field._parts[0] in by_name:
            made.append(put(field).alias(field._parts[0]))
        else:
            made.append(put(field))
    return made
