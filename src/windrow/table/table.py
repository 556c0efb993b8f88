"""Relations that are not computed yet, and the verbs that make others of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from windrow.absent.explained import reason_for
from windrow.common.checks import instance_of, not_negative, positive, text
from windrow.errors import SqlError
from windrow.expressions.logical_types import name_of
from windrow.sql.errors import nearest
from windrow.sql.plan import Relation
from windrow.table.explain_detail import ExplainDetail
from windrow.table.expression import Expression
from windrow.table.expressions import col, lit
from windrow.table.planner.whole_rows import called, fields_of_result, with_results
from windrow.table.showing import mark_of
from windrow.table.table_result import TableResult
from windrow.table.table_schema import TableSchema
from windrow.table.window import GroupWindow, OverWindow

if TYPE_CHECKING:
    from windrow.table.planner.verbs import Verbs
    from windrow.table.table_descriptor import TableDescriptor
    from windrow.table.table_environment import TableEnvironment

__all__ = [
    "AggregatedTable",
    "FlatAggregateTable",
    "GroupWindowedTable",
    "GroupedTable",
    "OverWindowedTable",
    "Table",
    "WindowGroupedTable",
]


class Table:
    """Rows that a query asks for (PyFlink's class of the same name).

    Example:
        >>> from windrow.table import EnvironmentSettings, TableEnvironment
        >>> from windrow.table.expressions import col, lit
        >>> tables = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
        >>> _ = tables.get_config().set("windrow.runtime", "local")
        >>> words = tables.from_elements([("a", 1), ("b", 2), ("a", 3)], ["word", "n"])
        >>> words.group_by(col("word")).select(col("word"), col("n").sum.alias("total")).execute().print()
        +--------------------------------+----------------------+
        |                           word |                total |
        +--------------------------------+----------------------+
        |                              b |                    2 |
        |                              a |                    4 |
        +--------------------------------+----------------------+
        2 rows in set
    """

    def __init__(self, environment: TableEnvironment, relation: Relation) -> None:
        self._environment = environment
        environment._planned = environment._planned or "a table of the program"
        self._relation = relation
        #: What SQL calls it, once it was asked for.
        self._name: str | None = None

    # Verbs

    def select(self, *fields: Expression) -> Table:
        """A column for each expression; ``col("*")`` is all of them, and of aggregates there is one row.

        Raises:
            SqlError: an expression names what there is not, or types do not fit.
        """
        return self._made(self._verbs().select(self._relation, fields))

    def where(self, predicate: Expression) -> Table:
        """The rows for which a condition is true.

        Raises:
            SqlError: it is no BOOLEAN, or names what there is not.
        """
        return self._made(self._verbs().where(self._relation, predicate))

    def filter(self, predicate: Expression) -> Table:
        """The same as :meth:`where`."""
        return self.where(predicate)

    def group_by(self, *fields: Expression) -> GroupedTable:
        """Groups of rows with equal keys, of which ``select`` makes a row each."""
        return GroupedTable(self, fields)

    def window(self, window: GroupWindow) -> GroupWindowedTable:
        """Rows in windows of time: ``Tumble``, ``Slide`` or ``Session`` of ``windrow.table.window``."""
        return GroupWindowedTable(self, instance_of(window, GroupWindow, "window", "give it a name with alias"))

    def over_window(self, *over_windows: OverWindow) -> OverWindowedTable:
        """Rows with those before them, for aggregates in ``select`` (``col("n").sum.over(col("w"))``)."""
        made = [instance_of(each, OverWindow, "over_windows", "give it a name with alias") for each in over_windows]
        return OverWindowedTable(self, {each.name: each for each in made})

    def distinct(self) -> Table:
        """Each row once."""
        return self._made(self._verbs().distinct(self._relation))

    def order_by(self, *fields: Expression) -> OrderedTable:
        """The rows in an order: ``order_by(col("n").desc, col("name"))``, with ``fetch`` behind it the first ones.

        Of a stream without ``fetch`` that is the order of its time attribute.
        """
        return OrderedTable(self, fields)

    def limit(self, fetch: int, offset: int = 0) -> Table:
        """The first rows that come, behind some."""
        return self._made(self._verbs().limit(self._relation, positive(fetch, "fetch"), not_negative(offset, "offset")))

    def offset(self, offset: int) -> OrderedTable:
        """All rows but the first ones; ``fetch`` behind it takes so many of them."""
        return OrderedTable(self, (), not_negative(offset, "offset"))

    def fetch(self, fetch: int) -> Table:
        """The same as :meth:`limit`."""
        return self.limit(fetch)

    def alias(self, field: str, *fields: str) -> Table:
        """The first columns, or all, by other names."""
        names = [text(each, "field") for each in (field, *fields)]
        return self._made(self._verbs().renamed(self._relation, names))

    def add_columns(self, *fields: Expression) -> Table:
        """More columns behind those that there are.

        Raises:
            ConfigurationError: there is a column of one of the names.
        """
        return self._made(self._verbs().with_columns(self._relation, fields, replace=False))

    def add_or_replace_columns(self, *fields: Expression) -> Table:
        """More columns, or others in place of those of the same names."""
        return self._made(self._verbs().with_columns(self._relation, fields, replace=True))

    def drop_columns(self, *fields: Expression) -> Table:
        """All columns but some.

        Raises:
            ConfigurationError: there is none of one of the names.
        """
        return self._made(self._verbs().without_columns(self._relation, fields))

    def rename_columns(self, *fields: Expression) -> Table:
        """Some columns by other names: ``col("a").alias("b")``.

        Raises:
            ConfigurationError: there is none of one of the names.
        """
        return self._made(self._verbs().renamed_columns(self._relation, fields))

    def union_all(self, right: Table) -> Table:
        """The rows of both tables.

        Raises:
            SqlError: their columns do not fit: they differ in number, or have no type in common.
        """
        return self._with("UNION", right, distinct=False)

    def union(self, right: Table) -> Table:
        """The rows of both tables, each once.

        Raises:
            SqlError: their columns do not fit: they differ in number, or have no type in common.
        """
        return self._with("UNION", right, distinct=True)

    def intersect(self, right: Table) -> Table:
        """The rows that are in both tables, each once: ``INTERSECT``.

        Raises:
            SqlError: their columns do not fit; or they are streams whose rows would be kept for ever.
        """
        return self._with("INTERSECT", right, distinct=True)

    def intersect_all(self, right: Table) -> Table:
        """The rows that are in both tables, each as often as in both: ``INTERSECT ALL``.

        Raises:
            SqlError: their columns do not fit.
        """
        return self._with("INTERSECT", right, distinct=False)

    def minus(self, right: Table) -> Table:
        """The rows that are not in the other table, each once: ``EXCEPT``.

        Raises:
            SqlError: their columns do not fit; or they are streams whose rows would be kept for ever.
        """
        return self._with("EXCEPT", right, distinct=True)

    def minus_all(self, right: Table) -> Table:
        """The rows of this table, each as often as it is here more often than in the other one: ``EXCEPT ALL``.

        Raises:
            SqlError: their columns do not fit.
        """
        return self._with("EXCEPT", right, distinct=False)

    def join(self, right: Table, join_predicate: Expression | None = None) -> Table:
        """Pairs of rows for which a condition is true, which a ``where`` behind it may say instead.

        It has to bound both in time: equal windows, or an interval of both time attributes.

        Raises:
            ConfigurationError: both have a column of one name.
            SqlError: the condition has no bound in time.
        """
        if join_predicate is None:
            return JoinedTable(self, right)
        return self._joined(right, "", join_predicate)

    def left_outer_join(self, right: Table, join_predicate: Expression | None = None) -> Table:
        """The same, and rows of this table that nothing fits, with NULL; without a condition every row fits."""
        return self._joined(right, "LEFT", lit(True) if join_predicate is None else join_predicate)

    def right_outer_join(self, right: Table, join_predicate: Expression) -> Table:
        """The same, and rows of the other table that nothing fits, with NULL."""
        return self._joined(right, "RIGHT", join_predicate)

    def full_outer_join(self, right: Table, join_predicate: Expression) -> Table:
        """The same, and rows of both tables that nothing fits, with NULL."""
        return self._joined(right, "FULL", join_predicate)

    def join_lateral(self, table_function_call: Expression, join_predicate: Expression | None = None) -> Table:
        """Each row beside those that a table function gives for it: ``join_lateral(words(col("line")).alias("word"))``.

        Args:
            table_function_call: The call, with names for the columns that it gives.
            join_predicate: Of the pairs those for which it is true; None: all.

        Raises:
            ConfigurationError: both have a column of one name.
            SqlError: there is no such function, or its arguments do not fit.
        """
        return self._made(self._verbs().lateral(self._relation, table_function_call, "", join_predicate))

    def left_outer_join_lateral(
        self, table_function_call: Expression, join_predicate: Expression | None = None
    ) -> Table:
        """The same, and rows for which the function gives none, with NULL; it takes no condition but ``lit(True)``."""
        return self._made(self._verbs().lateral(self._relation, table_function_call, "LEFT", join_predicate))

    def map(self, func: Any) -> Table:
        """The results of a function that is called for each row: the fields of a row as columns.

        Args:
            func: What ``udf`` gives, which is called with each row as a whole, or its call: ``f(col("a"))``. Names
                for the columns stand behind it: ``f.alias("b", "c")``.

        Raises:
            ConfigurationTypeError: it is something else.
        """
        return self._made(self._verbs().mapped(self._relation, func))

    def flat_map(self, func: Any) -> Table:
        """Rows of a table function for each row: ``flat_map(f)``, or ``flat_map(words(col("line")).alias("word"))``."""
        return self._made(self._verbs().flat_mapped(self._relation, func))

    def aggregate(self, func: Any) -> AggregatedTable:
        """The result of an aggregate for all rows, as columns: ``aggregate(f.alias("a")).select(col("a"))``.

        Args:
            func: What ``udaf`` gives, whose ``accumulate`` is called with each row as a whole, or its call.
        """
        return AggregatedTable(self, (), func)

    def flat_aggregate(self, func: Any) -> FlatAggregateTable:
        """The rows that a function gives for all rows, as columns: ``flat_aggregate(f(col("n")).alias("a", "b"))``.

        Args:
            func: What ``udtaf`` gives, whose ``accumulate`` is called with each row as a whole, or its call.
        """
        return FlatAggregateTable(self, (), func)

    # Results

    def execute(self) -> TableResult:
        """Run the query; its rows are read from the result."""
        return self._environment._execute(self._relation)

    def execute_insert(self, table_path_or_descriptor: str | TableDescriptor, overwrite: bool = False) -> TableResult:
        """Start a job that writes the rows to a table.

        Args:
            table_path_or_descriptor: The name of the table, or what it is.
            overwrite: Whether what it has is removed (files, in batch mode).
        """
        insert = self._environment._insertion(table_path_or_descriptor, self, overwrite=overwrite)
        return self._environment._insert([insert], "")

    def to_pandas(self) -> Any:
        """Run the query; its rows as a frame of pandas."""
        return self.to_arrow().to_pandas()

    def to_arrow(self) -> Any:
        """Run the query; its rows as a table of Arrow."""
        return self._environment._arrow(self._relation)

    def to_dataframe(self) -> Any:
        """The rows as a Spark DataFrame: streaming if a source of theirs is, else batch.

        Raises:
            ConfigurationError: rows take back others, or Spark has no type for a column.
        """
        return self._environment._dataframe(self._relation)

    def get_schema(self) -> TableSchema:
        """The names and types of the columns."""
        columns = self._relation.columns
        return TableSchema([column.name for column in columns], [column.type for column in columns])

    def print_schema(self) -> None:
        """Print the names and types of the columns, and which are time attributes."""
        streaming = self._environment._streaming
        lines = [
            f"  `{column.name}` {name_of(column.type)}{mark_of(column, streaming=streaming)}"
            for column in self._relation.columns
        ]
        print("(\n" + ",\n".join(lines) + "\n)")  # noqa: T201

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Show what the query is made of, and the operators that do it, as ``explain_sql`` does.

        What is shown is the same with PyFlink's ``extra_details``.
        """
        for each in extra_details:
            instance_of(each, ExplainDetail, "extra_details")
        return self._environment._explained([("Collect", self._relation)])

    def print_explain(self, *extra_details: ExplainDetail) -> None:
        """Print what :meth:`explain` gives."""
        print(self.explain(*extra_details))  # noqa: T201

    def _verbs(self) -> Verbs:
        return self._environment._verbs()

    def _made(self, relation: Relation) -> Table:
        return Table(self._environment, relation)

    def _with(self, word: str, right: Table, *, distinct: bool) -> Table:
        other = instance_of(right, Table, "right")
        return self._made(self._verbs().of_sets(word, self._relation, other._relation, distinct=distinct))

    def _joined(self, right: Table, side: str, predicate: Any) -> Table:
        other = instance_of(right, Table, "right")
        return self._made(self._verbs().join(self._relation, other._relation, side, predicate))

    def __getattr__(self, name: str) -> Expression:
        """A column: ``table.a`` is ``col("a")``."""
        if name.startswith("_"):
            raise AttributeError(name)
        names = [column.name for column in self._relation.columns]
        if name in names:
            return col(name)
        reason = reason_for(type(self), name)
        if reason is not None:
            msg = f"Table.{name} is deliberately not here: {reason}"
            raise AttributeError(msg)
        msg = f"a table has no method, and this one no column, {name!r}: {nearest(name, names)}"
        raise AttributeError(msg)

    def __str__(self) -> str:
        """A name that SQL can call the table by: ``tables.sql_query(f"SELECT * FROM {table}")``."""
        if self._name is None:
            self._name = self._environment._named(self)
        return self._name

    def __repr__(self) -> str:
        return f"Table({', '.join(f'{column.name} {name_of(column.type)}' for column in self._relation.columns)})"


class JoinedTable(Table):
    """Two tables whose rows fit by a condition that ``where`` says."""

    def __init__(self, left: Table, right: Table) -> None:
        self._environment = left._environment
        self._name = None
        self._left, self._right = left, instance_of(right, Table, "right")

    def where(self, predicate: Expression) -> Table:
        return self._left._joined(self._right, "", predicate)

    @property
    def _relation(self) -> Relation:  # type: ignore[override]
        msg = "this join has no condition: write join(right, condition), or where(condition) behind it"
        raise SqlError(msg)

    def __repr__(self) -> str:
        return f"JoinedTable({self._left!r}, {self._right!r})"


class OrderedTable(Table):
    """Rows in an order, of which ``offset`` and ``fetch`` take some."""

    def __init__(self, table: Table, order: tuple[Expression, ...], offset: int = 0) -> None:
        self._environment = table._environment
        self._name = None
        self._table, self._order, self._offset = table, order, offset

    def offset(self, offset: int) -> OrderedTable:
        return OrderedTable(self._table, self._order, not_negative(offset, "offset"))

    def limit(self, fetch: int, offset: int = 0) -> Table:
        behind = not_negative(offset, "offset") or self._offset
        count = positive(fetch, "fetch")
        return self._made(self._verbs().limit(self._table._relation, count, behind, self._order))

    @cached_property
    def _relation(self) -> Relation:  # type: ignore[override]
        return self._verbs().limit(self._table._relation, None, self._offset, self._order)


class AggregatedTable:
    """The results of an aggregate for rows of a table (PyFlink's class of the same name)."""

    def __init__(
        self,
        table: Table,
        keys: tuple[Expression, ...],
        func: Any,
        windows: Mapping[str, GroupWindow] | None = None,
    ) -> None:
        self._table, self._keys, self._windows = table, keys, windows
        call, names = called(table._relation, func, "aggregate")
        self._results = fields_of_result(call, names, "f0")

    def select(self, *fields: Expression) -> Table:
        """A row for each group: keys, and columns of what the aggregate gives."""
        table, chosen = self._table, with_results(fields, self._results)
        return table._made(table._verbs().grouped(table._relation, self._keys, chosen, self._windows))


class FlatAggregateTable:
    """The rows that a function gives for rows of a table (PyFlink's class of the same name)."""

    def __init__(self, table: Table, keys: tuple[Expression, ...], func: Any) -> None:
        self._made = table._made(table._verbs().flat_aggregated(table._relation, keys, func))

    def select(self, *fields: Expression) -> Table:
        """Columns of the keys, and of the rows that the function gives."""
        return self._made.select(*fields)


class GroupedTable:
    """Rows with equal keys (PyFlink's class of the same name)."""

    def __init__(self, table: Table, keys: tuple[Expression, ...]) -> None:
        self._table, self._keys = table, keys

    def select(self, *fields: Expression) -> Table:
        """A row for each group: keys and aggregates."""
        table = self._table
        return table._made(table._verbs().grouped(table._relation, self._keys, fields))

    def aggregate(self, func: Any) -> AggregatedTable:
        """The results of an aggregate for each group, as :meth:`Table.aggregate` has one for all rows."""
        return AggregatedTable(self._table, self._keys, func)

    def flat_aggregate(self, func: Any) -> FlatAggregateTable:
        """The rows that a function gives for each group, as :meth:`Table.flat_aggregate` does for all rows."""
        return FlatAggregateTable(self._table, self._keys, func)


class GroupWindowedTable:
    """Rows in windows of time, which still have to be grouped (PyFlink's class of the same name)."""

    def __init__(self, table: Table, window: GroupWindow) -> None:
        self._table, self._window = table, window

    def group_by(self, *fields: Expression) -> WindowGroupedTable:
        """Groups by the window, ``col("w")``, and more keys.

        Raises:
            SqlError: the window is not among them.
        """
        name = self._window.name
        if not any(isinstance(each, Expression) and each._kind == "col" and each._parts[0] == name for each in fields):
            msg = f"group_by takes the window as well: col({name!r})"
            raise SqlError(msg)
        return WindowGroupedTable(self._table, fields, {name: self._window})


class WindowGroupedTable:
    """Groups of rows in windows of time (PyFlink's class of the same name)."""

    def __init__(self, table: Table, keys: tuple[Expression, ...], windows: Mapping[str, GroupWindow]) -> None:
        self._table, self._keys, self._windows = table, keys, windows

    def select(self, *fields: Expression) -> Table:
        """A row for each window and group: keys, aggregates, ``col("w").start``, ``.end`` and ``.rowtime``."""
        table = self._table
        return table._made(table._verbs().grouped(table._relation, self._keys, fields, self._windows))

    def aggregate(self, func: Any) -> AggregatedTable:
        """The results of an aggregate for each window and group, as :meth:`Table.aggregate` has one for all rows."""
        return AggregatedTable(self._table, self._keys, func, self._windows)


class OverWindowedTable:
    """Rows with those before them (PyFlink's class of the same name)."""

    def __init__(self, table: Table, windows: Mapping[str, OverWindow]) -> None:
        self._table, self._windows = table, windows

    def select(self, *fields: Expression) -> Table:
        """A row for each row: columns, and aggregates ``over`` the windows."""
        table = self._table
        return table._made(table._verbs().over(table._relation, self._windows, fields))
