"""Formats of lines, by the options of a table."""

from __future__ import annotations

from collections.abc import Sequence

from windrow.connectors.rows.csv_dialect import CsvDialect
from windrow.expressions.logical_types import name_of
from windrow.operators.table.json_lines import JsonLines
from windrow.operators.table.line_format import LineFormat
from windrow.table.connectors.csv_lines import CsvLines
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
        TableError: an option has a value that it cannot have, or two contradict each other.
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
    for name_of_column, kind in zip(names, types, strict=True):
        if isinstance(kind, MapType):
            options.refuse("format", f"is 'csv', which has no form for {name_of_column!r}, {name_of(kind)}: take json")
    return CsvLines(names, types, _dialect(of_format, options), ignore_errors=ignore)


def _dialect(of_format: str, options: Options) -> CsvDialect:
    """The characters of CSV."""
    characters = {
        f"{of_format}.field-delimiter": _unescaped(options.get(f"{of_format}.field-delimiter", ",") or ""),
        f"{of_format}.quote-character": options.get(f"{of_format}.quote-character", '"'),
        f"{of_format}.escape-character": options.get(f"{of_format}.escape-character"),
    }
    if options.flag(f"{of_format}.disable-quote-character"):
        characters[f"{of_format}.quote-character"] = None
    known: dict[str, str] = {}
    for key, character in characters.items():
        if character is None:
            continue
        if len(character) != 1 or character in "\r\n":
            options.refuse(key, f"takes one character, no line end; got {character!r}")
        if character in known:
            options.refuse(key, f"takes a character without another meaning; {character!r} is '{known[character]}'")
        known[character] = key
    delimiter, quote, escape = characters.values()
    elements = options.get(f"{of_format}.array-element-delimiter", ";") or ""
    if not elements:
        options.refuse(f"{of_format}.array-element-delimiter", "takes a text that is not empty")
    return CsvDialect(
        field_delimiter=delimiter or ",",
        quote=quote,
        escape=escape,
        null_literal=options.get(f"{of_format}.null-literal"),
        array_delimiter=elements,
        comments=options.flag(f"{of_format}.allow-comments"),
    )


def _unescaped(character: str) -> str:
    r"""A character that may be written as in Java: ``\t``, ``\u0001``."""
    if len(character) < 2 or not character.startswith("\\") or not character.isascii():
        return character
    try:
        return character.encode().decode("unicode_escape")
    except UnicodeDecodeError:
        return character
