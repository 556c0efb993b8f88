"""From what is written to expressions whose names and types are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from string import hexdigits
from typing import Any, ClassVar

from sqlglot import exp

from windrow.errors import SqlError
from windrow.expressions import logical_types as lt
from windrow.expressions import reading
from windrow.expressions.casts import can_cast
from windrow.expressions.function import MAP
from windrow.expressions.logical_types import (
    BOOLEAN,
    DAY_TIME,
    NULL,
    YEAR_MONTH,
    NullType,
    adjusted,
    as_decimal,
    common,
    may_be_null,
    name_of,
    same_but_null,
    with_nullability,
)
from windrow.expressions.nodes import Call, Expression, InputRef, Literal
from windrow.sql import syntax as s
from windrow.sql.catalog import Catalog
from windrow.sql.errors import nearest, sql_error
from windrow.sql.function_calls import array, bind_call, case_of, concat, map_, own_aggregate, own_call, row
from windrow.sql.intervals import day_time, year_month
from windrow.sql.json_calls import json_call, json_made
from windrow.sql.plan import Column
from windrow.sql.scope import Scope
from windrow.sql.time_calls import overlaps
from windrow.sql.type_names import type_of
from windrow.table import data_types as t
from windrow.table.data_types import DataType
from windrow.table.udf import UserDefinedAggregateFunctionWrapper

_COMPARISONS = {exp.EQ: "=", exp.NEQ: "<>", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">="}
_ARITHMETIC = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.Mod: "%"}
_YEAR_MONTH_UNITS = ("YEAR", "QUARTER", "MONTH")


def cast_to(expression: Expression, kind: DataType, *, time_zone: str) -> Expression:
    """The expression as another type; NULL stays possible where it was."""
    if same_but_null(expression.type, kind):
        return expression
    target = with_nullability(kind, may_be_null(expression.type) or isinstance(expression.type, NullType))
    return Call("CAST_IMPLICIT", (expression,), target, (time_zone,))


class ExpressionBinder:
    """Binds expressions over the columns of a scope.

    Args:
        scope: The columns.
        time_zone: That of the session, for points in time.
        special: Asked first for each part: gives what an aggregate or the like has become, or None.
        catalog: Knows the functions of the program's own; None: there are none.
    """

    def __init__(
        self,
        scope: Scope,
        time_zone: str = "UTC",
        special: Callable[[Any], Expression | None] | None = None,
        catalog: Catalog | None = None,
    ) -> None:
        self._scope = scope
        self.time_zone = time_zone
        self._special = special
        self.system_functions = {} if catalog is None else catalog.system_functions
        self.functions = {} if catalog is None else catalog.functions

    def bind(self, node: Any) -> Expression:
        """The expression that a part of a statement is.

        Raises:
            SqlError: it names what there is not, or types do not fit.
        """
        if self._special is not None:
            found = self._special(node)
            if found is not None:
                return found
        for kind in type(node).__mro__:
            method = self._METHODS.get(kind)
            if method is not None:
                found = method(self, node)
                return Call("NOT", (found,), found.type) if node.args.get("negate") else found
        raise self.error(node, f"{type(node).__name__.upper()} is not supported here")

    def own_aggregate(self, node: Any) -> UserDefinedAggregateFunctionWrapper | None:
        """The aggregate of the program's own that a part of a statement calls; None: it calls none."""
        return own_aggregate(node, self.system_functions, self.functions)

    def condition(self, node: Any, of: str) -> Expression:
        """The same, which has to be a BOOLEAN.

        Raises:
            SqlError: it is none.
        """
        bound = self.bind(node)
        if not isinstance(bound.type, t.BooleanType | NullType):
            raise self.error(node, f"{of} takes a BOOLEAN; got {name_of(bound.type)}")
        return self.cast_to(bound, BOOLEAN)

    def cast_to(self, expression: Expression, kind: DataType) -> Expression:
        """The expression as another type; NULL stays possible where it was."""
        return cast_to(expression, kind, time_zone=self.time_zone)

    def column_of(self, expression: Expression) -> Column | None:
        """The column that an expression is; None: it is none."""
        return self._scope.columns[expression.index] if isinstance(expression, InputRef) else None

    @property
    def text(self) -> str:
        """The statement."""
        return self._scope.text

    def error(self, node: Any, message: str) -> SqlError:
        """An error about a part of the statement."""
        return sql_error(self._scope.text, node, message)

    # Names and literals

    def _column(self, node: Any) -> Expression:
        parts = [part.name for part in node.parts]
        table = None
        if len(parts) > 1 and self._scope.has_table(parts[0]):
            table, *parts = parts
        elif len(parts) > 2 and self._scope.has_table(parts[-2]):
            table, parts = parts[-2], parts[-1:]
        elif len(parts) > 1 and not self._scope.has_column(parts[0]):
            known = [*self._scope.named_tables, *[column.name for column in self._scope.columns]]
            raise self.error(node, f"there is no table or column {parts[0]!r} here: {nearest(parts[0], known)}")
        place = self._scope.find(parts[0], table, node)
        found: Expression = InputRef(place, self._scope.columns[place].type)
        for name in parts[1:]:
            found = self.field_of(found, name, node)
        return found

    def _dot(self, node: Any) -> Expression:
        return self.field_of(self.bind(node.this), node.expression.name, node)

    def field_of(self, row: Expression, name: str, node: Any) -> Expression:
        """A field of a row.

        Raises:
            SqlError: it is no row, or has no such field.
        """
        if not isinstance(row.type, t.RowType):
            raise self.error(node, f"{name!r} is asked of {name_of(row.type)}, which has no fields")
        names = row.type.field_names()
        if name not in names:
            raise self.error(node, f"there is no field {name!r}: {nearest(name, names)}")
        kind = row.type.field_types()[names.index(name)]
        return Call("FIELD", (row,), with_nullability(kind, may_be_null(kind) or may_be_null(row.type)), (name,))

    def _literal(self, node: Any) -> Expression:
        text = str(node.this)
        if node.is_string:
            return Literal(text, t.CharType(len(text)).not_null() if text else t.CharType(1).not_null())
        if "e" in text.lower():
            return Literal(float(text), t.DoubleType(False))
        if "." in text:
            number = Decimal(text)
            scale = -int(number.as_tuple().exponent)
            digits = max(len(number.as_tuple().digits), scale + 1)
            return Literal(number, t.DecimalType(digits, scale, False))
        whole = int(text)
        if whole < 2**31:
            return Literal(whole, t.IntType(False))
        return (
            Literal(whole, t.BigIntType(False))
            if whole < 2**63
            else Literal(Decimal(whole), t.DecimalType(len(text), 0, False))
        )

    def _bytes(self, node: Any) -> Expression:
        digits = str(node.this)
        if len(digits) % 2 or not all(each in hexdigits for each in digits):
            raise self.error(node, f"x'...' takes two digits of 0 to 9 and A to F for each byte; got {digits!r}")
        value = bytes.fromhex(digits)
        return Literal(value, t.BinaryType(max(len(value), 1)).not_null())

    def _interval(self, node: Any) -> Expression:
        unit, last = node.args["unit"].name, node.args.get("last")
        last = unit if last is None else last.name
        try:
            if unit in _YEAR_MONTH_UNITS:
                return Literal(year_month(node.this.name, unit, last), YEAR_MONTH.not_null())
            return Literal(day_time(node.this.name, unit, last), DAY_TIME.not_null())
        except ValueError as error:
            raise self.error(node, str(error)) from None

    # Operators

    def _comparison(self, node: Any) -> Expression:
        return self._compared(_COMPARISONS[type(node)], node.this, node.expression, node)

    def _compared(self, operator: str, left: Any, right: Any, node: Any) -> Expression:
        operands = [self.bind(left), self.bind(right)]
        first, second = self.alike(operands, node, f"{operator} compares", equal=operator in ("=", "<>"))
        nullable = may_be_null(first.type) or may_be_null(second.type)
        return Call(operator, (first, second), with_nullability(BOOLEAN, nullable))

    def alike(
        self, bound: Sequence[Expression], node: Any, doing: str, *, compares: bool = True, equal: bool = False
    ) -> list[Expression]:
        """The expressions as the type that they have in common.

        Args:
            bound: The expressions.
            node: What is shown if there is none.
            doing: What wants them alike, in the words of the error.
            compares: Whether they are compared: text is read as what it is compared with, and FLOAT beside DOUBLE
                is a DOUBLE.
            equal: Whether it is asked if they are equal: text is not read as a number then, as in Flink.

        Raises:
            SqlError: there is none.
        """
        kinds = [each.type for each in bound]
        found = common(kinds)
        if compares:
            others = [kind for kind in kinds if not lt.is_text(kind)]
            if found is None and len(others) < len(kinds) and not (equal and any(map(lt.is_numeric, others))):
                found = common(others)
            elif isinstance(found, t.FloatType) and any(isinstance(kind, t.DoubleType) for kind in kinds):
                found = lt.DOUBLE
            elif isinstance(found, NullType):
                found = lt.INT
        if found is None:
            shown = " and ".join(name_of(kind) for kind in kinds)
            raise self.error(node, f"{doing} values of one type; got {shown}: CAST one of them")
        return [self.cast_to(each, found) for each in bound]

    def _arithmetic(self, node: Any) -> Expression:
        operator = _ARITHMETIC[type(node)]
        left, right = self.bind(node.this), self.bind(node.expression)
        kinds = left.type, right.type
        nullable = any(map(may_be_null, kinds)) or any(isinstance(kind, NullType) for kind in kinds)
        if lt.is_interval(kinds[0]) or lt.is_interval(kinds[1]):
            return self._with_interval(operator, left, right, nullable, node)
        if isinstance(kinds[0], NullType) or isinstance(kinds[1], NullType):
            known = next((kind for kind in kinds if not isinstance(kind, NullType)), lt.INT)
            left, right = self.cast_to(left, known), self.cast_to(right, known)
            kinds = left.type, right.type
        if not all(map(lt.is_numeric, kinds)):
            shown = " and ".join(map(name_of, kinds))
            raise self.error(node, f"{operator} takes numbers, or times and intervals; got {shown}")
        return Call(operator, (left, right), with_nullability(_number_type(operator, *kinds), nullable))

    def _with_interval(
        self, operator: str, left: Expression, right: Expression, nullable: bool, node: Any
    ) -> Expression:
        first, second = left.type, right.type
        if operator == "+" and lt.is_interval(first) and lt.is_temporal(second):
            left, right, first, second = right, left, second, first
        if operator in "+-" and lt.is_temporal(first) and lt.is_interval(second):
            return Call(f"TIME {operator}", (left, right), with_nullability(first, nullable))
        if operator in "+-" and type(first) is type(second):
            return Call(f"SPAN {operator}", (left, right), with_nullability(first, nullable))
        if operator == "*" and lt.is_integer(first) != lt.is_integer(second):
            kind = second if lt.is_integer(first) else first
            return Call("SPAN *", (left, right), with_nullability(kind, nullable))
        raise self.error(node, f"{operator} does not take {name_of(first)} and {name_of(second)}")

    def _negative(self, node: Any) -> Expression:
        operand = self.bind(node.this)
        if isinstance(operand, Literal) and operand.value is not None and lt.is_numeric(operand.type):
            return Literal(-operand.value, operand.type)
        if not (lt.is_numeric(operand.type) or lt.is_interval(operand.type)):
            raise self.error(node, f"- takes a number; got {name_of(operand.type)}")
        return Call("NEGATE", (operand,), operand.type)

    def _not(self, node: Any) -> Expression:
        inner = node.this
        if isinstance(inner, exp.Is):
            return self._is(inner, negated=True)
        operand = self.condition(inner, "NOT")
        return Call("NOT", (operand,), operand.type)

    def _junction(self, node: Any) -> Expression:
        name = "AND" if isinstance(node, exp.And) else "OR"
        operands = [self.condition(each, name) for each in (node.this, node.expression)]
        nullable = any(may_be_null(each.type) for each in operands)
        return Call(name, tuple(operands), with_nullability(BOOLEAN, nullable))

    def _is(self, node: Any, *, negated: bool = False) -> Expression:
        word = "IS NOT" if negated else "IS"
        what = node.expression
        if isinstance(what, exp.Null):
            return Call(f"{word} NULL", (self.bind(node.this),), BOOLEAN.not_null())
        if isinstance(what, exp.Boolean):
            operand = self.condition(node.this, word)
            return Call(f"{word} {'TRUE' if what.this else 'FALSE'}", (operand,), BOOLEAN.not_null())
        if isinstance(what, exp.JSON):
            made = self._json_of(node, str(what.this))
            return Call("NOT", (made,), BOOLEAN.not_null()) if negated else made
        if what.sql().upper() == "UNKNOWN":
            return Call(f"{word} NULL", (self.condition(node.this, word),), BOOLEAN.not_null())
        raise self.error(node, f"{word} takes NULL, TRUE, FALSE, UNKNOWN, JSON or DISTINCT FROM")

    def _json_of(self, node: Any, kind: str) -> Expression:
        """Bind IS JSON: whether text is JSON of a kind; NULL is none."""
        operand = self.bind(node.this)
        if not lt.is_text(operand.type):
            raise self.error(node, f"IS JSON takes text; got {name_of(operand.type)}")
        return Call("IS JSON", (operand,), BOOLEAN.not_null(), (kind,))

    def _distinct(self, node: Any) -> Expression:
        operator = "IS DISTINCT FROM" if isinstance(node, exp.NullSafeNEQ) else "IS NOT DISTINCT FROM"
        operands = [self.bind(node.this), self.bind(node.expression)]
        return Call(operator, tuple(self.alike(operands, node, f"{operator} compares", equal=True)), BOOLEAN.not_null())

    def _between(self, node: Any) -> Expression:
        found = self._within(node, "low", "high")
        if not node.args.get("symmetric"):
            return found
        turned = self._within(node, "high", "low")
        return Call("OR", (found, turned), with_nullability(BOOLEAN, may_be_null(found.type)))

    def _within(self, node: Any, least: str, greatest: str) -> Expression:
        low = self._compared(">=", node.this, node.args[least], node)
        high = self._compared("<=", node.this, node.args[greatest], node)
        nullable = may_be_null(low.type) or may_be_null(high.type)
        return Call("AND", (low, high), with_nullability(BOOLEAN, nullable))

    def _in(self, node: Any) -> Expression:
        if node.args.get("query") is not None:
            return self._query(node)
        bound = [self.bind(each) for each in (node.this, *node.expressions)]
        value, *choices = self.alike(bound, node, "IN compares", equal=lt.is_text(bound[0].type))
        nullable = any(may_be_null(each.type) for each in (value, *choices))
        kind = with_nullability(BOOLEAN, nullable)
        found: Expression = Call("=", (value, choices[0]), kind)
        for choice in choices[1:]:
            found = Call("OR", (found, Call("=", (value, choice), kind)), kind)
        return found

    def _query(self, node: Any) -> Expression:
        """Give what a query in the place of a value has become, or IN or EXISTS of one."""
        found: Expression | None = self._scope.value_of(node)
        if found is None:
            raise self.error(node, "a query within an expression stands in SELECT, WHERE, GROUP BY or HAVING")
        return found

    def _quantified(self, node: Any) -> Expression:
        raise self.error(node, "ANY, SOME and ALL stand behind a comparison, with a query: write IN of values")

    def _like(self, node: Any, escape: Any = None) -> Expression:
        name = "SIMILAR TO" if isinstance(node, exp.SimilarTo) else "LIKE"
        operands = [self.bind(node.this), self.bind(node.expression)]
        if escape is not None:
            operands.append(self.bind(escape))
        for operand in operands:
            if not lt.is_text(operand.type) and not isinstance(operand.type, NullType):
                raise self.error(node, f"{name} takes text; got {name_of(operand.type)}")
        nullable = any(may_be_null(each.type) for each in operands)
        return Call(
            name, tuple([self.cast_to(each, lt.STRING) for each in operands]), with_nullability(BOOLEAN, nullable)
        )

    def _escape(self, node: Any) -> Expression:
        return self._like(node.this, node.expression)

    def _concatenation(self, node: Any) -> Expression:
        operands = [self.bind(node.this), self.bind(node.expression)]
        for operand in operands:
            if not lt.is_text(operand.type) and not isinstance(operand.type, NullType):
                raise self.error(node, f"|| takes text; got {name_of(operand.type)}: CAST it AS STRING")
        operands = [self.cast_to(each, lt.STRING) if isinstance(each.type, NullType) else each for each in operands]
        nullable = any(may_be_null(each.type) for each in operands)
        kind: DataType = lt.STRING
        if all(isinstance(each.type, t.CharType) for each in operands):
            kind = t.CharType(sum(each.type.length for each in operands if isinstance(each.type, t.CharType)))
        return Call("||", tuple(operands), with_nullability(kind, nullable))

    def _case(self, node: Any) -> Expression:
        subject = node.args.get("this")
        conditions: list[Expression] = []
        values: list[Expression] = []
        for branch in node.args["ifs"]:
            if subject is None:
                conditions.append(self.condition(branch.this, "WHEN"))
            else:
                conditions.append(self._compared("=", subject, branch.this, branch))
            values.append(self.bind(branch.args["true"]))
        default = node.args.get("default")
        values.append(Literal(None, NULL) if default is None else self.bind(default))
        *made, otherwise = self.alike(values, node, "CASE gives", compares=False)
        return case_of(conditions, made, otherwise)

    # Functions

    def _cast(self, node: Any) -> Expression:
        if _is_typed_literal(node):
            return self._typed_literal(node.this.name, node)
        operand, target = self.bind(node.this), type_of(node.args["to"], self._scope.text)
        if not can_cast(operand.type, target):
            raise self.error(node, f"{name_of(operand.type)} cannot be cast to {name_of(target)}")
        tries = isinstance(node, exp.TryCast)
        nullable = tries or may_be_null(operand.type) or isinstance(operand.type, NullType)
        kind = with_nullability(target, nullable)
        return Call("TRY_CAST" if tries else "CAST", (operand,), kind, (self.time_zone,))

    def _typed_literal(self, text: str, node: Any) -> Expression:
        """``DATE '...'``, ``TIMESTAMP '...'``: with as many digits of a second as are written."""
        digits = min(len(text.partition(".")[2]), 6)
        name = node.args["to"].this.name
        if node.args["to"].expressions:
            raise self.error(
                node, f"{name} '...' has as many digits of a second as are written: leave out their number"
            )
        kinds: dict[str, DataType] = {
            "DATE": t.DateType(),
            "TIME": t.TimeType(digits),
            "TIMESTAMP": t.TimestampType(digits),
            "DATETIME": t.TimestampType(digits),
        }
        kind = kinds.get(name)
        if kind is None:
            raise self.error(node, f"{name} is written CAST('{text}' AS {name})")
        try:
            return Literal(reading.written_reader(kind)(text), kind.not_null())
        except ValueError as error:
            raise self.error(node, str(error)) from None

    def _bracket(self, node: Any) -> Expression:
        target = node.this
        if isinstance(target, exp.Column) and target.name.upper() in ("ARRAY", "MAP") and not target.table:
            make = array if target.name.upper() == "ARRAY" else map_
            return make(self, exp.Anonymous(this=target.name, expressions=node.expressions))
        if len(node.expressions) != 1:
            raise self.error(node, f"[...] takes one index or key; got {len(node.expressions)}")
        value, key = self.bind(target), self.bind(node.expressions[0])
        if isinstance(value.type, t.ArrayType):
            return Call("ITEM", (value, self.cast_to(key, lt.INT)), value.type.element_type.nullable())
        if MAP.takes(value.type):
            assert isinstance(value.type, t.MapType)
            return Call("ENTRY", (value, self.cast_to(key, value.type.key_type)), value.type.value_type.nullable())
        raise self.error(node, f"[...] takes an element of an ARRAY or MAP; got {name_of(value.type)}")

    def _null(self, _node: Any) -> Expression:
        return Literal(None, NULL)

    def _boolean(self, node: Any) -> Expression:
        return Literal(bool(node.this), BOOLEAN.not_null())

    def _inner(self, node: Any) -> Expression:
        return self.bind(node.this)

    _METHODS: ClassVar[dict[type, Callable[[Any, Any], Expression]]] = {
        exp.Column: _column,
        exp.Dot: _dot,
        exp.Literal: _literal,
        exp.HexString: _bytes,
        exp.Null: _null,
        exp.Boolean: _boolean,
        exp.Paren: _inner,
        s.SpanInterval: _interval,
        s.JsonCall: json_call,
        s.JsonMade: json_made,
        exp.Overlaps: overlaps,
        **dict.fromkeys(_COMPARISONS, _comparison),
        **dict.fromkeys(_ARITHMETIC, _arithmetic),
        exp.Neg: _negative,
        exp.Not: _not,
        exp.And: _junction,
        exp.Or: _junction,
        exp.Is: _is,
        exp.NullSafeEQ: _distinct,
        exp.NullSafeNEQ: _distinct,
        exp.Between: _between,
        exp.In: _in,
        exp.Exists: _query,
        exp.Any: _quantified,
        exp.All: _quantified,
        exp.Subquery: _query,
        s.Quantified: _query,
        exp.Like: _like,
        exp.SimilarTo: _like,
        exp.Escape: _escape,
        exp.DPipe: _concatenation,
        exp.Concat: concat,
        exp.Case: _case,
        exp.TryCast: _cast,
        exp.Cast: _cast,
        exp.Anonymous: bind_call,
        s.OwnCall: own_call,
        exp.Array: array,
        exp.Map: map_,
        exp.Tuple: row,
        exp.Bracket: _bracket,
    }


def _is_typed_literal(node: Any) -> bool:
    """Tell if it is ``TIMESTAMP '...'`` and no CAST that was written: sqlglot makes one of the other."""
    return isinstance(node.args.get("to"), exp.DataType)


def _number_type(operator: str, first: DataType, second: DataType) -> DataType:
    """The type of an arithmetic operation on numbers, by Flink's rules."""
    both_exact = not lt.is_approximate(first) and not lt.is_approximate(second)
    if both_exact and (isinstance(first, t.DecimalType) or isinstance(second, t.DecimalType)):
        return _decimal_type(operator, as_decimal(first), as_decimal(second))
    found = common([first, second])
    assert found is not None, "numbers have a type in common"
    return second if operator == "%" and both_exact else found


def _decimal_type(operator: str, first: t.DecimalType, second: t.DecimalType) -> t.DecimalType:
    p1, s1, p2, s2 = first.precision, first.scale, second.precision, second.scale
    match operator:
        case "*":
            return adjusted(p1 + p2 + 1, s1 + s2)
        case "/":
            scale = max(6, s1 + p2 + 1)
            return adjusted(p1 - s1 + s2 + scale, scale)
        case "%":
            return adjusted(min(p1 - s1, p2 - s2) + max(s1, s2), max(s1, s2))
    scale = max(s1, s2)
    return adjusted(max(p1 - s1, p2 - s2) + scale + 1, scale)
