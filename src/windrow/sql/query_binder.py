"""From a query to relations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from windrow.errors import SqlError
from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import common, may_be_null, name_of, with_nullability
from windrow.expressions.nodes import Expression, InputRef
from windrow.sql import syntax as s
from windrow.sql.catalog import Catalog, TableDefinition, name_of_table, with_options
from windrow.sql.common_columns import common_columns, each_once
from windrow.sql.errors import nearest, sql_error
from windrow.sql.expression_binder import ExpressionBinder, cast_to
from windrow.sql.function_calls import AGGREGATES, own_aggregate
from windrow.sql.grouping import GROUPING_FUNCTIONS, Grouping, bind_groups
from windrow.sql.joins import Regular, join
from windrow.sql.lateral import correlated, is_lateral, lateral_join
from windrow.sql.ordering import taken, with_order
from windrow.sql.over import Special, over, with_names
from windrow.sql.over_rows import asks_for_all_rows, over_rows
from windrow.sql.plan import (
    Aggregate,
    AggregateCall,
    Column,
    Emit,
    Ordering,
    Project,
    Relation,
    RowNumber,
    Values,
    without_times,
)
from windrow.sql.qualifying import with_asked
from windrow.sql.ranks import filtered, is_by_time, is_in_windows
from windrow.sql.scope import Scope
from windrow.sql.select_list import projected, select_items, stars_of, window_behind
from windrow.sql.set_operations import common_rows, union
from windrow.sql.subqueries import MakeBinder, Subqueries, asked_query, first_columns, looks_into_query, queries_in
from windrow.sql.temporal_joins import temporal_join
from windrow.sql.windows import WINDOW_FUNCTIONS, window_table
from windrow.table.udf import UserDefinedAggregateFunctionWrapper


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
        #: How long rows of joins without a bound in time are kept.
        self.regular = Regular(streaming, state_ttl)
        self._streaming = streaming
        self._emit = emit
        self._text = text
        self._catalog = catalog
        self._table = table
        #: That of the session.
        self.time_zone = time_zone
        self._subqueries = Subqueries(self)
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
                    raise self.error(node, "a query is expected here; got a join: write SELECT ... FROM it")
                return self.bind(node.this)
            case exp.Paren():
                return self.bind(node.this)
            case exp.Union():
                return self._limited(union(self, node), node)
            case exp.Select():
                return self._limited(self._select(node), node)
            case exp.Values():
                return self._limited(self._values(node), node)
        if isinstance(node, exp.Intersect | exp.Except):
            return self._limited(common_rows(self, node), node)
        raise self.error(node, f"a query is expected here; got {type(node).__name__.upper()}")

    @property
    def own_aggregates(self) -> frozenset[str]:
        """The names of aggregates of the program's own, in upper case."""
        known = [*self._catalog.functions.items(), *self._catalog.system_functions.items()]
        return frozenset(name for name, each in known if isinstance(each, UserDefinedAggregateFunctionWrapper))

    @property
    def streaming(self) -> bool:
        """Tell whether results change with each row where there is no window."""
        return self._streaming

    def given(self, relation: Relation) -> Any:
        """A part of a statement that stands for a relation in FROM."""
        name = f"${len(self._named)}"
        self._named[name] = relation
        return exp.Table(this=exp.Identifier(this=name, quoted=True))

    def scope_of(self, relation: Relation, table: str | None) -> Scope:
        """All columns of a relation, as those of a table."""
        return Scope(relation.columns, [table] * len(relation.columns), self._text)

    def error(self, node: Any, message: str) -> SqlError:
        """An error about a part of the statement."""
        return sql_error(self._text, node, message)

    def binder(self, scope: Scope, special: Special | None = None) -> ExpressionBinder:
        """The binder of expressions over the columns of a scope; ``special`` is asked first for each part of one."""
        return ExpressionBinder(scope, self.time_zone, special, self._catalog)

    # FROM

    def rows_of(self, node: Any) -> tuple[Relation, Scope]:
        """The rows that a SELECT begins with: what stands in FROM, joined."""
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
            return lateral_join(relation, scope, node, self.binder)
        version = node.this.args.get("version") if isinstance(node.this, exp.Table) else None
        other, other_scope = self._source(node.this, versioned=version is not None)
        if version is not None:
            moment = version.expression
            made = temporal_join(relation, scope, other, other_scope, node, moment, self.binder)
        else:
            node, asked = _without_queries(node)
            made = join(relation, scope, other, other_scope, node, self.binder, self.regular)
            if asked:
                both = Scope(made.columns, [*scope.tables, *other_scope.tables], self._text)
                return self._where(made, both, exp.and_(*asked)), both
            common = common_columns(node, relation.columns, other.columns, self.error)
            if common:
                side = str(node.args.get("side") or "").upper()
                return each_once(made, common, side, (scope, other_scope), window_behind, self._text)
        if len(made.columns) == len(scope.columns):  # SEMI and ANTI
            return made, scope
        return made, Scope(made.columns, [*scope.tables, *other_scope.tables], self._text)

    def _source(self, node: Any, *, versioned: bool = False) -> tuple[Relation, Scope]:
        if is_lateral(node):
            return correlated(Values([], rows=[[]]), Scope([], [], self._text), node, self.binder)
        alias = node.alias or None
        for clause, words in (("sample", "TABLESAMPLE"), ("pivots", "PIVOT and UNPIVOT")):
            if node.args.get(clause):
                raise self.error(node, f"{words} is not supported: write what it stands for")
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
                raise self.error(node, message)
            relation = self.relation_of(node)
            alias = alias or name_of_table(node, self._text)
        else:
            raise self.error(node, f"FROM takes a table, a window table function or a query; got {type(node).__name__}")
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
            try:
                return self._table(found if not hints else with_options(found, hints))
            except SqlError as error:
                if error.place is not None:
                    raise
                hidden = [pair.expressions[1].name for pair in hints or ()]  # one may be that of a misspelt password
                raise sql_error(self._text, node, str(error), hidden=hidden) from error.__cause__
        if hints:
            raise self.error(node, f"{name!r} is a view, which has no options: OPTIONS stands behind a table")
        return found.relation

    def _function(self, node: Any) -> Relation:
        name = str(node.name).upper()
        if name not in WINDOW_FUNCTIONS:
            hint = nearest(name, WINDOW_FUNCTIONS)
            raise self.error(node, f"there is no table function {name}: {hint}")
        return window_table(node, self._text, self._input_of_window, self.binder(Scope([], [], self._text)))

    def _input_of_window(self, node: Any) -> Relation:
        if isinstance(node, s.WindowTable):
            return self.relation_of(node.this)
        return self.bind(node)

    def renamed(self, relation: Relation, names: Sequence[Any], node: Any) -> Relation:
        """The columns of a relation by other names; none: it is as it was."""
        if not names:
            return relation
        if len(names) != len(relation.columns):
            raise self.error(node, f"{len(names)} names are given to {len(relation.columns)} columns")
        columns = [replace(column, name=name.name) for column, name in zip(relation.columns, names, strict=True)]
        references: list[Expression] = [InputRef(place, column.type) for place, column in enumerate(columns)]
        return Project(columns, relation, references, window=relation.window, changes=relation.changes)

    def _values(self, node: Any) -> Relation:
        binder = self.binder(Scope([], [], self._text))
        rows = [[binder.bind(each) for each in getattr(row, "expressions", [row])] for row in node.expressions]
        if len({len(row) for row in rows}) != 1:
            raise self.error(node, "the rows of VALUES have different numbers of columns")
        columns = []
        for place in range(len(rows[0])):
            kind = common([row[place].type for row in rows])
            if kind is None:
                shown = ", ".join(name_of(row[place].type) for row in rows)
                raise self.error(node, f"column {place + 1} of VALUES has no common type: {shown}")
            for row in rows:
                row[place] = cast_to(row[place], kind, time_zone=self.time_zone)
            columns.append(
                Column(f"EXPR${place}", with_nullability(kind, any(may_be_null(r[place].type) for r in rows)))
            )
        return Values(columns, rows)

    # SELECT

    def _select(self, node: Any) -> Relation:
        if not node.expressions:
            raise self.error(node, "SELECT takes at least one column")
        if node.args.get("qualify") is not None:
            made = self._qualified(node)
            return made if node.args.get("distinct") is None else self.distinct(made)
        relation, scope = self.rows_of(node)
        where = node.args.get("where")
        if where is not None and not self._joins_by_where(node):
            relation = self._where(relation, scope, where.this)
        group = node.args.get("group")
        is_grouped = group is not None or node.args.get("having") or self.has_aggregates(node.expressions)
        if is_grouped:
            made = self._grouped(node, relation, scope)
        else:
            relation, scope = self._subqueries.with_values(relation, scope, node.expressions, self.binder)
            relation, special = self._over(node, relation, scope, self.binder)
            made = projected(relation, select_items(node, stars_of(scope), self.binder(scope, special)))
        return made if node.args.get("distinct") is None else self.distinct(made)

    def _qualified(self, node: Any) -> Relation:
        """The rows of a SELECT with QUALIFY, each perhaps several times."""
        rows, condition, further = with_asked(node, self._is_aggregate, self.error)
        chosen = self.filtered(self._select(rows), condition)
        columns = chosen.columns[: len(chosen.columns) - further]
        return projected(chosen, [(each.name, InputRef(place, each.type)) for place, each in enumerate(columns)])

    def distinct(self, relation: Relation) -> Relation:
        """Each row once: a group of all its columns."""
        return self.groups(relation, len(relation.columns), "SELECT DISTINCT")

    def groups(self, relation: Relation, keys: int, clause: str, calls: Sequence[AggregateCall] = ()) -> Relation:
        """Groups by the first columns, with aggregates behind these; ``clause`` asks for them."""
        window = relation.window
        windowed = window is not None and window.start is not None and window.end is not None
        time = window.time if window is not None and windowed else None
        columns = without_times(relation.columns[:keys], time, clause, windowed=windowed)
        columns += [Column(f"${call.name}{place}", call.type) for place, call in enumerate(calls)]
        changes = self._streaming and not windowed
        return Aggregate(columns, relation, list(range(keys)), list(calls), windowed, window=window, changes=changes)

    def correlated(self, relation: Relation, join: Any) -> Relation:
        """The rows of a relation, each beside those that are made of it by what stands behind JOIN.

        Raises:
            SqlError: there is no such function, or its arguments do not fit.
        """
        return lateral_join(relation, self.scope_of(relation, None), join, self.binder)[0]

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
            query = asked_query(part)
            if query is None:
                rest.append(part)
            else:
                relation = self._subqueries.chosen(relation, scope, part, query)
        if not rest:
            return relation
        count = len(relation.columns)
        relation, scope = self._subqueries.with_values(relation, scope, rest, self.binder)
        binder = self.binder(scope)
        made = self._filter(relation, binder.condition(rest[0] if len(rest) == 1 else exp.and_(*rest), "WHERE"))
        return made if len(made.columns) == count else first_columns(made, count)

    def _filter(self, relation: Relation, condition: Expression) -> Relation:
        return filtered(relation, condition, streaming=self._streaming)

    def has_aggregates(self, nodes: Sequence[Any]) -> bool:
        """Tell whether there is an aggregate in some expressions, not within a query or before OVER."""
        return any(any(self._is_aggregate(each) for each in self._aggregates_in(node)) for node in nodes)

    def _grouped(self, node: Any, relation: Relation, scope: Scope) -> Relation:
        keys = (node.args.get("group") or exp.Group()).expressions
        asked = [*node.expressions, *[each.this for each in [node.args.get("having")] if each is not None]]
        aggregates = [each for item in asked for each in self._aggregates_in(item)]
        relation, scope = self._subqueries.with_values(relation, scope, [*keys, *aggregates], self.binder)
        grouping = Grouping(relation, scope, self._text, self.binder, streaming=self._streaming, emit=self._emit)
        bind_groups(grouping, node.args.get("group"))
        for each in aggregates:  # all have to be known before what stands on the groups
            grouping.special(each)
        made: Relation = grouping.relation()
        nodes = [each for item in asked for each in self._above(item, grouping)]

        def above(given: Scope, special: Special | None = None) -> ExpressionBinder:
            return self.binder(replace(scope, values=given.values), _first_of(special, grouping.special))

        made, of_groups = self._subqueries.with_values(made, self.scope_of(made, None), nodes, above)
        having = node.args.get("having")
        if having is not None:
            made = self._filter(made, above(of_groups).condition(having.this, "HAVING"))
        made, special = self._over(node, made, of_groups, above)
        return projected(made, select_items(node, grouping.stars(), above(of_groups, special)))

    def _aggregates_in(self, node: Any) -> Iterator[Any]:
        """The aggregates of a group in an expression: those within others OVER rows, too, and not these themselves."""
        if isinstance(node, exp.Subquery | exp.Select):
            return
        if isinstance(node, exp.Window):
            inner = node.this.this if isinstance(node.this, exp.Filter) else node.this
            parts = [*inner.iter_expressions(), *[each for each in node.iter_expressions() if each is not node.this]]
        elif self._is_aggregate(node):
            yield node
            return
        else:
            parts = list(node.iter_expressions())
        for each in parts:
            yield from self._aggregates_in(each)

    def _above(self, node: Any, grouping: Grouping) -> list[Any]:
        """The parts of an expression that are no keys of groups, and no aggregates."""
        if grouping.is_key(node) or self._is_aggregate(node):
            return []
        if isinstance(node, exp.Subquery | exp.Exists) or looks_into_query(node):
            return [node]
        return [part for each in node.iter_expressions() for part in self._above(each, grouping)]

    def _is_aggregate(self, node: Any) -> bool:
        if isinstance(node, exp.Filter):
            return True
        if isinstance(node, exp.Anonymous) and str(node.name).upper() in AGGREGATES | GROUPING_FUNCTIONS:
            return True
        return own_aggregate(node, self._catalog.system_functions, self._catalog.functions) is not None

    def _over(self, node: Any, relation: Relation, scope: Scope, binder: MakeBinder) -> tuple[Relation, Special | None]:
        """The relation with columns for what stands before OVER, if there is any, and what finds them."""
        written: list[Any] = []
        for item in node.expressions:
            for each in item.find_all(exp.Window):
                if each.find_ancestor(exp.Select) is node and each not in written:
                    written.append(each)
        if not written:
            return relation, None
        relation, special = self._over_each(written, node, relation, scope, binder)

        def found(given: Any) -> Expression | None:
            """Compute once what is written twice."""
            known = isinstance(given, exp.Window) and given in written
            return special(written[written.index(given)] if known else given)

        return relation, found

    def _over_each(
        self, written: list[Any], node: Any, relation: Relation, scope: Scope, binder: MakeBinder
    ) -> tuple[Relation, Special]:
        windows = with_names(written, node, self._text)
        names = [str(each.this.name).upper() if isinstance(each.this, exp.Anonymous) else "" for each in windows]
        if not self._streaming and ("ROW_NUMBER" not in names or len(windows) > 1):
            inside = binder(scope)

            def is_time(each: Any) -> bool:
                bound = inside.bind(each)
                return isinstance(bound, InputRef) and relation.columns[bound.index].is_time

            if asks_for_all_rows(windows, is_time):
                return over_rows(relation, scope, windows, written, self._text, binder)
        if "ROW_NUMBER" not in names:
            return over(relation, scope, windows, written, self._text, binder, streaming=self._streaming)
        if len(windows) > 1:
            raise self.error(written[1], "ROW_NUMBER() stands alone: take aggregates OVER in a query around it")
        return self._numbered(windows[0], written[0], relation, binder(scope))

    def _numbered(
        self, window: Any, written: Any, relation: Relation, binder: ExpressionBinder
    ) -> tuple[Relation, Special]:
        if window.args.get("spec"):
            raise self.error(window, "ROW_NUMBER() OVER takes no frame: leave ROWS or RANGE out")
        partition = [self._place(binder, each) for each in window.args.get("partition_by") or ()]
        order = [self._ordering(binder, each) for each in (window.args.get("order") or exp.Order()).expressions]
        if not order:
            raise self.error(window, "ROW_NUMBER() OVER takes an ORDER BY")
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
            raise self.error(node, "OVER takes columns here: compute them in a query inside")
        return bound.index

    # The list behind SELECT

    def items_of(self, node: Any, scope: Scope) -> list[tuple[str, Expression]]:
        """The columns of a SELECT over those of what stands in FROM, with their names."""
        return select_items(node, stars_of(scope), self.binder(scope))

    def _limited(self, relation: Relation, node: Any) -> Relation:
        def more(items: list[Any]) -> Relation:
            full = node.copy()
            for number, item in enumerate(items):
                full.append("expressions", exp.alias_(item.copy(), f"$order{number}", quoted=True))
            return self._select(full)

        ordered, order = with_order(relation, node, more, self.error)
        return taken(ordered, order, node, len(relation.columns), self.error, streaming=self._streaming)


def _without_queries(node: Any) -> tuple[Any, list[Any]]:
    """An inner join without those conditions that look into a query, and these: they are asked of its pairs."""
    condition = node.args.get("on")
    if condition is None or node.args.get("side") or str(node.args.get("kind") or "INNER").upper() != "INNER":
        return node, []
    parts = list(condition.flatten()) if isinstance(condition, exp.And) else [condition]
    asked = [each for each in parts if any(queries_in(each))]
    kept = [each for each in parts if each not in asked]
    if not asked or not kept:
        return node, []
    node = node.copy()
    node.set("on", exp.and_(*kept))
    return node, asked


def _first_of(*specials: Special | None) -> Special:
    """Ask one after the other what a part of an expression is."""

    def first(node: Any) -> Expression | None:
        for each in specials:
            found = None if each is None else each(node)
            if found is not None:
                return found
        return None

    return first
