"""Window table functions, and the older functions for GROUP BY."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import DayTimeIntervalType, name_of, with_nullability
from windrow.expressions.nodes import Call, Expression, Literal
from windrow.sql import syntax as s
from windrow.sql.errors import nearest, sql_error
from windrow.sql.expression_binder import ExpressionBinder
from windrow.sql.plan import Column, Relation, Window, WindowColumns, WindowTable
from windrow.sql.scope import Scope
from windrow.table.data_types import LocalZonedTimestampType

#: The arguments behind the table and the time column, in their order; all but OFFSET are needed.
WINDOW_FUNCTIONS = {
    "TUMBLE": ("SIZE", "OFFSET"),
    "HOP": ("SLIDE", "SIZE", "OFFSET"),
    "CUMULATE": ("STEP", "SIZE", "OFFSET"),
    "SESSION": ("GAP",),
}


def window_table(node: Any, text: str, input_of: Callable[[Any], Relation], binder: ExpressionBinder) -> WindowTable:
    """The relation of a window table function.

    Raises:
        SqlError: arguments are missing or do not fit, or the column is no time attribute.
    """
    name = str(node.name).upper()
    given = _by_name(node, name, text)
    table = given["DATA"]
    relation = input_of(table)
    descriptor = given["TIMECOL"]
    if not isinstance(descriptor, s.Descriptor):
        raise sql_error(text, descriptor, f"{name} takes the time column as DESCRIPTOR(column)")
    time = time_column(relation, descriptor.expressions[0], name, text)
    spans = {
        key: _milliseconds(given[key], f"{key} of {name}", binder, text)
        for key in given
        if key in WINDOW_FUNCTIONS[name]
    }
    partition = []
    if isinstance(table, s.WindowTable) and table.args.get("partition"):
        if name != "SESSION":
            raise sql_error(text, table, f"{name} takes no PARTITION BY: it stands in SESSION")
        names = [column.name for column in relation.columns]
        for each in table.args["partition"]:
            if each.name not in names:
                raise sql_error(text, each, f"there is no column {each.name!r}: {nearest(each.name, names)}")
            partition.append(names.index(each.name))
    window = _checked(name, spans, tuple(partition), node, text)
    return over_windows(relation, time, window, binder.time_zone)


def over_windows(relation: Relation, time: int, window: Window, time_zone: str) -> WindowTable:
    """The relation with the columns of windows behind its own."""
    column = relation.columns[time]
    window = replace(window, by_clock=column.proctime)
    if isinstance(column.type, LocalZonedTimestampType) and time_zone not in ("UTC", "Z"):
        window = replace(window, zone=time_zone)
    bound = lt.TIMESTAMP_3.not_null()
    taken = {each.name for each in relation.columns}
    names = [_free(each, taken) for each in ("window_start", "window_end", "window_time")]
    of_time = column.type if lt.is_timestamp(column.type) else lt.TIMESTAMP_LTZ_3
    of_time = with_nullability(of_time, window.grouped)
    columns = [
        # Its rows have a newer time attribute.
        *relation.columns,
        Column(names[0], bound),
        Column(names[1], bound),
        Column(names[2], of_time, rowtime=column.rowtime, proctime=column.proctime),
    ]
    count = len(relation.columns)
    return WindowTable(columns, relation, time, window, window=WindowColumns(count, count + 1, count + 2, window))


def time_column(relation: Relation, name: Any, function: str, text: str) -> int:
    """The place of a time attribute.

    Raises:
        SqlError: there is no such column, or it is no time attribute, with the reason.
    """
    names = [column.name for column in relation.columns]
    if name.name not in names:
        raise sql_error(text, name, f"there is no column {name.name!r}: {nearest(name.name, names)}")
    place = names.index(name.name)
    column = relation.columns[place]
    if not column.is_time:
        raise sql_error(text, name, not_a_time(column, function, relation))
    return place


def not_a_time(column: Column, function: str, relation: Relation | Scope) -> str:
    """Say why windows cannot be made by a column."""
    times = [each.name for each in relation.columns if each.is_time]
    shown = f"{function} makes windows by a time attribute, and {column.name!r} ({name_of(column.type)}) is none"
    if column.lost is not None:
        return f"{shown}: {column.lost}"
    if times:
        return f"{shown}: time attributes are {', '.join(times)}"
    if lt.is_timestamp(column.type):
        return f"{shown}: declare WATERMARK FOR {column.name} AS {column.name} - INTERVAL '...' for its table"
    return f"{shown}: it has to be a TIMESTAMP or TIMESTAMP_LTZ with a WATERMARK"


def group_window(node: Any, text: str, binder: ExpressionBinder, relation: Relation | Scope) -> tuple[int, Window]:
    """The time column and the window of ``TUMBLE(ts, INTERVAL ...)`` and such, in GROUP BY.

    Raises:
        SqlError: arguments do not fit.
    """
    from windrow.expressions.nodes import InputRef

    name = str(node.name).upper()
    arguments = node.expressions
    order = {"TUMBLE": ("SIZE", "OFFSET"), "HOP": ("SLIDE", "SIZE", "OFFSET"), "SESSION": ("GAP",)}[name]
    least = 1 + len([key for key in order if key != "OFFSET"])
    if not least <= len(arguments) <= 1 + len(order) or any(isinstance(each, s.Named) for each in arguments):
        shown = f"{name} in GROUP BY takes a time attribute and {', '.join(order)}"
        raise sql_error(text, node, f"{shown}; got {len(arguments)} arguments")
    bound = binder.bind(arguments[0])
    if not isinstance(bound, InputRef):
        raise sql_error(text, node, f"{name} takes a time attribute: a column as it is")
    column = relation.columns[bound.index]
    if not column.is_time:
        raise sql_error(text, node, not_a_time(column, name, relation))
    pairs = zip(order, arguments[1:], strict=False)  # OFFSET may be left out
    spans = {key: _milliseconds(each, f"{key} of {name}", binder, text) for key, each in pairs}
    return bound.index, _checked(name, spans, (), node, text)


def _by_name(node: Any, name: str, text: str) -> dict[str, Any]:
    order = ("DATA", "TIMECOL", *WINDOW_FUNCTIONS[name])
    given: dict[str, Any] = {}
    for place, argument in enumerate(node.expressions):
        if isinstance(argument, s.Named):
            key = str(argument.name).upper()
            if key not in order:
                raise sql_error(text, node, f"{name} has no argument {key}: {nearest(key, order)}")
            if key in given:
                raise sql_error(text, node, f"{name}: {key} is written twice")
            given[key] = argument.expression
        elif place < len(order) and order[place] not in given:
            given[order[place]] = argument
        else:
            raise sql_error(text, node, f"{name} takes {', '.join(order)}; got {len(node.expressions)} arguments")
    missing = [key for key in order if key not in given and key != "OFFSET"]
    if missing:
        raise sql_error(text, node, f"{name} takes {', '.join(order)}; {', '.join(missing)} is missing")
    return given


def _milliseconds(node: Any, what: str, binder: ExpressionBinder, text: str) -> int:
    bound: Expression = binder.bind(node)
    if isinstance(bound, Call) and bound.name == "NEGATE" and isinstance(bound.operands[0], Literal):
        bound = Literal(-bound.operands[0].value, bound.type)
    if not isinstance(bound, Literal) or not isinstance(bound.type, DayTimeIntervalType):
        raise sql_error(text, node, f"{what} takes an interval of days to seconds; got {name_of(bound.type)}")
    return int(bound.value)


def _checked(name: str, spans: dict[str, int], partition: tuple[int, ...], node: Any, text: str) -> Window:
    size = spans.get("SIZE", spans.get("GAP", 0))
    slide = spans.get("SLIDE", spans.get("STEP", 0))
    offset = spans.get("OFFSET", 0)
    if size <= 0 or (name in ("HOP", "CUMULATE") and slide <= 0):
        raise sql_error(text, node, f"{name}: sizes are longer than nothing; got {spans}")
    if name == "CUMULATE" and size % slide:
        raise sql_error(text, node, f"CUMULATE: SIZE is a multiple of STEP; got {size} and {slide} ms")
    return Window(name, size, slide, offset, partition)


def _free(name: str, taken: set[str]) -> str:
    number, unique = 0, name
    while unique in taken:
        unique, number = f"{name}{number}", number + 1
    taken.add(unique)
    return unique
