"""Aggregates that need more than a number for each group: distinct values, lists, first and last ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from typing import Any

from windrow.datastream.functions import AggregateFunction, RuntimeContext
from windrow.errors import SqlError
from windrow.expressions.logical_types import is_approximate, is_integer
from windrow.expressions.nodes import IGNORE_NULLS, USER_AGGREGATE
from windrow.expressions.reading import rounded, whole_of
from windrow.operators.table.collected import OF_NOTHING, OF_SEVERAL, collected, multiset
from windrow.operators.table.own_aggregates import OwnAggregate, own_of
from windrow.table import data_types as t
from windrow.table.data_types import DataType

BITS: dict[type[DataType], int] = {t.TinyIntType: 8, t.SmallIntType: 16, t.IntType: 32, t.BigIntType: 64}
#: Aggregates that see NULL as well.
_OF_NULL = frozenset({"ARRAY_AGG", "LAG", "SINGLE_VALUE"})


@dataclass(frozen=True)
class RowCall:
    """An aggregate over fields of tuples.

    Attributes:
        arguments: The places of its fields.
        filter: The place of the field that says which tuples count; None: all.
        options: The values of constant arguments: the separator of LISTAGG.
        grows: Of MIN and MAX: whether a value that is taken back makes way for one that is no worse.
        over: Whether it stands before OVER, where AVG is SUM by COUNT: of whole numbers the sum wraps around in their
            own type, and not in BIGINT.
    """

    name: str
    arguments: tuple[int, ...]
    type: DataType
    distinct: bool = False
    filter: int | None = None
    options: tuple[Any, ...] = ()
    grows: bool = False
    over: bool = False

    @property
    def type_of_sum(self) -> DataType:
        """The type in which SUM and AVG add."""
        if self.name != "AVG" or self.over:
            return self.type
        if is_integer(self.type):
            return t.BigIntType()
        return t.DoubleType() if isinstance(self.type, t.FloatType) else self.type

    def check(self) -> None:
        """Refuse what no aggregate takes.

        Raises:
            SqlError: COUNT(DISTINCT *), or a separator of LISTAGG that is no constant.
        """
        if self.distinct and not self.arguments:
            msg = f"{self.name}(DISTINCT ...) takes columns; got *"
            raise SqlError(msg)
        if self.name == "LISTAGG" and self.options and not isinstance(self.options[0], str):
            msg = f"the separator of LISTAGG has to be a constant text, as ', ' is; got {self.options[0]!r}"
            raise SqlError(msg)

    def counted(self, row: Sequence[Any]) -> tuple[Any] | None:
        """The value of a tuple that is aggregated; None: there is none that counts."""
        if self.filter is not None and not row[self.filter]:
            return None
        if self.name == USER_AGGREGATE:  # it sees NULL as well
            return (tuple([row[place] for place in self.arguments]),)
        if self.name == "COUNT":
            arguments = tuple([row[place] for place in self.arguments])
            return None if None in arguments else (arguments,)  # COUNT(a, b) counts pairs
        value = row[self.arguments[0]]
        if self.name in OF_SEVERAL:
            values = tuple([row[place] for place in self.arguments])
            return None if None in values else (values,)
        return None if value is None and (self.name not in _OF_NULL or IGNORE_NULLS in self.options) else (value,)


class RowAggregates(AggregateFunction):
    """Keeps for each aggregate the values that count, in their order, or of DISTINCT those that differ.

    Of one of the program's own it keeps the accumulator.

    Results are tuples: the fields that stay as in the first tuple, then the aggregates.

    Args:
        first: How many fields stay as in the first tuple.
        calls: The aggregates.
        least: Places of fields of which the least value follows, as sessions' starts are.

    Raises:
        SqlError: COUNT(DISTINCT *), or a separator of LISTAGG that is no constant.

    Example:
        >>> counts = RowAggregates(1, [RowCall("COUNT", (1,), t.BigIntType(), distinct=True)])
        >>> one = counts.add(("a", 5), counts.create_accumulator())
        >>> counts.get_result(counts.add(("a", 5), one))
        ('a', 1)
    """

    def __init__(self, first: int, calls: Sequence[RowCall], least: Sequence[int] = ()) -> None:
        self._first = first
        self._calls = list(calls)
        self._least = list(least)
        self._own = [own_of(call) for call in calls]
        for call in calls:
            call.check()

    def create_accumulator(self) -> Any:
        pairs = zip(self._calls, self._own, strict=True)
        return None, tuple([{} if call.distinct else [] if own is None else own.create() for call, own in pairs]), None

    def add(self, value: Any, accumulator: Any) -> Any:
        keys, kept, least = accumulator
        if keys is None:
            keys = value[: self._first]
        for call, own, values in zip(self._calls, self._own, kept, strict=True):
            counted = call.counted(value)
            if counted is None:
                continue
            if call.distinct:
                values[counted[0]] = None
            elif own is not None:
                own.accumulate(values, counted[0])
            else:
                values.append(counted[0])
        found = [value[place] for place in self._least]
        return keys, kept, found if least is None else [min(pair) for pair in zip(least, found, strict=True)]

    def get_result(self, accumulator: Any) -> Any:
        keys, kept, least = accumulator
        results = [
            _result(call, list(values)) if own is None else _own_result(call, own, values)
            for call, own, values in zip(self._calls, self._own, kept, strict=True)
        ]
        return (*(keys or ()), *results, *(least or ()))

    def merge(self, acc_a: Any, acc_b: Any) -> Any:
        keys, kept, least = acc_a
        for call, own, mine, others in zip(self._calls, self._own, kept, acc_b[1], strict=True):
            if call.distinct:
                mine.update(others)
            elif own is not None:
                own.merge(mine, others)
            else:
                mine.extend(others)
        both = [each for each in (least, acc_b[2]) if each is not None]
        merged = [min(pair) for pair in zip(*both, strict=True)] if both else None
        return keys if keys is not None else acc_b[0], kept, merged


class OwnRowAggregates(RowAggregates):
    """The same where some of the aggregates are the program's own, which have to be opened."""

    def open(self, runtime_context: RuntimeContext) -> None:
        for own in self._own:
            if own is not None:
                own.open(runtime_context, runtime_context.get_task_name())

    def close(self) -> None:
        for own in self._own:
            if own is not None:
                own.close()


def _own_result(call: RowCall, own: OwnAggregate, kept: Any) -> Any:
    if not call.distinct:
        return own.value(kept)
    accumulator = own.create()
    for values in kept:
        own.accumulate(accumulator, values)
    return own.value(accumulator)


def _result(call: RowCall, values: list[Any]) -> Any:
    if call.name == "COUNT":
        return len(values)
    if call.name == "SUM0":
        return _sum(values, call.type) if values else 0
    if not values:
        return OF_NOTHING.get(call.name)
    make: Callable[[list[Any], RowCall], Any] = _RESULTS[call.name]
    return make(values, call)


def _sum(values: list[Any], kind: DataType) -> Any:
    if is_integer(kind):
        half = 1 << (BITS[type(kind)] - 1)
        return (sum(values) + half) % (2 * half) - half
    if isinstance(kind, t.DecimalType):
        return rounded(sum(values, Decimal(0)), kind)
    return sum(values[1:], values[0])


def _average(values: list[Any], call: RowCall) -> Any:
    kind = call.type
    if is_integer(kind):
        return _cut(Decimal(_sum(values, call.type_of_sum)) / len(values))  # the sum wraps around, as SUM does
    if isinstance(kind, t.DecimalType):
        exact = Context(prec=60, rounding=ROUND_HALF_UP).divide(sum(values, Decimal(0)), Decimal(len(values)))
        return rounded(exact, kind)
    return sum(values[1:], values[0]) / len(values)


def _listed(values: list[Any], separator: str) -> str:
    if not isinstance(values[0], str):
        msg = f"LISTAGG takes text; got {values[0]!r}: CAST it AS STRING"
        raise TypeError(msg)
    return separator.join(values)


def single_value(values: list[Any]) -> Any:
    """The value of a query in the place of one.

    Raises:
        SqlError: there are several.
    """
    if len(values) > 1:
        msg = "a query in the place of a value has given more than one row: take an aggregate of them, or LIMIT 1"
        raise SqlError(msg)
    return values[0]


def _cut(number: Decimal) -> int:
    return int(number.to_integral_value(ROUND_DOWN))


def variance_of(count: int, spread: float, call: RowCall) -> Any:
    """``VAR_POP`` and such, of so many numbers whose squared distances from their mean add up to ``spread``.

    As a whole number it is what Java's cast makes of it.
    """
    sample, root = call.name.endswith("SAMP"), call.name.startswith("STDDEV")
    if not count or (sample and count == 1):
        return None
    found = spread / (count - 1 if sample else count)
    found = found**0.5 if root and found >= 0 else found
    if is_approximate(call.type):
        return found
    if is_integer(call.type):
        return whole_of(found, BITS[type(call.type)])
    return rounded(Decimal(repr(found)), call.type)  # type: ignore[arg-type]


def _variance(values: list[Any], call: RowCall) -> Any:
    count = len(values)
    mean = spread = 0.0
    for place, number in enumerate(map(float, values), 1):  # Welford's method, as Flink's
        difference = number - mean
        mean += difference / place
        spread += difference * (number - mean)
    return variance_of(count, spread, call)


_RESULTS: dict[str, Callable[[list[Any], RowCall], Any]] = {
    "SUM": lambda values, call: _sum(values, call.type),
    "AVG": _average,
    "MIN": lambda values, _: min(values),
    "MAX": lambda values, _: max(values),
    "FIRST_VALUE": lambda values, _: values[0],
    "LAST_VALUE": lambda values, _: values[-1],
    "LISTAGG": lambda values, call: _listed(values, call.options[0] if call.options else ","),
    "COLLECT": lambda values, _: multiset(values),
    "ARRAY_AGG": lambda values, _: values,
    "SINGLE_VALUE": lambda values, _: single_value(values),
    **{
        name: lambda values, call: collected(call.name, values, call.options)
        for name in ("JSON_OBJECTAGG", "JSON_ARRAYAGG", "PERCENTILE")
    },
    **dict.fromkeys(("STDDEV_POP", "STDDEV_SAMP", "VAR_POP", "VAR_SAMP"), _variance),
}
