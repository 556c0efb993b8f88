"""Aggregates as folds of fields, which windows compute on columns, or as functions of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import BIGINT, BOOLEAN, DOUBLE, may_be_null, with_nullability
from windrow.expressions.nodes import Call, Expression, InputRef, Literal
from windrow.operators.table.row_aggregates import RowCall
from windrow.sql.plan import AggregateCall
from windrow.table import data_types as t
from windrow.table.data_types import DataType

_LONG = BIGINT.not_null()
_LEAST, _GREATEST = -(2**63), 2**63 - 1
_INFINITY = float("inf")


@dataclass
class Folds:
    """The fields that elements have for aggregates, and how results are made of what was folded.

    Attributes:
        kinds: What becomes of each field.
        fields: What each field of an element is, over the columns before.
        results: What each aggregate is, over the fields; these count from 0.
    """

    kinds: list[str] = field(default_factory=list)
    fields: list[Expression] = field(default_factory=list)
    results: list[Expression] = field(default_factory=list)
    #: The types of the fields once they are folded, which may need more digits.
    types: list[DataType] = field(default_factory=list)

    def add(self, kind: str, expression: Expression, folded: DataType | None = None) -> Expression:
        """A field that is folded so, once; gives what it is behind the fold."""
        for place, known in enumerate(zip(self.kinds, self.fields, strict=True)):
            if known == (kind, expression):
                return InputRef(place, self.types[place])
        self.kinds.append(kind)
        self.fields.append(expression)
        self.types.append(folded or expression.type)
        return InputRef(len(self.kinds) - 1, self.types[-1])


def folds_of(calls: Sequence[AggregateCall], columns: Sequence[Expression]) -> Folds | None:
    """The aggregates as folds; None if one of them needs more than that."""
    folds = Folds()
    for call in calls:
        result = None if call.distinct and call.name not in ("MIN", "MAX") else _fold(call, columns, folds)
        if result is None:
            return None
        folds.results.append(result)
    return folds


def row_calls(calls: Sequence[AggregateCall], offset: int) -> tuple[list[Expression], list[RowCall]]:
    """Places of the columns that aggregates need, as expressions, and the aggregates over them behind ``offset``."""
    needed = sorted({place for call in calls for place in (*call.arguments, *_filters(call))})
    places = {place: offset + number for number, place in enumerate(needed)}
    made = [
        RowCall(
            call.name,
            tuple([places[place] for place in call.arguments]),
            call.type,
            call.distinct,
            None if call.filter is None else places[call.filter],
            call.options,
        )
        for call in calls
    ]
    return [InputRef(place, lt.NULL) for place in needed], made


def _filters(call: AggregateCall) -> tuple[int, ...]:
    return () if call.filter is None else (call.filter,)


def _fold(call: AggregateCall, columns: Sequence[Expression], folds: Folds) -> Expression | None:
    condition = None if call.filter is None else columns[call.filter]
    if call.name == "COUNT":
        counted = [columns[place] for place in call.arguments]
        return folds.add("sum", _if_valid(counted, condition, Literal(1, _LONG), Literal(0, _LONG)))
    value = columns[call.arguments[0]] if call.arguments else None
    if value is None:
        return None
    match call.name:
        case "SUM" | "SUM0":
            return _sum(call, value, condition, folds)
        case "AVG":
            return _average(call, value, condition, folds)
        case "MIN" | "MAX":
            return _extreme(call, value, condition, folds)
    return None


def _if_valid(
    values: Sequence[Expression], condition: Expression | None, wanted: Expression, otherwise: Expression
) -> Expression:
    """``wanted`` for rows that count: where no value is NULL, and the condition is true."""
    tests: list[Expression] = [
        Call("IS NOT NULL", (value,), BOOLEAN.not_null()) for value in values if may_be_null(value.type)
    ]
    if condition is not None:
        tests.append(Call("IS TRUE", (condition,), BOOLEAN.not_null()))
    if not tests:
        return wanted
    test = tests[0]
    for each in tests[1:]:
        test = Call("AND", (test, each), BOOLEAN.not_null())
    return Call("CASE", (test, wanted, otherwise), wanted.type.not_null())


def _counted(value: Expression, condition: Expression | None, folds: Folds) -> Expression | None:
    """Count the values that there are; None if there always is one."""
    if not may_be_null(value.type) and condition is None:
        return None
    return folds.add("sum", _if_valid([value], condition, Literal(1, _LONG), Literal(0, _LONG)))


def _unless_none(count: Expression | None, result: Expression, kind: DataType) -> Expression:
    """NULL where no value was folded."""
    if count is None:
        return result
    none = Call("=", (count, Literal(0, _LONG)), BOOLEAN.not_null())
    return Call("CASE", (none, Literal(None, kind.nullable()), result), kind.nullable())


def _is_short_decimal(kind: DataType) -> bool:
    return isinstance(kind, t.DecimalType) and kind.precision <= 18


def _cast(expression: Expression, kind: DataType) -> Expression:
    if lt.same_but_null(expression.type, kind):
        return expression
    return Call("CAST", (expression,), with_nullability(kind, may_be_null(expression.type)), ("UTC",))


def _summed(value: Expression, condition: Expression | None, folds: Folds) -> tuple[Expression, DataType] | None:
    """The sum of the values that count, as it is folded, and the type that it stands for; None: not by a fold."""
    kind = value.type
    if lt.is_integer(kind):
        given = _cast(value, BIGINT)
        return folds.add("sum", _if_valid([value], condition, given, Literal(0, _LONG))), BIGINT
    if lt.is_approximate(kind):
        return folds.add(
            "sum", _if_valid([value], condition, _cast(value, DOUBLE), Literal(0.0, DOUBLE.not_null()))
        ), DOUBLE
    if _is_short_decimal(kind):
        whole = Call("$UNSCALED", (value,), with_nullability(BIGINT, may_be_null(kind)))
        folded = t.DecimalType(38, 0, False)
        total = folds.add("exact", _if_valid([value], condition, whole, Literal(0, _LONG)), folded)
        exact = t.DecimalType(38, kind.scale, False)  # type: ignore[attr-defined]
        return Call("$SCALED", (total,), exact, (exact.scale,)), exact
    return None


def _sum(call: AggregateCall, value: Expression, condition: Expression | None, folds: Folds) -> Expression | None:
    if isinstance(value.type, t.FloatType):
        return None  # its sum is rounded to single precision step by step
    found = _summed(value, condition, folds)
    if found is None:
        return None
    count = None if call.name == "SUM0" else _counted(value, condition, folds)
    return _unless_none(count, _cast(found[0], call.type), call.type)


def _average(call: AggregateCall, value: Expression, condition: Expression | None, folds: Folds) -> Expression | None:
    found = _summed(value, condition, folds)
    if found is None:
        return None
    total, kind = found
    count = folds.add("sum", _if_valid([value], condition, Literal(1, _LONG), Literal(0, _LONG)))
    divided: DataType = kind if not isinstance(kind, t.DecimalType) else call.type
    of_null = may_be_null(value.type) or condition is not None
    divisor = Call("NULLIF", (count, Literal(0, _LONG)), BIGINT) if of_null else count
    quotient = Call("/", (total, divisor), with_nullability(divided, of_null))
    return _cast(quotient, call.type)


def _extreme(call: AggregateCall, value: Expression, condition: Expression | None, folds: Folds) -> Expression | None:
    kind, least = value.type, call.name == "MIN"
    name = call.name.lower()
    count = _counted(value, condition, folds)
    if lt.is_integer(kind):
        beyond = Literal(_GREATEST if least else _LEAST, _LONG)
        found = folds.add(name, _if_valid([value], condition, _cast(value, BIGINT), beyond))
        return _unless_none(count, _cast(found, call.type), call.type)
    if lt.is_approximate(kind):
        infinite = Literal(_INFINITY if least else -_INFINITY, DOUBLE.not_null())
        found = folds.add(name, _if_valid([value], condition, _cast(value, DOUBLE), infinite))
        return _unless_none(count, _cast(found, call.type), call.type)
    beyond = Literal(_GREATEST if least else _LEAST, _LONG)
    of_whole = with_nullability(BIGINT, may_be_null(kind))
    if _is_short_decimal(kind):
        found = folds.add(name, _if_valid([value], condition, Call("$UNSCALED", (value,), of_whole), beyond))
        return _unless_none(count, Call("$SCALED", (_known(found, count),), call.type, (kind.scale,)), call.type)  # type: ignore[attr-defined]
    if lt.is_temporal(kind):
        found = folds.add(name, _if_valid([value], condition, Call("$TICKS", (value,), of_whole), beyond))
        return _unless_none(count, Call("$OF_TICKS", (_known(found, count),), call.type), call.type)
    if condition is None and (lt.is_text(kind) or isinstance(kind, t.DecimalType)):
        return folds.add(name, value)
    return None


def _known(found: Expression, count: Expression | None) -> Expression:
    """Express what was folded, or 0 where nothing was: the end of all numbers may be no value of a type."""
    if count is None:
        return found
    none = Call("=", (count, Literal(0, _LONG)), BOOLEAN.not_null())
    return Call("CASE", (none, Literal(0, _LONG), found), _LONG)
