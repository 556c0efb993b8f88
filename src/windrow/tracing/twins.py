"""Stand-ins for builtins in a traced function: themselves where they work with traced values, and twins where not.

``len``, ``int``, ``float``, ``bool`` insist on giving a Python number.
"""

from __future__ import annotations

import builtins
import math
import operator
from types import SimpleNamespace
from typing import Any

from windrow.common.types import Row
from windrow.tracing.expressions import Kind
from windrow.tracing.outcome import Refused
from windrow.tracing.proxies import NumberProxy, Proxy, TextProxy
from windrow.tracing.records import make_row

_KINDS = {int: Kind.INT, bool: Kind.BOOL}
_ITERATORS: tuple[type, ...] = (type(iter(())), type(iter([])))


def _bool(*arguments: Any) -> Any:
    if len(arguments) == 1 and isinstance(arguments[0], NumberProxy | TextProxy):
        return arguments[0]._truth()
    return bool(*arguments)


def _int(*arguments: Any) -> Any:
    if len(arguments) == 1 and isinstance(arguments[0], NumberProxy | TextProxy):
        return arguments[0]._as_int()
    return int(*arguments)


def _float(*arguments: Any) -> Any:
    if len(arguments) == 1 and isinstance(arguments[0], NumberProxy | TextProxy):
        return arguments[0]._as_float()
    return float(*arguments)


def _str(*arguments: Any) -> Any:
    if len(arguments) == 1 and isinstance(arguments[0], TextProxy):
        return arguments[0]._used()
    if len(arguments) == 1 and isinstance(arguments[0], NumberProxy) and arguments[0]._expression.kind is Kind.INT:
        return arguments[0]._as_text()
    return str(*arguments)


def _len(value: Any) -> Any:
    return value._length() if isinstance(value, TextProxy) else len(value)


def _sum(values: Any, start: Any = 0) -> Any:
    values, total = tuple(values), start
    for value in (start, *values):
        kind = value._expression.kind if isinstance(value, Proxy) else _KINDS.get(type(value))
        if kind not in (Kind.INT, Kind.BOOL):
            msg = "sums something else than ints"  # floats are added with a correction since Python 3.12
            raise Refused(msg)
    for value in values:
        total = total + value
    return total


def _iter(*arguments: Any) -> Any:
    if len(arguments) == 1 and type(arguments[0]) in (tuple, list):
        return iter(arguments[0])
    msg = "uses iter of something else than a tuple or a list"
    raise Refused(msg)


def _next(iterator: Any, *default: Any) -> Any:
    if type(iterator) not in _ITERATORS:
        msg = "uses next of something else than the iterator of a tuple or a list"
        raise Refused(msg)
    return next(iterator, *default)


def _square_root(value: Any) -> Any:
    return value._square_root() if isinstance(value, NumberProxy) else math.sqrt(value)


def _is_nan(value: Any) -> Any:
    if isinstance(value, NumberProxy):
        number = value._as_float()
        return number != number  # noqa: PLR0124
    return math.isnan(value)


_MATH = {
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "sqrt": _square_root,
    "isnan": _is_nan,
    "pi": math.pi,
    "e": math.e,
    "tau": math.tau,
    "inf": math.inf,
}
#: Functions that do all they do by operators, comparisons and truth.
_THEMSELVES = (
    *(builtins.abs, builtins.min, builtins.max, builtins.round, builtins.divmod, builtins.pow, builtins.tuple),
    *(builtins.any, builtins.all, builtins.sorted, math.floor, math.ceil, math.trunc),
    *(operator.add, operator.sub, operator.mul, operator.floordiv, operator.truediv, operator.pow),
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.neg, operator.pos),
    *(operator.and_, operator.or_, operator.xor, operator.invert, operator.lshift, operator.rshift, operator.not_),
    *(operator.getitem, operator.truth, operator.abs),
)
_TWINS: dict[int, Any] = {
    **{id(each): each for each in _THEMSELVES},
    id(bool): _bool,
    id(int): _int,
    id(float): _float,
    id(str): _str,
    id(len): _len,
    id(iter): _iter,
    id(next): _next,
    id(sum): _sum,
    id(math.sqrt): _square_root,
    id(math.isnan): _is_nan,
    id(math): SimpleNamespace(**_MATH),
    id(Row): make_row,
    id(str.upper): lambda value: value.upper(),
    id(str.lower): lambda value: value.lower(),
}


def twin_of(value: Any) -> Any:
    """Give the stand-in of a builtin, a module or ``Row``; None if it has none.

    Example:
        >>> twin_of(abs) is abs, twin_of(len) is len, twin_of(print)
        (True, False, None)
    """
    if isinstance(value, type) and issubclass(value, Exception) and value.__module__ == "builtins":
        return value  # raised, it ends a path that is left to Python
    return _TWINS.get(id(value))
