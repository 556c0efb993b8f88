"""Queries whose answers Flink's SQL has given: tests/table/flink_sql/*.json, written by scripts/sql_compare.py."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import WindrowError
from windrow.expressions.logical_types import name_of
from windrow.table import EnvironmentSettings, StreamTableEnvironment
from windrow.table.showing import mark_of

#: Flink prints the statement of SHOW CREATE in a table that is as wide as all of its lines together.
_STATEMENT = re.compile(r"\+-+\+\n\| +result \|\n\+-+\+\n\| (CREATE .*)\n \|\n\+-+\+\n1 row in set\n", re.DOTALL)
FOLDER = Path(__file__).parent / "flink_sql"


class SqlCase:
    """Queries on some files: ``folder`` in braces stands for where these are."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._content: dict[str, Any] = json.loads(path.read_text())

    @property
    def name(self) -> str:
        return self._path.stem

    @property
    def queries(self) -> list[dict[str, Any]]:
        return self._content["queries"]

    @property
    def mode(self) -> str:
        return self._content.get("mode", "streaming")

    @property
    def folded(self) -> bool:
        """Whether what is left of changelogs is compared, and not how it came to be."""
        return bool(self._content.get("folded"))

    @property
    def settings(self) -> dict[str, str]:
        return self._content.get("settings", {})

    def setup_in(self, folder: Path) -> list[str]:
        """Write the files; the statements that make tables of them."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, lines in self._content["files"].items():
            (folder / name).write_text("".join(f"{line}\n" for line in lines))
        return [statement.replace("{folder}", str(folder)) for statement in self._content["setup"]]

    def environment(self, env: StreamExecutionEnvironment, folder: Path) -> StreamTableEnvironment:
        """Windrow's tables."""
        batch = self.mode == "batch"
        settings = EnvironmentSettings.in_batch_mode() if batch else EnvironmentSettings.in_streaming_mode()
        tables = StreamTableEnvironment.create(env, settings)
        defaults = {"table.local-time-zone": "UTC", "table.display.max-column-width": "100"}
        for key, value in {**defaults, **self.settings}.items():
            tables.get_config().set(key, value)
        for statement in self.setup_in(folder):
            tables.execute_sql(statement)
        return tables

    def store(self, version: str) -> None:
        self._content["flink"] = version
        self._path.write_text(json.dumps(self._content, indent=1, ensure_ascii=False) + "\n")


CASES = [SqlCase(path) for path in sorted(FOLDER.glob("*.json"))]


def answer(tables: StreamTableEnvironment, sql: str) -> dict[str, Any]:
    """What Windrow says, in the form in which Flink's answers are kept."""
    try:
        result = tables.execute_sql(sql)
        printed = "".join(f"{line}\n" for line in result.lines())
    except WindrowError as error:
        return {"error": str(error)}
    kinds = [
        [column.name, f"{name_of(column.type)}{mark_of(column, streaming=tables._streaming)}"]
        for column in result._columns
    ]
    return {"columns": kinds, "printed": printed}


def compared(given: dict[str, Any], *, folded: bool = False) -> dict[str, Any]:
    """An answer without what does not count: the words of an error, the order of rows.

    With ``folded`` it is what is left of a changelog: of a join whose sides come in any order, that alone is the same.
    """
    if "error" in given:
        return {"error": True}
    lines = sorted(_lines(given["printed"]))
    statement = _STATEMENT.fullmatch(given["printed"])
    if statement is not None or given["printed"].startswith("CREATE "):
        lines = [given["printed"].rstrip() if statement is None else statement[1]]
    return {"columns": given["columns"], "printed": _left(lines) if folded else lines}


def _left(lines: list[str]) -> list[str]:
    """The rows that are there when all changes are done."""
    rows: Counter[str] = Counter()
    for line in lines:
        kind = line[2:4]
        if kind in ("+I", "+U", "-U", "-D"):
            rows[line[4:]] += 1 if kind.startswith("+") else -1
    return sorted(rows.elements())


def _lines(printed: str) -> Iterator[str]:
    return (line.rstrip() for line in printed.splitlines())


def difference(case: SqlCase, sql: str, expected: dict[str, Any]) -> str | None:
    """How what Windrow says to a query differs from an answer; None: it does not."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
        given = answer(case.environment(env, Path(folder)), sql.replace("{folder}", folder))
    if compared(given, folded=case.folded) == compared(expected, folded=case.folded):
        return None
    return f"expected {shown(expected)}\ngot {shown(given)}"


def shown(given: dict[str, Any]) -> str:
    if "error" in given:
        return f"the error {given['error']}"
    return f"{given['columns']}\n{given['printed']}"
