"""Formats of lines, by the options of a table."""

from __future__ import annotations

from collections.abc import Sequence

from windrow.operators.table.decoding import CsvLines, JsonLines, LineFormat
from windrow.table.connectors.options import Options
from windrow.table.data_types import DataType


def line_format(name: str, names: Sequence[str], types: Sequence[DataType], options: Options) -> LineFormat:
    """The format ``csv`` or ``json`` with a table's options."""
    ignore = options.flag(f"{name}.ignore-parse-errors")
    if name == "json":
        standard = options.choice("json.timestamp-format.standard", {"SQL": False, "ISO-8601": True}, "SQL")
        missing = options.flag("json.fail-on-missing-field")
        return JsonLines(names, types, missing_fails=missing, iso=standard, ignore_errors=ignore)
    unquoted = options.flag("csv.disable-quote-character")
    quote = options.get("csv.quote-character", '"')
    return CsvLines(
        names,
        types,
        delimiter=str(options.get("csv.field-delimiter", ",")).replace("\\t", "\t"),
        quote=None if unquoted else quote,
        null=options.get("csv.null-literal"),
        comments=options.flag("csv.allow-comments"),
        escape=options.get("csv.escape-character"),
        ignore_errors=ignore,
    )
