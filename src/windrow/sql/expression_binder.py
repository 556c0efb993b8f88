"""From what is written to expressions whose names and types are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, ClassVar

from sqlglot import exp

from windrow.errors import SqlError
from windrow.expressions import logical_types as lt
from windrow.expressions import reading
from windrow.expressions.casts import can_cast
from windrow.expressions.function import FUNCTIONS
from windrow.expressions.kernels import KERNELS
from windrow.expressions.kernels.arithmetic import round_type
from windrow.expressions.kernels.temporal import units_of
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
from windrow.expressions.time_patterns import time_pattern
from windrow.sql import syntax as s
from windrow.sql.catalog import Catalog
from windrow.sql.errors import nearest, sql_error
from windrow.sql.intervals import day_time, year_month
from windrow.sql.scope import Scope
from windrow.sql.type_names import type_of
from windrow.sql.user_functions import call_of, wanted_types
from windrow.table import data_types as t
from windrow.table.data_types import LONGEST, DataType
from windrow.table.udf import UserDefinedScalarFunctionWrapper

_COMPARISONS = {exp.EQ: "=", exp.NEQ: "<>", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">="}
_ARITHMETIC = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.Mod: "%"}
#: Functions with a format of Java's, and whether they read by it.
_FORMATTED = {
    "TO_DATE": True,
    "TO_TIMESTAMP": True,
    "UNIX_TIMESTAMP": True,
    "DATE_FORMAT": False,
    "FROM_UNIXTIME": False,
}
_YEAR_MONTH_UNITS = ("YEAR", "QUARTER", "MONTH")
AGGREGATES = frozenset(
    {
        *("SUM", "SUM0", "COUNT", "AVG", "MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "LISTAGG", "COLLECT", "ARRAY_AGG"),
        *("STDDEV", "STDDEV_POP", "STDDEV_SAMP", "VARIANCE", "VAR_POP", "VAR_SAMP"),
    }
)
WINDOW_PROPERTIES = frozenset(
    f"{kind}_{part}" for kind in ("TUMBLE", "HOP", "SESSION") for part in ("START", "END", "ROWTIME", "PROCTIME")
)


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
        self._system_functions = {} if catalog is None else catalog.system_functions
        self._functions = {} if catalog is None else catalog.functions

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
        raise self._error(node, f"{type(node).__name__.upper()} is not supported here")

    def condition(self, node: Any, of: str) -> Expression:
        """The same, which has to be a BOOLEAN.

        Raises:
            SqlError: it is none.
        """
        bound = self.bind(node)
        if not isinstance(bound.type, t.BooleanType | NullType):
            raise self._error(node, f"{of} takes a BOOLEAN; got {name_of(bound.type)}")
        return self._cast_to(bound, BOOLEAN)

    def _cast_to(self, expression: Expression, kind: DataType) -> Expression:
        return cast_to(expression, kind, time_zone=self.time_zone)

    def _error(self, node: Any, message: str) -> SqlError:
        return sql_error(self._scope.text, node, message)

    # Names and literals

    def _column(self, node: Any) -> Expression:
        parts = [part.name for part in node.parts]
        table = None
        if len(parts) > 1 and self._scope.has_table(parts[0]):
            table, *parts = parts
        elif len(parts) > 2 and self._scope.has_table(parts[-2]):
            table, parts = parts[-2], parts[-1:]
        place = self._scope.find(parts[0], table, node)
        found: Expression = InputRef(place, self._scope.columns[place].type)
        for name in parts[1:]:
            found = self._field_of(found, name, node)
        return found

    def _dot(self, node: Any) -> Expression:
        return self._field_of(self.bind(node.this), node.expression.name, node)

    def _field_of(self, row: Expression, name: str, node: Any) -> Expression:
        if not isinstance(row.type, t.RowType):
            raise self._error(node, f"{name!r} is asked of {name_of(row.type)}, which has no fields")
        names = row.type.field_names()
        if name not in names:
            raise self._error(node, f"there is no field {name!r}: {nearest(name, names)}")
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

    def _interval(self, node: Any) -> Expression:
        unit, last = node.args["unit"].name, node.args.get("last")
        last = unit if last is None else last.name
        try:
            if unit in _YEAR_MONTH_UNITS:
                return Literal(year_month(node.this.name, unit, last), YEAR_MONTH.not_null())
            return Literal(day_time(node.this.name, unit, last), DAY_TIME.not_null())
        except ValueError as error:
            raise self._error(node, str(error)) from None

    # Operators

    def _comparison(self, node: Any) -> Expression:
        return self._compared(_COMPARISONS[type(node)], node.this, node.expression, node)

    def _compared(self, operator: str, left: Any, right: Any, node: Any) -> Expression:
        operands = [self.bind(left), self.bind(right)]
        first, second = self.alike(operands, node, f"{operator} compares")
        nullable = may_be_null(first.type) or may_be_null(second.type)
        return Call(operator, (first, second), with_nullability(BOOLEAN, nullable))

    def alike(self, bound: Sequence[Expression], node: Any, doing: str, *, compares: bool = True) -> list[Expression]:
        """The expressions as the type that they have in common.

        Args:
            bound: The expressions.
            node: What is shown if there is none.
            doing: What wants them alike, in the words of the error.
            compares: Whether they are compared: text is read as what it is compared with, and FLOAT beside DOUBLE
                is a DOUBLE.

        Raises:
            SqlError: there is none.
        """
        kinds = [each.type for each in bound]
        found = common(kinds)
        if compares:
            if found is None and any(map(lt.is_text, kinds)):
                found = common([kind for kind in kinds if not lt.is_text(kind)])
            elif isinstance(found, t.FloatType) and any(isinstance(kind, t.DoubleType) for kind in kinds):
                found = lt.DOUBLE
            elif isinstance(found, NullType):
                found = lt.INT
        if found is None:
            shown = " and ".join(name_of(kind) for kind in kinds)
            raise self._error(node, f"{doing} values of one type; got {shown}: CAST one of them")
        return [self._cast_to(each, found) for each in bound]

    def _arithmetic(self, node: Any) -> Expression:
        operator = _ARITHMETIC[type(node)]
        left, right = self.bind(node.this), self.bind(node.expression)
        kinds = left.type, right.type
        nullable = any(map(may_be_null, kinds)) or any(isinstance(kind, NullType) for kind in kinds)
        if lt.is_interval(kinds[0]) or lt.is_interval(kinds[1]):
            return self._with_interval(operator, left, right, nullable, node)
        if isinstance(kinds[0], NullType) or isinstance(kinds[1], NullType):
            known = next((kind for kind in kinds if not isinstance(kind, NullType)), lt.INT)
            left, right = self._cast_to(left, known), self._cast_to(right, known)
            kinds = left.type, right.type
        if not all(map(lt.is_numeric, kinds)):
            shown = " and ".join(map(name_of, kinds))
            raise self._error(node, f"{operator} takes numbers, or times and intervals; got {shown}")
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
        raise self._error(node, f"{operator} does not take {name_of(first)} and {name_of(second)}")

    def _negative(self, node: Any) -> Expression:
        operand = self.bind(node.this)
        if isinstance(operand, Literal) and operand.value is not None and lt.is_numeric(operand.type):
            return Literal(-operand.value, operand.type)
        if not (lt.is_numeric(operand.type) or lt.is_interval(operand.type)):
            raise self._error(node, f"- takes a number; got {name_of(operand.type)}")
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
            made: Expression = Call("IS JSON", (self.bind(node.this),), BOOLEAN.not_null())
            return Call("NOT", (made,), BOOLEAN.not_null()) if negated else made
        if what.sql().upper() == "UNKNOWN":
            return Call(f"{word} NULL", (self.condition(node.this, word),), BOOLEAN.not_null())
        raise self._error(node, f"{word} takes NULL, TRUE, FALSE, UNKNOWN, JSON or DISTINCT FROM")

    def _distinct(self, node: Any) -> Expression:
        operator = "IS DISTINCT FROM" if isinstance(node, exp.NullSafeNEQ) else "IS NOT DISTINCT FROM"
        operands = self.alike([self.bind(node.this), self.bind(node.expression)], node, f"{operator} compares")
        return Call(operator, tuple(operands), BOOLEAN.not_null())

    def _between(self, node: Any) -> Expression:
        low = self._compared(">=", node.this, node.args["low"], node)
        high = self._compared("<=", node.this, node.args["high"], node)
        nullable = may_be_null(low.type) or may_be_null(high.type)
        return Call("AND", (low, high), with_nullability(BOOLEAN, nullable))

    def _in(self, node: Any) -> Expression:
        if node.args.get("query") is not None:
            raise self._error(node, "IN (SELECT ...) stands by itself, or beside AND, in WHERE")
        bound = [self.bind(each) for each in (node.this, *node.expressions)]
        value, *choices = self.alike(bound, node, "IN compares")
        nullable = any(may_be_null(each.type) for each in (value, *choices))
        kind = with_nullability(BOOLEAN, nullable)
        found: Expression = Call("=", (value, choices[0]), kind)
        for choice in choices[1:]:
            found = Call("OR", (found, Call("=", (value, choice), kind)), kind)
        return found

    def _like(self, node: Any, escape: Any = None) -> Expression:
        operands = [self.bind(node.this), self.bind(node.expression)]
        if escape is not None:
            operands.append(self.bind(escape))
        for operand in operands:
            if not lt.is_text(operand.type) and not isinstance(operand.type, NullType):
                raise self._error(node, f"LIKE takes text; got {name_of(operand.type)}")
        nullable = any(may_be_null(each.type) for each in operands)
        name = "SIMILAR TO" if isinstance(node, exp.SimilarTo) else "LIKE"
        return Call(
            name, tuple([self._cast_to(each, lt.STRING) for each in operands]), with_nullability(BOOLEAN, nullable)
        )

    def _escape(self, node: Any) -> Expression:
        if isinstance(node.this, exp.SimilarTo):
            raise self._error(node, "SIMILAR TO takes no ESCAPE here: write a backslash before the character")
        return self._like(node.this, node.expression)

    def _concatenation(self, node: Any) -> Expression:
        operands = [self.bind(node.this), self.bind(node.expression)]
        for operand in operands:
            if not lt.is_text(operand.type) and not isinstance(operand.type, NullType):
                raise self._error(node, f"|| takes text; got {name_of(operand.type)}: CAST it AS STRING")
        operands = [self._cast_to(each, lt.STRING) if isinstance(each.type, NullType) else each for each in operands]
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
        kinds = [value.type for value in values]
        if common(kinds) is None and any(map(lt.is_text, kinds)) and all(can_cast(kind, lt.STRING) for kind in kinds):
            values = [self._cast_to(value, lt.STRING) for value in values]
        *made, otherwise = self.alike(values, node, "CASE gives", compares=False)
        return _case_of(conditions, made, otherwise)

    # Functions

    def _cast(self, node: Any) -> Expression:
        if _is_typed_literal(node):
            return self._typed_literal(node.this.name, node)
        operand, target = self.bind(node.this), type_of(node.args["to"], self._scope.text)
        if not can_cast(operand.type, target):
            raise self._error(node, f"{name_of(operand.type)} cannot be cast to {name_of(target)}")
        tries = isinstance(node, exp.TryCast)
        nullable = tries or may_be_null(operand.type) or isinstance(operand.type, NullType)
        kind = with_nullability(target, nullable)
        return Call("TRY_CAST" if tries else "CAST", (operand,), kind, (self.time_zone,))

    def _typed_literal(self, text: str, node: Any) -> Expression:
        """``DATE '...'``, ``TIMESTAMP '...'``: with as many digits of a second as are written."""
        digits = min(len(text.partition(".")[2]), 6)
        name = node.args["to"].this.name
        kinds: dict[str, DataType] = {
            "DATE": t.DateType(),
            "TIME": t.TimeType(digits),
            "TIMESTAMP": t.TimestampType(digits),
            "DATETIME": t.TimestampType(digits),
        }
        kind = kinds.get(name)
        if kind is None:
            raise self._error(node, f"{name} is written CAST('{text}' AS {name})")
        try:
            return Literal(reading.reader(kind)(text), kind.not_null())
        except ValueError as error:
            raise self._error(node, str(error)) from None

    def _function(self, node: Any) -> Expression:
        name = str(node.name).upper()
        own = self._system_functions.get(name)
        if own is not None:
            return self._own_function(own, node)
        special = self._SPECIAL.get(name)
        if special is not None:
            least, most = _ARGUMENTS.get(name, (0, None))
            if len(node.expressions) < least or (most is not None and len(node.expressions) > most):
                raise self._error(node, f"{name} takes {_counts(least, most)} arguments; got {len(node.expressions)}")
            return special(self, node)
        found = FUNCTIONS.get(name) if name in KERNELS else None
        if found is None:
            if name in self._functions:
                return self._own_function(self._functions[name], node)
            if name in AGGREGATES:
                raise self._error(node, f"{name} is an aggregate, and there is no group here for it")
            if name in WINDOW_PROPERTIES:
                raise self._error(node, f"{name} stands beside GROUP BY {name.rpartition('_')[0]}(...)")
            raise self._error(node, f"there is no function {name}: {self._near_function(name)}")
        operands = [self.bind(each) for each in node.expressions]
        most = None if found.repeats else len(found.parameters)
        if len(operands) < found.required or (most is not None and len(operands) > most):
            raise self._error(node, f"{name} takes {_counts(found.required, most)} arguments; got {len(operands)}")
        for position, operand in enumerate(operands):
            family = found.wanted(position)
            if isinstance(operand.type, NullType):
                operands[position] = self._cast_to(operand, family.becomes or lt.STRING)
            elif not family.takes(operand.type):
                shown = name_of(operand.type)
                raise self._error(node, f"argument {position + 1} of {name} takes {family.name}; got {shown}")
            elif family.becomes is not None:
                operands[position] = self._cast_to(operand, family.becomes)
        if name in _FORMATTED and len(operands) > 1 and isinstance(operands[1], Literal):
            self._check_format(name, operands[1].value, node)
        if found.alike:
            operands = self.alike(operands, node, f"{name} takes", compares=False)
        kind = found.result([each.type for each in operands])
        if name in ("ROUND", "TRUNCATE"):
            digits = operands[1] if len(operands) > 1 else Literal(0, lt.INT)
            if isinstance(digits, Call) and isinstance(digits.operands[0], Literal):
                digits = digits.operands[0]
            kind = round_type(kind, digits.value) if isinstance(digits, Literal) else kind
        return Call(name, tuple(operands), kind, (self.time_zone,))

    def _own_function(self, function: UserDefinedScalarFunctionWrapper, node: Any) -> Expression:
        operands = [self.bind(each) for each in node.expressions]
        if not function.takes(len(operands)):
            raise self._error(node, f"function {function.name} cannot be called with {len(operands)} arguments")
        wanted = wanted_types(function, operands)
        for position, (operand, kind) in enumerate(zip(operands, wanted, strict=True)):
            if not (isinstance(operand.type, NullType) or can_cast(operand.type, kind)):
                kinds = name_of(kind), name_of(operand.type)
                raise self._error(node, f"argument {position + 1} of {function.name} takes {kinds[0]}; got {kinds[1]}")
        return call_of(function, [self._cast_to(each, kind) for each, kind in zip(operands, wanted, strict=True)])

    def _near_function(self, name: str) -> str:
        own = [*self._system_functions, *self._functions]
        close = get_close_matches(name, [*own, *FUNCTIONS, *AGGREGATES, *ExpressionBinder._SPECIAL], 3)
        return f"did you mean {' or '.join(close)}?" if close else "docs/sql_functions.md lists those that there are"

    def _check_format(self, name: str, written: Any, node: Any) -> None:
        """Refuse what would fail, or mean something else, for each row."""
        try:
            pattern = time_pattern(str(written))
            if _FORMATTED[name]:
                pattern.check_reading()
        except ValueError as error:
            raise self._error(node, f"{name}: {error}") from None

    def _check_unit(self, name: str, unit: str, kind: DataType, node: Any) -> None:
        units = units_of(name, kind)
        if not units:
            wanted = "a day, with or without its time" if isinstance(kind, t.TimeType) else "a date or time"
            raise self._error(node, f"{name} takes {wanted}; got {name_of(kind)}")
        if unit not in units:
            raise self._error(
                node, f"{name} of {name_of(kind, nullability=False)} takes {', '.join(units)}; got {unit}"
            )

    def _if(self, node: Any) -> Expression:
        arguments = node.expressions
        if len(arguments) != 3:
            raise self._error(node, f"IF takes 3 arguments; got {len(arguments)}")
        condition = self.condition(arguments[0], "IF")
        value, otherwise = self.alike([self.bind(each) for each in arguments[1:]], node, "IF gives", compares=False)
        return _case_of([condition], [value], otherwise)

    def _coalesce(self, node: Any) -> Expression:
        operands = self.alike([self.bind(each) for each in node.expressions], node, "COALESCE takes", compares=False)
        nullable = all(may_be_null(each.type) for each in operands)
        return Call("COALESCE", tuple(operands), with_nullability(operands[0].type, nullable))

    def _nullif(self, node: Any) -> Expression:
        first, second = (self.bind(each) for each in node.expressions)
        one, other = self.alike([first, second], node, "NULLIF compares")
        equal = Call("=", (one, other), BOOLEAN)
        return Call("CASE", (equal, Literal(None, first.type.nullable()), first), first.type.nullable())

    def _extract(self, node: Any) -> Expression:
        unit, operand = node.expressions[0].name, self.bind(node.expressions[1])
        self._check_unit("EXTRACT", unit, operand.type, node)
        if lt.is_interval(operand.type):
            return Call("EXTRACT SPAN", (operand,), with_nullability(lt.BIGINT, may_be_null(operand.type)), (unit,))
        kind = with_nullability(lt.BIGINT, may_be_null(operand.type))
        return Call("EXTRACT", (operand,), kind, (unit, self.time_zone))

    def _part(self, node: Any) -> Expression:
        operand = self.bind(node.expressions[0])
        unit = {"DAYOFYEAR": "DOY", "DAYOFMONTH": "DAY", "DAYOFWEEK": "DOW"}.get(node.name.upper(), node.name.upper())
        if not lt.is_temporal(operand.type):
            raise self._error(node, f"{node.name} takes a date or time; got {name_of(operand.type)}")
        self._check_unit("EXTRACT", unit, operand.type, node)
        kind = with_nullability(lt.BIGINT, may_be_null(operand.type))
        return Call("EXTRACT", (operand,), kind, (unit, self.time_zone))

    def _floor_or_ceil(self, node: Any) -> Expression:
        operand = self.bind(node.expressions[0])
        if len(node.expressions) == 1:
            found = FUNCTIONS[node.name.upper()]
            if not lt.is_numeric(operand.type):
                raise self._error(node, f"{node.name} takes a number; got {name_of(operand.type)}")
            return Call(found.name, (operand,), found.result([operand.type]))
        unit = node.expressions[1].name
        self._check_unit(node.name.upper(), unit, operand.type, node)
        return Call(f"{node.name.upper()} TO", (operand,), operand.type, (unit, self.time_zone))

    def _unit_first(self, node: Any) -> Expression:
        unit = node.expressions[0].name
        unit = unit.removeprefix("SQL_TSI_")
        operands = [self.bind(each) for each in node.expressions[1:]]
        nullable = any(may_be_null(each.type) for each in operands)
        for operand in operands[0 if node.name.upper() == "TIMESTAMPDIFF" else 1 :]:
            self._check_unit(node.name.upper(), unit, operand.type, node)
        if node.name.upper() == "TIMESTAMPADD" and not lt.is_integer(operands[0].type):
            raise self._error(node, f"TIMESTAMPADD takes an integer of {unit}; got {name_of(operands[0].type)}")
        if node.name.upper() == "TIMESTAMPDIFF":
            if any(isinstance(each.type, t.LocalZonedTimestampType) for each in operands):
                operands = self.alike(operands, node, "TIMESTAMPDIFF compares")
            return Call("TIMESTAMPDIFF", tuple(operands), with_nullability(lt.INT, nullable), (unit,))
        kind = operands[1].type
        if isinstance(kind, t.DateType) and unit in ("HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND"):
            kind = t.TimestampType(0)
        elif isinstance(kind, t.TimestampType):
            kind = t.TimestampType(max(kind.precision, 3 if unit == "MILLISECOND" else 0))
        return Call("TIMESTAMPADD", tuple(operands), with_nullability(kind, nullable), (unit,))

    def _trim(self, node: Any) -> Expression:
        operands = [self.bind(each) for each in node.expressions[1:]]
        for operand in operands:
            if not lt.is_text(operand.type):
                raise self._error(node, f"TRIM takes text; got {name_of(operand.type)}")
        nullable = any(may_be_null(each.type) for each in operands)
        length = getattr(operands[0].type, "length", LONGEST)
        kind = with_nullability(t.VarCharType(length), nullable)
        return Call("TRIM", tuple(operands), kind, (node.expressions[0].name,))

    def _concat(self, node: Any) -> Expression:
        operands = [self._cast_to(self.bind(each), lt.STRING) for each in node.expressions]
        nullable = any(may_be_null(each.type) for each in operands)
        return Call("CONCAT", tuple(operands), with_nullability(lt.STRING, nullable))

    def _mod(self, node: Any) -> Expression:
        return self._arithmetic(exp.Mod(this=node.expressions[0], expression=node.expressions[1]))

    def _now(self, node: Any) -> Expression:
        name = node.name.upper()
        kind: DataType = {"CURRENT_DATE": lt.DATE, "LOCALTIMESTAMP": lt.TIMESTAMP_3, "LOCALTIME": t.TimeType(0)}.get(
            name, lt.TIMESTAMP_LTZ_3
        )
        now = Call("NOW", (), lt.TIMESTAMP_LTZ_3.not_null())
        return now if same_but_null(kind, now.type) else self._cast_to(now, kind)

    def _array(self, node: Any) -> Expression:
        operands = [self.bind(each) for each in node.expressions]
        if not operands:
            raise self._error(node, "ARRAY takes at least one element")
        made = self.alike(operands, node, "ARRAY holds", compares=False)
        element = with_nullability(made[0].type, any(may_be_null(each.type) for each in made))
        return Call("ARRAY", tuple(made), t.ArrayType(element, False))

    def _map(self, node: Any) -> Expression:
        operands = [self.bind(each) for each in (node.args.get("keys_and_values") or node.expressions)]
        if not operands or len(operands) % 2:
            raise self._error(node, "MAP takes keys and values in turn")
        keys = self.alike(operands[::2], node, "the keys of a MAP are", compares=False)
        values = self.alike(operands[1::2], node, "the values of a MAP are", compares=False)
        value = with_nullability(values[0].type, any(may_be_null(each.type) for each in values))
        pairs = [each for pair in zip(keys, values, strict=True) for each in pair]
        return Call("MAP", tuple(pairs), t.MapType(keys[0].type, value, False))

    def _row(self, node: Any) -> Expression:
        operands = [self.bind(each) for each in node.expressions]
        fields = [t.RowField(f"EXPR${place}", each.type) for place, each in enumerate(operands)]
        return Call("ROW", tuple(operands), t.RowType(fields, False))

    def _bracket(self, node: Any) -> Expression:
        target = node.this
        if isinstance(target, exp.Column) and target.name.upper() in ("ARRAY", "MAP") and not target.table:
            make = self._array if target.name.upper() == "ARRAY" else self._map
            return make(exp.Anonymous(this=target.name, expressions=node.expressions))
        value, key = self.bind(target), self.bind(node.expressions[0])
        if isinstance(value.type, t.ArrayType):
            return Call("ITEM", (value, self._cast_to(key, lt.INT)), value.type.element_type.nullable())
        if isinstance(value.type, t.MapType):
            return Call("ENTRY", (value, self._cast_to(key, value.type.key_type)), value.type.value_type.nullable())
        raise self._error(node, f"[...] takes an element of an ARRAY or MAP; got {name_of(value.type)}")

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
        exp.Null: _null,
        exp.Boolean: _boolean,
        exp.Paren: _inner,
        s.SpanInterval: _interval,
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
        exp.Like: _like,
        exp.SimilarTo: _like,
        exp.Escape: _escape,
        exp.DPipe: _concatenation,
        exp.Concat: _concat,
        exp.Case: _case,
        exp.TryCast: _cast,
        exp.Cast: _cast,
        exp.Anonymous: _function,
        exp.Array: _array,
        exp.Map: _map,
        exp.Tuple: _row,
        exp.Bracket: _bracket,
    }
    _SPECIAL: ClassVar[dict[str, Callable[[Any, Any], Expression]]] = {
        "IF": _if,
        "COALESCE": _coalesce,
        "IFNULL": _coalesce,
        "NULLIF": _nullif,
        "EXTRACT": _extract,
        **dict.fromkeys(("YEAR", "QUARTER", "MONTH", "WEEK", "DAYOFYEAR", "DAYOFMONTH", "DAYOFWEEK"), _part),
        **dict.fromkeys(("HOUR", "MINUTE", "SECOND"), _part),
        "CEIL": _floor_or_ceil,
        "FLOOR": _floor_or_ceil,
        "TIMESTAMPDIFF": _unit_first,
        "TIMESTAMPADD": _unit_first,
        "TRIM": _trim,
        "CONCAT": _concat,
        "MOD": _mod,
        **dict.fromkeys(
            ("CURRENT_TIMESTAMP", "NOW", "CURRENT_DATE", "LOCALTIMESTAMP", "LOCALTIME", "CURRENT_ROW_TIMESTAMP"), _now
        ),
        "ARRAY": _array,
        "MAP": _map,
        "ROW": _row,
    }


#: How many arguments functions take that the binder itself knows: at least, and at most.
_ARGUMENTS: dict[str, tuple[int, int | None]] = {
    "IF": (3, 3),
    "COALESCE": (1, None),
    "IFNULL": (2, 2),
    "NULLIF": (2, 2),
    "EXTRACT": (2, 2),
    **dict.fromkeys(("YEAR", "QUARTER", "MONTH", "WEEK", "DAYOFYEAR", "DAYOFMONTH", "DAYOFWEEK"), (1, 1)),
    **dict.fromkeys(("HOUR", "MINUTE", "SECOND"), (1, 1)),
    "CEIL": (1, 2),
    "FLOOR": (1, 2),
    "TIMESTAMPDIFF": (3, 3),
    "TIMESTAMPADD": (3, 3),
    "TRIM": (2, 3),
    "CONCAT": (1, None),
    "MOD": (2, 2),
}


def _counts(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least}"
    return str(least) if least == most else f"{least} to {most}"


def _is_typed_literal(node: Any) -> bool:
    """Whether it is ``TIMESTAMP '...'`` and no CAST that was written: sqlglot makes one of the other."""
    return isinstance(node.args.get("to"), exp.DataType)


def _case_of(conditions: Sequence[Expression], values: Sequence[Expression], otherwise: Expression) -> Call:
    nullable = any(may_be_null(each.type) or isinstance(each.type, NullType) for each in (*values, otherwise))
    kind = with_nullability(otherwise.type if not isinstance(otherwise.type, NullType) else values[0].type, nullable)
    pairs = [each for pair in zip(conditions, values, strict=True) for each in pair]
    return Call("CASE", (*pairs, otherwise), kind)


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
