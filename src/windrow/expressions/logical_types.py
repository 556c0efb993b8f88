"""Types as SQL has them: families, names as Flink prints them, the type that two have in common, Arrow's form."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyarrow as pa

from windrow.table import data_types as t
from windrow.table.data_types import LONGEST, DataType


class NullType(t.AtomicType):
    """The type of NULL by itself."""


class DayTimeIntervalType(t.AtomicType):
    """Milliseconds."""


class YearMonthIntervalType(t.AtomicType):
    """Months."""


BOOLEAN, INT, BIGINT, DOUBLE = t.BooleanType(), t.IntType(), t.BigIntType(), t.DoubleType()
STRING, BYTES, DATE = t.VarCharType(LONGEST), t.VarBinaryType(LONGEST), t.DateType()
TIMESTAMP_3, TIMESTAMP_LTZ_3 = t.TimestampType(3), t.LocalZonedTimestampType(3)
DAY_TIME, YEAR_MONTH, NULL = DayTimeIntervalType(), YearMonthIntervalType(), NullType()

_INTEGERS: list[type[DataType]] = [t.TinyIntType, t.SmallIntType, t.IntType, t.BigIntType]
_DIGITS = {t.TinyIntType: 3, t.SmallIntType: 5, t.IntType: 10, t.BigIntType: 19}


def is_text(kind: DataType) -> bool:
    """Tell whether it is CHAR or VARCHAR."""
    return isinstance(kind, t.CharType | t.VarCharType)


def is_integer(kind: DataType) -> bool:
    """Tell whether it is a type of whole numbers: TINYINT to BIGINT."""
    return isinstance(kind, t.IntegralType)


def is_numeric(kind: DataType) -> bool:
    """Tell whether it is a type of numbers, exact or approximate."""
    return isinstance(kind, t.NumericType)


def is_approximate(kind: DataType) -> bool:
    """Tell whether it is a type of binary fractions: FLOAT or DOUBLE."""
    return isinstance(kind, t.FloatType | t.DoubleType)


def is_interval(kind: DataType) -> bool:
    """Tell whether it is a span of time, in milliseconds or in months."""
    return isinstance(kind, DayTimeIntervalType | YearMonthIntervalType)


def is_timestamp(kind: DataType) -> bool:
    """Tell whether it is a day with a time of day: TIMESTAMP or TIMESTAMP_LTZ."""
    return isinstance(kind, t.TimestampType | t.LocalZonedTimestampType)


def is_temporal(kind: DataType) -> bool:
    """Tell whether it is a day, a time of day, or both."""
    return isinstance(kind, t.DateType | t.TimeType) or is_timestamp(kind)


def is_binary(kind: DataType) -> bool:
    """Tell whether it is BINARY or VARBINARY."""
    return isinstance(kind, t.BinaryType | t.VarBinaryType)


def with_nullability(kind: DataType, nullable: bool) -> DataType:
    """The type with or without NULL."""
    return kind.nullable() if nullable else kind.not_null()


def may_be_null(kind: DataType) -> bool:
    """Tell whether NULL is a value of the type."""
    return kind._nullable


def same_but_null(first: DataType, second: DataType) -> bool:
    """Tell whether two types differ at most in NULL."""
    return first.nullable() == second.nullable()


#: Types that are written otherwise where they are read again; names in backticks are left as they are.
_IN_FULL = {"STRING": f"VARCHAR({LONGEST})", "BYTES": f"VARBINARY({LONGEST})"}
_WORDS = re.compile(r"`(?:[^`]|``)*`|TIMESTAMP_LTZ\((\d)\)|\w+")


def name_of(kind: DataType, *, nullability: bool = True) -> str:
    """The type as Flink prints it.

    Example:
        >>> name_of(t.DecimalType(10, 2, nullable=False)), name_of(t.VarCharType(LONGEST))
        ('DECIMAL(10, 2) NOT NULL', 'STRING')
    """
    text = _name(kind)
    return text if may_be_null(kind) or not nullability or isinstance(kind, NullType) else f"{text} NOT NULL"


def full_name_of(kind: DataType) -> str:
    """The type as Flink writes it to read it again: text and bytes of any length by that, zones in words.

    Example:
        >>> full_name_of(t.MapType(t.VarCharType(LONGEST), t.LocalZonedTimestampType(3)))
        'MAP<VARCHAR(2147483647), TIMESTAMP(3) WITH LOCAL TIME ZONE>'
    """

    def written(found: re.Match[str]) -> str:
        return f"TIMESTAMP({found[1]}) WITH LOCAL TIME ZONE" if found[1] else _IN_FULL.get(found[0], found[0])

    return _WORDS.sub(written, name_of(kind))


def _name(kind: DataType) -> str:
    match kind:
        case t.VarCharType(length=length):
            return "STRING" if length == LONGEST else f"VARCHAR({length})"
        case t.CharType(length=length):
            return f"CHAR({length})"
        case t.VarBinaryType(length=length):
            return "BYTES" if length == LONGEST else f"VARBINARY({length})"
        case t.BinaryType(length=length):
            return f"BINARY({length})"
        case t.DecimalType():
            return f"DECIMAL({kind.precision}, {kind.scale})"
        case t.TimeType():
            return f"TIME({kind.precision})"
        case t.TimestampType():
            return f"TIMESTAMP({kind.precision})"
        case t.LocalZonedTimestampType():
            return f"TIMESTAMP_LTZ({kind.precision})"
        case t.IntType():
            return "INT"
        case DayTimeIntervalType():
            return "INTERVAL SECOND(3)"
        case YearMonthIntervalType():
            return "INTERVAL MONTH"
        case t.ArrayType():
            return f"ARRAY<{name_of(kind.element_type)}>"
        case t.MultisetType():
            return f"MULTISET<{name_of(kind.element_type)}>"
        case t.MapType():
            return f"MAP<{name_of(kind.key_type)}, {name_of(kind.value_type)}>"
        case t.RowType():
            return f"ROW<{', '.join(f'`{field.name}` {name_of(field.data_type)}' for field in kind.fields)}>"
    return kind.type_name().upper()


def arrow_of(kind: DataType) -> pa.DataType:
    """Arrow's form of a type's values.

    Example:
        >>> arrow_of(t.TimestampType(3))
        TimestampType(timestamp[us])
    """
    match kind:
        case t.CharType() | t.VarCharType():
            return pa.string()
        case t.BinaryType() | t.VarBinaryType():
            return pa.binary()
        case t.DecimalType():
            return pa.decimal128(kind.precision, kind.scale)
        case t.TimestampType():
            return pa.timestamp("us")
        case t.LocalZonedTimestampType():
            return pa.timestamp("us", tz="UTC")
        case t.ArrayType():
            return pa.list_(arrow_of(kind.element_type))
        case t.MapType():
            return pa.map_(arrow_of(kind.key_type), arrow_of(kind.value_type))
        case t.RowType():
            return pa.struct([(field.name, arrow_of(field.data_type)) for field in kind.fields])
    return _PLAIN[type(kind)]


_PLAIN: dict[type[DataType], pa.DataType] = {
    t.BooleanType: pa.bool_(),
    t.TinyIntType: pa.int8(),
    t.SmallIntType: pa.int16(),
    t.IntType: pa.int32(),
    t.BigIntType: pa.int64(),
    t.FloatType: pa.float32(),
    t.DoubleType: pa.float64(),
    t.DateType: pa.date32(),
    t.TimeType: pa.time32("ms"),
    DayTimeIntervalType: pa.int64(),
    YearMonthIntervalType: pa.int32(),
    NullType: pa.null(),
}


def as_decimal(kind: DataType) -> t.DecimalType:
    """The decimal type that holds all values of a type of exact numbers."""
    if isinstance(kind, t.DecimalType):
        return kind
    return t.DecimalType(_DIGITS[type(kind)], 0, may_be_null(kind))  # type: ignore[index]


def adjusted(precision: int, scale: int) -> t.DecimalType:
    """A decimal type with 38 digits at most: digits behind the point are given up beyond six.

    Flink's ``LogicalTypeMerging.adjustPrecisionScale``.
    """
    if precision <= 38:
        return t.DecimalType(precision, scale)
    before = precision - scale
    return t.DecimalType(38, max(38 - before, min(scale, 6)))


def common(kinds: Sequence[DataType]) -> DataType | None:
    """The type that all of these can be made without loss; None if there is none.

    Example:
        >>> common([INT, t.DecimalType(4, 2)])
        DecimalType(12, 2, true)
    """
    known = [kind for kind in kinds if not isinstance(kind, NullType)]
    if not known:
        return NULL
    found: DataType | None = known[0]
    for kind in known[1:]:
        found = None if found is None else _common(found, kind)
    if found is None:
        return None
    return with_nullability(found, len(known) < len(kinds) or any(may_be_null(kind) for kind in kinds))


def _common(first: DataType, second: DataType) -> DataType | None:
    if same_but_null(first, second):
        return first
    if is_text(first) and is_text(second):
        lengths = first.length, second.length  # type: ignore[attr-defined]
        longest = max(lengths)
        both_char = isinstance(first, t.CharType) and isinstance(second, t.CharType)
        return t.CharType(longest) if both_char and lengths[0] == lengths[1] else t.VarCharType(longest)
    if is_numeric(first) and is_numeric(second):
        return _common_number(first, second)
    if is_binary(first) and is_binary(second):
        return t.VarBinaryType(max(first.length, second.length))  # type: ignore[attr-defined]
    if is_timestamp(first) and is_timestamp(second):
        precision = max(first.precision, second.precision)  # type: ignore[attr-defined]
        zoned = isinstance(first, t.LocalZonedTimestampType) or isinstance(second, t.LocalZonedTimestampType)
        return t.LocalZonedTimestampType(precision) if zoned else t.TimestampType(precision)
    if isinstance(first, t.DateType) and is_timestamp(second):
        return second
    if isinstance(second, t.DateType) and is_timestamp(first):
        return first
    if isinstance(first, t.TimeType) and isinstance(second, t.TimeType):
        return t.TimeType(max(first.precision, second.precision))
    if isinstance(first, t.ArrayType) and isinstance(second, t.ArrayType):
        element = common([first.element_type, second.element_type])
        return None if element is None else t.ArrayType(element)
    if isinstance(first, t.MultisetType) or isinstance(second, t.MultisetType):
        if not (isinstance(first, t.MultisetType) and isinstance(second, t.MultisetType)):
            return None
        element = common([first.element_type, second.element_type])
        return None if element is None else t.MultisetType(element)
    if isinstance(first, t.MapType) and isinstance(second, t.MapType):
        key, value = common([first.key_type, second.key_type]), common([first.value_type, second.value_type])
        return None if key is None or value is None else t.MapType(key, value)
    return None


def _common_number(first: DataType, second: DataType) -> DataType:
    if is_approximate(first) or is_approximate(second):
        # Beside a decimal number a DOUBLE, beside an integer what it is; of FLOAT and DOUBLE the first, as in Calcite.
        if isinstance(first, t.DecimalType) or isinstance(second, t.DecimalType):
            return t.DoubleType()
        return first if is_approximate(first) else second
    if is_integer(first) and is_integer(second):
        return max((first, second), key=lambda kind: _INTEGERS.index(type(kind)))
    one, other = as_decimal(first), as_decimal(second)
    scale = max(one.scale, other.scale)
    return adjusted(max(one.precision - one.scale, other.precision - other.scale) + scale, scale)
