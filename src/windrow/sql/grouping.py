"""GROUP BY and aggregate functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np
from sqlglot import exp

from windrow.errors import SqlError
from windrow.expressions import logical_types as lt
from windrow.expressions.evaluation import Input, evaluate
from windrow.expressions.logical_types import may_be_null, name_of, with_nullability
from windrow.expressions.nodes import IGNORE_NULLS, USER_AGGREGATE, Call, Expression, InputRef, Literal, is_constant
from windrow.sql.collecting import collecting, is_collecting
from windrow.sql.errors import sql_error
from windrow.sql.expression_binder import ExpressionBinder
from windrow.sql.function_calls import AGGREGATES, WINDOW_PROPERTIES, own_operands
from windrow.sql.plan import (
    PROCTIME,
    Aggregate,
    AggregateCall,
    Column,
    Emit,
    Project,
    Relation,
    Union,
    Window,
    WindowColumns,
    without_times,
)
from windrow.sql.scope import Scope
from windrow.sql.user_functions import result_type
from windrow.sql.windows import group_window, over_windows
from windrow.table import data_types as t
from windrow.table.data_types import DataType
from windrow.table.udf import UserDefinedAggregateFunctionWrapper

_GROUP_WINDOWS = frozenset({"TUMBLE", "HOP", "SESSION"})
#: Which of some keys a row is not grouped by, as bits: the last one is the lowest.
_GROUPING = "GROUPING"
GROUPING_FUNCTIONS = frozenset({_GROUPING, "GROUPING_ID"})
MakeBinder = Callable[[Scope], ExpressionBinder]


class Grouping:
    """Collects keys and aggregates of one SELECT.

    Args:
        relation: What is grouped.
        scope: Its columns.
        text: The statement, for errors.
        binder: Makes a binder for a scope.
        streaming: Whether results change with each row where there is no window.
        emit: When windows give results besides their end; None: they do not.
        never_empty: Whether aggregates have a row at least: groups of keys have, and frames of OVER without a number.
    """

    def __init__(
        self,
        relation: Relation,
        scope: Scope,
        text: str,
        binder: MakeBinder,
        *,
        streaming: bool = True,
        emit: Emit | None = None,
        never_empty: bool = False,
    ) -> None:
        self._never_empty = never_empty
        self._streaming = streaming
        self._emit = emit if streaming else None
        self._input = relation
        self._scope = scope
        self._text = text
        self._inside = binder(scope)
        self._nodes: list[Any] = []
        self._keys: list[Expression] = []
        self._arguments: list[Expression] = []
        self._calls: list[AggregateCall] = []
        #: The call of the group window, and where its columns are in the input.
        self._window_node: Any = None
        self._group_window: tuple[int, Window] | None = None
        self._window: WindowColumns | None = relation.window
        #: Of GROUPING SETS, ROLLUP and CUBE: the places of the keys of each set; None: there is one set, of all keys.
        self._sets: list[set[int]] | None = None

    def add_key(self, node: Any) -> None:
        """Group by what ``node`` is."""
        if isinstance(node, exp.Anonymous) and str(node.name).upper() in _GROUP_WINDOWS:
            self._add_window(node)
            return
        if isinstance(node, exp.Paren):
            node = node.this
        bound = self._inside.bind(node)
        self._nodes.append(node)
        if bound not in self._keys:
            self._keys.append(bound)

    def add_sets(self, sets: Sequence[Sequence[Any]]) -> None:
        """Group by what the parts of each set are, one set at a time; NULL stands for keys that are not in it."""
        self._sets = []
        for each in sets:
            for node in each:
                self.add_key(node)
            self._sets.append({self._keys.index(self._inside.bind(node)) for node in each})

    def _add_window(self, node: Any) -> None:
        if self._group_window is not None:
            raise self.error(node, "GROUP BY takes one window: group what it gives once more, by window_time")
        place, window = group_window(node, self._text, self._inside, self._input)
        self._group_window = place, window
        if self._emit is not None and window.kind == "SESSION":
            message = (
                "SESSION gives its results once, as in Flink: RESET 'table.exec.emit.early-fire.enabled' and late-fire"
            )
            raise self.error(node, message)
        made = over_windows(self._input, place, replace(window, grouped=True), self._inside.time_zone)
        self._input, self._window, self._window_node = made, made.window, node
        assert made.window is not None
        for index in (made.window.start, made.window.end, made.window.time):
            assert index is not None
            self._keys.append(InputRef(index, made.columns[index].type))
            self._nodes.append(None)

    def special(self, node: Any) -> Expression | None:
        """Bind a part behind SELECT or in HAVING above the groups; None: it is made of its own parts.

        Raises:
            SqlError: it is a column by which nothing is grouped.
        """
        if self.is_key(node):
            return self._key(self._inside.bind(node))
        if isinstance(node, exp.Filter):
            return self._aggregate(node.this, node.expression.this)
        if self._inside.own_aggregate(node) is not None:
            return self._aggregate(node, None)
        if isinstance(node, exp.Anonymous):
            name = str(node.name).upper()
            if name in AGGREGATES:
                return self._aggregate(node, None)
            if name in WINDOW_PROPERTIES:
                return self._property(name, node)
            if name in GROUPING_FUNCTIONS:
                return self._grouping(name, node)
        if isinstance(node, exp.Column):
            bound = self._inside.bind(node)
            if bound in self._keys:
                return self._key(bound)
            raise self.error(node, f"column {node.name!r} is neither in GROUP BY nor in an aggregate")
        return None

    def is_key(self, node: Any) -> bool:
        """Tell whether a part of an expression is written as a key is."""
        return any(known is not None and node == known for known in self._nodes)

    def _key(self, bound: Expression) -> Expression:
        place = self._keys.index(bound)
        missing = self._sets is not None and any(place not in each for each in self._sets)
        return InputRef(place, bound.type.nullable() if missing else bound.type)

    def _property(self, name: str, node: Any) -> Expression:
        kind, _, part = name.rpartition("_")
        if self._window_node is None or str(self._window_node.name).upper() != kind:
            raise self.error(node, f"{name} stands beside GROUP BY {kind}(...)")
        call = exp.Anonymous(this=kind, expressions=node.expressions)
        if group_window(call, self._text, self._inside, self._scope) != self._group_window:
            raise self.error(node, f"{name} takes what {kind} takes in GROUP BY: the same column and intervals")
        window = self._window
        assert window is not None
        if part == "PROCTIME" and window.window.by_clock:
            return Call(PROCTIME, (), lt.TIMESTAMP_LTZ_3.not_null())
        if part == "ROWTIME" and window.window.by_clock:
            raise self.error(node, f"windows of processing time have no {name}: take {kind}_PROCTIME or {kind}_END")
        index = {"START": window.start, "END": window.end}.get(part, window.time)
        assert index is not None
        return self._key(InputRef(index, self._input.columns[index].type))

    def _grouping(self, name: str, node: Any) -> Expression:
        """Bind GROUPING, which says which keys a group is not of: a number alone where all groups are of all keys."""
        if not node.expressions:
            raise self.error(node, f"{name} takes at least one column of GROUP BY")
        places = []
        for each in node.expressions:
            bound = self._inside.bind(each)
            if bound not in self._keys:
                raise self.error(each, f"{name} takes columns of GROUP BY, as they stand there")
            places.append(self._keys.index(bound))
        kind = lt.BIGINT.not_null()
        if self._sets is None:
            return Literal(0, kind)
        return self._called(AggregateCall(_GROUPING, (), kind, options=tuple(places)))

    @property
    def arguments(self) -> list[Expression]:
        """The arguments of the aggregates, over the columns of what is grouped."""
        return self._arguments

    @property
    def calls(self) -> list[AggregateCall]:
        """The aggregates; their arguments are places of :attr:`arguments`."""
        return self._calls

    def aggregate(self, node: Any) -> InputRef:
        """Take an aggregate; gives the place of its result behind the keys.

        Raises:
            SqlError: it is none, or its arguments do not fit.
        """
        return self._aggregate(node, None)

    def _aggregate(self, node: Any, condition: Any) -> InputRef:
        own = self._inside.own_aggregate(node)
        name = str(node.name).upper() if own is None else own.name
        if own is None and name not in AGGREGATES:
            raise self.error(node, f"FILTER stands behind an aggregate; got {name}")
        arguments, distinct = list(node.expressions), False
        if arguments and isinstance(arguments[0], exp.Distinct):
            arguments, distinct = [*arguments[0].expressions, *arguments[1:]], True
        if own is not None:
            if any(isinstance(each, exp.Star) for each in arguments):
                raise self.error(node, f"function {name} takes columns; got *")
            operands = own_operands(self._inside, own, arguments, node)
            types = tuple([each.type for each in operands])
            places, kind = tuple([self._argument(each) for each in operands]), result_type(own).nullable()
            chosen = self._chosen(condition)
            return self._called(AggregateCall(USER_AGGREGATE, places, kind, distinct, chosen, (own, types)))
        name = {"VARIANCE": "VAR_SAMP", "STDDEV": "STDDEV_SAMP"}.get(name, name)
        if not arguments:
            raise self.error(node, f"{name} takes an argument")
        if isinstance(arguments[0], exp.Star):
            arguments = []
        if is_collecting(name):
            bound, kind, options = collecting(self._inside, name, arguments, node)
            places = tuple([self._argument(each) for each in bound])
            return self._called(AggregateCall(name, places, kind, distinct, self._chosen(condition), options))
        nulls: tuple[Any, ...] = ()
        if arguments and isinstance(arguments[0], exp.IgnoreNulls | exp.RespectNulls):
            if name != "ARRAY_AGG":
                raise self.error(node, f"{name} takes no IGNORE NULLS and RESPECT NULLS, as ARRAY_AGG does")
            nulls = (IGNORE_NULLS,) if isinstance(arguments[0], exp.IgnoreNulls) else ()
            arguments = [arguments[0].this]
        most = {"LISTAGG": 2, "COUNT": len(arguments)}.get(name, 1)
        if len(arguments) > most:
            raise self.error(node, f"{name} takes {most} argument{'' if most == 1 else 's'}; got {len(arguments)}")
        bound = [self._inside.bind(each) for each in arguments]
        places = tuple([self._argument(each) for each in bound])
        chosen = self._chosen(condition)
        kind = self._type(name, bound, node, filtered=condition is not None)
        options = (*[getattr(each, "value", None) for each in bound[1:]], *nulls)
        return self._called(AggregateCall(name, places, kind, distinct, chosen, options))

    def own(self, node: Any) -> UserDefinedAggregateFunctionWrapper | None:
        """The aggregate of the program's own that a part of a statement calls; None: it calls none."""
        return self._inside.own_aggregate(node)

    def lag(self, node: Any) -> InputRef:
        """Take ``LAG(value, offset, default)``; gives the place of its result behind the keys.

        Raises:
            SqlError: its arguments do not fit.
        """
        if not 1 <= len(node.expressions) <= 3:
            raise self.error(node, f"LAG takes 1 to 3 arguments; got {len(node.expressions)}")
        value, *options = [self._inside.bind(each) for each in node.expressions]
        options = [_value_of(each) for each in options]
        offset = options[0] if options else Literal(1, lt.INT.not_null())
        if not (isinstance(offset, Literal) and lt.is_integer(offset.type) and offset.value is not None):
            raise self.error(node, "LAG takes a whole number for how many rows it looks back, the same for all rows")
        if offset.value < 0:
            raise self.error(node, f"LAG looks back, by 0 rows or more; got {offset.value}")
        kind, default = value.type.nullable(), None
        if len(options) > 1:
            if not isinstance(options[1], Literal):
                raise self.error(node, "LAG takes a default that is the same for all rows: put COALESCE around it")
            is_text = lt.is_text(kind) and lt.is_text(options[1].type)
            if not is_text and not lt.same_but_null(kind, options[1].type):
                kinds = name_of(kind), name_of(options[1].type)
                raise self.error(node, f"LAG takes a default of its column's type, {kinds[0]}; got {kinds[1]}: CAST it")
            default = options[1].value
            kind = with_nullability(kind, default is None or may_be_null(value.type))
        return self._called(AggregateCall("LAG", (self._argument(value),), kind, options=(offset.value, default)))

    def _chosen(self, condition: Any) -> int | None:
        """The place of what FILTER says; None: it says nothing."""
        if condition is None:
            return None
        return self._argument(self._inside.condition(condition, "FILTER (WHERE ...)"))

    def _called(self, call: AggregateCall) -> InputRef:
        """The place of an aggregate's result behind the keys, all of which are known before."""
        if call not in self._calls:
            self._calls.append(call)
        return InputRef(len(self._keys) + self._calls.index(call), call.type)

    def _argument(self, expression: Expression) -> int:
        if expression not in self._arguments:
            self._arguments.append(expression)
        return self._arguments.index(expression)

    def _type(self, name: str, bound: Sequence[Expression], node: Any, *, filtered: bool) -> DataType:
        if name == "COUNT":
            return lt.BIGINT.not_null()
        if not bound:
            raise self.error(node, f"{name} takes an argument")
        kind = bound[0].type
        nullable = may_be_null(kind) or filtered or not (self._keys or self._never_empty)
        if name in ("SUM", "SUM0", "AVG", "STDDEV_POP", "STDDEV_SAMP", "VAR_POP", "VAR_SAMP"):
            if not lt.is_numeric(kind):
                raise self.error(node, f"{name} takes a number; got {name_of(kind)}")
            return with_nullability(_number_type(name, kind), nullable or name.endswith("_SAMP"))
        if name == "LISTAGG":
            if not lt.is_text(kind):
                raise self.error(node, f"LISTAGG takes text; got {name_of(kind)}: CAST it AS STRING")
            if len(bound) > 1 and not (isinstance(bound[1], Literal) and lt.is_text(bound[1].type)):
                raise self.error(node, "LISTAGG takes a separator between apostrophes, which is one for all rows")
            return with_nullability(lt.STRING, may_be_null(kind) or filtered)
        if name == "COLLECT":
            return t.MultisetType(kind, False)
        if name == "ARRAY_AGG":
            return t.ArrayType(kind, nullable)
        return with_nullability(kind, nullable)

    def stars(self) -> list[tuple[str | None, tuple[str, Expression]]]:
        """Give the columns that ``*`` is above the groups: their keys."""
        return [
            (None, (self._input.columns[key.index].name, InputRef(place, key.type)))
            for place, key in enumerate(self._keys)
            if isinstance(key, InputRef)
        ]

    def relation(self) -> Relation:
        """The groups."""
        if self._sets is None:
            return self._groups(list(range(len(self._keys))))
        every, count = [self._key(key) for key in self._keys], len(self._keys)
        parts = []
        for each in self._sets:
            chosen = sorted(each)
            groups = self._groups(chosen)
            of_keys: list[Expression] = [
                InputRef(chosen.index(place), key.type) if place in each else Literal(None, key.type)
                for place, key in enumerate(every)
            ]
            of_calls = [self._of_group(call, each, len(chosen)) for call in self._calls]
            columns = [
                replace(groups.columns[chosen.index(place)], type=key.type)
                if place in each
                else Column(f"$f{place}", key.type)
                for place, key in enumerate(every)
            ]
            made = [*columns, *[Column(f"$f{count + place}", call.type) for place, call in enumerate(self._calls)]]
            parts.append(Project(made, groups, [*of_keys, *of_calls], window=groups.window, changes=groups.changes))
        first, window = parts[0], self._window_of_groups(list(range(count)))[0]
        return Union(list(first.columns), list(parts), window=window, changes=any(each.changes for each in parts))

    def _of_group(self, call: AggregateCall, keys: set[int], count: int) -> Expression:
        """Express an aggregate over the columns of the groups of some keys, of which there are ``count``."""
        if call.name == _GROUPING:
            bits = [place not in keys for place in call.options]
            return Literal(sum(bit << place for place, bit in enumerate(reversed(bits))), call.type)
        return InputRef(count + self._computed.index(call), call.type)

    @property
    def _computed(self) -> list[AggregateCall]:
        """The aggregates that need the rows of a group."""
        return [call for call in self._calls if call.name != _GROUPING]

    def _groups(self, chosen: list[int]) -> Aggregate:
        """The groups of some of the keys."""
        keys = [self._keys[place] for place in chosen]
        expressions = [*keys, *self._arguments]
        columns = [self._named(expression, place) for place, expression in enumerate(expressions)]
        inner = Project(columns, self._input, expressions, changes=self._input.changes)
        offset = len(keys)
        calls = [
            replace(
                call,
                arguments=tuple([place + offset for place in call.arguments]),
                filter=None if call.filter is None else call.filter + offset,
            )
            for call in self._computed
        ]
        window, windowed = self._window_of_groups(chosen)
        if windowed and self._emit is not None and self._window_node is None:
            message = (
                "groups of a window table function give their results once, as in Flink: RESET "
                "'table.exec.emit.early-fire.enabled' and '.late-fire.enabled', or write GROUP BY TUMBLE(time, size)"
            )
            raise self.error(next(node for node in self._nodes if node is not None), message)
        of = None if window is None else window.window
        if windowed and of is not None and of.kind == "HOP" and not of.grouped and of.size % of.slide:
            message = f"HOP: SIZE is a multiple of SLIDE where rows are grouped; got {of.size} and {of.slide} ms"
            raise self.error(next(node for node in self._nodes if node is not None), message)
        inner.window = window
        time = window.time if window is not None and windowed else None
        of_keys = without_times(columns[:offset], time, "GROUP BY", windowed=windowed)
        made = [Column(f"$f{offset + place}", call.type) for place, call in enumerate(calls)]
        return Aggregate(
            [*of_keys, *made],
            inner,
            list(range(offset)),
            calls,
            windowed,
            self._emit if windowed else None,
            window=window,
            changes=self._streaming and (not windowed or self._emit is not None),
        )

    def _named(self, expression: Expression, place: int) -> Column:
        if isinstance(expression, InputRef):
            return self._input.columns[expression.index]
        return Column(f"$f{place}", expression.type)

    def _window_of_groups(self, chosen: list[int]) -> tuple[WindowColumns | None, bool]:
        window, keys = self._window, [self._keys[place] for place in chosen]
        if window is None:
            return None, False

        def place(index: int | None) -> int | None:
            if index is None:
                return None
            key = InputRef(index, self._input.columns[index].type)
            return keys.index(key) if key in keys else None

        found = WindowColumns(place(window.start), place(window.end), place(window.time), window.window)
        partition = tuple([place(each) for each in window.window.partition])
        of = replace(window.window, partition=tuple([-1 if each is None else each for each in partition]))
        found = replace(found, window=of)
        return found, found.start is not None and found.end is not None

    def error(self, node: Any, message: str) -> SqlError:
        """An error about a part of the statement."""
        return sql_error(self._text, node, message)


def bind_groups(grouping: Grouping, node: Any) -> None:
    """Take the keys of GROUP BY.

    Raises:
        SqlError: it has what is not supported.
    """
    if node is None:
        return
    parts = [_sets_of(each) for each in node.expressions]
    if all(len(sets) == 1 for sets in parts):
        for each in node.expressions:
            grouping.add_key(each)
        return
    grouping.add_sets([[key for part in chosen for key in part] for chosen in product(*parts)])


def _sets_of(node: Any) -> list[list[Any]]:
    """The sets of keys that a part of GROUP BY stands for."""
    match node:
        case exp.GroupingSets():
            return [keys for each in node.expressions for keys in _sets_of(each)]
        case exp.Rollup():
            keys = [_keys_of(each) for each in node.expressions]
            return [[key for part in keys[:count] for key in part] for count in range(len(keys), -1, -1)]
        case exp.Cube():
            keys = [_keys_of(each) for each in node.expressions]
            chosen = [part for count in range(len(keys), -1, -1) for part in combinations(keys, count)]
            return [[key for part in each for key in part] for each in chosen]
    return [_keys_of(node)]


def _keys_of(node: Any) -> list[Any]:
    if isinstance(node, exp.Tuple):
        return list(node.expressions)
    return [node.this] if isinstance(node, exp.Paren) else [node]


def _value_of(expression: Expression) -> Expression:
    """Make the value of an expression that is the same for all rows; of any other give it as it is."""
    if isinstance(expression, Literal) or not is_constant(expression):
        return expression
    value = evaluate(expression, Input([], np.zeros(1, np.int64)))
    return Literal(value.to_pylist()[0], expression.type)


def _number_type(name: str, kind: DataType) -> DataType:
    if not isinstance(kind, t.DecimalType):
        return kind
    if name in ("SUM", "SUM0"):
        return t.DecimalType(38, kind.scale)
    return t.DecimalType(38, max(kind.scale, 6))
