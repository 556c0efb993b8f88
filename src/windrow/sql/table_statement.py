"""Tables and views as the statements that would make them, in Flink's layout."""

from __future__ import annotations

from windrow.expressions.logical_types import full_name_of
from windrow.sql import syntax as s
from windrow.sql.catalog import CATALOG, DATABASE, TableDefinition, View
from windrow.sql.plan import Column


def statement_of(table: TableDefinition) -> str:
    """The statement of a table, with all that it has taken over from others."""
    definitions = table.node.args.get("expressions") or []
    comments = {each.name: each.args["comment"].name for each in definitions if each.args.get("comment")}
    lines = [
        f"  {_quoted(column.name)} {_described(table, column)}{_comment(comments.get(column.name))}"
        for column in table.columns
    ]
    if table.watermark is not None:
        name, _, written = table.watermark
        lines.append(f"  WATERMARK FOR {_quoted(name)} AS {written}")
    if table.primary_key:
        keys = ", ".join(_quoted(name) for name in table.primary_key)
        named = [each.name for each in definitions if isinstance(each, s.PrimaryKeyDef) and each.name]
        name = named[0] if named else "_".join(["PK", *table.primary_key])
        lines.append(f"  CONSTRAINT {_quoted(name)} PRIMARY KEY ({keys}) NOT ENFORCED")
    parts = [f"{_head('TABLE', table.name, temporary=table.temporary)} (\n{_comma(lines)}\n)"]
    if table.node.args.get("comment"):
        parts.append(_comment(table.node.args["comment"].name).lstrip())
    if table.partitioned:
        parts.append(f"PARTITIONED BY ({', '.join(_quoted(name) for name in table.partitioned)})")
    options = [f"  '{_text(key)}' = '{_text(value)}'" for key, value in sorted(table.options.items())]
    parts.append(f"WITH (\n{_comma(options)}\n)")
    return "\n".join(parts)


def statement_of_view(view: View) -> str:
    """The statement of a view, with its query as it was written."""
    names = _comma([f"  {_quoted(column.name)}" for column in view.relation.columns])
    comment = [_comment(view.comment).lstrip()] * bool(view.comment)
    head = _head("VIEW", view.name, temporary=view.temporary)
    return "\n".join([f"{head} (\n{names}\n)", *comment, f"AS {view.query}"])


def _head(kind: str, name: str, *, temporary: bool) -> str:
    path = ".".join(_quoted(each) for each in (CATALOG, DATABASE, name))
    return f"CREATE {'TEMPORARY ' if temporary else ''}{kind} {path}"


def _comment(text: str | None) -> str:
    return "" if text is None else f" COMMENT '{_text(text)}'"


def _described(table: TableDefinition, column: Column) -> str:
    if column.name in table.written:
        return f"AS {table.written[column.name]}"
    metadata = next((f" {each}" for each in table.metadata if each.column.name == column.name), "")
    return f"{full_name_of(column.type)}{metadata}"


def _comma(lines: list[str]) -> str:
    return ",\n".join(lines)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _text(value: str) -> str:
    return value.replace("'", "''")
