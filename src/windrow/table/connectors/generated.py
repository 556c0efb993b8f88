"""Rows that are made up: the connector ``datagen``."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from windrow.common.typeinfo import Types
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.connectors.datagen.rate_limiter import RateLimiterStrategy
from windrow.connectors.datagen.source import DataGeneratorSource
from windrow.datastream.streams.data_stream import DataStream
from windrow.errors import SqlError
from windrow.expressions.logical_types import is_integer, is_text, is_timestamp, name_of
from windrow.operators.table.rows import ToTuplesOperator
from windrow.sql.plan import Column
from windrow.table import data_types as t
from windrow.table.connectors.options import Options
from windrow.table.data_types import DataType

_BITS: dict[type[DataType], int] = {t.TinyIntType: 7, t.SmallIntType: 15, t.IntType: 31, t.BigIntType: 63}
_LETTERS = "0123456789abcdef"
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
        made = environment.from_source(source, WatermarkStrategy.no_watermarks(), name)
        names, types = [each.name for each in self._columns], [each.type for each in self._columns]
        make = factory(ToTuplesOperator, names, types, list(range(len(names))))
        return made._transform("To tuples", make, None, stateless=True, convert=False)  # type: ignore[no-any-return]


class RowOfNumber:
    """The row of a number, the same each time it is asked for."""

    def __init__(self, makes: Sequence[Callable[[int, random.Random], Any]]) -> None:
        self._makes = list(makes)
        #: Where nothing is left to chance no row begins one: that takes ten times as long as the rest.
        self._counts = all(isinstance(make, Sequential) for make in self._makes)

    def __call__(self, number: int) -> tuple[Any, ...]:
        chance = _NO_CHANCE if self._counts else random.Random(number)
        return tuple([make(number, chance) for make in self._makes])


def generated(columns: Sequence[Column], options: Options) -> Generator:
    """The generator that the options of a table describe.

    Raises:
        SqlError: a column's type cannot be made up, or an option does not fit.
    """
    count, rate = options.number("number-of-rows"), options.number("rows-per-second", 10_000)
    makes: list[Any] = []
    for column in columns:
        make, ends = _column(column, options)
        makes.append(make)
        if ends is not None:
            count = ends if count is None else min(count, ends)
    return Generator(columns, makes, count, rate or 10_000)


def _column(column: Column, options: Options) -> tuple[Any, int | None]:
    prefix = f"fields.{column.name}"
    kind = options.choice(f"{prefix}.kind", {"random": "random", "sequence": "sequence"}, "random")
    if kind == "sequence":
        start, end = options.number(f"{prefix}.start", 0) or 0, options.number(f"{prefix}.end")
        last = None if end is None else end - start + 1
        return Sequential(start, text=is_text(column.type)), last
    return _random(prefix, column.name, column.type, options), None


def _random(prefix: str, name: str, kind: DataType, options: Options) -> Any:
    """What makes random values of a type, by the options that begin so; those of parts have a name of their own."""
    rate = options.get(f"{prefix}.null-rate")
    made = _values(prefix, name, kind, options)
    return made if rate is None else Sometimes(made, _share(float(rate), f"{prefix}.null-rate", options))


def _share(rate: float, key: str, options: Options) -> float:
    if not 0 <= rate <= 1:
        options.refuse(key, f"is a share, from 0 to 1; got {rate}")
    return rate


def _values(prefix: str, name: str, kind: DataType, options: Options) -> Any:
    match kind:
        case t.RowType():
            parts = [
                (each.name, _random(f"{prefix}.{each.name}", name, each.data_type, options)) for each in kind.fields
            ]
            return Fields(parts)
        case t.ArrayType():
            length = options.number(f"{prefix}.length", 3) or 0
            return Several(_random(f"{prefix}.element", name, kind.element_type, options), length)
        case t.MapType():
            length = options.number(f"{prefix}.length", 3) or 0
            key = _random(f"{prefix}.key", name, kind.key_type, options)
            return Entries(key, _random(f"{prefix}.value", name, kind.value_type, options), length)
    least, greatest = options.get(f"{prefix}.min"), options.get(f"{prefix}.max")
    length = options.number(f"{prefix}.length", 100) or 100
    past = options.get(f"{prefix}.max-past")
    if is_integer(kind):
        bits = _BITS[type(kind)]
        return Whole(int(least or -(2**bits)), int(greatest or 2**bits - 1))
    match kind:
        case t.DoubleType() | t.FloatType():
            return Fraction(float(least or 0), float(greatest or 1))
        case t.DecimalType():
            return Exact(Decimal(least or 0), Decimal(greatest or 1), kind.scale)
        case t.BooleanType():
            return Coin()
    if is_text(kind):
        return Letters(length)
    if is_timestamp(kind):
        return Now(_milliseconds(past), zoned=isinstance(kind, t.LocalZonedTimestampType))
    msg = f"datagen makes no values of {name!r}, which is {name_of(kind)}"
    raise SqlError(msg)


def _milliseconds(past: str | None) -> int:
    from windrow.common.settings.values import parse_duration

    return 0 if past is None else parse_duration(past).to_milliseconds()


class Sequential:
    """Numbers that count up."""

    def __init__(self, start: int, *, text: bool) -> None:
        self._start, self._text = start, text

    def __call__(self, number: int, _chance: random.Random) -> Any:
        value = self._start + number
        return str(value) if self._text else value


class Whole:
    """A whole number."""

    def __init__(self, least: int, greatest: int) -> None:
        self._least, self._greatest = least, greatest

    def __call__(self, _number: int, chance: random.Random) -> int:
        return chance.randint(self._least, self._greatest)


class Fraction:
    """A binary fraction."""

    def __init__(self, least: float, greatest: float) -> None:
        self._least, self._greatest = least, greatest

    def __call__(self, _number: int, chance: random.Random) -> float:
        return chance.uniform(self._least, self._greatest)


class Exact:
    """A decimal number."""

    def __init__(self, least: Decimal, greatest: Decimal, scale: int) -> None:
        self._least, self._greatest, self._scale = least, greatest, scale

    def __call__(self, _number: int, chance: random.Random) -> Decimal:
        part = Decimal(chance.random())
        return (self._least + (self._greatest - self._least) * part).quantize(Decimal(1).scaleb(-self._scale))


class Coin:
    """A truth value."""

    def __call__(self, _number: int, chance: random.Random) -> bool:
        return chance.random() < 0.5


class Letters:
    """Text of so many hexadecimal digits."""

    def __init__(self, length: int) -> None:
        self._length = length

    def __call__(self, _number: int, chance: random.Random) -> str:
        return "".join(chance.choices(_LETTERS, k=self._length))


class Now:
    """The time at which it is asked for, or up to so many milliseconds before."""

    def __init__(self, past: int, *, zoned: bool) -> None:
        self._past, self._zoned = past, zoned

    def __call__(self, _number: int, chance: random.Random) -> dt.datetime:
        now = dt.datetime.now(dt.UTC)
        before = now - dt.timedelta(milliseconds=chance.randint(0, self._past))
        return before if self._zoned else before.replace(tzinfo=None)


class Sometimes:
    """A value, or NULL for a share of the rows."""

    def __init__(self, make: Any, rate: float) -> None:
        self._make, self._rate = make, rate

    def __call__(self, number: int, chance: random.Random) -> Any:
        value = self._make(number, chance)
        return None if chance.random() < self._rate else value


class Fields:
    """A row of values."""

    def __init__(self, parts: Sequence[tuple[str, Any]]) -> None:
        self._parts = list(parts)

    def __call__(self, number: int, chance: random.Random) -> dict[str, Any]:
        return {name: make(number, chance) for name, make in self._parts}


class Several:
    """An array of so many values."""

    def __init__(self, make: Any, length: int) -> None:
        self._make, self._length = make, length

    def __call__(self, number: int, chance: random.Random) -> list[Any]:
        return [self._make(number, chance) for _ in range(self._length)]


class Entries:
    """A map of so many entries at most, as keys may be equal."""

    def __init__(self, key: Any, value: Any, length: int) -> None:
        self._key, self._value, self._length = key, value, length

    def __call__(self, number: int, chance: random.Random) -> list[tuple[Any, Any]]:
        return list({self._key(number, chance): self._value(number, chance) for _ in range(self._length)}.items())
