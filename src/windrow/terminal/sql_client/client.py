"""Runs the statements of a text, and those that are the client's own."""

from __future__ import annotations

from rich.console import Console

from windrow.errors import SqlError
from windrow.sql.dialect import statements_of
from windrow.sql.errors import in_whole
from windrow.table.table_config import RESULT_MODE
from windrow.table.table_environment import TableEnvironment
from windrow.table.table_result import TableResult
from windrow.terminal.sql_client.live import show_live

#: What the client does itself, by its word, as Flink's client does.
OWN_STATEMENTS = {
    "QUIT": "end the client (also Ctrl-D)",
    "EXIT": "the same",
    "HELP": "this list",
    "CLEAR": "clear the terminal",
}
_HELP = [
    *OWN_STATEMENTS.items(),
    ("SET 'key' = 'value'", "change a setting; SET alone lists all, RESET 'key' and RESET take it back"),
    (f"SET '{RESULT_MODE}' = '...'", "how results without end are shown: table, changelog or tableau"),
    ("SHOW TABLES, DESCRIBE t", "what there is"),
    ("EXPLAIN query", "which operators a query becomes"),
    ("Enter, Tab, Ctrl-C", "run what ends with ; complete a word; forget the text, or end a query"),
]


class SqlClient:
    """Runs statements one behind the other, and prints what each gives.

    Args:
        tables: Where they are run.
        live: Whether results without an end are shown as a table that changes, where the terminal can do that.
        console: Where; None: standard output.

    Example:
        >>> from windrow.table import EnvironmentSettings
        >>> client = SqlClient(TableEnvironment.create(EnvironmentSettings.in_batch_mode()))
        >>> client.run("CREATE VIEW v AS SELECT 1 AS n; SHOW VIEWS; QUIT; SHOW VIEWS")
        OK
        +-----------+
        | view name |
        +-----------+
        |         v |
        +-----------+
        1 row in set
        False
    """

    def __init__(self, tables: TableEnvironment, *, live: bool = False, console: Console | None = None) -> None:
        self.tables = tables
        self.console = console or Console()
        self._live = live and not self.console.is_dumb_terminal

    def run(self, text: str) -> bool:
        """Run the statements of a text; whether to go on: none of them was ``QUIT`` or ``EXIT``.

        Ctrl-C ends the job of the statement that runs, and is raised again.

        Raises:
            WindrowError: a statement cannot be run, or its job has failed; what stands behind it is not run.
        """
        for statement in statements_of(text):
            word = statement.strip().upper()
            if word in ("QUIT", "EXIT"):
                return False
            if word == "CLEAR":
                self.console.clear()
            elif word == "HELP":
                self._help()
            else:
                self._show(self._executed(statement, text))
        return True

    def _executed(self, statement: str, text: str) -> TableResult:
        try:
            return self.tables.execute_sql(statement)
        except SqlError as error:
            raise in_whole(error, statement, text) from error.__cause__

    def _show(self, result: TableResult) -> None:
        mode = self.tables.get_config().get(RESULT_MODE, "table").lower()
        if self._live and not result.ends and mode != "tableau":
            show_live(result, self.console, changelog=mode == "changelog")
            return
        result.print()
        result.wait_or_cancel()

    def _help(self) -> None:
        widest = max(len(word) for word, _ in _HELP)
        for word, meaning in _HELP:
            print(f"{word:<{widest}}  {meaning}")  # noqa: T201
