"""Rows beside each row: table functions of a program's own behind ``LATERAL``, and ``UNNEST``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlglot import exp

from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import may_be_null, name_of
from windrow.expressions.nodes import Expression
from windrow.sql.calc import with_columns
from windrow.sql.errors import nearest, sql_error
from windrow.sql.expression_binder import ExpressionBinder
from windrow.sql.function_calls import own_function, own_operands
from windrow.sql.plan import Column, Correlate, Filter, Relation
from windrow.sql.scope import Scope
from windrow.sql.user_functions import result_columns
from windrow.table import data_types as t
from windrow.table.data_types import DataType
from windrow.table.udf import UserDefinedTableFunctionWrapper

MakeBinder = Callable[[Scope], ExpressionBinder]
_FORMS = "write CROSS JOIN LATERAL TABLE(f(a)) AS t(b), or LEFT JOIN ... ON TRUE"


def is_lateral(node: Any) -> bool:
    """Tell whether a part of FROM is made of each row of what stands before it."""
    return isinstance(node, exp.Lateral | exp.Unnest)


def lateral_join(relation: Relation, scope: Scope, node: Any, binder: MakeBinder) -> tuple[Relation, Scope]:
    """The rows of a relation, each beside those that are made of it.

    Raises:
        SqlError: there is no such function, its arguments do not fit, or it is another kind of join.
    """
    side, on = str(node.args.get("side") or "").upper(), node.args.get("on")
    if side not in ("", "LEFT") or node.args.get("using") or node.args.get("method"):
        raise sql_error(scope.text, node.this, f"a {side or 'NATURAL'} join with LATERAL is not supported: {_FORMS}")
    is_true = on is None or (isinstance(on, exp.Boolean) and on.this)
    made, both = correlated(relation, scope, node.this, binder, outer=side == "LEFT")
    if is_true:
        return made, both
    condition = binder(both).condition(on, "ON")
    if side == "LEFT":
        made.condition = condition
        return made, both
    return Filter(made.columns, made, condition, window=made.window, changes=made.changes), both


def correlated(
    relation: Relation, scope: Scope, node: Any, binder: MakeBinder, *, outer: bool = False
) -> tuple[Correlate, Scope]:
    """The same by what stands behind JOIN: ``LATERAL TABLE(f(a)) AS t(b)``, or ``UNNEST(a) AS t(b)``.

    Raises:
        SqlError: there is no such function, or its arguments do not fit.
    """
    inside = binder(scope)
    alias = node.args.get("alias")
    function: UserDefinedTableFunctionWrapper | None = None
    numbered = False
    if isinstance(node, exp.Unnest):
        operands, made = _unnested(node, inside)
        numbered = bool(node.args.get("offset"))
    else:
        function, call = _function(node, inside)
        operands = own_operands(inside, function, call.expressions, call)
        made = result_columns(function)
    names = [] if alias is None else [each.name for each in alias.columns]
    if numbered:
        number = node.args["offset"]
        made.append(("ORDINALITY", lt.INT.not_null()))
        names += [number.name] if names and isinstance(number, exp.Identifier) else []
    if names and len(names) != len(made):
        raise inside.error(node, f"{len(names)} names are given to {len(made)} columns")
    columns = [
        Column(name, kind.nullable() if outer else kind)
        for name, (_, kind) in zip(names or [name for name, _ in made], made, strict=True)
    ]
    table = None if alias is None or alias.this is None else str(alias.this.name)
    if table is not None and not names and isinstance(node, exp.Unnest) and len(columns) == 1:
        columns = [replace(columns[0], name=table)]  # as in Calcite
    given, places = with_columns(relation, operands)
    both = [*relation.columns, *columns]
    correlate = Correlate(
        both, given, function, places, columns, outer, numbered, window=relation.window, changes=relation.changes
    )
    return correlate, Scope(both, [*scope.tables, *[table] * len(columns)], scope.text)


def _function(node: Any, inside: ExpressionBinder) -> tuple[UserDefinedTableFunctionWrapper, Any]:
    table = node.this
    call = table.expressions[0] if isinstance(table, exp.Anonymous) and len(table.expressions) == 1 else None
    if call is None or str(table.name).upper() != "TABLE":
        raise inside.error(node, f"LATERAL takes TABLE(f(...)), with a table function: {_FORMS}")
    found = own_function(call, inside.system_functions, inside.functions)
    if found is None and isinstance(call, exp.Anonymous):  # one of Flink's of the name gives no rows
        found = inside.functions.get(str(call.name).upper())
    if not isinstance(found, UserDefinedTableFunctionWrapper):
        own = {**inside.functions, **inside.system_functions}
        known = [name for name, each in own.items() if isinstance(each, UserDefinedTableFunctionWrapper)]
        name = str(getattr(call, "name", "")).upper()
        raise inside.error(call, f"there is no table function {name}: {nearest(name, known)}")
    return found, call


def _unnested(node: Any, inside: ExpressionBinder) -> tuple[list[Expression], list[tuple[str, DataType]]]:
    if len(node.expressions) != 1:
        raise inside.error(node, f"UNNEST takes one array or map; got {len(node.expressions)}")
    bound = inside.bind(node.expressions[0])
    match bound.type:
        case t.MultisetType(element_type=element):
            return [bound], [("EXPR$0", element)]
        case t.MapType(key_type=key, value_type=value):
            return [bound], [("KEY", key), ("VALUE", value)]
        case t.ArrayType(element_type=t.RowType() as row):
            nullable = may_be_null(row)
            fields = [(each.name, each.data_type) for each in row.fields]
            return [bound], [(name, kind.nullable() if nullable else kind) for name, kind in fields]
        case t.ArrayType(element_type=element):
            return [bound], [("EXPR$0", element)]
    raise inside.error(node, f"UNNEST takes an ARRAY, MAP or MULTISET; got {name_of(bound.type)}")
