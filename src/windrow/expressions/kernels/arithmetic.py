"""Arithmetic: integers wrap around, decimals are exact and round half up, fractions are Java's."""

from __future__ import annotations

import math
import random
import uuid
from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from windrow.expressions.function import (
    ANY,
    AS_DOUBLE,
    AS_INT,
    AS_LONG,
    NUMBER,
    TEXT,
    Kernel,
    direct,
    each,
    function,
    same,
)
from windrow.expressions.logical_types import (
    BYTES,
    DOUBLE,
    INT,
    STRING,
    arrow_of,
    is_approximate,
    is_integer,
    may_be_null,
)
from windrow.expressions.nodes import Call
from windrow.expressions.reading import rounded
from windrow.table import data_types as t
from windrow.table.data_types import DataType

_SECTION = "Arithmetic functions"
_WIDE = Context(prec=90)
#: The digits that Arrow's decimals have room for.
_MOST_DIGITS = 38


def _arithmetic(
    compute: Any, exact: Callable[[Decimal, Decimal], Decimal], digits: Callable[[Any, Any], tuple[int, int]]
) -> Kernel:
    """Arithmetic of two numbers.

    Args:
        compute: Arrow's function for it.
        exact: The same of two of Python's decimals.
        digits: The precision and the scale of the exact result of two of Arrow's decimals.
    """

    def kernel(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
        wanted = arrow_of(call.type)
        if not isinstance(call.type, t.DecimalType):
            return compute(*[value.cast(wanted, safe=False) for value in values])
        first, second = [_as_decimal(value) for value in values]
        precision, scale = digits(first.type, second.type)
        # Where all digits have room no result is rounded, and none is NULL for want of it; Arrow wants one more.
        if precision < _MOST_DIGITS and precision <= wanted.precision and scale == wanted.scale:
            return compute(first, second)
        return _decimal(call.type, values, exact)

    return kernel


def _as_decimal(numbers: pa.Array) -> pa.Array:
    if pa.types.is_decimal(numbers.type):
        return numbers
    return numbers.cast(pa.decimal128(19 if pa.types.is_int64(numbers.type) else 10))


def _digits_of_sum(first: Any, second: Any) -> tuple[int, int]:
    scale = max(first.scale, second.scale)
    return max(first.precision - first.scale, second.precision - second.scale) + scale + 1, scale


def _digits_of_product(first: Any, second: Any) -> tuple[int, int]:
    return first.precision + second.precision, first.scale + second.scale


def _decimal(kind: t.DecimalType, values: Sequence[pa.Array], exact: Callable[[Decimal, Decimal], Decimal]) -> pa.Array:
    pairs = zip(*[value.to_pylist() for value in values], strict=True)
    made = [None if None in pair else rounded(exact(*[Decimal(each) for each in pair]), kind) for pair in pairs]
    return pa.array(made, arrow_of(kind))


def _divide(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    first, second = values
    if isinstance(call.type, t.DecimalType):
        _no_zero(first, second)
        return _decimal(call.type, values, lambda a, b: Context(prec=60, rounding=ROUND_HALF_UP).divide(a, b))
    wanted = arrow_of(call.type)
    first, second = first.cast(wanted, safe=False), second.cast(wanted, safe=False)
    if is_approximate(call.type):
        return pc.divide(first, second)
    _no_zero(first, second)
    second = pc.if_else(first.is_valid(), second, pa.scalar(None, wanted))
    # The least number has no counterpart: by -1 it stays what it is, as in Java.
    return pc.if_else(pc.equal(second, pa.scalar(-1, wanted)), pc.negate(first), pc.divide(first, second))


def _no_zero(dividends: pa.Array, divisors: pa.Array) -> None:
    """NULL by zero is NULL."""
    if pc.any(pc.and_(dividends.is_valid(), pc.equal(divisors, pa.scalar(0, divisors.type)))).as_py():
        msg = "/ by zero"
        raise ZeroDivisionError(msg)


def _remainder(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    first, second = values
    if isinstance(call.type, t.DecimalType):
        _no_zero(first, second)
        return _decimal(call.type, values, _WIDE.remainder)
    wanted = arrow_of(call.type)
    both = [value.cast(wanted, safe=False) for value in values]
    if is_integer(call.type):
        _no_zero(first, second)
    missing = np.asarray(pc.or_(first.is_null(), second.is_null()))
    numbers = [np.asarray(value.fill_null(1)) for value in both]
    with np.errstate(all="ignore"):
        return pa.array(np.fmod(*numbers), wanted, mask=missing)


def _to_integer_of(kind: DataType) -> DataType:
    """The type of CEIL and FLOOR."""
    return t.DecimalType(kind.precision, 0) if isinstance(kind, t.DecimalType) and kind.scale else kind


def _rounding(mode: str, of_float: Any) -> Kernel:
    def kernel(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
        (numbers,) = values
        if is_approximate(call.type):
            return of_float(numbers)
        if not isinstance(call.type, t.DecimalType):
            return numbers
        digits = [None if value is None else value.to_integral_value(mode) for value in numbers.to_pylist()]
        return pa.array(digits, arrow_of(call.type))

    return kernel


def round_type(kind: DataType, digits: int) -> DataType:
    """The type of a number that was rounded to so many digits behind the point.

    Example:
        >>> round_type(t.DecimalType(4, 3), 2)
        DecimalType(4, 2, true)
    """
    if not isinstance(kind, t.DecimalType) or digits >= kind.scale:
        return kind
    scale = max(digits, 0)
    return t.DecimalType(min(kind.precision - kind.scale + 1 + scale, 38), scale, may_be_null(kind))


def _rounded_half_up(mode: str) -> Kernel:
    def one(value: Any, digits: int) -> Any:
        if isinstance(value, float):
            if not math.isfinite(value):
                return value
            return float(Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), rounding=mode, context=_WIDE))
        made = Decimal(value).quantize(Decimal(1).scaleb(-digits), rounding=mode, context=_WIDE)
        return made if isinstance(value, Decimal) else int(made)

    def kernel(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
        digits = values[1].to_pylist() if len(values) > 1 else [0] * len(values[0])
        pairs = zip(values[0].to_pylist(), digits, strict=True)
        return pa.array([None if None in pair else one(*pair) for pair in pairs], arrow_of(call.type))

    return kernel


def _floats(compute: Callable[..., float]) -> Kernel:
    """A function of Python's, with NaN where it has none."""

    def safe(*numbers: float) -> float:
        try:
            return compute(*numbers)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf
        except ZeroDivisionError:
            return math.inf

    return each(safe)


def _log(*numbers: float) -> float:
    if len(numbers) == 1:
        return _ln(numbers[0])
    return _ln(numbers[1]) / _ln(numbers[0])


def _ln(number: float) -> float:
    return -math.inf if number == 0 else math.log(number)


def _power(base: float, exponent: float) -> float:
    if base == 0 and exponent < 0:
        return math.inf
    return math.pow(base, exponent)


def _sign(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    if isinstance(call.type, t.DecimalType):
        signs = [
            None if each is None else rounded(Decimal((each > 0) - (each < 0)), call.type)
            for each in values[0].to_pylist()
        ]
        return pa.array(signs, arrow_of(call.type))
    return pc.sign(values[0])


def _random(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
    return pa.array([random.random() for _ in range(count)])


def _random_integer(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
    return pa.array([random.randrange(bound) for bound in values[-1].to_pylist()], pa.int32())


def _hex(value: Any) -> str:
    if isinstance(value, int):
        return f"{value & 0xFFFFFFFFFFFFFFFF:X}"
    return (value.encode() if isinstance(value, str) else value).hex().upper()


def _unhex(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text if len(text) % 2 == 0 else f"0{text}")
    except ValueError:
        return None


def _negated(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    return pc.negate(values[0])


OPERATORS: dict[str, Kernel] = {
    "+": _arithmetic(pc.add, _WIDE.add, _digits_of_sum),
    "-": _arithmetic(pc.subtract, _WIDE.subtract, _digits_of_sum),
    "*": _arithmetic(pc.multiply, _WIDE.multiply, _digits_of_product),
    "/": _divide,
    "%": _remainder,
    "NEGATE": _negated,
}

function("ABS", _SECTION, [NUMBER], same(), direct(pc.abs))
function("CEIL CEILING", _SECTION, [NUMBER], lambda types: _to_integer_of(types[0]), _rounding(ROUND_CEILING, pc.ceil))
function("FLOOR", _SECTION, [NUMBER], lambda types: _to_integer_of(types[0]), _rounding(ROUND_FLOOR, pc.floor))
function("ROUND", _SECTION, [NUMBER, AS_INT], same(), _rounded_half_up(ROUND_HALF_UP), required=1)
function("TRUNCATE", _SECTION, [NUMBER, AS_INT], same(), _rounded_half_up(ROUND_DOWN), required=1)
function("SIGN", _SECTION, [NUMBER], same(), _sign)
function("POWER", _SECTION, [AS_DOUBLE, AS_DOUBLE], DOUBLE, _floats(_power))
for _name, _compute in {
    "SQRT": math.sqrt,
    "LN": _ln,
    "LOG10": lambda x: -math.inf if x == 0 else math.log10(x),
    "LOG2": lambda x: -math.inf if x == 0 else math.log(x) / math.log(2),
    "EXP": math.exp,
    "SIN": math.sin,
    "SINH": math.sinh,
    "COS": math.cos,
    "COSH": math.cosh,
    "TAN": math.tan,
    "TANH": math.tanh,
    "COT": lambda x: 1 / math.tan(x),
    "ASIN": math.asin,
    "ACOS": math.acos,
    "ATAN": math.atan,
    "DEGREES": lambda x: x * (180.0 / math.pi),
    "RADIANS": lambda x: x / 180.0 * math.pi,
}.items():
    function(_name, _SECTION, [AS_DOUBLE], DOUBLE, _floats(_compute))
function("ATAN2", _SECTION, [AS_DOUBLE, AS_DOUBLE], DOUBLE, _floats(math.atan2))
function("LOG", _SECTION, [AS_DOUBLE, AS_DOUBLE], DOUBLE, _floats(_log), required=1)
function("PI", _SECTION, [], DOUBLE, each(lambda: math.pi), nullable=False)
function("E", _SECTION, [], DOUBLE, each(lambda: math.e), nullable=False)
function("RAND", _SECTION, [AS_INT], DOUBLE, _random, required=0, nullable=False)
function("RAND_INTEGER", _SECTION, [AS_INT, AS_INT], INT, _random_integer, required=1)
function("UUID", _SECTION, [], STRING, each(lambda: str(uuid.uuid4())), nullable=False)
function("BIN", _SECTION, [AS_LONG], STRING, each(lambda n: f"{n & 0xFFFFFFFFFFFFFFFF:b}"))
function("HEX", _SECTION, [ANY], STRING, each(_hex))
function("UNHEX", _SECTION, [TEXT], BYTES, each(_unhex), nullable=True)
