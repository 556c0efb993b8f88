"""Calls of functions of time, whose arguments are units and formats."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from windrow.expressions import logical_types as lt
from windrow.expressions.function import FUNCTIONS
from windrow.expressions.kernels.temporal import units_of
from windrow.expressions.logical_types import may_be_null, name_of, same_but_null, with_nullability
from windrow.expressions.nodes import Call, Expression, Literal
from windrow.expressions.time_patterns import time_pattern
from windrow.sql.plan import CURRENT_WATERMARK, PROCTIME
from windrow.table import data_types as t
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    from windrow.sql.expression_binder import ExpressionBinder

#: Functions with a format of Java's, and whether they read by it.
FORMATTED = {
    "TO_DATE": True,
    "TO_TIMESTAMP": True,
    "UNIX_TIMESTAMP": True,
    "DATE_FORMAT": False,
    "FROM_UNIXTIME": False,
}


def check_format(binder: ExpressionBinder, name: str, written: Any, node: Any) -> None:
    """Refuse what would fail, or mean something else, for each row."""
    try:
        pattern = time_pattern(str(written))
        if FORMATTED[name]:
            pattern.check_reading()
    except ValueError as error:
        raise binder.error(node, f"{name}: {error}") from None


def _check_unit(binder: ExpressionBinder, name: str, unit: str, kind: DataType, node: Any) -> None:
    units = units_of(name, kind)
    if not units:
        wanted = "a day, with or without its time" if isinstance(kind, t.TimeType) else "a date or time"
        raise binder.error(node, f"{name} takes {wanted}; got {name_of(kind)}")
    if unit not in units:
        raise binder.error(node, f"{name} of {name_of(kind, nullability=False)} takes {', '.join(units)}; got {unit}")


def _extract(binder: ExpressionBinder, node: Any) -> Expression:
    unit, operand = node.expressions[0].name, binder.bind(node.expressions[1])
    _check_unit(binder, "EXTRACT", unit, operand.type, node)
    if lt.is_interval(operand.type):
        return Call("EXTRACT SPAN", (operand,), with_nullability(lt.BIGINT, may_be_null(operand.type)), (unit,))
    kind = with_nullability(lt.BIGINT, may_be_null(operand.type))
    return Call("EXTRACT", (operand,), kind, (unit, binder.time_zone))


def _part(binder: ExpressionBinder, node: Any) -> Expression:
    operand = binder.bind(node.expressions[0])
    unit = {"DAYOFYEAR": "DOY", "DAYOFMONTH": "DAY", "DAYOFWEEK": "DOW"}.get(node.name.upper(), node.name.upper())
    if not lt.is_temporal(operand.type):
        raise binder.error(node, f"{node.name} takes a date or time; got {name_of(operand.type)}")
    _check_unit(binder, "EXTRACT", unit, operand.type, node)
    kind = with_nullability(lt.BIGINT, may_be_null(operand.type))
    return Call("EXTRACT", (operand,), kind, (unit, binder.time_zone))


def _floor_or_ceil(binder: ExpressionBinder, node: Any) -> Expression:
    operand = binder.bind(node.expressions[0])
    if len(node.expressions) == 1:
        found = FUNCTIONS[node.name.upper()]
        if not lt.is_numeric(operand.type):
            raise binder.error(node, f"{node.name} takes a number; got {name_of(operand.type)}")
        return Call(found.name, (operand,), found.result([operand.type]))
    unit = node.expressions[1].name
    _check_unit(binder, node.name.upper(), unit, operand.type, node)
    return Call(f"{node.name.upper()} TO", (operand,), operand.type, (unit, binder.time_zone))


def _unit_first(binder: ExpressionBinder, node: Any) -> Expression:
    unit = node.expressions[0].name
    unit = unit.removeprefix("SQL_TSI_")
    operands = [binder.bind(each) for each in node.expressions[1:]]
    nullable = any(may_be_null(each.type) for each in operands)
    for operand in operands[0 if node.name.upper() == "TIMESTAMPDIFF" else 1 :]:
        _check_unit(binder, node.name.upper(), unit, operand.type, node)
    if node.name.upper() == "TIMESTAMPADD" and not lt.is_integer(operands[0].type):
        raise binder.error(node, f"TIMESTAMPADD takes an integer of {unit}; got {name_of(operands[0].type)}")
    if node.name.upper() == "TIMESTAMPDIFF":
        if any(isinstance(each.type, t.LocalZonedTimestampType) for each in operands):
            operands = binder.alike(operands, node, "TIMESTAMPDIFF compares")
        return Call("TIMESTAMPDIFF", tuple(operands), with_nullability(lt.INT, nullable), (unit,))
    kind = operands[1].type
    if isinstance(kind, t.DateType) and unit in ("HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND"):
        kind = t.TimestampType(0)
    elif isinstance(kind, t.TimestampType):
        kind = t.TimestampType(max(kind.precision, 3 if unit == "MILLISECOND" else 0))
    return Call("TIMESTAMPADD", tuple(operands), with_nullability(kind, nullable), (unit,))


def _now(binder: ExpressionBinder, node: Any) -> Expression:
    name = node.name.upper()
    kinds: dict[str, DataType] = {"CURRENT_DATE": lt.DATE, "LOCALTIMESTAMP": lt.TIMESTAMP_3}
    kinds |= dict.fromkeys(("LOCALTIME", "CURRENT_TIME"), t.TimeType(0))
    kind = kinds.get(name, lt.TIMESTAMP_LTZ_3)
    now = Call("NOW", (), lt.TIMESTAMP_LTZ_3.not_null())
    return now if same_but_null(kind, now.type) else binder.cast_to(now, kind)


def overlaps(binder: ExpressionBinder, node: Any) -> Expression:
    """``(start, end) OVERLAPS (start, span)``: whether two periods, whose ends may come first, have a moment in common.

    Raises:
        SqlError: they are written otherwise, or are of times that do not compare.
    """
    bounds: list[Expression] = []
    for side in (node.this, node.expression):
        parts = side.expressions if isinstance(side, exp.Tuple) else []
        if len(parts) != 2:
            raise binder.error(
                node, "OVERLAPS is written (start, end) OVERLAPS (start, end), or with intervals as ends"
            )
        start, end = (binder.bind(each) for each in parts)
        if lt.is_interval(end.type):
            nullable = may_be_null(start.type) or may_be_null(end.type)
            end = Call("TIME +", (start, end), with_nullability(start.type, nullable))
        bounds += [start, end]
    for each in bounds:
        if not lt.is_temporal(each.type):
            raise binder.error(node, f"OVERLAPS takes dates or times; got {name_of(each.type)}")
    kind = with_nullability(lt.BOOLEAN, any(may_be_null(each.type) for each in bounds))
    return Call("OVERLAPS", tuple(binder.alike(bounds, node, "OVERLAPS compares")), kind)


def seconds_now(_binder: ExpressionBinder, _node: Any) -> Expression:
    """``UNIX_TIMESTAMP()``: the seconds since 1970."""
    kind = lt.BIGINT.not_null()
    micros = Call("$TICKS", (Call("NOW", (), lt.TIMESTAMP_LTZ_3.not_null()),), kind)
    return Call("/", (micros, Literal(1_000_000, kind)), kind)


def _proctime(_binder: ExpressionBinder, _node: Any) -> Expression:
    return Call(PROCTIME, (), lt.TIMESTAMP_LTZ_3.not_null())


def _current_watermark(binder: ExpressionBinder, node: Any) -> Expression:
    operand = binder.bind(node.expressions[0])
    shown = name_of(operand.type, nullability=False)
    column = binder.column_of(operand)
    if column is None or not column.rowtime:
        lost = "" if column is None or column.lost is None else f": {column.lost}"
        raise binder.error(node, f"{CURRENT_WATERMARK} takes a time attribute of event time; got {shown}{lost}")
    local = isinstance(operand.type, t.LocalZonedTimestampType)
    return Call(CURRENT_WATERMARK, (), lt.TIMESTAMP_LTZ_3 if local else lt.TIMESTAMP_3)


TIME_CALLS: dict[str, Callable[[ExpressionBinder, Any], Expression]] = {
    "EXTRACT": _extract,
    **dict.fromkeys(("YEAR", "QUARTER", "MONTH", "WEEK", "DAYOFYEAR", "DAYOFMONTH", "DAYOFWEEK"), _part),
    **dict.fromkeys(("HOUR", "MINUTE", "SECOND"), _part),
    "CEIL": _floor_or_ceil,
    "FLOOR": _floor_or_ceil,
    PROCTIME: _proctime,
    CURRENT_WATERMARK: _current_watermark,
    "TIMESTAMPDIFF": _unit_first,
    "TIMESTAMPADD": _unit_first,
    **dict.fromkeys(
        (
            *("CURRENT_TIMESTAMP", "NOW", "CURRENT_DATE", "CURRENT_TIME", "LOCALTIMESTAMP", "LOCALTIME"),
            "CURRENT_ROW_TIMESTAMP",
        ),
        _now,
    ),
}
