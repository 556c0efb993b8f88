"""Several INSERT INTO as one job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from windrow.table.table import Table
from windrow.table.table_result import TableResult

if TYPE_CHECKING:
    from windrow.sql.plan import Relation
    from windrow.table.table_environment import TableEnvironment


class StatementSet:
    """Collects INSERT INTO statements (PyFlink's class of the same name).

    Example:
        >>> from windrow.table import EnvironmentSettings, TableEnvironment
        >>> tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
        >>> _ = tables.execute_sql("CREATE TABLE nowhere (n INT) WITH ('connector' = 'blackhole')")
        >>> statements = tables.create_statement_set()
        >>> _ = statements.add_insert_sql("INSERT INTO nowhere SELECT 1")
    """

    def __init__(self, environment: TableEnvironment) -> None:
        self._environment = environment
        self._inserts: list[tuple[str, Relation, object]] = []

    def add_insert_sql(self, stmt: str) -> Self:
        """Add an ``INSERT INTO``.

        Raises:
            SqlError: it is none, or cannot be had.
        """
        self._inserts += self._environment._statements().inserts(stmt)
        return self

    def add_insert(self, target_path: str, table: Table) -> Self:
        """Add what writes a table's rows to another one."""
        self._inserts.append((target_path, table._relation, None))
        return self

    def execute(self) -> TableResult:
        """Start the job; the set is empty then."""
        inserts, self._inserts = self._inserts, []
        return self._environment._insert(inserts, "")
