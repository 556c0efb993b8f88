"""Queries within expressions: in the place of a value, behind IN, EXISTS, and a comparison with ANY or ALL.

Each becomes a join. IN and EXISTS that stand by themselves, or beside AND, in WHERE choose rows by a semi or an anti
join; anything else puts a column behind those that there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from windrow.errors import SqlError
from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import may_be_null
from windrow.expressions.nodes import Call, Expression, InputRef, Literal, shifted
from windrow.sql import syntax as s
from windrow.sql.calc import calc_of, with_columns
from windrow.sql.expression_binder import ExpressionBinder
from windrow.sql.function_calls import case_of
from windrow.sql.joins import conjunction, errors, joined
from windrow.sql.plan import Aggregate, AggregateCall, Column, Project, Relation, Values
from windrow.sql.scope import Scope

if TYPE_CHECKING:
    from windrow.sql.query_binder import QueryBinder

MakeBinder = Callable[[Scope], ExpressionBinder]
#: What a query has whose rows can be asked together with those of the query around it.
_PLAIN = frozenset({"expressions", "from_", "where"})
_WAITS = (
    "is joined with all rows, which change with it, so they are kept for ever, and that is not supported: SET "
    "'table.exec.state.ttl' = '1 h' to the time for which rows are kept"
)
#: What is not true of a value where the other is.
_OPPOSITES = {"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
#: What is said of a part that looks into a query, where its class does not say it.
_WORDS: dict[type, str] = {exp.Subquery: "the place of a value", s.Quantified: "ANY or ALL"}
_TRUE, _FALSE = Literal(True, lt.BOOLEAN.not_null()), Literal(False, lt.BOOLEAN.not_null())


def asked_query(part: Any) -> Any:
    """The query that a condition looks into; None if it looks into none."""
    inner = part.this if isinstance(part, exp.Not) else part
    if isinstance(inner, exp.In) and inner.args.get("query") is not None:
        query = inner.args["query"]
    elif isinstance(inner, exp.Exists):
        query = inner.this
    else:
        return None
    return query.this if isinstance(query, exp.Subquery) else query


def looks_into_query(node: Any) -> bool:
    """Tell whether a part of an expression asks for a value in a query: IN, or a comparison with ANY or ALL."""
    return isinstance(node, s.Quantified) or (isinstance(node, exp.In) and node.args.get("query") is not None)


def queries_in(node: Any) -> Iterator[Any]:
    """The parts of an expression that look into a query: the query itself, IN, EXISTS, and ANY or ALL."""
    if isinstance(node, exp.Subquery | exp.Exists):
        yield node
        return
    if looks_into_query(node):
        yield from queries_in(node.this)
        yield node
        return
    for each in node.iter_expressions():
        yield from queries_in(each)


@dataclass
class Subqueries:
    """Joins the rows of a query with those of the queries within its expressions.

    Attributes:
        queries: Binds queries.
    """

    queries: QueryBinder

    # As conditions

    def chosen(self, relation: Relation, scope: Scope, node: Any, query: Any) -> Relation:
        """The rows that fit, or do not fit, one of another query: IN and EXISTS, with NOT or without.

        Raises:
            SqlError: the queries cannot be joined.
        """
        kind, inner = "SEMI", node
        if isinstance(inner, exp.Not) or inner.args.get("negate"):
            kind, inner = "ANTI", inner.this if isinstance(inner, exp.Not) else inner
        other, other_scope, where, selected = self._asked(query)
        count, pairs = len(relation.columns), []
        if isinstance(inner, exp.In):
            asked = self._values(inner.this, scope, len(selected), node)
            for one, another in zip(asked, selected, strict=True):
                alike = self.queries.binder(scope).alike([one, another], node, "IN compares", equal=True)
                relation, (left,) = with_columns(relation, [alike[0]])
                other, (right,) = with_columns(other, [alike[1]])
                pairs.append((InputRef(left, alike[0].type), InputRef(right, alike[1].type)))
        both = _wider(scope, relation).around(_wider(other_scope, other))
        width = len(relation.columns)
        parts: list[Expression] = [Call("=", (one, shifted(another, width)), lt.BOOLEAN) for one, another in pairs]
        if kind == "ANTI" and any(may_be_null(each.type) for pair in pairs for each in pair):  # NOT IN of NULL
            equal = conjunction(parts)
            assert equal is not None
            parts = [Call("IS NOT FALSE", (equal,), lt.BOOLEAN.not_null())]
        if where is not None:
            parts.append(self.queries.binder(both).condition(where.this, "WHERE"))
        condition = conjunction(parts) or _TRUE
        made = joined(relation, other, kind, condition, node, errors(both), self.queries.regular)
        return made if len(made.columns) == count else first_columns(made, count)

    def _asked(self, query: Any) -> tuple[Relation, Scope, Any, list[Expression]]:
        """The rows of a query in IN or EXISTS, what it asks of them and of those around it, and its columns."""
        if isinstance(query, exp.Select) and not self._has_more(query):
            other, scope = self.queries.rows_of(query)
            items = self.queries.items_of(query, scope)
            return other, scope, query.args.get("where"), [expression for _, expression in items]
        other = self.queries.bind(query)
        scope = self.queries.scope_of(other, None)
        return other, scope, None, [InputRef(place, column.type) for place, column in enumerate(other.columns)]

    def _has_more(self, query: Any) -> bool:
        """Tell whether a query does more than to choose rows as they stand in its tables."""
        if any(value and key not in _PLAIN and key != "joins" for key, value in query.args.items()):
            return True
        if self.queries.has_aggregates(query.expressions) or any(query.find_all(exp.Window)):
            return True
        parts = [*query.expressions, *[each.this for each in [query.args.get("where")] if each is not None]]
        return any(True for part in parts for _ in queries_in(part))

    def _values(self, node: Any, scope: Scope, count: int, of: Any) -> list[Expression]:
        """Bind what stands before IN: a value for each column of the query."""
        nodes = node.expressions if isinstance(node, exp.Tuple) else [node]
        if len(nodes) != count:
            shown = "one column" if len(nodes) == 1 else f"{len(nodes)} columns"
            raise self.queries.error(of, f"IN takes a query of {shown} here; got {count}: write EXISTS")
        binder = self.queries.binder(scope)
        return [binder.bind(each) for each in nodes]

    # As values

    def with_values(
        self, relation: Relation, scope: Scope, nodes: Sequence[Any], binder: MakeBinder
    ) -> tuple[Relation, Scope]:
        """The rows with a column for each query within some expressions, which the scope knows by the query.

        Args:
            relation: The rows.
            scope: Their columns.
            nodes: The expressions.
            binder: Makes what binds the columns before IN.

        Raises:
            SqlError: a query has more than one column, or has rows that are kept for ever.
        """
        for node in nodes:
            for each in queries_in(node):
                if any(each == known for known, _ in scope.values):
                    continue
                if not self.queries.regular.ends:
                    word = _WORDS.get(type(each)) or type(each).__name__.upper()
                    raise self.queries.error(each, f"a query in {word} {_WAITS}")
                relation, value = self._with_value(relation, scope, each, binder)
                scope = replace(_wider(scope, relation), values=[*scope.values, (each, value)])
        return relation, scope

    def _with_value(
        self, relation: Relation, scope: Scope, node: Any, binder: MakeBinder
    ) -> tuple[Relation, Expression]:
        if isinstance(node, exp.Exists):
            counted = _counts(self.queries.bind(node.this), [()], streaming=self.queries.streaming)
            relation, (count,) = self._beside(relation, scope, counted, node)
            some = Call(">", (count, Literal(0, lt.BIGINT.not_null())), lt.BOOLEAN)
            return relation, Call("IS TRUE", (some,), lt.BOOLEAN.not_null())
        if isinstance(node, exp.In):
            return self._in(relation, scope, node, binder)
        if isinstance(node, s.Quantified):
            return self._quantified(relation, scope, node, binder)
        try:
            other = self.queries.bind(node.this)
        except SqlError:
            found = self._by_columns(relation, scope, node, binder)
            if found is None:
                raise
            return found
        self._check_one(other, node)
        relation, (value,) = self._beside(relation, scope, self._single(other), node)
        return relation, value

    def _check_one(self, other: Relation, node: Any) -> None:
        if len(other.columns) != 1:
            message = f"a query in the place of a value has one column; got {len(other.columns)}"
            raise self.queries.error(node, message)

    def _single(self, other: Relation, keys: int = 0) -> Relation:
        """The one row of a query, for each of some keys that stand in front; more are an error when they come."""
        if not keys and _is_single(other):
            return other
        value = other.columns[keys]
        call = AggregateCall("SINGLE_VALUE", (keys,), value.type.nullable())
        columns = [*other.columns[:keys], Column(value.name, call.type)]
        return Aggregate(columns, other, list(range(keys)), [call], False, changes=self.queries.streaming)

    def _beside(
        self, relation: Relation, scope: Scope, other: Relation, node: Any
    ) -> tuple[Relation, list[Expression]]:
        """Each row beside the one row of another relation, of which a stream may have none yet."""
        kind = "LEFT" if self.queries.streaming else "INNER"
        count = len(relation.columns)
        made = joined(relation, other, kind, _TRUE, node, errors(scope), self.queries.regular)
        return made, [InputRef(count + place, column.type.nullable()) for place, column in enumerate(other.columns)]

    def _in(self, relation: Relation, scope: Scope, node: Any, binder: MakeBinder) -> tuple[Relation, Expression]:
        """Join in whether a value is among those of a query: NULL if it might be."""
        other = self.queries.bind(asked_query(node))
        if len(other.columns) != 1:
            raise self.queries.error(node, f"IN takes a query of one column here; got {len(other.columns)}")
        inside = binder(scope)
        pair = [inside.bind(node.this), InputRef(0, other.columns[0].type)]
        asked, found = inside.alike(pair, node, "IN compares", equal=True)
        column = Column("$in", found.type)
        values = Project([column], other, [found], changes=other.changes)
        streaming = self.queries.streaming
        once = Aggregate([column], values, [0], [], False, changes=streaming)
        relation, (left,) = with_columns(relation, [asked])
        width = len(relation.columns)
        equal = Call("=", (InputRef(left, asked.type), InputRef(width, found.type)), lt.BOOLEAN)
        marks: list[Expression] = [InputRef(0, found.type), _TRUE]
        marked = Project([column, Column("$is_in", _TRUE.type)], once, marks, changes=once.changes)
        relation = joined(relation, marked, "LEFT", equal, node, errors(scope), self.queries.regular)
        is_met = Call("IS TRUE", (InputRef(width + 1, lt.BOOLEAN),), lt.BOOLEAN.not_null())
        if not may_be_null(asked.type) and not may_be_null(found.type):
            return relation, is_met
        counted = _counts(values, [(), (0,)], streaming=streaming)
        relation, (count, known) = self._beside(relation, scope, counted, node)
        nothing = Call("=", (count, Literal(0, lt.BIGINT.not_null())), lt.BOOLEAN)
        none = Call("IS NOT FALSE", (nothing,), lt.BOOLEAN.not_null())
        is_null = Call("IS NULL", (InputRef(left, asked.type),), lt.BOOLEAN.not_null())
        of_null = Call("<>", (count, known), lt.BOOLEAN)
        doubts = Call("OR", (is_null, of_null), lt.BOOLEAN)
        unknown = Literal(None, lt.BOOLEAN)
        return relation, case_of([is_met, none, doubts], [_TRUE, _FALSE, unknown], _FALSE)

    def _quantified(
        self, relation: Relation, scope: Scope, node: Any, binder: MakeBinder
    ) -> tuple[Relation, Expression]:
        """Join in if a comparison is true of all values of a query, by the least and the greatest: NULL if it might be.

        It is true of any if the opposite is not true of all.
        """
        other = self.queries.bind(node.args["query"])
        if len(other.columns) != 1:
            raise self.queries.error(node, f"ANY and ALL take a query of one column; got {len(other.columns)}")
        inside, operator, every = binder(scope), node.args["operator"], bool(node.args.get("every"))
        pair = [inside.bind(node.this), InputRef(0, other.columns[0].type)]
        asked, found = inside.alike(pair, node, f"{operator} {'ALL' if every else 'ANY'} compares", equal=True)
        values = Project([Column("$value", found.type)], other, [found], changes=other.changes)
        counts = [("COUNT", ()), ("COUNT", (0,)), ("MIN", (0,)), ("MAX", (0,))]
        calls = [
            AggregateCall(name, of, lt.BIGINT.not_null() if name == "COUNT" else found.type.nullable())
            for name, of in counts
        ]
        columns = [Column(f"$of_all{place}", call.type) for place, call in enumerate(calls)]
        of_all = Aggregate(columns, values, [], calls, False, changes=self.queries.streaming)
        relation, (left,) = with_columns(relation, [asked])
        relation, (count, known, least, greatest) = self._beside(relation, scope, of_all, node)
        asks = operator if every else _OPPOSITES[operator]
        bounds = {"<": [least], "<=": [least], ">": [greatest], ">=": [greatest]}.get(asks, [least, greatest])
        value = InputRef(left, asked.type)
        holds = conjunction([Call(asks, (value, bound), lt.BOOLEAN) for bound in bounds])
        assert holds is not None
        nothing = Call("=", (count, Literal(0, lt.BIGINT.not_null())), lt.BOOLEAN)
        none = Call("IS NOT FALSE", (nothing,), lt.BOOLEAN.not_null())
        fails = Call("IS FALSE", (holds,), lt.BOOLEAN.not_null())
        of_null = Call("<>", (count, known), lt.BOOLEAN)
        made = case_of([none, fails, of_null], [_TRUE, _FALSE, Literal(None, lt.BOOLEAN)], holds)
        return relation, made if every else Call("NOT", (made,), made.type)

    # By columns of the query around it

    def _by_columns(
        self, relation: Relation, scope: Scope, node: Any, binder: MakeBinder
    ) -> tuple[Relation, Expression] | None:
        """The value of a query that names columns of the one around it; None: it does not by equality in WHERE."""
        query = node.this
        if not isinstance(query, exp.Select) or query.args.get("where") is None:
            return None
        if any(value and key not in {*_PLAIN, "joins"} for key, value in query.args.items()):
            return None
        _, inner_scope = self.queries.rows_of(query)
        inside, around = self.queries.binder(inner_scope), binder(scope)
        where = query.args["where"].this
        rest: list[Any] = []
        keys: list[tuple[Any, Expression]] = []
        for part in where.flatten() if isinstance(where, exp.And) else [where]:
            if _binds(inside, part):
                rest.append(part)
                continue
            sides = [part.this, part.expression] if isinstance(part, exp.EQ) else []
            of_inner = [each for each in sides if _binds(inside, each)]
            of_outer = [each for each in sides if each not in of_inner and _binds(around, each)]
            if len(of_inner) != 1 or len(of_outer) != 1:
                return None
            keys.append((of_inner[0], around.bind(of_outer[0])))
        full = query.copy()
        full.set("where", exp.Where(this=exp.and_(*rest)) if rest else None)
        of_keys = [exp.alias_(each.copy(), f"$key{place}", quoted=True) for place, (each, _) in enumerate(keys)]
        is_grouped = self.queries.has_aggregates(query.expressions)
        full.set("expressions", [*of_keys, *full.expressions])
        if is_grouped:
            full.set("group", exp.Group(expressions=[each.copy() for each, _ in keys]))
        other = self.queries.bind(full)
        count = len(keys)
        if len(other.columns) != count + 1:
            message = f"a query in the place of a value has one column; got {len(other.columns) - count}"
            raise self.queries.error(node, message)
        if not is_grouped:
            other = self._single(other, count)
        pairs: list[tuple[Expression, Expression]] = []
        for place, (_, outer) in enumerate(keys):
            both = [outer, InputRef(place, other.columns[place].type)]
            one, another = around.alike(both, node, "= compares", equal=True)
            relation, (left,) = with_columns(relation, [one])
            other, (right,) = with_columns(other, [another])
            pairs.append((InputRef(left, one.type), InputRef(right, another.type)))
        width = len(relation.columns)
        condition = conjunction([Call("=", (one, shifted(another, width)), lt.BOOLEAN) for one, another in pairs])
        assert condition is not None
        made = joined(relation, other, "LEFT", condition, node, errors(scope), self.queries.regular)
        value: Expression = InputRef(width + count, made.columns[width + count].type)
        if is_grouped and _is_count(query.expressions[0]):
            value = Call("COALESCE", (value, Literal(0, lt.BIGINT.not_null())), lt.BIGINT)
        return made, value


def _is_count(item: Any) -> bool:
    inner = item.this if isinstance(item, exp.Alias) else item
    return isinstance(inner, exp.Anonymous) and str(inner.name).upper() == "COUNT"


def _binds(binder: ExpressionBinder, node: Any) -> bool:
    try:
        binder.bind(node)
    except SqlError:
        return False
    return True


def _is_single(relation: Relation) -> bool:
    """Tell whether a relation has one row at most, at any time."""
    calc = calc_of(relation)
    if isinstance(calc.base, Values):
        return len(calc.base.rows) == 1
    return isinstance(calc.base, Aggregate) and not calc.base.keys and not calc.base.windowed


def _counts(relation: Relation, arguments: Sequence[tuple[int, ...]], *, streaming: bool) -> Relation:
    """Count rows, or those that are not NULL."""
    calls = [AggregateCall("COUNT", each, lt.BIGINT.not_null()) for each in arguments]
    columns = [Column(f"$count{place}", call.type) for place, call in enumerate(calls)]
    return Aggregate(columns, relation, [], calls, False, changes=streaming)


def _wider(scope: Scope, relation: Relation) -> Scope:
    """The scope of a relation that has more columns behind those that can be named."""
    more = relation.columns[len(scope.columns) :]
    hidden = scope.hidden | {len(scope.columns) + place for place in range(len(more))}
    return replace(scope, columns=[*scope.columns, *more], tables=[*scope.tables, *[None] * len(more)], hidden=hidden)


def first_columns(relation: Relation, count: int) -> Relation:
    """The first columns of a relation."""
    columns = list(relation.columns[:count])
    places: list[Expression] = [InputRef(place, column.type) for place, column in enumerate(columns)]
    return Project(columns, relation, places, window=relation.window, changes=relation.changes)
