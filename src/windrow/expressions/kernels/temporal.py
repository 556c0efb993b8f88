"""Days, times and spans between them."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from windrow.expressions.casts import local_times, zoned_times
from windrow.expressions.function import AS_INT, AS_LONG, TEXT, TIME_OR_TEXT, Kernel, each, function
from windrow.expressions.logical_types import (
    BIGINT,
    DATE,
    STRING,
    TIMESTAMP_3,
    TIMESTAMP_LTZ_3,
    DayTimeIntervalType,
    YearMonthIntervalType,
    arrow_of,
    is_temporal,
)
from windrow.expressions.moments import by_second
from windrow.expressions.nodes import Call, Literal
from windrow.expressions.reading import written_date, written_timestamp
from windrow.expressions.text import timestamp_text
from windrow.expressions.time_patterns import sql_time, time_pattern
from windrow.table import data_types as t
from windrow.table.data_types import DataType

_SECTION = "Temporal functions"
#: How texts are written that ``DATE_FORMAT`` and ``UNIX_TIMESTAMP`` take for times where no format says it.
WRITTEN = "yyyy-MM-dd HH:mm:ss"
_MICROS = {
    "MICROSECOND": 1,
    "MILLISECOND": 1000,
    "SECOND": 10**6,
    "MINUTE": 60 * 10**6,
    "HOUR": 3600 * 10**6,
    "DAY": 86400 * 10**6,
    "WEEK": 7 * 86400 * 10**6,
}
_MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
_EPOCH = dt.datetime(1970, 1, 1)
#: Of the years that Python's calendar has, in microseconds.
_FIRST_MOMENT, _LAST_MOMENT = -62_135_596_800_000_000, 253_402_300_799_999_999
_SPAN_PARTS = {"SECOND": (1000, 60), "MINUTE": (60_000, 60), "HOUR": (3_600_000, 24), "DAY": (86_400_000, 10**9)}
_OF_A_CLOCK = ("HOUR", "MINUTE", "SECOND", "MILLISECOND")


def plus_months(value: Any, months: int) -> Any:
    """A day so many months later, the last of its month where that one is shorter."""
    year, month = divmod(value.year * 12 + value.month - 1 + months, 12)
    return value.replace(year=year, month=month + 1, day=min(value.day, calendar.monthrange(year, month + 1)[1]))


def _plus(call: Call, values: Sequence[pa.Array], _count: int, sign: int = 1) -> pa.Array:
    moments, spans = values
    if isinstance(call.operands[1].type, YearMonthIntervalType):
        pairs = zip(moments.to_pylist(), spans.to_pylist(), strict=True)
        made = [None if None in pair else plus_months(pair[0], sign * pair[1]) for pair in pairs]
        return pa.array(made, arrow_of(call.type))
    if pa.types.is_date(moments.type):
        days = np.asarray(moments.cast(pa.int32()).fill_null(0), np.int64) + sign * (
            np.asarray(spans.fill_null(0)) // 86_400_000
        )
        missing = np.asarray(pc.or_(moments.is_null(), spans.is_null()))
        return pa.array(days.astype(np.int32), pa.int32(), mask=missing).cast(pa.date32())
    if pa.types.is_time(moments.type):
        ticks = pc.add(moments.cast(pa.int32()).cast(pa.int64()), pc.multiply(spans, sign))
        wrapped = np.asarray(ticks.fill_null(0)) % 86_400_000
        return pa.array(wrapped.astype(np.int32), pa.int32(), mask=np.asarray(ticks.is_null())).cast(pa.time32("ms"))
    ticks = pc.add(moments.cast(pa.int64()), pc.multiply(spans, sign * 1000))
    return ticks.cast(arrow_of(call.type))


def _minus(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
    return _plus(call, values, count, -1)


def _span_plus(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    return pc.add(*values)


def _span_minus(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    return pc.subtract(*values)


def _span_times(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    wanted = arrow_of(call.type)
    return pc.multiply(*[value.cast(wanted, safe=False) for value in values])


def _local(value: Any, zone: str) -> Any:
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        return value.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    return value


_PARTS: dict[str, Any] = {
    "YEAR": lambda v: v.year,
    "QUARTER": lambda v: (v.month - 1) // 3 + 1,
    "MONTH": lambda v: v.month,
    "WEEK": lambda v: v.isocalendar()[1],
    "ISOYEAR": lambda v: v.isocalendar()[0],
    "DAY": lambda v: v.day,
    "DOW": lambda v: v.isoweekday() % 7 + 1,
    "ISODOW": lambda v: v.isoweekday(),
    "DOY": lambda v: v.timetuple().tm_yday,
    "HOUR": lambda v: getattr(v, "hour", 0),
    "MINUTE": lambda v: getattr(v, "minute", 0),
    "SECOND": lambda v: getattr(v, "second", 0),
    "MILLISECOND": lambda v: getattr(v, "second", 0) * 1000 + getattr(v, "microsecond", 0) // 1000,
    "CENTURY": lambda v: (v.year + 99) // 100,
    "DECADE": lambda v: v.year // 10,
    "MILLENNIUM": lambda v: (v.year + 999) // 1000,
    "EPOCH": lambda v: int((_as_datetime(v) - _EPOCH) // dt.timedelta(seconds=1)),
}


def units_of(function_name: str, kind: DataType) -> tuple[str, ...]:
    """The units that EXTRACT, FLOOR, CEIL, TIMESTAMPADD and TIMESTAMPDIFF have for a type.

    Example:
        >>> units_of("EXTRACT", t.TimeType())
        ('HOUR', 'MINUTE', 'SECOND', 'MILLISECOND')
        >>> units_of("FLOOR", BIGINT)
        ()
    """
    if function_name == "EXTRACT" and isinstance(kind, DayTimeIntervalType):
        return tuple(_SPAN_PARTS)
    if not is_temporal(kind):
        return ()
    if isinstance(kind, t.TimeType):
        return {"EXTRACT": _OF_A_CLOCK, "FLOOR": _OF_A_CLOCK[:3]}.get(function_name, ())
    if function_name == "EXTRACT":
        return tuple(_PARTS)
    return (*_MONTHS, *_MICROS)


def _as_datetime(value: Any) -> dt.datetime:
    return value if isinstance(value, dt.datetime) else dt.datetime(value.year, value.month, value.day)


def _extract(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    unit, zone = call.options
    part = _PARTS[unit]
    zone = "UTC" if unit == "EPOCH" else zone  # a point in time is so many seconds behind it everywhere

    def one(value: Any) -> int:
        return int(part(_local(value, zone)))

    if pa.types.is_timestamp(values[0].type) and unit != "MILLISECOND":
        return by_second(values[0], one, pa.int64())
    return pa.array([None if value is None else one(value) for value in values[0].to_pylist()], pa.int64())


def _extract_from_span(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    unit = call.options[0]
    size, modulus = _SPAN_PARTS[unit]
    signed = [(None, 0) if v is None else (abs(v), -1 if v < 0 else 1) for v in values[0].to_pylist()]
    return pa.array([None if v is None else sign * (v // size % modulus) for v, sign in signed], pa.int64())


def _floor_one(value: Any, unit: str) -> Any:
    if not isinstance(value, dt.datetime):
        if isinstance(value, dt.time):
            minute = 0 if unit == "HOUR" else value.minute
            second = 0 if unit in ("HOUR", "MINUTE") else value.second
            return value.replace(minute=minute, second=second, microsecond=0)
        floored = _floor_one(dt.datetime(value.year, value.month, value.day), unit)
        return floored.date()
    if unit in ("YEAR", "QUARTER", "MONTH"):
        month = {"YEAR": 1, "QUARTER": (value.month - 1) // 3 * 3 + 1}.get(unit, value.month)
        return value.replace(month=month, day=1, hour=0, minute=0, second=0, microsecond=0)
    if unit == "WEEK":
        day = value.replace(hour=0, minute=0, second=0, microsecond=0)
        return day - dt.timedelta(days=(day.weekday() + 1) % 7)
    step = dt.timedelta(microseconds=_MICROS[unit])
    origin = _EPOCH.replace(tzinfo=value.tzinfo)
    return origin + (value - origin) // step * step


def _ceil_one(value: Any, unit: str) -> Any:
    floored = _floor_one(value, unit)
    if floored == value:
        return value
    if unit in _MONTHS:
        return plus_months(floored, _MONTHS[unit])
    return floored + dt.timedelta(microseconds=_MICROS[unit])


_WITHIN_A_DAY = ("HOUR", "MINUTE", "SECOND", "MILLISECOND")


def _to_unit(one: Any, *, up: bool) -> Kernel:
    def kernel(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
        unit, zone = call.options
        zoned = isinstance(call.type, t.LocalZonedTimestampType)
        times, kind = (local_times(values[0], zone), pa.timestamp("us")) if zoned else (values[0], arrow_of(call.type))
        if pa.types.is_timestamp(times.type) and _MICROS.get(unit, _MICROS["DAY"]) >= _MICROS["SECOND"]:
            made = by_second(times, lambda value: one(value, unit), kind, up=up)
        else:
            made = pa.array([None if value is None else one(value, unit) for value in times.to_pylist()], kind)
        if zoned and unit in _WITHIN_A_DAY:  # an hour that there is twice stays the one that it is
            return pc.add(values[0].cast(pa.timestamp("us", tz="UTC")), pc.subtract(made, times))
        return zoned_times(made, zone) if zoned else made

    return kernel


def _timestamp_add(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    unit = call.options[0]

    def one(count: int, value: Any) -> Any:
        if unit in _MONTHS:
            return plus_months(value, count * _MONTHS[unit])
        moment = _as_datetime(value) if isinstance(call.type, t.TimestampType) else value
        return moment + dt.timedelta(microseconds=count * _MICROS[unit])

    return each(one)(call, values, _count)


def _months_between(first: dt.datetime, second: dt.datetime) -> int:
    """Whole months from the first to the second."""
    if first > second:
        return -_months_between(second, first)
    months = (second.year - first.year) * 12 + second.month - first.month
    return months - int(plus_months(first, months) > second)


def _timestamp_diff(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    unit = call.options[0]

    def one(first: Any, second: Any) -> int:
        start, end = _as_datetime(first), _as_datetime(second)
        if unit in _MONTHS:
            months = _months_between(start, end)
            return int(months / _MONTHS[unit])
        micros = (end - start) // dt.timedelta(microseconds=1)
        whole = abs(micros) // _MICROS[unit]
        return whole if micros >= 0 else -whole

    return each(one)(call, values, _count)


def _to_timestamp(text: str, pattern: str | None = None) -> dt.datetime | None:
    if pattern is None:
        try:
            return written_timestamp(text, 3)
        except ValueError:
            return None
    found = time_pattern(pattern).read(text)
    return sql_time(text) if found is None else found


def _to_date(text: str, pattern: str | None = None) -> dt.date | None:
    try:
        if pattern is None:
            return written_date(text)
    except ValueError:
        return None
    found = time_pattern(pattern).read(text, lenient=True)
    return None if found is None else found.date()


def _to_timestamp_ltz(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    """NULL for what no calendar of four digits has, as Flink's ``DateTimeUtils`` has it."""
    given, *precisions = values
    numbers = np.asarray(given.fill_null(0))
    missing = np.asarray(given.is_null())
    micros: Any = 1000
    if precisions:
        micros = np.where(np.asarray(precisions[0].fill_null(3)) == 0, 10**6, 1000)
        missing = missing | np.asarray(precisions[0].is_null())
    missing = missing | (numbers < _FIRST_MOMENT // micros) | (numbers > _LAST_MOMENT // micros)
    return pa.array(np.where(missing, 0, numbers) * micros, pa.int64(), mask=missing).cast(arrow_of(call.type))


def _date_format(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
    zone = call.options[0]

    def one(value: Any, pattern: str) -> str | None:
        is_text = isinstance(value, str)
        moment = time_pattern(WRITTEN).read(value, lenient=True) if is_text else _as_datetime(_local(value, zone))
        return None if moment is None else time_pattern(pattern).write(moment)

    pattern = call.operands[1]
    text = pattern.value if isinstance(pattern, Literal) else None
    if text is not None and pa.types.is_timestamp(values[0].type) and not time_pattern(text).shows("S"):
        return by_second(values[0], lambda value: one(value, text), arrow_of(call.type))
    return each(one)(call, values, count)


def _from_unixtime(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
    zone = ZoneInfo(call.options[0])

    def one(seconds: int, pattern: str = "yyyy-MM-dd HH:mm:ss") -> str:
        return time_pattern(pattern).write(dt.datetime.fromtimestamp(seconds, zone))

    return each(one)(call, values, count)


def _unix_timestamp(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
    zone = ZoneInfo(call.options[0])

    def one(text: str, pattern: str = WRITTEN) -> int:
        found = time_pattern(pattern).read(text, lenient=True)
        return -(2**63) if found is None else int(found.replace(tzinfo=zone).timestamp())

    return each(one)(call, values, count)


def _convert_tz(text: str, source: str, target: str) -> str | None:
    try:
        moment = written_timestamp(text, 0).replace(tzinfo=ZoneInfo(source))
    except (ValueError, KeyError):
        return None
    return timestamp_text(moment.astimezone(ZoneInfo(target)), 0)


def _overlaps(first: Any, first_end: Any, second: Any, second_end: Any) -> bool:
    (a, b), (c, d) = sorted([first, first_end]), sorted([second, second_end])
    return bool(a <= d and c <= b)


OPERATORS: dict[str, Kernel] = {
    "TIME +": _plus,
    "TIME -": _minus,
    "SPAN +": _span_plus,
    "SPAN -": _span_minus,
    "SPAN *": _span_times,
    "EXTRACT": _extract,
    "EXTRACT SPAN": _extract_from_span,
    "FLOOR TO": _to_unit(_floor_one, up=False),
    "CEIL TO": _to_unit(_ceil_one, up=True),
    "TIMESTAMPADD": _timestamp_add,
    "TIMESTAMPDIFF": _timestamp_diff,
    "OVERLAPS": each(_overlaps),
}

function("TO_DATE", _SECTION, [TEXT, TEXT], DATE, each(_to_date), required=1, nullable=True)
function("TO_TIMESTAMP", _SECTION, [TEXT, TEXT], TIMESTAMP_3, each(_to_timestamp), required=1, nullable=True)
function("TO_TIMESTAMP_LTZ", _SECTION, [AS_LONG, AS_INT], TIMESTAMP_LTZ_3, _to_timestamp_ltz, required=1, nullable=True)
function("DATE_FORMAT", _SECTION, [TIME_OR_TEXT, TEXT], STRING, _date_format, nullable=True)
function("FROM_UNIXTIME", _SECTION, [AS_LONG, TEXT], STRING, _from_unixtime, required=1, nullable=True)
function("UNIX_TIMESTAMP", _SECTION, [TEXT, TEXT], BIGINT, _unix_timestamp, required=1)
function("CONVERT_TZ", _SECTION, [TEXT, TEXT, TEXT], STRING, each(_convert_tz), nullable=True)
