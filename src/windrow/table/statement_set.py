"""Several INSERT INTO as one job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.checks import instance_of
from windrow.table.explain_detail import ExplainDetail
from windrow.table.table import Table
from windrow.table.table_descriptor import TableDescriptor
from windrow.table.table_result import TableResult

if TYPE_CHECKING:
    from windrow.sql.plan import Relation
    from windrow.table.table_environment import TableEnvironment


class StatementSet(ExplainsAbsentMethods):
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
        self._environment._planned = self._environment._planned or "a statement set of the program"
        return self

    def add_insert(
        self, target_path_or_descriptor: str | TableDescriptor, table: Table, overwrite: bool = False
    ) -> Self:
        """Add what writes a table's rows to another one.

        Args:
            target_path_or_descriptor: The name of the other table, or what it is.
            table: The rows.
            overwrite: Whether what the other one has is removed (files, in batch mode).
        """
        self._inserts.append(self._environment._insertion(target_path_or_descriptor, table, overwrite=overwrite))
        return self

    def attach_as_datastream(self) -> None:
        """Leave the inserts to the environment of the streams, whose ``execute`` runs them; the set is empty then."""
        inserts, self._inserts = self._inserts, []
        self._environment._attach(inserts, "")

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Show what the inserts are made of, and the operators of the one job that does them.

        What is shown is the same with PyFlink's ``extra_details``.

        Raises:
            UsageError: there are no inserts.
        """
        for each in extra_details:
            instance_of(each, ExplainDetail, "extra_details")
        return self._environment._statements().plan_of_inserts(self._inserts, "")

    def print_explain(self, *extra_details: ExplainDetail) -> None:
        """Print what :meth:`explain` shows."""
        print(self.explain(*extra_details))  # noqa: T201

    def execute(self) -> TableResult:
        """Start the job; the set is empty then."""
        inserts, self._inserts = self._inserts, []
        return self._environment._insert(inserts, "")
