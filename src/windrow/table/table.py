"""A relation that is not computed yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windrow.expressions.logical_types import name_of
from windrow.sql.plan import Relation, describe
from windrow.table.table_result import TableResult

if TYPE_CHECKING:
    from windrow.table.table_environment import TableEnvironment


class Table:
    """Rows that a query asks for (PyFlink's class of the same name).

    Example:
        >>> from windrow.table import EnvironmentSettings, TableEnvironment
        >>> tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
        >>> tables.get_config().get_configuration().set_string("windrow.runtime", "local") and None
        >>> tables.sql_query("SELECT 1 + 1 AS two").execute().print()
        +----+-------------+
        | op |         two |
        +----+-------------+
        | +I |           2 |
        +----+-------------+
        1 row in set
    """

    def __init__(self, environment: TableEnvironment, relation: Relation) -> None:
        self._environment = environment
        self._relation = relation

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

    def union_all(self, right: Table) -> Table:
        """The rows of both tables."""
        return self._environment._union_all(self, right)

    def __repr__(self) -> str:
        return f"Table({', '.join(f'{name} {kind}' for name, kind in self.get_schema())})"
