"""Calls of functions: those in the table, those with rules of their own, and those of the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from windrow.expressions import logical_types as lt
from windrow.expressions.casts import can_cast
from windrow.expressions.function import FUNCTIONS
from windrow.expressions.kernels import KERNELS
from windrow.expressions.kernels.arithmetic import round_type
from windrow.expressions.logical_types import BOOLEAN, NullType, full_name_of, may_be_null, name_of, with_nullability
from windrow.expressions.nodes import Call, Expression, Literal
from windrow.sql import raw_json
from windrow.sql import syntax as s
from windrow.sql.catalog import DATABASE
from windrow.sql.time_calls import FORMATTED, TIME_CALLS, check_format, seconds_now
from windrow.sql.user_functions import UserFunctions, call_of, wanted_types
from windrow.table import data_types as t
from windrow.table.data_types import LONGEST
from windrow.table.udf import (
    UserDefinedAggregateFunctionWrapper,
    UserDefinedFunctionWrapper,
    UserDefinedScalarFunctionWrapper,
    UserDefinedTableFunctionWrapper,
)

if TYPE_CHECKING:
    from windrow.sql.expression_binder import ExpressionBinder

AGGREGATES = frozenset(
    {
        *("SUM", "SUM0", "COUNT", "AVG", "MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "LISTAGG", "COLLECT", "ARRAY_AGG"),
        *("STDDEV", "STDDEV_POP", "STDDEV_SAMP", "VARIANCE", "VAR_POP", "VAR_SAMP"),
        *("JSON_OBJECTAGG", "JSON_ARRAYAGG", "PERCENTILE"),
    }
)
WINDOW_PROPERTIES = frozenset(
    f"{kind}_{part}" for kind in ("TUMBLE", "HOP", "SESSION") for part in ("START", "END", "ROWTIME", "PROCTIME")
)


def bind_call(binder: ExpressionBinder, node: Any) -> Expression:
    """The call of a function by its name.

    Raises:
        SqlError: there is none, or its arguments do not fit.
    """
    name = str(node.name).upper()
    own = binder.system_functions.get(name)
    if own is not None:
        return _own_function(binder, own, node)
    special = SPECIAL.get(name) if node.expressions else WITHOUT_ARGUMENTS.get(name, SPECIAL.get(name))
    if special is not None:
        least, most = _ARGUMENTS.get(name, (0, None))
        if len(node.expressions) < least or (most is not None and len(node.expressions) > most):
            raise binder.error(node, f"{name} takes {_counts(least, most)} arguments; got {len(node.expressions)}")
        return special(binder, node)
    found = FUNCTIONS.get(name) if name in KERNELS else None
    if found is None:
        if name in binder.functions:
            return _own_function(binder, binder.functions[name], node)
        if name in AGGREGATES:
            raise binder.error(node, f"{name} is an aggregate, and there is no group here for it")
        if name in WINDOW_PROPERTIES:
            raise binder.error(node, f"{name} stands beside GROUP BY {name.rpartition('_')[0]}(...)")
        raise binder.error(node, f"there is no function {name}: {_near_function(binder, name)}")
    operands = [binder.bind(each) for each in node.expressions]
    most = None if found.repeats else len(found.parameters)
    if len(operands) < found.required or (most is not None and len(operands) > most):
        raise binder.error(node, f"{name} takes {_counts(found.required, most)} arguments; got {len(operands)}")
    for position, operand in enumerate(operands):
        family = found.wanted(position)
        if isinstance(operand.type, NullType):
            operands[position] = binder.cast_to(operand, family.becomes or lt.STRING)
        elif not family.takes(operand.type):
            shown = name_of(operand.type)
            raise binder.error(node, f"argument {position + 1} of {name} takes {family.name}; got {shown}")
        elif family.becomes is not None:
            operands[position] = binder.cast_to(operand, family.becomes)
    if name in FORMATTED and len(operands) > 1 and isinstance(operands[1], Literal):
        check_format(binder, name, operands[1].value, node)
    if found.alike:
        operands = binder.alike(operands, node, f"{name} takes", compares=False)
    kind = found.result([each.type for each in operands])
    if name in ("ROUND", "TRUNCATE"):
        digits = operands[1] if len(operands) > 1 else Literal(0, lt.INT)
        if isinstance(digits, Call) and isinstance(digits.operands[0], Literal):
            digits = digits.operands[0]
        kind = round_type(kind, digits.value) if isinstance(digits, Literal) else kind
    return Call(name, tuple(operands), kind, (binder.time_zone,))


def _own_function(binder: ExpressionBinder, function: UserDefinedFunctionWrapper, node: Any) -> Expression:
    if isinstance(function, UserDefinedTableFunctionWrapper):
        name = function.name
        raise binder.error(node, f"{name} gives rows, and stands in FROM: write CROSS JOIN LATERAL TABLE({name}(...))")
    if not isinstance(function, UserDefinedScalarFunctionWrapper):
        raise binder.error(node, f"{function.name} is an aggregate, and there is no group here for it")
    return call_of(function, own_operands(binder, function, node.expressions, node))


def own_operands(
    binder: ExpressionBinder, function: UserDefinedFunctionWrapper, arguments: Sequence[Any], node: Any
) -> list[Expression]:
    """The arguments of a function of the program's own, as it wants them.

    Raises:
        SqlError: there are more or less of them than it takes, or of other types.
    """
    operands = [binder.bind(each) for each in arguments]
    if not function.takes(len(operands)):
        raise binder.error(node, f"function {function.name} cannot be called with {len(operands)} arguments")
    wanted = wanted_types(function, operands)
    for position, (operand, kind) in enumerate(zip(operands, wanted, strict=True)):
        if not (isinstance(operand.type, NullType) or can_cast(operand.type, kind)):
            kinds = name_of(kind), name_of(operand.type)
            raise binder.error(node, f"argument {position + 1} of {function.name} takes {kinds[0]}; got {kinds[1]}")
    return [binder.cast_to(each, kind) for each, kind in zip(operands, wanted, strict=True)]


def own_function(
    node: Any, system_functions: UserFunctions, functions: UserFunctions
) -> UserDefinedFunctionWrapper | None:
    """The function of the program's own that a part of a statement calls; None: it calls none."""
    if isinstance(node, s.OwnCall):
        found: UserDefinedFunctionWrapper = node.args["function"]
        return found
    if not isinstance(node, exp.Anonymous):
        return None
    name = str(node.name).upper()
    known = name in AGGREGATES or name in SPECIAL or name in KERNELS
    return system_functions.get(name) or (None if known else functions.get(name))


def own_aggregate(
    node: Any, system_functions: UserFunctions, functions: UserFunctions
) -> UserDefinedAggregateFunctionWrapper | None:
    """The aggregate of the program's own that a part of a statement calls; None: it calls none."""
    found = own_function(node, system_functions, functions)
    return found if isinstance(found, UserDefinedAggregateFunctionWrapper) else None


def own_call(binder: ExpressionBinder, node: Any) -> Expression:
    """The call of a function that stands in the program itself."""
    return _own_function(binder, node.args["function"], node)


def _near_function(binder: ExpressionBinder, name: str) -> str:
    own = [*binder.system_functions, *binder.functions]
    close = get_close_matches(name, [*own, *FUNCTIONS, *AGGREGATES, *SPECIAL], 3)
    return f"did you mean {' or '.join(close)}?" if close else "docs/sql_functions.md lists those that there are"


def _if(binder: ExpressionBinder, node: Any) -> Expression:
    arguments = node.expressions
    if len(arguments) != 3:
        raise binder.error(node, f"IF takes 3 arguments; got {len(arguments)}")
    condition = binder.condition(arguments[0], "IF")
    value, otherwise = binder.alike([binder.bind(each) for each in arguments[1:]], node, "IF gives", compares=False)
    found = case_of([condition], [value], otherwise)
    return Call(found.name, found.operands, found.type.nullable()) if may_be_null(condition.type) else found


def _coalesce(binder: ExpressionBinder, node: Any) -> Expression:
    operands = binder.alike([binder.bind(each) for each in node.expressions], node, "COALESCE takes", compares=False)
    nullable = all(may_be_null(each.type) for each in operands)
    return Call("COALESCE", tuple(operands), with_nullability(operands[0].type, nullable))


def _nullif(binder: ExpressionBinder, node: Any) -> Expression:
    first, second = (binder.bind(each) for each in node.expressions)
    one, other = binder.alike([first, second], node, "NULLIF compares", equal=True)
    equal = Call("=", (one, other), BOOLEAN)
    return Call("CASE", (equal, Literal(None, first.type.nullable()), first), first.type.nullable())


def _trim(binder: ExpressionBinder, node: Any) -> Expression:
    operands = [binder.bind(each) for each in node.expressions[1:]]
    for operand in operands:
        if not lt.is_text(operand.type):
            raise binder.error(node, f"TRIM takes text; got {name_of(operand.type)}")
    nullable = any(may_be_null(each.type) for each in operands)
    length = getattr(operands[0].type, "length", LONGEST)
    kind = with_nullability(t.VarCharType(length), nullable)
    return Call("TRIM", tuple(operands), kind, (node.expressions[0].name,))


def concat(binder: ExpressionBinder, node: Any) -> Expression:
    """``CONCAT``: text of anything."""
    operands = [binder.cast_to(binder.bind(each), lt.STRING) for each in node.expressions]
    nullable = any(may_be_null(each.type) for each in operands)
    return Call("CONCAT", tuple(operands), with_nullability(lt.STRING, nullable))


def _mod(binder: ExpressionBinder, node: Any) -> Expression:
    return binder.bind(exp.Mod(this=node.expressions[0], expression=node.expressions[1]))


def _typeof(binder: ExpressionBinder, node: Any) -> Expression:
    kind = binder.bind(node.expressions[0]).type
    full = node.expressions[1] if len(node.expressions) > 1 else exp.false()
    if not isinstance(full, exp.Boolean):
        raise binder.error(full, "the second argument of TYPEOF is TRUE or FALSE")
    return Literal(full_name_of(kind) if full.this else name_of(kind), lt.STRING)


def _current_database(_: ExpressionBinder, __: Any) -> Expression:
    return Literal(DATABASE, lt.STRING.not_null())


def array(binder: ExpressionBinder, node: Any) -> Expression:
    """``ARRAY[...]``."""
    operands = [binder.bind(each) for each in node.expressions]
    if not operands:
        raise binder.error(node, "ARRAY takes at least one element")
    made = binder.alike(operands, node, "ARRAY holds", compares=False)
    element = with_nullability(made[0].type, any(may_be_null(each.type) for each in made))
    return Call("ARRAY", tuple(made), t.ArrayType(element, False))


def map_(binder: ExpressionBinder, node: Any) -> Expression:
    """``MAP[...]``."""
    operands = [binder.bind(each) for each in (node.args.get("keys_and_values") or node.expressions)]
    if not operands or len(operands) % 2:
        raise binder.error(node, "MAP takes keys and values in turn")
    keys = binder.alike(operands[::2], node, "the keys of a MAP are", compares=False)
    values = binder.alike(operands[1::2], node, "the values of a MAP are", compares=False)
    value = with_nullability(values[0].type, any(may_be_null(each.type) for each in values))
    pairs = [each for pair in zip(keys, values, strict=True) for each in pair]
    return Call("MAP", tuple(pairs), t.MapType(keys[0].type, value, False))


def row(binder: ExpressionBinder, node: Any) -> Expression:
    """``ROW(...)``."""
    operands = [binder.bind(each) for each in node.expressions]
    fields = [t.RowField(f"EXPR${place}", each.type) for place, each in enumerate(operands)]
    return Call("ROW", tuple(operands), t.RowType(fields, False))


def _counts(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least}"
    return str(least) if least == most else f"{least} to {most}"


def case_of(conditions: Sequence[Expression], values: Sequence[Expression], otherwise: Expression) -> Call:
    """``CASE``: values by conditions, and what it is otherwise."""
    nullable = any(may_be_null(each.type) or isinstance(each.type, NullType) for each in (*values, otherwise))
    kind = with_nullability(otherwise.type if not isinstance(otherwise.type, NullType) else values[0].type, nullable)
    pairs = [each for pair in zip(conditions, values, strict=True) for each in pair]
    return Call("CASE", (*pairs, otherwise), kind)


#: Functions with rules of their own.
SPECIAL: dict[str, Callable[[ExpressionBinder, Any], Expression]] = {
    "IF": _if,
    "COALESCE": _coalesce,
    "IFNULL": _coalesce,
    "NULLIF": _nullif,
    **TIME_CALLS,
    "TRIM": _trim,
    "CONCAT": concat,
    "MOD": _mod,
    "TYPEOF": _typeof,
    "CURRENT_DATABASE": _current_database,
    raw_json.NAME: raw_json.refuse,
    "ARRAY": array,
    "MAP": map_,
    "ROW": row,
}

#: What else functions are that are called without arguments.
WITHOUT_ARGUMENTS: dict[str, Callable[[ExpressionBinder, Any], Expression]] = {"UNIX_TIMESTAMP": seconds_now}

#: How many arguments functions take that the binder itself knows: at least, and at most.
_ARGUMENTS: dict[str, tuple[int, int | None]] = {
    "CURRENT_DATABASE": (0, 0),
    "IF": (3, 3),
    "COALESCE": (1, None),
    "IFNULL": (2, 2),
    "NULLIF": (2, 2),
    "EXTRACT": (2, 2),
    **dict.fromkeys(("YEAR", "QUARTER", "MONTH", "WEEK", "DAYOFYEAR", "DAYOFMONTH", "DAYOFWEEK"), (1, 1)),
    **dict.fromkeys(("HOUR", "MINUTE", "SECOND"), (1, 1)),
    "CEIL": (1, 2),
    "FLOOR": (1, 2),
    "TIMESTAMPDIFF": (3, 3),
    "TIMESTAMPADD": (3, 3),
    "TRIM": (2, 3),
    "CONCAT": (1, None),
    "MOD": (2, 2),
    "TYPEOF": (1, 2),
    **dict.fromkeys(("PROCTIME", "NOW", "CURRENT_ROW_TIMESTAMP"), (0, 0)),
    "CURRENT_WATERMARK": (1, 1),
}
