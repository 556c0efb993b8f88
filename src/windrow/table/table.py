"""Relations that are not computed yet, and the verbs that make others of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from windrow.common.checks import instance_of, positive, text
from windrow.errors import SqlError
from windrow.expressions.logical_types import name_of
from windrow.sql.errors import nearest
from windrow.sql.plan import Relation, describe
from windrow.table.expression import Expression
from windrow.table.expressions import col
from windrow.table.table_result import TableResult
from windrow.table.window import GroupWindow, OverWindow

if TYPE_CHECKING:
    from windrow.table.planner.verbs import Verbs
    from windrow.table.table_environment import TableEnvironment

__all__ = ["GroupWindowedTable", "GroupedTable", "OverWindowedTable", "Table", "WindowGroupedTable"]


_FIRST = "take the first rows of each window by ROW_NUMBER() OVER (...) in SQL, or sort what collect() gives"
_ONCE = "write EXISTS or NOT EXISTS in SQL, of rows in windows"
#: What to use in place of verbs that PyFlink has besides.
_INSTEAD = {
    "order_by": _FIRST,
    "offset": _FIRST,
    "union": "write union_all(...).distinct()",
    **dict.fromkeys(("minus", "minus_all", "intersect", "intersect_all"), _ONCE),
    "map": "select what the function gives",
    "aggregate": "select aggregates",
    "flat_aggregate": "connect the stream to a process function: to_data_stream",
    "insert_into": "execute_insert, or a statement set with INSERT INTO",
    "get_resolved_schema": "get_schema",
    "print_explain": "print what explain gives",
}


class Table:
    """Rows that a query asks for (PyFlink's class of the same name).

    Example:
        >>> from windrow.table import EnvironmentSettings, TableEnvironment
        >>> from windrow.table.expressions import col
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
        self._relation = relation

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

    def limit(self, fetch: int, offset: int = 0) -> Table:
        """The first rows that come.

        Raises:
            SqlError: there is an offset: rows have no order by which some are the first.
        """
        if offset:
            msg = "limit takes no offset: rows have no order by which some are the first"
            raise SqlError(msg)
        return self._made(self._verbs().limit(self._relation, positive(fetch, "fetch")))

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
        other = instance_of(right, Table, "right")
        return self._made(self._verbs().union_all(self._relation, other._relation))

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

    def left_outer_join(self, right: Table, join_predicate: Expression) -> Table:
        """The same, and rows of this table that nothing fits, with NULL."""
        return self._joined(right, "LEFT", join_predicate)

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

    def flat_map(self, func: Expression) -> Table:
        """What a table function gives for each row: ``flat_map(words(col("line")).alias("word"))``."""
        return self._made(self._verbs().flat_mapped(self._relation, func))

    # Results

    def execute(self) -> TableResult:
        """Run the query; its rows are read from the result."""
        return self._environment._execute(self._relation)

    def execute_insert(self, table_path: str) -> TableResult:
        """Start a job that writes the rows to a table."""
        return self._environment._insert([(table_path, self._relation, None)], "")

    def to_pandas(self) -> Any:
        """Run the query; its rows as a frame of pandas."""
        return self.to_arrow().to_pandas()

    def to_arrow(self) -> Any:
        """Run the query; its rows as a table of Arrow."""
        return self._environment._arrow(self._relation)

    def get_schema(self) -> list[tuple[str, str]]:
        """The names and types of the columns."""
        return [(column.name, name_of(column.type)) for column in self._relation.columns]

    def print_schema(self) -> None:
        """Print the names and types of the columns."""
        lines = [f"  `{name}` {kind}" for name, kind in self.get_schema()]
        print("(\n" + ",\n".join(lines) + "\n)")  # noqa: T201

    def explain(self) -> str:
        """Show what the query is made of."""
        return describe(self._relation)

    def _verbs(self) -> Verbs:
        return self._environment._verbs()

    def _made(self, relation: Relation) -> Table:
        return Table(self._environment, relation)

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
        if name in _INSTEAD:
            msg = f"{name} of a table is not supported: {_INSTEAD[name]}"
            raise AttributeError(msg)
        msg = f"a table has no method, and this one no column, {name!r}: {nearest(name, names)}"
        raise AttributeError(msg)

    def __repr__(self) -> str:
        return f"Table({', '.join(f'{name} {kind}' for name, kind in self.get_schema())})"


class JoinedTable(Table):
    """Two tables whose rows fit by a condition that ``where`` says."""

    def __init__(self, left: Table, right: Table) -> None:
        self._environment = left._environment
        self._left, self._right = left, instance_of(right, Table, "right")

    def where(self, predicate: Expression) -> Table:
        return self._left._joined(self._right, "", predicate)

    @property
    def _relation(self) -> Relation:  # type: ignore[override]
        msg = "this join has no condition: write join(right, condition), or where(condition) behind it"
        raise SqlError(msg)

    def __repr__(self) -> str:
        return f"JoinedTable({self._left!r}, {self._right!r})"


class GroupedTable:
    """Rows with equal keys (PyFlink's class of the same name)."""

    def __init__(self, table: Table, keys: tuple[Expression, ...]) -> None:
        self._table, self._keys = table, keys

    def select(self, *fields: Expression) -> Table:
        """A row for each group: keys and aggregates."""
        table = self._table
        return table._made(table._verbs().grouped(table._relation, self._keys, fields))


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


class OverWindowedTable:
    """Rows with those before them (PyFlink's class of the same name)."""

    def __init__(self, table: Table, windows: Mapping[str, OverWindow]) -> None:
        self._table, self._windows = table, windows

    def select(self, *fields: Expression) -> Table:
        """A row for each row: columns, and aggregates ``over`` the windows."""
        table = self._table
        return table._made(table._verbs().over(table._relation, self._windows, fields))
