"""CAST and TRY_CAST on columns, by Flink's rules: narrowing of integers wraps around, decimals round half up."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from windrow.expressions.distinct_values import by_value
from windrow.expressions.logical_types import (
    NullType,
    arrow_of,
    is_approximate,
    is_binary,
    is_integer,
    is_interval,
    is_numeric,
    is_temporal,
    is_text,
    is_timestamp,
    name_of,
)
from windrow.expressions.moments import by_second
from windrow.expressions.reading import rounded, whole_of, written_reader
from windrow.expressions.text import to_text
from windrow.table import data_types as t
from windrow.table.data_types import LONGEST, DataType


def can_cast(source: DataType, target: DataType) -> bool:
    """Tell whether SQL has a CAST from one type to another."""
    if isinstance(source, NullType) or is_text(source) or is_text(target):
        return not (is_text(source) and isinstance(target, t.ArrayType | t.MapType | t.RowType))
    if is_numeric(source) or isinstance(source, t.BooleanType):
        return is_numeric(target) or isinstance(target, t.BooleanType) or (is_integer(source) and is_interval(target))
    if is_temporal(source) and is_temporal(target):
        return not (isinstance(source, t.DateType) and isinstance(target, t.TimeType))
    if is_binary(source):
        return is_binary(target)
    if is_interval(source):
        return type(source) is type(target)
    if isinstance(source, t.ArrayType) and isinstance(target, t.ArrayType):
        return can_cast(source.element_type, target.element_type)
    if isinstance(source, t.RowType) and isinstance(target, t.RowType):
        pairs = zip(source.field_types(), target.field_types(), strict=False)
        return len(source) == len(target) and all(can_cast(one, other) for one, other in pairs)
    if isinstance(source, t.MapType) and isinstance(target, t.MapType):
        if isinstance(source, t.MultisetType) is not isinstance(target, t.MultisetType):
            return False
        return can_cast(source.key_type, target.key_type) and can_cast(source.value_type, target.value_type)
    return type(source) is type(target)


def cast(
    values: pa.Array, source: DataType, target: DataType, *, strict: bool = True, options: tuple[Any, ...] = ()
) -> pa.Array:
    """The values as a type; where one does not fit an error, or with ``strict`` false NULL.

    Raises:
        ValueError: text that is no value of the type.
    """
    wanted = arrow_of(target)
    zone = str(options[0]) if options else "UTC"
    if isinstance(source, NullType) or pa.types.is_null(values.type):
        return pa.nulls(len(values), wanted)
    if is_text(target):
        return _fitted(_to_text(values, source, zone), target)
    if is_text(source):
        return _from_text(values, target, zone, strict=strict)
    if isinstance(target, t.BooleanType):
        return values if isinstance(source, t.BooleanType) else pc.not_equal(values, pa.scalar(0, values.type))
    if isinstance(target, t.DecimalType):
        return _to_decimal(values, source, target)
    if is_integer(target) and is_numeric(source):
        return _to_integer(values, wanted)
    if isinstance(source, t.BooleanType):
        return values.cast(pa.int8()).cast(wanted)
    if is_temporal(source) and is_temporal(target):
        return _temporal(values, source, target, zone)
    if isinstance(source, t.DecimalType) and is_approximate(target):
        return pa.array([None if value is None else float(value) for value in values.to_pylist()], wanted)
    if isinstance(target, t.ArrayType | t.MapType | t.RowType):
        return _nested(values, source, target, lambda *of: cast(*of, strict=strict, options=options))
    return values if values.type == wanted else values.cast(wanted, safe=False)


def _nested(
    values: pa.Array, source: Any, target: Any, inner: Callable[[pa.Array, DataType, DataType], pa.Array]
) -> pa.Array:
    """Collections of cast elements, and rows of cast fields, by their places: what fields are called says nothing."""
    if isinstance(target, t.RowType):
        kinds = zip(values.flatten(), source.field_types(), target.field_types(), strict=True)
        fields = [inner(*each) for each in kinds]
        mask = values.is_null() if values.null_count else None
        return pa.StructArray.from_arrays(fields, names=target.field_names(), mask=mask)
    # Elements that no value shows, of a slice or behind NULL, are left out: they could fail.
    present = values.drop_null()
    offsets = present.offsets
    start, end = offsets[0].as_py(), offsets[-1].as_py()
    offsets = pc.subtract(offsets, start)
    made: pa.Array
    if isinstance(target, t.ArrayType):
        elements = present.values[start:end]
        made = pa.ListArray.from_arrays(offsets, inner(elements, source.element_type, target.element_type))
    else:
        keys = inner(present.keys[start:end], source.key_type, target.key_type)
        made = pa.MapArray.from_arrays(
            offsets, keys, inner(present.items[start:end], source.value_type, target.value_type)
        )
    made = made.cast(arrow_of(target))
    if not values.null_count:
        return made
    valid = np.asarray(values.is_valid())
    return made.take(pa.array(np.cumsum(valid) - 1, mask=~valid))


def _to_text(values: pa.Array, source: DataType, zone: str) -> pa.Array:
    if is_text(source):
        return values
    if is_integer(source):
        return values.cast(pa.string())
    written = to_text(source, zone)
    if isinstance(source, t.TimestampType | t.LocalZonedTimestampType) and source.precision in (0, 3):
        return _moments_to_text(values, written, source.precision)
    return _each(values, written, pa.string())


def _moments_to_text(values: pa.Array, written: Callable[[Any], str], precision: int) -> pa.Array:
    """Their seconds, each written once, and behind them the digits of milliseconds."""
    if not precision:
        return by_second(values, written, pa.string())
    seconds = by_second(values, lambda moment: written(moment)[:-3], pa.string())
    millis = np.asarray(values.cast(pa.int64()).fill_null(0)) // 1000 % 1000
    digits = pa.array([f"{number:03d}" for number in range(1000)]).take(pa.array(millis))
    return pc.binary_join_element_wise(seconds, digits, "")


def _fitted(values: pa.Array, target: DataType) -> pa.Array:
    """Text cut to its longest length; a CHAR is filled with spaces."""
    length = target.length  # type: ignore[attr-defined]
    if length < LONGEST:
        values = pc.utf8_slice_codeunits(values, 0, length)
    return pc.utf8_rpad(values, length, " ") if isinstance(target, t.CharType) else values


def _from_text(values: pa.Array, target: DataType, zone: str, *, strict: bool) -> pa.Array:
    read = written_reader(target, zone)

    def made(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            if not strict:
                return None
            msg = f"CAST of {text!r} to {name_of(target, nullability=False)}: {error}"
            raise ValueError(msg) from None

    return _each(values, made, arrow_of(target))


def _to_decimal(values: pa.Array, source: DataType, target: t.DecimalType) -> pa.Array:
    if isinstance(source, t.BooleanType):
        values = values.cast(pa.int8())
    if (
        isinstance(source, t.DecimalType)
        and source.scale <= target.scale
        and source.precision - source.scale <= target.precision - target.scale
    ):
        return values.cast(arrow_of(target))

    # Of a fraction the digits that Java writes, which are as few as tell it apart.
    def written(value: Any) -> Any:
        if isinstance(source, t.DoubleType):
            return repr(value)
        return str(np.float32(value)) if isinstance(source, t.FloatType) else value

    return _each(values, lambda value: rounded(Decimal(written(value)), target), arrow_of(target))


def _to_integer(values: pa.Array, wanted: pa.DataType) -> pa.Array:
    if pa.types.is_integer(values.type):
        return values if values.type == wanted else values.cast(wanted, safe=False)
    if pa.types.is_decimal(values.type):
        whole = [None if value is None else _wrapped(int(value), 64) for value in values.to_pylist()]
        return pa.array(whole, pa.int64()).cast(wanted, safe=False)
    bits = 8 * wanted.byte_width
    return _each(values, lambda value: whole_of(value, bits), wanted)


def _wrapped(number: int, bits: int) -> int:
    half = 1 << (bits - 1)
    return (number + half) % (2 * half) - half


def _temporal(values: pa.Array, source: DataType, target: DataType, zone: str) -> pa.Array:
    local = values
    from_zoned, to_zoned = isinstance(source, t.LocalZonedTimestampType), isinstance(target, t.LocalZonedTimestampType)
    if from_zoned and not to_zoned:
        local = local_times(values, zone)
    if isinstance(target, t.DateType):
        return local.cast(pa.date32(), safe=False)
    if isinstance(target, t.TimeType):
        return (
            local
            if isinstance(source, t.TimeType)
            else local.cast(pa.time64("us"), safe=False).cast(pa.time32("ms"), safe=False)
        )
    if isinstance(source, t.TimeType):
        return local.cast(pa.time64("us")).cast(pa.int64()).cast(arrow_of(target))
    made = local.cast(pa.timestamp("us", tz="UTC") if from_zoned and to_zoned else pa.timestamp("us"))
    if is_timestamp(target) and target.precision < 6:  # type: ignore[attr-defined]
        step = 10 ** (6 - target.precision)  # type: ignore[attr-defined]
        made = _floored(made, step)
    return zoned_times(made, zone) if to_zoned and not from_zoned else made


def _floored(values: pa.Array, step: int) -> pa.Array:
    ticks = values.cast(pa.int64())
    whole = np.asarray(ticks.fill_null(0)) // step * step
    return pa.array(whole, pa.int64(), mask=np.asarray(ticks.is_null())).cast(values.type)


def local_times(values: pa.Array, zone: str) -> pa.Array:
    """Points in time as what clocks show in a zone."""
    if zone in ("UTC", "Z"):
        return values.cast(pa.int64()).cast(pa.timestamp("us"))
    return pc.local_timestamp(values.cast(pa.timestamp("us", tz=zone)))


def zoned_times(values: pa.Array, zone: str) -> pa.Array:
    """Make points in time of what clocks show in a zone, as Java does: of two the earlier one.

    Of none it is what clocks would show had they not been put forward yet: 02:30 is 03:30 where 02:00 is 03:00.
    """
    if zone in ("UTC", "Z"):
        return values.cast(pa.int64()).cast(pa.timestamp("us", tz="UTC"))
    found = pc.assume_timezone(values, zone, ambiguous="earliest", nonexistent="latest")
    is_skipped = pc.not_equal(pc.local_timestamp(found), values)
    if pc.any(is_skipped).as_py():
        before = pc.subtract(found, pa.scalar(1, pa.duration("us")))
        missing = pc.subtract(values, pc.local_timestamp(before))
        found = pc.if_else(is_skipped, pc.add(before, missing), found)
    return found.cast(pa.timestamp("us", tz="UTC"))


def last_moments(ends: pa.Array, zone: str) -> pa.Array:
    """The last millisecond before clocks show some times in a zone, and do not go back behind them, as points in time.

    What ends in an hour that there is twice ends in the second one, and in one that is left out where that begins.
    """
    step = pa.scalar(1_000, pa.duration("us"))
    found = [
        pc.assume_timezone(times, zone, ambiguous="latest", nonexistent="latest").cast(pa.int64())
        for times in (pc.subtract(ends, step), ends)
    ]
    last = pc.min_element_wise(found[0], pc.subtract(found[1], 1_000), skip_nulls=False)
    return last.cast(pa.timestamp("us", tz="UTC"))


def _each(values: pa.Array, made: Callable[[Any], Any], kind: pa.DataType) -> pa.Array:
    return by_value(values, made, kind)
