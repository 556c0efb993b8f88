"""The columns of a query as those of the table that it is written to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from windrow.expressions import logical_types as lt
from windrow.expressions.casts import can_cast
from windrow.expressions.logical_types import may_be_null, same_but_null
from windrow.expressions.nodes import Expression, InputRef, Literal
from windrow.sql.catalog import TableDefinition
from windrow.sql.errors import nearest, sql_error
from windrow.sql.plan import Column, Project, Relation
from windrow.table import data_types as t

_INTEGERS = (t.TinyIntType, t.SmallIntType, t.IntType, t.BigIntType)


def fits(source: t.DataType, target: t.DataType) -> bool:
    """Tell if values may be written as another type without a CAST: as a wider one (Flink's ``LogicalTypeCasts``)."""
    if isinstance(source, lt.NullType) or same_but_null(source, target):
        return True
    match source, target:
        case t.ArrayType(), t.ArrayType():
            return fits(source.element_type, target.element_type)
        case t.MapType(), t.MapType():
            return fits(source.key_type, target.key_type) and fits(source.value_type, target.value_type)
        case t.RowType(), t.RowType():
            pairs = zip(source.fields, target.fields, strict=False)  # of as many fields
            fit = all(fits(one.data_type, other.data_type) for one, other in pairs)
            return len(source.fields) == len(target.fields) and fit
    return can_cast(source, target) and _is_wider(source, target)


def _is_wider(source: t.DataType, target: t.DataType) -> bool:
    if lt.is_integer(target):
        return lt.is_integer(source) and _INTEGERS.index(type(target)) >= _INTEGERS.index(type(source))
    if isinstance(target, t.FloatType):
        return lt.is_numeric(source) and not isinstance(source, t.DoubleType)
    if lt.is_numeric(target):  # DOUBLE, and DECIMAL, which is NULL beyond its digits
        return lt.is_numeric(source)
    if lt.is_timestamp(target):
        return lt.is_timestamp(source) or isinstance(source, t.DateType)
    if isinstance(target, t.VarCharType):
        return lt.is_text(source)
    if isinstance(target, t.VarBinaryType):
        return lt.is_binary(source)
    return type(source) is type(target)


def in_order(
    relation: Relation,
    names: Sequence[str],
    fixed: Mapping[str, Expression],
    table: TableDefinition,
    text: str,
    node: Any,
) -> Relation:
    """The relation with the table's columns in their order; what is fixed, or NULL, where the statement names none."""
    writable = table.writable
    targets = [column.name for column in writable]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise sql_error(text, node.this, f"INSERT INTO {table.name}: column {name!r} is written twice")
        if name in fixed:
            raise sql_error(text, node.this, f"INSERT INTO {table.name}: PARTITION fixes column {name!r}: leave it out")
        if name not in targets:
            raise sql_error(text, node.this, f"table {table.name!r} has no column {name!r}: {nearest(name, targets)}")
    if len(names) != len(relation.columns):
        raise sql_error(text, node.this, f"{len(names)} columns are named, and the query has {len(relation.columns)}")
    for column in writable:
        if column.name not in names and column.name not in fixed and not may_be_null(column.type):
            message = (
                f"INSERT INTO {table.name}: column {column.name!r} is NOT NULL, and not among those that are named"
            )
            raise sql_error(text, node.this, message)
    expressions: list[Expression] = [
        InputRef(names.index(column.name), relation.columns[names.index(column.name)].type)
        if column.name in names
        else fixed.get(column.name, Literal(None, lt.NULL))
        for column in writable
    ]
    columns = [Column(column.name, each.type) for column, each in zip(writable, expressions, strict=True)]
    return Project(columns, relation, expressions, changes=relation.changes)
