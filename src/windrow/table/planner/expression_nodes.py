"""Expressions of the Table API as parts of statements, so that one binder gives both their meaning."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Collection, Mapping
from decimal import Decimal
from typing import Any

from sqlglot import exp

from windrow.common.checks import described
from windrow.errors import ConfigurationTypeError, SqlError
from windrow.expressions.logical_types import name_of
from windrow.sql import syntax as s
from windrow.sql.dialect import parse, parse_type
from windrow.sql.errors import nearest
from windrow.sql.function_calls import AGGREGATES
from windrow.table.expression import Expression
from windrow.table.udf import UserDefinedAggregateFunctionWrapper, UserDefinedFunctionWrapper
from windrow.table.window import GroupWindow, OverWindow

_BINARY: dict[str, Any] = {
    "=": exp.EQ,
    "<>": exp.NEQ,
    "<": exp.LT,
    "<=": exp.LTE,
    ">": exp.GT,
    ">=": exp.GTE,
    "AND": exp.And,
    "OR": exp.Or,
    "+": exp.Add,
    "-": exp.Sub,
    "*": exp.Mul,
    "/": exp.Div,
    "%": exp.Mod,
    "SIMILAR TO": exp.SimilarTo,
}
#: Functions with words among their arguments.
_WITH_WORDS = frozenset({"EXTRACT", "TRIM", "TIMESTAMPADD", "TIMESTAMPDIFF", "CAST", "TRY_CAST"})


class ExpressionNodes:
    """Makes parts of a statement.

    Args:
        windows: What ``col("w").start`` and ``group_by(col("w"))`` mean, by the windows' names.
        over: What ``over(col("w"))`` means.
        own: The names of aggregates of the program's own, in upper case.
    """

    def __init__(
        self,
        windows: Mapping[str, GroupWindow] | None = None,
        over: Mapping[str, OverWindow] | None = None,
        own: Collection[str] = (),
    ) -> None:
        self._windows = windows or {}
        self._over = over or {}
        self._own_aggregates = own

    def node(self, given: Any) -> Any:
        """The part of a statement that an expression, or a value, is.

        Raises:
            ConfigurationTypeError: a value has no form in SQL.
            SqlError: it names a window that there is not.
        """
        if not isinstance(given, Expression):
            return _literal(given)
        kind, parts = given._kind, given._parts
        if kind in _BINARY:
            return _BINARY[kind](this=self.node(parts[0]), expression=self.node(parts[1]))
        return self._MADE[kind](self, *parts)

    def condition(self, given: Any) -> Any:
        """The same, of a predicate."""
        if not isinstance(given, Expression):
            msg = f"a condition is an expression, as col('a') > 1 is; got {described(given)}"
            raise ConfigurationTypeError(msg)
        return self.node(given)

    def window(self, window: GroupWindow, kind: str | None = None) -> Any:
        """The call of a window's function, as GROUP BY has it, or of one of its properties."""
        arguments = [self.node(each) for each in (window.time_field, *window.spans)]
        return exp.Anonymous(this=kind or window.kind, expressions=arguments)

    # Each kind of expression

    def _column(self, name: str) -> Any:
        if name in self._windows:
            return self.window(self._windows[name])
        return exp.Star() if name == "*" else exp.Column(this=exp.Identifier(this=name, quoted=True))

    def _value(self, value: Any) -> Any:
        return _literal(value)

    def _alias(self, inner: Any, name: str, *_: str) -> Any:
        return exp.Alias(this=self.node(inner), alias=exp.Identifier(this=name, quoted=True))

    def _cast(self, inner: Any, kind: Any) -> Any:
        return exp.Cast(this=self.node(inner), to=_type(kind))

    def _try_cast(self, inner: Any, kind: Any) -> Any:
        return exp.TryCast(this=self.node(inner), to=_type(kind))

    def _test(self, name: str, inner: Any) -> Any:
        word = name.rpartition(" ")[2]
        what = exp.Null() if word == "NULL" else exp.Boolean(this=word == "TRUE")
        made = exp.Is(this=self.node(inner), expression=what)
        return exp.Not(this=made) if name.startswith("IS NOT") else made

    def _not(self, inner: Any) -> Any:
        return exp.Not(this=self.node(inner))

    def _negative(self, inner: Any) -> Any:
        return exp.Neg(this=self.node(inner))

    def _between(self, inner: Any, low: Any, high: Any) -> Any:
        return exp.Between(this=self.node(inner), low=self.node(low), high=self.node(high))

    def _in(self, inner: Any, *choices: Any) -> Any:
        return exp.In(this=self.node(inner), expressions=[self.node(each) for each in choices])

    def _like(self, inner: Any, pattern: Any, escape: Any = None) -> Any:
        made = exp.Like(this=self.node(inner), expression=self.node(pattern))
        return made if escape is None else exp.Escape(this=made, expression=self.node(escape))

    def _field(self, inner: Any, name: Any) -> Any:
        if not isinstance(name, str):
            msg = f"get takes the name of a field; got {described(name)}"
            raise ConfigurationTypeError(msg)
        return exp.Dot(this=self.node(inner), expression=exp.Identifier(this=name, quoted=True))

    def _item(self, inner: Any, index: Any) -> Any:
        return exp.Bracket(this=exp.Paren(this=self.node(inner)), expressions=[self.node(index)])

    def _call(self, name: str, *arguments: Any) -> Any:
        if name.upper() in _WITH_WORDS:
            msg = f"{name.upper()} has words among its arguments: write call_sql('{name.upper()}(...)')"
            raise SqlError(msg)
        return exp.Anonymous(this=name, expressions=[self.node(each) for each in arguments])

    def _own(self, function: Any, *arguments: Any) -> Any:
        if not isinstance(function, UserDefinedFunctionWrapper):
            msg = f"call takes the name of a function, or what udf gives; got {described(function)}"
            raise ConfigurationTypeError(msg)
        return s.OwnCall(function=function, expressions=[self.node(each) for each in arguments])

    def _sql(self, written: str) -> Any:
        statements = parse(f"SELECT {written}")
        found = statements[0].expressions if len(statements) == 1 else []
        others = [key for key, value in statements[0].args.items() if value and key != "expressions"]
        if len(found) != 1 or others:
            msg = f"call_sql takes one expression; got {written!r}"
            raise SqlError(msg)
        made = found[0]
        for each in made.walk():  # its places are in another text than the query's
            each.meta.clear()
        return made.pop()

    def _aggregate(self, name: str, inner: Any, *more: Any) -> Any:
        return exp.Anonymous(this=name, expressions=[self.node(inner), *[self.node(each) for each in more]])

    def _distinct(self, inner: Any) -> Any:
        made = self.node(inner)
        if not is_aggregate(inner, self._own_aggregates):
            msg = f"distinct stands behind an aggregate: col('a').count.distinct; got {inner!r}"
            raise SqlError(msg)
        first, *more = made.expressions
        made.set("expressions", [exp.Distinct(expressions=[first.pop()]), *more])
        return made

    def _property(self, name: str, inner: Any) -> Any:
        alias = inner._parts[0] if isinstance(inner, Expression) and inner._kind == "col" else None
        window = self._windows.get(str(alias))
        if window is None:
            hint = nearest(str(alias), self._windows)
            msg = f"{name.lower()} is asked of the name of a window; got {inner!r}: {hint}"
            raise SqlError(msg)
        return self.window(window, f"{window.kind}_{name}")

    def _over_window(self, inner: Any, alias: Any) -> Any:
        name = alias._parts[0] if isinstance(alias, Expression) and alias._kind == "col" else alias
        if name not in self._over:
            msg = f"there is no window {name!r} to aggregate over: {nearest(str(name), self._over)}"
            raise SqlError(msg)
        window = self._over[name]
        order = exp.Order(expressions=[exp.Ordered(this=self.node(window.order), desc=False, nulls_first=True)])
        return exp.Window(
            this=self.node(inner),
            partition_by=[self.node(each) for each in window.partition],
            order=order,
            spec=self._frame(window.frame),
        )

    def _frame(self, frame: Expression) -> Any:
        kind, parts = frame._kind, frame._parts
        if kind == "bound":
            by, start = parts
        elif kind == "rows":
            by, start = "ROWS", _literal(parts[0])
        else:
            by, start = "RANGE", self.node(frame)
        return exp.WindowSpec(kind=by, start=start, start_side="PRECEDING", end="CURRENT ROW")

    def _interval(self, inner: Any, unit: str) -> Any:
        value = inner._parts[0] if isinstance(inner, Expression) and inner._kind == "lit" else inner
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            msg = f"a span of time is made of a number: lit(10).minutes; got {inner!r}"
            raise SqlError(msg)
        return s.SpanInterval(this=exp.Literal.string(str(value)), unit=exp.Var(this=unit))

    def _whole(self, function: Any) -> Any:
        msg = f"{function!r} without arguments stands in map, flat_map, aggregate and join_lateral; else call it"
        raise SqlError(msg)

    def _whole_row(self, kind: Any) -> Any:
        """All columns as one row, which has their names."""
        columns = [self._column(name) for name in kind.field_names()]
        return exp.Cast(this=exp.Tuple(expressions=columns), to=_type(kind))

    def _columns(self, *parts: Any) -> Any:
        del parts
        msg = "with_columns, without_columns and range_ stand in select of a table: name the columns"
        raise SqlError(msg)

    def _order(self, inner: Any, descending: bool) -> Any:
        del descending
        msg = f"asc and desc stand in order_by; got that of {inner!r}"
        raise SqlError(msg)

    def _is_json(self, inner: Any, kind: str | None) -> Any:
        return exp.Is(this=self.node(inner), expression=exp.JSON(this=kind or "VALUE"))

    def _json(self, name: str, inner: Any, path: Any, options: Mapping[str, Any]) -> Any:
        made = s.JsonCall(this=name, expressions=[self.node(inner), self.node(path)])
        for key, value in options.items():
            if key == "returning":
                made.set(key, _type(value))
            else:
                made.set(key, self.node(value) if key.endswith("default") else value)
        return made

    def _json_made(self, name: str, on_null: str, *arguments: Any) -> Any:
        nodes = [self.node(each) for each in arguments]
        if name in AGGREGATES:
            return exp.Anonymous(this=name, expressions=[*nodes, exp.Var(this=on_null)])
        if name == "JSON_ARRAY":
            return s.JsonMade(this=name, keys=[], expressions=nodes, on_null=on_null)
        if len(nodes) % 2:
            msg = f"json_object takes keys and values in turn; got {len(nodes)} arguments"
            raise SqlError(msg)
        return s.JsonMade(this=name, keys=nodes[::2], expressions=nodes[1::2], on_null=on_null)

    def _overlaps(self, *arguments: Any) -> Any:
        first, second, third, fourth = (self.node(each) for each in arguments)
        sides = exp.Tuple(expressions=[first, second]), exp.Tuple(expressions=[third, fourth])
        return exp.Overlaps(this=sides[0], expression=sides[1])

    def _rows(self, *_: Any) -> Any:
        msg = "row_interval stands in preceding(...) of Over: windows of so many rows are count_window of a stream"
        raise SqlError(msg)

    def _bound(self, *parts: Any) -> Any:
        msg = f"{' '.join(map(str, parts))} stands in preceding(...) or following(...) of Over"
        raise SqlError(msg)

    def _trim(self, side: str, inner: Any, character: Any) -> Any:
        more = [] if character is None else [self.node(character)]
        return exp.Anonymous(this="TRIM", expressions=[exp.Var(this=side), self.node(inner), *more])

    def _unit_first(self, name: str, unit: str, *arguments: Any) -> Any:
        return exp.Anonymous(this=name, expressions=[exp.Var(this=unit), *[self.node(each) for each in arguments]])

    def _unit_last(self, name: str, inner: Any, unit: str) -> Any:
        return exp.Anonymous(this=name, expressions=[self.node(inner), exp.Var(this=unit)])

    _MADE: Mapping[str, Callable[..., Any]] = {
        "col": _column,
        "lit": _value,
        "alias": _alias,
        "CAST": _cast,
        "TRY_CAST": _try_cast,
        "test": _test,
        "IS NOT TRUE": lambda self, inner: self._test("IS NOT TRUE", inner),
        "NOT": _not,
        "NEGATE": _negative,
        "BETWEEN": _between,
        "IN": _in,
        "LIKE": _like,
        "FIELD": _field,
        "ITEM": _item,
        "call": _call,
        "own": _own,
        "sql": _sql,
        "aggregate": _aggregate,
        "distinct": _distinct,
        "property": _property,
        "over": _over_window,
        "interval": _interval,
        "whole": _whole,
        "whole row": _whole_row,
        "columns": _columns,
        "range": _columns,
        "order": _order,
        "is json": _is_json,
        "json": _json,
        "json made": _json_made,
        "overlaps": _overlaps,
        "rows": _rows,
        "bound": _bound,
        "trim": _trim,
        "unit first": _unit_first,
        "unit last": _unit_last,
    }


def is_aggregate(given: Any, own: Collection[str] = ()) -> bool:
    """Tell whether an expression is an aggregate; ``own``: the names of the program's own ones, in upper case."""
    if not isinstance(given, Expression):
        return False
    what = given._parts[0] if given._parts else None
    if given._kind == "distinct":
        return is_aggregate(what, own)
    if given._kind in ("call", "json made"):
        return str(what).upper() in AGGREGATES or str(what).upper() in own
    return given._kind == "aggregate" or (
        given._kind == "own" and isinstance(what, UserDefinedAggregateFunctionWrapper)
    )


def _type(kind: Any) -> Any:
    made = parse_type(name_of(kind, nullability=False)).copy()
    for each in made.walk():
        each.meta.clear()
    return made


def _literal(value: Any) -> Any:
    """A value of Python as SQL writes it."""
    match value:
        case None:
            return exp.Null()
        case bool():
            return exp.Boolean(this=value)
        case str():
            return exp.Literal.string(value)
        case int() | Decimal() if not isinstance(value, Decimal) or value.is_finite():
            number = exp.Literal.number(f"{abs(value):f}" if isinstance(value, Decimal) else str(abs(value)))
            return exp.Neg(this=number) if value < 0 else number
        case float() if math.isfinite(value):
            shown = repr(abs(value))
            number = exp.Literal.number(shown if "e" in shown else f"{shown}e0")
            return exp.Neg(this=number) if value < 0 else number
        case dt.datetime() if value.tzinfo is None:
            return _typed(value.isoformat(sep=" "), "TIMESTAMP")
        case dt.date() if not isinstance(value, dt.datetime):
            return _typed(value.isoformat(), "DATE")
        case dt.time() if value.tzinfo is None:
            return _typed(value.isoformat(), "TIME")
    taken = "numbers, text, bool, Decimal, None, days and times without a zone, and for spans lit(10).minutes"
    msg = f"there is no literal of {described(value)}: there are {taken}"
    raise ConfigurationTypeError(msg)


def _typed(written: str, kind: str) -> Any:
    return exp.Cast(this=exp.Literal.string(written), to=exp.DataType(this=exp.DataType.Type[kind]))
