"""A table as the statement that would make it, in Flink's layout."""

from __future__ import annotations

from windrow.expressions.logical_types import name_of
from windrow.sql.catalog import CATALOG, DATABASE, TableDefinition
from windrow.sql.plan import Column


def statement_of(table: TableDefinition) -> str:
    """The statement, with all that the table has taken over from others."""
    lines = [f"  {_quoted(column.name)} {_described(table, column)}" for column in table.columns]
    if table.watermark is not None:
        name, _, written = table.watermark
        lines.append(f"  WATERMARK FOR {_quoted(name)} AS {written}")
    if table.primary_key:
        keys = ", ".join(_quoted(name) for name in table.primary_key)
        name = "_".join(["PK", *table.primary_key])
        lines.append(f"  CONSTRAINT {_quoted(name)} PRIMARY KEY ({keys}) NOT ENFORCED")
    head = f"CREATE TABLE {_quoted(CATALOG)}.{_quoted(DATABASE)}.{_quoted(table.name)}"
    parts = [f"{head} (\n{_comma(lines)}\n)"]
    if table.partitioned:
        parts.append(f"PARTITIONED BY ({', '.join(_quoted(name) for name in table.partitioned)})")
    options = [f"  '{_text(key)}' = '{_text(value)}'" for key, value in table.options.items()]
    parts.append(f"WITH (\n{_comma(options)}\n)")
    return "\n".join(parts)


def _described(table: TableDefinition, column: Column) -> str:
    if column.name in table.written:
        return f"AS {table.written[column.name]}"
    metadata = next((f" {each}" for each in table.metadata if each.column.name == column.name), "")
    return f"{name_of(column.type)}{metadata}"


def _comma(lines: list[str]) -> str:
    return ",\n".join(lines)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _text(value: str) -> str:
    return value.replace("'", "''")
