"""Rows that are made up: the connector ``datagen``."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from typing import Any, NoReturn

from windrow.common.typeinfo import Types
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.connectors.datagen.rate_limiter import RateLimiterStrategy
from windrow.connectors.datagen.source import DataGeneratorSource
from windrow.datastream.streams.data_stream import DataStream
from windrow.expressions import reading
from windrow.expressions.logical_types import is_approximate, is_binary, is_integer, is_numeric, is_text, name_of
from windrow.operators.table.rows import ToTuplesOperator
from windrow.sql.plan import Column
from windrow.table import data_types as t
from windrow.table.connectors import made_values as made
from windrow.table.connectors.errors import TableError
from windrow.table.connectors.options import Options
from windrow.table.data_types import LONGEST, DataType

_RATE = 10_000
#: How long texts and bytes without a length of their type are, and how many elements collections have.
_LENGTH, _ELEMENTS = 100, 3
_NO_CHANCE = random.Random(0)


class Generator:
    """Makes the row of a number.

    Args:
        columns: What is made.
        makes: What makes each column's value: of the row's number, and of chance.
        count: How many rows there are; None: no end.
        rate: How many a second.
    """

    def __init__(self, columns: Sequence[Column], makes: Sequence[Any], count: int | None, rate: int) -> None:
        self._columns, self._makes, self._count, self._rate = list(columns), list(makes), count, rate

    def stream(self, environment: Any, name: str) -> DataStream:
        """The rows as a stream of tuples."""
        from windrow.datastream.streams.program import factory

        count = 2**63 - 1 if self._count is None else self._count
        limit = RateLimiterStrategy.per_second(self._rate)
        source = DataGeneratorSource(RowOfNumber(self._makes), count, limit, Types.PICKLED_BYTE_ARRAY())
        rows = environment.from_source(source, WatermarkStrategy.no_watermarks(), name)
        names, types = [each.name for each in self._columns], [each.type for each in self._columns]
        make = factory(ToTuplesOperator, names, types, list(range(len(names))))
        return rows._transform("To tuples", make, None, stateless=True, convert=False)  # type: ignore[no-any-return]


class RowOfNumber:
    """The row of a number, the same each time it is asked for but for the time, where that is a value."""

    def __init__(self, makes: Sequence[Callable[[int, random.Random], Any]]) -> None:
        self._makes = list(makes)
        #: Where nothing is left to chance no row begins one: that takes ten times as long as the rest.
        self._counts = all(isinstance(make, made.Sequential) for make in self._makes)

    def __call__(self, number: int) -> tuple[Any, ...]:
        chance = _NO_CHANCE if self._counts else random.Random(number)
        return tuple([make(number, chance) for make in self._makes])


def generated(columns: Sequence[Column], options: Options) -> Generator:
    """The generator that the options of a table describe.

    Raises:
        TableError: a column's type cannot be made up, or an option does not fit.
    """
    count, rate = options.number("number-of-rows"), options.number("rows-per-second", _RATE) or 0
    if count is not None and count < 0:
        options.refuse("number-of-rows", f"takes a number from zero on; got {count}")
    if rate < 1:
        options.refuse("rows-per-second", f"takes a number above zero; got {rate}")
    makes: list[Any] = []
    for column in columns:
        prefix = f"fields.{column.name}"
        kind = options.choice(f"{prefix}.kind", {"random": "random", "sequence": "sequence"}, "random")
        if kind == "random":
            makes.append(_random(prefix, column, column.type, options))
            continue
        make, ends = _sequence(prefix, column, options)
        makes.append(make)
        if ends is not None:
            count = ends if count is None else min(count, ends)
    return Generator(columns, makes, count, rate)


def _sequence(prefix: str, column: Column, options: Options) -> tuple[Any, int | None]:
    """Make what counts up, and say how many values there are; None: no end."""
    kind = column.type
    if not (is_numeric(kind) or is_text(kind) or is_binary(kind)):
        options.refuse(f"{prefix}.kind", f"= 'sequence' is for numbers, texts and bytes; it is {name_of(kind)}")
    start, end = options.number(f"{prefix}.start", 0) or 0, options.number(f"{prefix}.end")
    bits = reading.BITS.get(type(kind), 63)
    for key, bound in ((f"{prefix}.start", start), (f"{prefix}.end", start if end is None else end)):
        _within(options, key, bound, bits, kind)
    if end is not None and end < start:
        options.refuse(f"{prefix}.end", f"is below '{prefix}.start'; got {end} and {start}")
    make = made.Sequential(start, text=is_text(kind), binary=is_binary(kind))
    return make, None if end is None else end - start + 1


def _random(prefix: str, column: Column, kind: DataType, options: Options) -> Any:
    """Make what draws values of a type, by the options that begin so; those of parts have a name of their own."""
    rate = options.get(f"{prefix}.null-rate")
    make = _values(prefix, column, kind, options)
    return make if rate is None else made.Sometimes(make, _share(rate, f"{prefix}.null-rate", options))


def _share(written: str, key: str, options: Options) -> float:
    try:
        rate = reading.fraction(written)
    except ValueError:
        rate = -1
    if not 0 <= rate <= 1:
        options.refuse(key, f"is a share, from 0 to 1; got {written!r}")
    return rate


def _values(prefix: str, column: Column, kind: DataType, options: Options) -> Any:
    if is_integer(kind):
        return made.Whole(*_whole_bounds(prefix, kind, options))
    if is_approximate(kind):
        return made.Fraction(*_bounds(prefix, options, reading.fraction, 0.0, 1.0))
    if is_text(kind) or is_binary(kind):
        return _sized(prefix, kind, options)
    match kind:
        case t.DecimalType():
            return made.Exact(*_decimal_bounds(prefix, kind, options), kind.scale)
        case t.BooleanType():
            return made.Coin()
        case t.DateType():
            return made.Today()
        case t.TimeType():
            return made.Clock(kind.precision)
        case t.TimestampType() | t.LocalZonedTimestampType():
            past = options.milliseconds(f"{prefix}.max-past", "0 s")
            return made.Now(past, kind.precision, zoned=isinstance(kind, t.LocalZonedTimestampType))
    return _composed(prefix, column, kind, options)


def _composed(prefix: str, column: Column, kind: DataType, options: Options) -> Any:
    def part(name: str, of_part: DataType) -> Any:
        return _random(f"{prefix}.{name}", column, of_part, options)

    match kind:
        case t.RowType():
            return made.Fields([(each.name, part(each.name, each.data_type)) for each in kind.fields])
        case t.ArrayType():
            return made.Several(part("element", kind.element_type), _length(prefix, options, _ELEMENTS))
        case t.MultisetType():
            return made.Counts(part("element", kind.element_type), _length(prefix, options, _ELEMENTS))
        case t.MapType():
            key, value = part("key", kind.key_type), part("value", kind.value_type)
            return made.Entries(key, value, _length(prefix, options, _ELEMENTS))
    msg = f"datagen makes no values of {column.name!r}, which is {name_of(kind)}"
    raise TableError(msg, column=column.name)


def _sized(prefix: str, kind: Any, options: Options) -> Any:
    """Texts and bytes: as long as their type says, or the option, where the type says the greatest length."""
    make = made.Octets if is_binary(kind) else made.Letters
    if isinstance(kind, t.CharType | t.BinaryType):
        return make(kind.length)
    length = _length(prefix, options, _LENGTH if kind.length == LONGEST else kind.length)
    if length > kind.length:
        options.refuse(f"{prefix}.length", f"is at most that of {name_of(kind, nullability=False)}; got {length}")
    return make(length, shorter=options.flag(f"{prefix}.var-len"))


def _length(prefix: str, options: Options, default: int) -> int:
    length = options.number(f"{prefix}.length", default) or 0
    if length < 0:
        options.refuse(f"{prefix}.length", f"takes a number from zero on; got {length}")
    return length


def _whole_bounds(prefix: str, kind: DataType, options: Options) -> tuple[int, int]:
    bits = reading.BITS[type(kind)]
    keys = f"{prefix}.min", f"{prefix}.max"
    given = [options.number(key) for key in keys]
    for key, bound in zip(keys, given, strict=True):
        if bound is not None:
            _within(options, key, bound, bits, kind)
    least, greatest = given
    return _in_order(
        prefix, options, -(2**bits) if least is None else least, 2**bits - 1 if greatest is None else greatest
    )


def _within(options: Options, key: str, bound: int, bits: int, kind: DataType) -> None:
    if not -(2**bits) <= bound < 2**bits:
        options.refuse(key, f"is no {name_of(kind, nullability=False)}; got {bound}")


def _decimal_bounds(prefix: str, kind: t.DecimalType, options: Options) -> tuple[Decimal, Decimal]:
    def read(text: str) -> Decimal:
        found = reading.rounded(reading.decimal_number(text), kind)
        if found is None:
            msg = "it has too many digits"
            raise ValueError(msg)
        return found

    widest = Decimal(10**kind.precision - 1).scaleb(-kind.scale, Context(prec=80))
    return _bounds(prefix, options, read, Decimal(0), min(Decimal(1), widest))


def _bounds(prefix: str, options: Options, read: Callable[[str], Any], least: Any, greatest: Any) -> tuple[Any, Any]:
    """The bounds of fractions: those that are given, or else these."""
    found = []
    for key, default in ((f"{prefix}.min", least), (f"{prefix}.max", greatest)):
        written = options.get(key)
        found.append(default if written is None else _read(options, key, written, read))
    return _in_order(prefix, options, *found)


def _read(options: Options, key: str, written: str, read: Callable[[str], Any]) -> Any:
    try:
        value = read(written)
    except ValueError:
        _no_number(options, key, written)
    if not math.isfinite(value):
        _no_number(options, key, written)
    return value


def _no_number(options: Options, key: str, written: str) -> NoReturn:
    options.refuse(key, f"takes a number of the column's type; got {written!r}")


def _in_order(prefix: str, options: Options, least: Any, greatest: Any) -> tuple[Any, Any]:
    """The same bounds.

    Raises:
        TableError: there is nothing between them.
    """
    if least > greatest:
        key, other = (f"{prefix}.min", f"{prefix}.max")
        if options.get(key) is None:
            key, other = other, key
        word = "above" if key.endswith(".min") else "below"
        options.refuse(key, f"is {word} '{other}'; got {least} and {greatest}")
    return least, greatest
