"""Formats of lines, by the options of a table."""

from __future__ import annotations

from collections.abc import Sequence

from windrow.expressions.logical_types import name_of
from windrow.operators.table.decoding import CsvLines, JsonLines, LineFormat
from windrow.table.connectors.options import Options
from windrow.table.data_types import DataType, MapType

#: The formats of lines, and of messages.
LINE_FORMATS = {"csv": "csv", "json": "json"}


def line_format(
    name: str, names: Sequence[str], types: Sequence[DataType], options: Options, prefix: str = ""
) -> LineFormat:
    """The format ``csv`` or ``json`` with a table's options.

    Args:
        name: Which of them.
        names: What columns are called.
        types: Their types.
        options: Of the table.
        prefix: What stands before the format's options: ``key.`` or ``value.``, where there are two formats.

    Raises:
        SqlError: an option has a value that it cannot have, or two contradict each other.
    """
    of_format = f"{prefix}{name}"
    ignore = options.flag(f"{of_format}.ignore-parse-errors")
    if name == "json":
        forms = {"SQL": False, "ISO-8601": True}
        standard = options.choice(f"{of_format}.timestamp-format.standard", forms, "SQL")
        missing = options.flag(f"{of_format}.fail-on-missing-field")
        if missing and ignore:
            options.refuse(
                f"{of_format}.fail-on-missing-field", f"and '{of_format}.ignore-parse-errors' cannot both be true"
            )
        return JsonLines(names, types, missing_fails=missing, iso=standard, ignore_errors=ignore)
    unquoted = options.flag(f"{of_format}.disable-quote-character")
    quote = options.get(f"{of_format}.quote-character", '"')
    for name_of_column, kind in zip(names, types, strict=True):
        if isinstance(kind, MapType):
            options.refuse("format", f"is 'csv', which has no form for {name_of_column!r}, {name_of(kind)}: take json")
    return CsvLines(
        names,
        types,
        delimiter=str(options.get(f"{of_format}.field-delimiter", ",")).replace("\\t", "\t"),
        quote=None if unquoted else quote,
        null=options.get(f"{of_format}.null-literal"),
        comments=options.flag(f"{of_format}.allow-comments"),
        escape=options.get(f"{of_format}.escape-character"),
        elements=str(options.get(f"{of_format}.array-element-delimiter", ";")),
        ignore_errors=ignore,
    )
