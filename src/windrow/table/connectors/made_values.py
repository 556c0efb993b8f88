"""Values that are made up: of the number of their row, and of chance."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence
from decimal import Context, Decimal
from typing import Any, Final

_LETTERS: Final = "0123456789abcdef"
#: More digits than any type has.
_EXACT: Final = Context(prec=80)
#: How often a value of a multiset is in it at most.
_OFTEN: Final = 10


class Sequential:
    """Numbers that count up, as numbers, as texts, or as the eight bytes that Java keeps them in."""

    def __init__(self, start: int, *, text: bool = False, binary: bool = False) -> None:
        self._start, self._text, self._binary = start, text, binary

    def __call__(self, number: int, _chance: random.Random) -> Any:
        value = self._start + number
        if self._binary:
            return value.to_bytes(8, "big", signed=True)
        return str(value) if self._text else value


class Whole:
    """A whole number between two, both included."""

    def __init__(self, least: int, greatest: int) -> None:
        self._least, self._greatest = least, greatest

    def __call__(self, _number: int, chance: random.Random) -> int:
        return chance.randint(self._least, self._greatest)


class Fraction:
    """A binary fraction between two."""

    def __init__(self, least: float, greatest: float) -> None:
        self._least, self._greatest = least, greatest

    def __call__(self, _number: int, chance: random.Random) -> float:
        return chance.uniform(self._least, self._greatest)


class Exact:
    """A decimal number between two, both included, with so many digits behind the point.

    Example:
        >>> Exact(Decimal("0.99"), Decimal(1), 2)(0, random.Random(1))
        Decimal('0.99')
    """

    def __init__(self, least: Decimal, greatest: Decimal, scale: int) -> None:
        self._least, self._greatest = (int(bound.scaleb(scale, _EXACT)) for bound in (least, greatest))
        self._scale = scale

    def __call__(self, _number: int, chance: random.Random) -> Decimal:
        return Decimal(chance.randint(self._least, self._greatest)).scaleb(-self._scale, _EXACT)


class Coin:
    """A truth value."""

    def __call__(self, _number: int, chance: random.Random) -> bool:
        return chance.random() < 0.5


class Letters:
    """Text of so many hexadecimal digits, or, if ``shorter``, of one to so many."""

    def __init__(self, length: int, *, shorter: bool = False) -> None:
        self._length, self._shorter = length, shorter

    def __call__(self, _number: int, chance: random.Random) -> str:
        return "".join(chance.choices(_LETTERS, k=_length(self._length, chance, shorter=self._shorter)))


class Octets:
    """So many bytes, or, if ``shorter``, one to so many."""

    def __init__(self, length: int, *, shorter: bool = False) -> None:
        self._length, self._shorter = length, shorter

    def __call__(self, _number: int, chance: random.Random) -> bytes:
        return chance.randbytes(_length(self._length, chance, shorter=self._shorter))


def _length(length: int, chance: random.Random, *, shorter: bool) -> int:
    return chance.randint(1, length) if shorter and length else length


class Now:
    """The time at which it is asked for, or up to so many milliseconds before, in whole milliseconds at most.

    Args:
        past: How many.
        precision: How many digits of a second there are.
        zoned: Whether it is a point in time; else what clocks show in UTC.
    """

    def __init__(self, past: int, precision: int, *, zoned: bool) -> None:
        self._past, self._precision, self._zoned = past, precision, zoned

    def __call__(self, _number: int, chance: random.Random) -> dt.datetime:
        now = dt.datetime.now(dt.UTC)
        before = now - dt.timedelta(milliseconds=chance.randint(0, self._past))
        before = before.replace(microsecond=_cut(before.microsecond, self._precision))
        return before if self._zoned else before.replace(tzinfo=None)


class Today:
    """The day on which it is asked for, where the machine is."""

    def __call__(self, _number: int, _chance: random.Random) -> dt.date:
        return dt.datetime.now(dt.UTC).astimezone().date()


class Clock:
    """The time of day at which it is asked for, where the machine is, with so many digits of a second."""

    def __init__(self, precision: int) -> None:
        self._precision = precision

    def __call__(self, _number: int, _chance: random.Random) -> dt.time:
        now = dt.datetime.now(dt.UTC).astimezone().time()
        return now.replace(microsecond=_cut(now.microsecond, self._precision))


def _cut(microsecond: int, precision: int) -> int:
    unit: int = 10 ** (6 - min(precision, 3))
    return microsecond // unit * unit


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


class Counts(Entries):
    """A multiset of so many values at most, each up to ten times."""

    def __init__(self, element: Any, length: int) -> None:
        super().__init__(element, Whole(1, _OFTEN), length)
