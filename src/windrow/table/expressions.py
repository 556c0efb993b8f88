"""The functions that expressions of the Table API begin with (PyFlink's module of the same name)."""

from __future__ import annotations

from typing import Any

from windrow.absent.explained import module_getattr
from windrow.common.checks import instance_of, text
from windrow.table.data_types import DataType
from windrow.table.expression import Expression, JsonOnNull, TimePointUnit

__all__ = [
    "CURRENT_RANGE",
    "CURRENT_ROW",
    "UNBOUNDED_RANGE",
    "UNBOUNDED_ROW",
    "and_",
    "array",
    "atan2",
    "call",
    "call_sql",
    "coalesce",
    "col",
    "concat",
    "concat_ws",
    "convert_tz",
    "current_database",
    "current_date",
    "current_time",
    "current_timestamp",
    "current_watermark",
    "date_format",
    "e",
    "from_unixtime",
    "if_then_else",
    "json",
    "json_array",
    "json_array_agg",
    "json_object",
    "json_object_agg",
    "json_string",
    "lag",
    "lit",
    "local_time",
    "local_timestamp",
    "log",
    "map_",
    "map_from_arrays",
    "negative",
    "not_",
    "null_of",
    "or_",
    "pi",
    "rand",
    "rand_integer",
    "range_",
    "row",
    "row_interval",
    "temporal_overlaps",
    "timestamp_diff",
    "to_date",
    "to_timestamp",
    "to_timestamp_ltz",
    "unix_timestamp",
    "uuid",
    "with_all_columns",
    "with_columns",
    "without_columns",
]

#: How far a window of ``Over`` reaches: as far as there are rows, or up to the current one.
UNBOUNDED_ROW = Expression("bound", "ROWS", "UNBOUNDED")
UNBOUNDED_RANGE = Expression("bound", "RANGE", "UNBOUNDED")
CURRENT_ROW = Expression("bound", "ROWS", "CURRENT ROW")
CURRENT_RANGE = Expression("bound", "RANGE", "CURRENT ROW")


def col(name: str) -> Expression:
    """A column by its name; ``*`` is all of them.

    Example:
        >>> col("a").alias("b")
        alias(col(a), b)
    """
    return Expression("col", text(name, "name"))


def with_all_columns() -> Expression:
    """All columns: ``col("*")``."""
    return col("*")


def range_(start: str | int, end: str | int) -> Expression:
    """Columns from one to another one, by names or by places from 1 on, for ``with_columns`` and its opposite."""
    return Expression("range", start, end)


def with_columns(head: Any, *tails: Any) -> Expression:
    """Some columns: ``with_columns(col("a"), range_("c", "e"), 7)``.

    Example:
        >>> with_columns(range_(1, 2), col("d"))
        columns(True, range(1, 2), col(d))
    """
    return Expression("columns", True, head, *tails)


def without_columns(head: Any, *tails: Any) -> Expression:
    """All columns but some."""
    return Expression("columns", False, head, *tails)


def lit(v: Any, data_type: DataType | None = None) -> Expression:
    """A value: a number, text, bool, ``Decimal``, date, time or None; with a type it is cast to that.

    Example:
        >>> lit(10).minutes
        interval(lit(10), MINUTE)
    """
    made = Expression("lit", v)
    return made if data_type is None else made.cast(data_type)


def null_of(data_type: DataType) -> Expression:
    """NULL of a type."""
    return lit(None, instance_of(data_type, DataType, "data_type"))


def call(f: Any, *args: Any) -> Expression:
    """A function of SQL by its name, or one of the program's own, as ``udf`` gives it.

    Example:
        >>> call("UPPER", col("a"))
        UPPER(col(a))
    """
    if isinstance(f, str):
        return Expression("call", f, *args)
    return Expression("own", f, *args)


def call_sql(sql_expression: str) -> Expression:
    """An expression as it is written in SQL."""
    return Expression("sql", text(sql_expression, "sql_expression"))


def and_(predicate0: Any, predicate1: Any, *predicates: Any) -> Expression:
    """True if all are true."""
    return _joined("AND", predicate0, predicate1, *predicates)


def or_(predicate0: Any, predicate1: Any, *predicates: Any) -> Expression:
    """True if one of them is true."""
    return _joined("OR", predicate0, predicate1, *predicates)


def not_(expression: Any) -> Expression:
    """True of false, false of true, and NULL of NULL."""
    return Expression("NOT", expression)


def negative(v: Any) -> Expression:
    """The number with the other sign."""
    return Expression("NEGATE", v)


def if_then_else(condition: Any, if_true: Any, if_false: Any) -> Expression:
    """One value where the condition is true, and else another one."""
    return call("IF", condition, if_true, if_false)


def coalesce(*args: Any) -> Expression:
    """The first value that is not NULL."""
    return call("COALESCE", *args)


def concat(first: Any, *others: Any) -> Expression:
    """Texts as one; NULL if one of them is."""
    return call("CONCAT", first, *others)


def concat_ws(separator: Any, first: Any, *others: Any) -> Expression:
    """Texts as one, with a separator between them; those that are NULL are left out."""
    return call("CONCAT_WS", separator, first, *others)


def row(head: Any, *tail: Any) -> Expression:
    """A row of values."""
    return call("ROW", head, *tail)


def array(head: Any, *tail: Any) -> Expression:
    """An array of values."""
    return call("ARRAY", head, *tail)


def map_(key: Any, value: Any, *tail: Any) -> Expression:
    """A map of keys and values in turn."""
    return call("MAP", key, value, *tail)


def map_from_arrays(key: Any, value: Any) -> Expression:
    """A map of an array of keys and one of values."""
    return call("MAP_FROM_ARRAYS", key, value)


def row_interval(rows: int) -> Expression:
    """So many rows, for a window of ``Over``."""
    return Expression("rows", rows)


def current_date() -> Expression:
    """The day that it is now."""
    return call("CURRENT_DATE")


def current_database() -> Expression:
    """The name of the one database that there is, ``default_database``."""
    return call("CURRENT_DATABASE")


def current_timestamp() -> Expression:
    """The time that it is now, as a point in time."""
    return call("CURRENT_TIMESTAMP")


def current_time() -> Expression:
    """The time of day that clocks show now, in the session's time zone."""
    return call("CURRENT_TIME")


def local_time() -> Expression:
    """The time of day that clocks show now, in the session's time zone."""
    return call("LOCALTIME")


def current_watermark(rowtimeAttribute: Any) -> Expression:  # noqa: N803  (PyFlink's name)
    """The watermark of rows with this time attribute of event time; NULL while there is none.

    Filters late rows: ``col("ts") > current_watermark(col("ts"))`` is NULL before the first watermark.
    """
    return call("CURRENT_WATERMARK", rowtimeAttribute)


def local_timestamp() -> Expression:
    """The time that clocks show now, in the session's time zone."""
    return call("LOCALTIMESTAMP")


def to_date(date_str: Any, format: Any = None) -> Expression:  # noqa: A002
    """The day that text says, by a format of Java's."""
    return call("TO_DATE", *[each for each in (date_str, format) if each is not None])


def to_timestamp(timestamp_str: Any, format: Any = None) -> Expression:  # noqa: A002
    """The TIMESTAMP that text says, by a format of Java's."""
    return call("TO_TIMESTAMP", *[each for each in (timestamp_str, format) if each is not None])


def to_timestamp_ltz(*args: Any) -> Expression:
    """The point in time that a number since 1970 says, in units of a precision (0: seconds, 3: milliseconds)."""
    return call("TO_TIMESTAMP_LTZ", *args)


def date_format(timestamp: Any, format: Any) -> Expression:  # noqa: A002
    """A time as text, by a format of Java's."""
    return call("DATE_FORMAT", timestamp, format)


def from_unixtime(unixtime: Any, format: Any = None) -> Expression:  # noqa: A002
    """Seconds since 1970 as text, by a format of Java's, in the session's time zone."""
    return call("FROM_UNIXTIME", *[each for each in (unixtime, format) if each is not None])


def unix_timestamp(date_str: Any = None, format: Any = None) -> Expression:  # noqa: A002
    """Seconds since 1970 of the time that text says, by a format of Java's."""
    return call("UNIX_TIMESTAMP", *[each for each in (date_str, format) if each is not None])


def convert_tz(date_str: Any, tz_from: Any, tz_to: Any) -> Expression:
    """The time, as text, that clocks of one time zone show when those of another one show the text's."""
    return call("CONVERT_TZ", date_str, tz_from, tz_to)


def timestamp_diff(time_point_unit: TimePointUnit, time_point1: Any, time_point2: Any) -> Expression:
    """The number of units of time from one time to another."""
    unit = instance_of(time_point_unit, TimePointUnit, "time_point_unit").name
    return Expression("unit first", "TIMESTAMPDIFF", unit, time_point1, time_point2)


def temporal_overlaps(
    left_time_point: Any, left_temporal: Any, right_time_point: Any, right_temporal: Any
) -> Expression:
    """True if two periods have a moment in common: each has a start, and an end or a span (``lit(1).hour``)."""
    return Expression("overlaps", left_time_point, left_temporal, right_time_point, right_temporal)


def json_object(on_null: JsonOnNull = JsonOnNull.NULL, *args: Any) -> Expression:
    """An object of JSON as text, of keys and values in turn.

    Args:
        on_null: Whether NULL is null, or is left out.
        args: Texts, and behind each its value.

    Example:
        >>> json_object(JsonOnNull.NULL, "a", col("b"))
        json made(JSON_OBJECT, NULL, a, col(b))
    """
    return Expression("json made", "JSON_OBJECT", on_null.name, *args)


def json_array(on_null: JsonOnNull = JsonOnNull.ABSENT, *args: Any) -> Expression:
    """An array of JSON as text; ``on_null`` says whether NULL is null, or is left out."""
    return Expression("json made", "JSON_ARRAY", on_null.name, *args)


def json_string(value: Any) -> Expression:
    """A value as JSON."""
    return call("JSON_STRING", value)


def json(value: Any) -> Expression:
    """Text that is JSON already, as a value of :func:`json_object` or :func:`json_array`, where alone it may stand.

    Example:
        >>> json_array(JsonOnNull.ABSENT, json(col("text")), 1)
        json made(JSON_ARRAY, ABSENT, JSON(col(text)), 1)
    """
    return call("JSON", value)


def json_object_agg(on_null: JsonOnNull, key_expr: Any, value_expr: Any) -> Expression:
    """An aggregate: an object of JSON as text, of a key and a value of each row.

    Args:
        on_null: Whether NULL is null, or is left out.
        key_expr: Texts, each of which may be there once.
        value_expr: What stands behind them.

    Example:
        >>> json_object_agg(JsonOnNull.NULL, col("name"), col("amount"))
        json made(JSON_OBJECTAGG, NULL, col(name), col(amount))
    """
    return Expression("json made", "JSON_OBJECTAGG", on_null.name, key_expr, value_expr)


def json_array_agg(on_null: JsonOnNull, item_expr: Any) -> Expression:
    """An aggregate: an array of JSON as text; ``on_null`` says whether NULL is null, or is left out."""
    return Expression("json made", "JSON_ARRAYAGG", on_null.name, item_expr)


def lag(expr: Any, offset: Any = 1, default: Any = None) -> Expression:
    """The value of a row before this one, for ``over``."""
    return call("LAG", expr, offset) if default is None else call("LAG", expr, offset, default)


def atan2(y: Any, x: Any) -> Expression:
    """The angle of a point, in radians."""
    return call("ATAN2", y, x)


def log(v: Any, base: Any = None) -> Expression:
    """The logarithm to a base; without one the natural one."""
    return call("LN", v) if base is None else call("LOG", base, v)


def pi() -> Expression:
    """The number pi."""
    return call("PI")


def e() -> Expression:
    """The base of the natural logarithm."""
    return call("E")


def rand(seed: Any = None) -> Expression:
    """A random number from 0 to 1."""
    return call("RAND", *([] if seed is None else [seed]))


def rand_integer(bound: Any, seed: Any = None) -> Expression:
    """A random whole number from 0 to below ``bound``."""
    return call("RAND_INTEGER", *([bound] if seed is None else [seed, bound]))


def uuid() -> Expression:
    """A random UUID."""
    return call("UUID")


def _joined(operator: str, first: Any, *others: Any) -> Expression:
    made = first
    for each in others:
        made = Expression(operator, made, each)
    return made  # type: ignore[no-any-return]


__getattr__ = module_getattr(__name__)
