"""Says in the words of SQL what verbs of tables ask for: the same binder makes the same relations of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp

from windrow.common.checks import described
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.expressions.nodes import Expression as BoundExpression
from windrow.expressions.nodes import InputRef
from windrow.sql.errors import nearest
from windrow.sql.plan import Column, FlatAggregate, Project, Relation, without_times
from windrow.sql.query_binder import QueryBinder
from windrow.sql.user_functions import named_type, result_type
from windrow.table.data_types import RowType
from windrow.table.expression import Expression
from windrow.table.expressions import col, lit
from windrow.table.planner.column_names import chosen_columns, column_names, own_name
from windrow.table.planner.expression_nodes import ExpressionNodes, is_aggregate
from windrow.table.planner.whole_rows import called, fields_of_result
from windrow.table.udf import UserDefinedTableAggregateFunctionWrapper
from windrow.table.window import GroupWindow, OverWindow

Fields = Sequence[Expression]
_SETS: dict[str, type[exp.SetOperation]] = {"UNION": exp.Union, "INTERSECT": exp.Intersect, "EXCEPT": exp.Except}


class Verbs:
    """Makes relations of relations.

    Args:
        binder: Binds queries, without a text.
    """

    def __init__(self, binder: QueryBinder) -> None:
        self._binder = binder
        self._own = binder.own_aggregates
        self._plain = ExpressionNodes(own=self._own)

    def select(self, relation: Relation, fields: Fields) -> Relation:
        """A column for each expression; of aggregates one row."""
        return self._select(relation, chosen_columns(relation, fields), "select")

    def where(self, relation: Relation, predicate: Any) -> Relation:
        """The rows for which a condition is true."""
        return self._binder.filtered(relation, self._plain.condition(predicate))

    def distinct(self, relation: Relation) -> Relation:
        """Each row once."""
        return self._query(relation, [exp.Star()], distinct=exp.Distinct())

    def limit(self, relation: Relation, count: int | None, offset: int = 0, order: Fields = ()) -> Relation:
        """The rows in an order, and of these the first ones behind some."""
        items = [self._ordered(each) for each in order]
        return self._query(
            relation,
            [exp.Star()],
            order=exp.Order(expressions=items) if items else None,
            limit=None if count is None else exp.Limit(expression=exp.Literal.number(count)),
            offset=exp.Offset(expression=exp.Literal.number(offset)) if offset else None,
        )

    def _ordered(self, field: Expression) -> Any:
        inner, descending = field._parts if field._kind == "order" else (field, False)
        return exp.Ordered(this=self._plain.node(inner), desc=descending, nulls_first=not descending)

    def renamed(self, relation: Relation, names: Sequence[str]) -> Relation:
        """The first columns by other names.

        Raises:
            ConfigurationError: two are called the same.
        """
        names = [*names, *[column.name for column in relation.columns[len(names) :]]]
        column_names([col(name) for name in names], (), "alias")
        return self._binder.renamed(relation, [exp.Identifier(this=name) for name in names], None)

    def grouped(
        self, relation: Relation, keys: Fields, fields: Fields, windows: Mapping[str, GroupWindow] | None = None
    ) -> Relation:
        """A row for each group."""
        named = [key for key in keys if key._kind == "alias"]
        if named:  # what a key is called is known to what is selected
            relation = self._select(relation, [col("*"), *named], "group_by")
        nodes = ExpressionNodes(windows, own=self._own)
        parts = [nodes.node(col(key._parts[1]) if key._kind == "alias" else key) for key in keys]
        group = exp.Group(expressions=parts) if parts else None
        return self._query(relation, self._items(nodes, fields, (), "select"), group=group)

    def over(self, relation: Relation, windows: Mapping[str, OverWindow], fields: Fields) -> Relation:
        """A column for each expression, with aggregates over rows before each row."""
        every = [column.name for column in relation.columns]
        return self._query(relation, self._items(ExpressionNodes(over=windows, own=self._own), fields, every, "select"))

    def of_sets(self, word: str, left: Relation, right: Relation, *, distinct: bool) -> Relation:
        """The rows of one or the other (UNION), of both (INTERSECT), or of the left alone (EXCEPT).

        Args:
            word: Which of these.
            left: One side.
            right: The other side.
            distinct: Whether each comes once.

        Raises:
            SqlError: their columns do not fit, or they are joined without a bound in time.
        """
        one, other = (
            exp.Select(expressions=[exp.Star()], from_=exp.From(this=self._binder.given(each)))
            for each in (left, right)
        )
        return self._binder.bind(_SETS[word](this=one, expression=other, distinct=distinct))

    def join(self, left: Relation, right: Relation, side: str, predicate: Any) -> Relation:
        """Pairs of rows for which a condition is true.

        Raises:
            ConfigurationError: both have a column of one name.
        """
        names = [column.name for column in left.columns]
        both = [column.name for column in right.columns if column.name in names]
        if both:
            msg = f"join takes tables whose columns differ in their names; both have {', '.join(both)}: rename_columns"
            raise ConfigurationError(msg)
        on = self._plain.condition(predicate)
        joined = exp.Join(this=self._binder.given(right), on=on, side=side)
        return self._query(left, [exp.Star()], joins=[joined])

    def lateral(self, relation: Relation, call: Any, side: str, predicate: Any = None) -> Relation:
        """Each row beside those that a table function gives for it.

        Raises:
            ConfigurationError: both have a column of one name.
            ConfigurationTypeError: it is no call of a table function.
        """
        made = self._correlated(relation, call, side, predicate)
        column_names([col(column.name) for column in made.columns], (), "join_lateral")
        return made

    def mapped(self, relation: Relation, func: Any) -> Relation:
        """Call a function for each row: the fields of a row that it gives are columns.

        Raises:
            ConfigurationTypeError: it is no function of one's own, or the call of one.
        """
        call, names = called(relation, func, "map")
        return self.select(relation, fields_of_result(call, names, "_c0"))

    def flat_mapped(self, relation: Relation, call: Any) -> Relation:
        """Call a table function for each row: the rows that it gives follow each other."""
        made, count = self._correlated(relation, call, "", None), len(relation.columns)
        columns = made.columns[count:]
        places: list[BoundExpression] = [InputRef(count + place, column.type) for place, column in enumerate(columns)]
        return Project(columns, made, places, changes=made.changes)

    def _correlated(self, relation: Relation, call: Any, side: str, predicate: Any) -> Relation:
        inner, names = called(relation, call, "join_lateral")
        alias = exp.TableAlias(columns=[exp.Identifier(this=name, quoted=True) for name in names])
        table = exp.Anonymous(this="TABLE", expressions=[self._plain.node(inner)])
        on = None if predicate is None else self._plain.condition(predicate)
        return self._binder.correlated(relation, exp.Join(this=exp.Lateral(this=table, alias=alias), on=on, side=side))

    def flat_aggregated(self, relation: Relation, keys: Fields, func: Any) -> Relation:
        """The rows that a function gives for each group, behind its keys.

        Raises:
            ConfigurationTypeError: it is no table aggregate function.
        """
        call, names = called(relation, func, "flat_aggregate")
        function, *arguments = call._parts if call._kind == "own" else (None,)
        if not isinstance(function, UserDefinedTableAggregateFunctionWrapper):
            msg = f"flat_aggregate takes what udtaf gives, or its call; got {func!r}"
            raise ConfigurationTypeError(msg)
        given = [each if isinstance(each, Expression) else lit(each) for each in arguments]
        if function.input_types is not None:
            given = [each.cast(named_type(kind)) for each, kind in zip(given, function.input_types, strict=True)]
        of_keys = [key.alias(own_name(key) or f"_c{place}") for place, key in enumerate(keys)]
        chosen = [*of_keys, *[each.alias(f"$argument{place}") for place, each in enumerate(given)]]
        inner = self.select(relation, [Expression("alias", *key._parts) for key in chosen])
        kind = result_type(function)
        made = [("f0", kind)]
        if isinstance(kind, RowType):
            made = list(zip(kind.field_names(), kind.field_types(), strict=True))
        own = [*names, *[name for name, _ in made][len(names) :]]
        results = [Column(name, each.nullable()) for name, (_, each) in zip(own, made, strict=True)]
        times = without_times(inner.columns[: len(of_keys)], None, "flat_aggregate", windowed=False)
        return FlatAggregate([*times, *results], inner, len(of_keys), function, changes=self._binder.streaming)

    # Columns

    def with_columns(self, relation: Relation, fields: Fields, *, replace: bool) -> Relation:
        """More columns behind those that there are; or, if ``replace``, in place of those of their names.

        Raises:
            ConfigurationError: there is a column of one of the names, and not ``replace``; or one is an aggregate.
        """
        chosen: dict[str | int, Expression] = {column.name: col(column.name) for column in relation.columns}
        for field in _fields(fields, "add_columns"):
            if is_aggregate(field._parts[0] if field._kind == "alias" else field, self._own):
                msg = f"add_columns takes no aggregate: select it of the table, or over a window; got {field!r}"
                raise ConfigurationError(msg)
            name = own_name(field)
            if name in chosen and not replace:
                msg = f"add_columns: there is a column {name!r} already: take add_or_replace_columns"
                raise ConfigurationError(msg)
            chosen[id(field) if name is None else name] = field
        return self._select(relation, list(chosen.values()), "add_columns")

    def without_columns(self, relation: Relation, fields: Fields) -> Relation:
        """All columns but some.

        Raises:
            ConfigurationError: there is none of one of the names.
        """
        gone = {self._known(relation, field, "drop_columns") for field in _fields(fields, "drop_columns")}
        return self.select(relation, [col(each.name) for each in relation.columns if each.name not in gone])

    def renamed_columns(self, relation: Relation, fields: Fields) -> Relation:
        """Some columns by other names.

        Raises:
            ConfigurationError: there is none of one of the names.
        """
        names: dict[str, Expression] = {}
        for field in _fields(fields, "rename_columns"):
            if field._kind != "alias":
                msg = f"rename_columns takes col('a').alias('b'); got {field!r}"
                raise ConfigurationError(msg)
            names[self._known(relation, field._parts[0], "rename_columns")] = field
        fields = [names.get(each.name, col(each.name)) for each in relation.columns]
        return self._select(relation, fields, "rename_columns")

    def _known(self, relation: Relation, field: Expression, verb: str) -> str:
        names = [column.name for column in relation.columns]
        name = field._parts[0] if field._kind == "col" else None
        if name not in names:
            msg = f"{verb}: there is no column {field!r}: {nearest(str(name), names)}"
            raise ConfigurationError(msg)
        return str(name)

    # Queries

    def _select(self, relation: Relation, fields: Fields, verb: str) -> Relation:
        every = [column.name for column in relation.columns]
        return self._query(relation, self._items(self._plain, fields, every, verb))

    def _query(self, relation: Relation, items: Sequence[Any], **clauses: Any) -> Relation:
        given = {key: value for key, value in clauses.items() if value is not None}
        source = exp.From(this=self._binder.given(relation))
        return self._binder.bind(exp.Select(expressions=list(items), from_=source, **given))

    def _items(self, nodes: ExpressionNodes, fields: Fields, every: Sequence[str], verb: str) -> list[Any]:
        items = []
        names = column_names(_fields(fields, verb), every, verb, self._own)
        for field, name in zip(fields, names, strict=True):
            made = nodes.node(field)
            if own_name(field) is None:
                made = exp.Alias(this=made, alias=exp.Identifier(this=name, quoted=True))
            items.append(made)
        return items


def _fields(fields: Fields, verb: str) -> Fields:
    if not fields:
        msg = f"{verb} takes at least one expression"
        raise ConfigurationError(msg)
    for field in fields:
        if not isinstance(field, Expression):
            hint = f": write col({field!r})" if isinstance(field, str) else ": write lit(...)"
            msg = f"{verb} takes expressions; got {described(field)}{hint}"
            raise ConfigurationTypeError(msg)
    return fields
