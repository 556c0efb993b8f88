"""From a query to relations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from windrow.errors import SqlError
from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import common, may_be_null, name_of, same_but_null, with_nullability
from windrow.expressions.nodes import Call, Expression, InputRef, shifted
from windrow.sql import syntax as s
from windrow.sql.calc import filtered, is_by_time, is_in_windows
from windrow.sql.catalog import Catalog, TableDefinition, name_of_table, with_options
from windrow.sql.common_columns import common_columns, each_once
from windrow.sql.errors import nearest, sql_error
from windrow.sql.expression_binder import ExpressionBinder, cast_to
from windrow.sql.function_calls import AGGREGATES, own_aggregate
from windrow.sql.grouping import Grouping, bind_groups
from windrow.sql.joins import Regular, errors, join, joined
from windrow.sql.lateral import correlated, is_lateral, lateral_join
from windrow.sql.ordering import taken, with_order
from windrow.sql.over import Special, over, with_names
from windrow.sql.over_rows import asks_for_all_rows, over_rows
from windrow.sql.plan import (
    Aggregate,
    Column,
    Emit,
    Ordering,
    Project,
    Relation,
    RowNumber,
    Union,
    Values,
    WindowColumns,
    is_clock,
    without_times,
)
from windrow.sql.scope import Scope
from windrow.sql.temporal_joins import temporal_join
from windrow.sql.windows import WINDOW_FUNCTIONS, window_table
from windrow.table.udf import UserDefinedAggregateFunctionWrapper

#: What a query in IN or EXISTS may have.
_OF_ASKED = frozenset({"expressions", "from_", "where"})


class QueryBinder:
    """Binds queries.

    Args:
        text: The statement, for errors.
        catalog: The tables and views.
        table: Gives the relation of a table.
        time_zone: That of the session.
        streaming: Whether results change with each row where there is no window.
        emit: When windows give results besides their end; None: they do not.
        state_ttl: For how many milliseconds rows of joins are kept that have no bound in time; None: there are none.
    """

    def __init__(
        self,
        text: str,
        catalog: Catalog,
        table: Callable[[TableDefinition], Relation],
        time_zone: str = "UTC",
        *,
        streaming: bool = True,
        emit: Emit | None = None,
        state_ttl: int | None = None,
    ) -> None:
        self._regular = Regular(streaming, state_ttl)
        self._streaming = streaming
        self._emit = emit
        self._text = text
        self._catalog = catalog
        self._table = table
        self._zone = time_zone
        self._named: dict[str, Relation] = {}

    def bind(self, node: Any) -> Relation:
        """The relation that a query asks for.

        Raises:
            SqlError: it cannot be had, with the place in the text.
        """
        for each in (node.args.get("with_") or node.args.get("with") or exp.With(expressions=[])).expressions:
            self._named[each.alias] = self.renamed(self.bind(each.this), each.args["alias"].columns, each)
        match node:
            case exp.Subquery():
                if node.args.get("joins"):
                    raise self._error(node, "a query is expected here; got a join: write SELECT ... FROM it")
                return self.bind(node.this)
            case exp.Paren():
                return self.bind(node.this)
            case exp.Union():
                return self._limited(self._union(node), node)
            case exp.Select():
                return self._limited(self._select(node), node)
            case exp.Values():
                return self._limited(self._values(node), node)
        if isinstance(node, exp.Intersect | exp.Except):
            return self._limited(self._common(node), node)
        raise self._error(node, f"a query is expected here; got {type(node).__name__.upper()}")

    @property
    def own_aggregates(self) -> frozenset[str]:
        """The names of aggregates of the program's own, in upper case."""
        known = [*self._catalog.functions.items(), *self._catalog.system_functions.items()]
        return frozenset(name for name, each in known if isinstance(each, UserDefinedAggregateFunctionWrapper))

    @property
    def streaming(self) -> bool:
        """Whether results change with each row where there is no window."""
        return self._streaming

    def given(self, relation: Relation) -> Any:
        """A part of a statement that stands for a relation in FROM."""
        name = f"${len(self._named)}"
        self._named[name] = relation
        return exp.Table(this=exp.Identifier(this=name, quoted=True))

    def scope_of(self, relation: Relation, table: str | None) -> Scope:
        """All columns of a relation, as those of a table."""
        return Scope(relation.columns, [table] * len(relation.columns), self._text)

    def _error(self, node: Any, message: str) -> SqlError:
        return sql_error(self._text, node, message)

    def _binder(self, scope: Scope, special: Callable[[Any], Expression | None] | None = None) -> ExpressionBinder:
        return ExpressionBinder(scope, self._zone, special, self._catalog)

    # FROM

    def _from(self, node: Any) -> tuple[Relation, Scope]:
        clause = node.args.get("from_") or node.args.get("from")
        if clause is None:
            nothing = Values([], rows=[[]])
            return nothing, Scope([], [], self._text)
        relation, scope = self._source(clause.this)
        joins: list[Any] = node.args.get("joins") or []
        if self._joins_by_where(node):  # FROM a, b WHERE: a join by what stands in WHERE
            joins = [joins[0].copy()]
            joins[0].set("on", node.args["where"].this.copy())
        for each in joins:
            relation, scope = self._joined(relation, scope, each)
        return relation, scope

    def _joins_by_where(self, node: Any) -> bool:
        joins: list[Any] = node.args.get("joins") or []
        plain = len(joins) == 1 and not {"kind", "side", "using", "method"} & {k for k, v in joins[0].args.items() if v}
        plain = plain and not is_lateral(joins[0].this)
        return plain and node.args.get("where") is not None and not joins[0].args.get("on")

    def _joined(self, relation: Relation, scope: Scope, node: Any) -> tuple[Relation, Scope]:
        if is_lateral(node.this):
            return lateral_join(relation, scope, node, self._binder)
        version = node.this.args.get("version") if isinstance(node.this, exp.Table) else None
        other, other_scope = self._source(node.this, versioned=version is not None)
        if version is not None:
            moment = version.expression
            made = temporal_join(relation, scope, other, other_scope, node, moment, self._binder)
        else:
            made = join(relation, scope, other, other_scope, node, self._binder, self._regular)
            common = common_columns(node, relation.columns, other.columns, self._error)
            if common:
                side = str(node.args.get("side") or "").upper()
                return each_once(made, common, side, (scope, other_scope), _window_behind, self._text)
        return made, Scope(made.columns, [*scope.tables, *other_scope.tables], self._text)

    def _source(self, node: Any, *, versioned: bool = False) -> tuple[Relation, Scope]:
        if is_lateral(node):
            return correlated(Values([], rows=[[]]), Scope([], [], self._text), node, self._binder)
        alias = node.alias or None
        for clause, words in (("sample", "TABLESAMPLE"), ("pivots", "PIVOT and UNPIVOT")):
            if node.args.get(clause):
                raise self._error(node, f"{words} is not supported: write what it stands for")
        if isinstance(node, exp.Subquery):
            relation = self.bind(node.this)
        elif isinstance(node, exp.Values):
            relation = self.bind(node)
        elif isinstance(node, exp.Table) and isinstance(node.this, exp.Anonymous):
            relation = self._function(node.this)
        elif isinstance(node, exp.Table):
            if node.args.get("version") is not None and not versioned:
                message = (
                    "FOR SYSTEM_TIME AS OF is for the right side of a JOIN: its rows are those at the left one's time"
                )
                raise self._error(node, message)
            relation = self.relation_of(node)
            alias = alias or name_of_table(node, self._text)
        else:
            raise self._error(
                node, f"FROM takes a table, a window table function or a query; got {type(node).__name__}"
            )
        if isinstance(node.args.get("alias"), exp.TableAlias):
            relation = self.renamed(relation, node.args["alias"].columns, node)
        scope = self.scope_of(relation, alias)
        for each in node.args.get("joins") or ():
            relation, scope = self._joined(relation, scope, each)
        return relation, scope

    def relation_of(self, node: Any) -> Relation:
        """The relation of a table by its name."""
        name, hints = name_of_table(node, self._text), node.args.get("hints")
        if name in self._named and not hints:
            return self._named[name]
        found = self._catalog.find(name, self._text, node)
        if isinstance(found, TableDefinition):
            return self._table(found if not hints else with_options(found, hints))
        if hints:
            raise self._error(node, f"{name!r} is a view, which has no options: OPTIONS stands behind a table")
        return found.relation

    def _function(self, node: Any) -> Relation:
        name = str(node.name).upper()
        if name not in WINDOW_FUNCTIONS:
            hint = nearest(name, WINDOW_FUNCTIONS)
            raise self._error(node, f"there is no table function {name}: {hint}")
        return window_table(node, self._text, self._input_of_window, self._binder(Scope([], [], self._text)))

    def _input_of_window(self, node: Any) -> Relation:
        if isinstance(node, s.WindowTable):
            return self.relation_of(node.this)
        return self.bind(node)

    def renamed(self, relation: Relation, names: Sequence[Any], node: Any) -> Relation:
        """The columns of a relation by other names; none: it is as it was."""
        if not names:
            return relation
        if len(names) != len(relation.columns):
            raise self._error(node, f"{len(names)} names are given to {len(relation.columns)} columns")
        columns = [replace(column, name=name.name) for column, name in zip(relation.columns, names, strict=True)]
        references: list[Expression] = [InputRef(place, column.type) for place, column in enumerate(columns)]
        return Project(columns, relation, references, window=relation.window, changes=relation.changes)

    def _values(self, node: Any) -> Relation:
        binder = self._binder(Scope([], [], self._text))
        rows = [[binder.bind(each) for each in getattr(row, "expressions", [row])] for row in node.expressions]
        if len({len(row) for row in rows}) != 1:
            raise self._error(node, "the rows of VALUES have different numbers of columns")
        columns = []
        for place in range(len(rows[0])):
            kind = common([row[place].type for row in rows])
            if kind is None:
                shown = ", ".join(name_of(row[place].type) for row in rows)
                raise self._error(node, f"column {place + 1} of VALUES has no common type: {shown}")
            for row in rows:
                row[place] = cast_to(row[place], kind, time_zone=self._zone)
            columns.append(
                Column(f"EXPR${place}", with_nullability(kind, any(may_be_null(r[place].type) for r in rows)))
            )
        return Values(columns, rows)

    # SELECT

    def _select(self, node: Any) -> Relation:
        if not node.expressions:
            raise self._error(node, "SELECT takes at least one column")
        relation, scope = self._from(node)
        where = node.args.get("where")
        if where is not None and not self._joins_by_where(node):
            relation = self._where(relation, scope, where.this)
        group = node.args.get("group")
        is_grouped = group is not None or node.args.get("having") or self._has_aggregates(node.expressions)
        if is_grouped:
            made = self._grouped(node, relation, scope)
        else:
            relation, special = self._over(node, relation, scope)
            made = self._projected(node, relation, scope, self._binder(scope, special))
        return made if node.args.get("distinct") is None else self._distinct(made)

    def _distinct(self, relation: Relation) -> Relation:
        """Each row once: a group of all its columns."""
        window = relation.window
        windowed = window is not None and window.start is not None and window.end is not None
        time = window.time if window is not None and windowed else None
        columns = without_times(relation.columns, time, "SELECT DISTINCT", windowed=windowed)
        keys = list(range(len(columns)))
        changes = self._streaming and not windowed
        return Aggregate(columns, relation, keys, [], windowed, window=window, changes=changes)

    def correlated(self, relation: Relation, join: Any) -> Relation:
        """The rows of a relation, each beside those that are made of it by what stands behind JOIN.

        Raises:
            SqlError: there is no such function, or its arguments do not fit.
        """
        return lateral_join(relation, self.scope_of(relation, None), join, self._binder)[0]

    def filtered(self, relation: Relation, condition: Any) -> Relation:
        """The rows of a relation for which a condition is true.

        Raises:
            SqlError: it is no condition, or names what there is not.
        """
        return self._where(relation, self.scope_of(relation, None), condition)

    def _where(self, relation: Relation, scope: Scope, node: Any) -> Relation:
        """The rows for which a condition is true: by windows of another query where it asks for that (IN, EXISTS)."""
        rest = []
        for part in node.flatten() if isinstance(node, exp.And) else [node]:
            query = _asked_query(part)
            if query is None:
                rest.append(part)
            else:
                relation = self._semi_join(relation, scope, part, query)
        if not rest:
            return relation
        binder = self._binder(scope)
        return self._filter(relation, binder.condition(rest[0] if len(rest) == 1 else exp.and_(*rest), "WHERE"))

    def _semi_join(self, relation: Relation, scope: Scope, node: Any, query: Any) -> Relation:
        """The rows that fit, or do not fit, one of another query."""
        self._check_asked(query)
        other, other_scope = self._from(query)
        both = scope.around(other_scope)
        binder, count = self._binder(both), len(relation.columns)
        where = query.args.get("where")
        condition = None if where is None else binder.condition(where.this, "WHERE")
        kind, inner = "SEMI", node
        if isinstance(inner, exp.Not) or inner.args.get("negate"):
            kind, inner = "ANTI", inner.this if isinstance(inner, exp.Not) else inner
        if isinstance(inner, exp.In):
            everything = self._everything(other_scope)
            items = self._items(query, everything, self._binder(other_scope))
            if len(items) != 1:
                raise self._error(node, f"IN takes a query of one column; got {len(items)}: write EXISTS")
            (selected,) = items
            asked = self._binder(scope).bind(inner.this)
            pair = binder.alike([asked, shifted(selected[1], count)], node, "IN compares")
            equal: Expression = Call("=", tuple(pair), lt.BOOLEAN)
            if kind == "ANTI" and any(may_be_null(each.type) for each in pair):  # NOT IN is not true of NULL
                equal = Call("IS NOT FALSE", (equal,), lt.BOOLEAN.not_null())
            condition = equal if condition is None else Call("AND", (equal, condition), lt.BOOLEAN)
        if condition is None:
            raise self._error(node, "EXISTS takes a query with a condition on both: equal window_start and window_end")
        return joined(relation, other, kind, condition, node, errors(both), self._regular)

    def _check_asked(self, query: Any) -> None:
        """Of the query in IN or EXISTS its rows are read, as they stand in its table."""
        if not isinstance(query, exp.Select):
            raise self._error(query, f"IN and EXISTS take a SELECT; got {type(query).__name__.upper()}")
        others = [key for key, value in query.args.items() if value and key not in _OF_ASKED]
        if others or self._has_aggregates(query.expressions):
            clause = others[0].strip("_").upper() if others else "an aggregate"
            message = (
                f"the query in IN or EXISTS has SELECT, FROM and WHERE; got {clause}: make a view of it, and ask that"
            )
            raise self._error(query, message)

    def _filter(self, relation: Relation, condition: Expression) -> Relation:
        return filtered(relation, condition, streaming=self._streaming)

    def _has_aggregates(self, nodes: Sequence[Any]) -> bool:
        for node in nodes:
            for each in node.walk(prune=lambda n: isinstance(n, exp.Window | exp.Subquery | exp.Select)):
                if isinstance(each, exp.Anonymous) and str(each.name).upper() in AGGREGATES:
                    return True
                if own_aggregate(each, self._catalog.system_functions, self._catalog.functions) is not None:
                    return True
        return False

    def _grouped(self, node: Any, relation: Relation, scope: Scope) -> Relation:
        group = node.args.get("group")
        grouping = Grouping(relation, scope, self._text, self._binder, streaming=self._streaming, emit=self._emit)
        bind_groups(grouping, group)
        having = node.args.get("having")
        binder = ExpressionBinder(scope, self._zone, grouping.special, self._catalog)
        selected = self._items(node, grouping.stars(), binder)
        condition = None if having is None else binder.condition(having.this, "HAVING")
        made: Relation = grouping.relation()
        if condition is not None:
            made = self._filter(made, condition)
        return self._project(made, selected)

    def _over(self, node: Any, relation: Relation, scope: Scope) -> tuple[Relation, Special | None]:
        """The relation with columns for what stands before OVER, if there is any, and what finds them."""
        written = [
            each
            for item in node.expressions
            for each in item.find_all(exp.Window)
            if each.find_ancestor(exp.Select) is node
        ]
        if not written:
            return relation, None
        windows = with_names(written, node, self._text)
        names = [str(each.this.name).upper() if isinstance(each.this, exp.Anonymous) else "" for each in windows]
        if not self._streaming and ("ROW_NUMBER" not in names or len(windows) > 1):
            inside = self._binder(scope)

            def is_time(each: Any) -> bool:
                bound = inside.bind(each)
                return isinstance(bound, InputRef) and relation.columns[bound.index].is_time

            if asks_for_all_rows(windows, is_time):
                return over_rows(relation, scope, windows, written, self._text, self._binder)
        if "ROW_NUMBER" not in names:
            return over(relation, scope, windows, written, self._text, self._binder, streaming=self._streaming)
        if len(windows) > 1:
            raise self._error(written[1], "ROW_NUMBER() stands alone: take aggregates OVER in a query around it")
        return self._numbered(windows[0], written[0], relation, scope)

    def _numbered(self, window: Any, written: Any, relation: Relation, scope: Scope) -> tuple[Relation, Special]:
        binder = self._binder(scope)
        if window.args.get("spec"):
            raise self._error(window, "ROW_NUMBER() OVER takes no frame: leave ROWS or RANGE out")
        partition = [self._place(binder, each) for each in window.args.get("partition_by") or ()]
        order = [self._ordering(binder, each) for each in (window.args.get("order") or exp.Order()).expressions]
        if not order:
            raise self._error(window, "ROW_NUMBER() OVER takes an ORDER BY")
        columns = [*relation.columns, Column("$row_number", lt.BIGINT.not_null())]
        numbered = RowNumber(columns, relation, partition, order, window=relation.window)
        in_time = is_by_time(numbered) and not order[0].descending and not relation.changes
        numbered.changes = self._streaming and not is_in_windows(numbered) and not in_time
        place = len(relation.columns)
        return numbered, lambda given: InputRef(place, columns[place].type) if given is written else None

    def _ordering(self, binder: ExpressionBinder, node: Any) -> Ordering:
        # Where nothing is written the parser takes NULL for the least value, as Flink does.
        return Ordering(self._place(binder, node.this), bool(node.args.get("desc")), bool(node.args.get("nulls_first")))

    def _place(self, binder: ExpressionBinder, node: Any) -> int:
        bound = binder.bind(node)
        if not isinstance(bound, InputRef):
            raise self._error(node, "OVER takes columns here: compute them in a query inside")
        return bound.index

    # The list behind SELECT

    def _projected(self, node: Any, relation: Relation, scope: Scope, binder: ExpressionBinder) -> Relation:
        return self._project(relation, self._items(node, self._everything(scope), binder))

    def _everything(self, scope: Scope) -> list[tuple[str | None, tuple[str, Expression]]]:
        columns: list[tuple[str, Expression]] = [
            (column.name, InputRef(place, column.type)) for place, column in enumerate(scope.columns)
        ]
        return list(zip(scope.tables, columns, strict=True))

    def _items(
        self, node: Any, stars: Sequence[tuple[str | None, tuple[str, Expression]]], binder: ExpressionBinder
    ) -> list[tuple[str, Expression]]:
        items: list[tuple[str, Expression]] = []
        for place, item in enumerate(node.expressions):
            if isinstance(item, exp.Star):
                items += [named for _, named in stars]
            elif isinstance(item, exp.Column) and isinstance(item.this, exp.Star):
                found = [named for table, named in stars if table == item.table]
                if not found:
                    known = [table for table, _ in stars if table is not None]
                    raise self._error(item, f"there is no table {item.table!r} here: {nearest(item.table, set(known))}")
                items += found
            else:
                items.append((_name(item, place), binder.bind(item.this if isinstance(item, exp.Alias) else item)))
        return items

    def _project(self, relation: Relation, items: Sequence[tuple[str, Expression]]) -> Relation:
        columns, names = [], set()
        for name, expression in items:
            unique, number = name, 0
            while unique in names:
                unique, number = f"{name}{number}", number + 1
            names.add(unique)
            columns.append(_column(unique, expression, relation))
        expressions = [expression for _, expression in items]
        window = _window_behind(relation.window, expressions)
        return Project(columns, relation, expressions, window=window, changes=relation.changes)

    # Sets of rows

    def _sides(self, node: Any, word: str) -> tuple[list[Column], list[Relation]]:
        """The columns of a set operation, and both sides with columns of these types."""
        sides = [self.bind(node.this), self.bind(node.expression)]
        first, second = sides
        if len(first.columns) != len(second.columns):
            raise self._error(node, f"{word} of {len(first.columns)} and {len(second.columns)} columns")
        columns = []
        for one, other in zip(first.columns, second.columns, strict=True):
            kind = common([one.type, other.type])
            if kind is None:
                shown = f"{name_of(one.type)} and {name_of(other.type)}"
                raise self._error(node, f"{word}: column {one.name!r} is {shown}: CAST one of them")
            lost = None
            if (one.rowtime, one.proctime) != (other.rowtime, other.proctime):
                lost = f"it is a time attribute on one side of {word} only"
            rowtime, proctime = one.rowtime and other.rowtime, one.proctime and other.proctime
            columns.append(Column(one.name, kind, rowtime=rowtime, proctime=proctime, lost=lost))
        return columns, [self._as(each, columns) for each in sides]

    def _union(self, node: Any) -> Relation:
        word = "UNION" if node.args.get("distinct") else "UNION ALL"
        columns, sides = self._sides(node, word)
        window = sides[0].window if sides[0].window == sides[1].window else None
        made = Union(columns, sides, window=window, changes=any(each.changes for each in sides))
        return self._distinct(made) if word == "UNION" else made

    def _common(self, node: Any) -> Relation:
        """The rows of the left side that are, or are not, among those of the right one, each once."""
        word = type(node).__name__.upper()
        if not node.args.get("distinct"):
            raise self._error(node, f"{word} ALL is not supported: leave ALL out, or number the rows with ROW_NUMBER()")
        _, (left, right) = self._sides(node, word)
        count = len(left.columns)
        both = self.scope_of(left, None).joined(self.scope_of(right, None))
        binder, condition = self._binder(both), None
        for place, (one, other) in enumerate(zip(left.columns, right.columns, strict=True)):
            pair = binder.alike(
                [InputRef(place, one.type), InputRef(count + place, other.type)], node, f"{word} compares"
            )
            nullable = any(may_be_null(each.type) for each in pair)
            equal = Call("IS NOT DISTINCT FROM" if nullable else "=", tuple(pair), lt.BOOLEAN.not_null())
            condition = equal if condition is None else Call("AND", (condition, equal), lt.BOOLEAN.not_null())
        assert condition is not None
        kind = "SEMI" if word == "INTERSECT" else "ANTI"
        return self._distinct(joined(left, right, kind, condition, node, errors(both), self._regular))

    def _as(self, relation: Relation, columns: Sequence[Column]) -> Relation:
        pairs = list(zip(relation.columns, columns, strict=True))
        if all(same_but_null(one.type, other.type) for one, other in pairs):
            return relation
        cast = [
            cast_to(InputRef(place, one.type), other.type, time_zone=self._zone)
            for place, (one, other) in enumerate(pairs)
        ]
        return Project(list(columns), relation, cast, window=relation.window, changes=relation.changes)

    def _limited(self, relation: Relation, node: Any) -> Relation:
        def more(items: list[Any]) -> Relation:
            full = node.copy()
            for number, item in enumerate(items):
                full.append("expressions", exp.alias_(item.copy(), f"$order{number}", quoted=True))
            return self._select(full)

        ordered, order = with_order(relation, node, more, self._error)
        return taken(ordered, order, node, len(relation.columns), self._error, streaming=self._streaming)


def _asked_query(part: Any) -> Any:
    """The query that a condition looks into; None if it looks into none."""
    inner = part.this if isinstance(part, exp.Not) else part
    if isinstance(inner, exp.In) and inner.args.get("query") is not None:
        query = inner.args["query"]
    elif isinstance(inner, exp.Exists):
        query = inner.this
    else:
        return None
    return query.this if isinstance(query, exp.Subquery) else query


def _name(item: Any, place: int) -> str:
    if isinstance(item, exp.Alias):
        return str(item.alias)
    if isinstance(item, exp.Column):
        return str(item.name)
    return f"EXPR${place}"


def _column(name: str, expression: Expression, relation: Relation) -> Column:
    if isinstance(expression, InputRef):
        return replace(relation.columns[expression.index], name=name, type=expression.type)
    if is_clock(expression):
        return Column(name, expression.type, proctime=True)
    times = {each.name for each in relation.columns if each.is_time and lt.same_but_null(each.type, expression.type)}
    lost = "it was computed: a time attribute is a column as it is" if times else None
    return Column(name, expression.type, lost=lost)


def _window_behind(window: WindowColumns | None, expressions: Sequence[Expression]) -> WindowColumns | None:
    """Where the window of a row is behind a projection."""
    if window is None:
        return None
    places: dict[int, int] = {}
    for place, expression in enumerate(expressions):
        if isinstance(expression, InputRef):
            places.setdefault(expression.index, place)

    def behind(index: int | None) -> int | None:
        return None if index is None else places.get(index)

    of = window.window
    kept = tuple([places[index] for index in of.partition if index in places])
    of = replace(of, partition=kept if len(kept) == len(of.partition) else (-1,))
    return WindowColumns(behind(window.start), behind(window.end), behind(window.time), of)
