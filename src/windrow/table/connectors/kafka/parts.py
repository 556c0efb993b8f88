"""The columns of a table that are in a record's key, and those in its value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from windrow.operators.table.line_format import LineFormat
from windrow.sql.errors import nearest
from windrow.sql.plan import Column
from windrow.table.connectors.formats import LINE_FORMATS, line_format
from windrow.table.connectors.options import Options

FIELDS, PREFIX, INCLUDE = "key.fields", "key.fields-prefix", "value.fields-include"


@dataclass(frozen=True)
class Part:
    """A record's key, or its value.

    Attributes:
        lines: Its format.
        places: Where its columns are among those of the table.
    """

    lines: LineFormat
    places: tuple[int, ...]

    def moved(self, places: Mapping[int, int]) -> Part:
        """The same, where columns stand in other places."""
        return replace(self, places=tuple([places[place] for place in self.places]))


def value_part(options: Options, columns: Sequence[Column], keys: Sequence[int], *, needs_value: bool) -> Part:
    """Read from the options what is in records' values.

    Args:
        options: Of the table.
        columns: Its stored columns.
        keys: The places of those that are in the key.
        needs_value: Whether the option is ``value.format``, and ``format`` is none.

    Raises:
        SqlError: an option is missing, or does not fit.
    """
    key = "value.format" if needs_value or options.get("value.format") is not None else "format"
    if key == "value.format" and not needs_value and options.get("format") is not None:
        options.refuse("format", "and 'value.format' are the same: leave one of them out")
    name = options.choice(key, LINE_FORMATS)
    leaves_out = options.choice(INCLUDE, {"ALL": False, "EXCEPT_KEY": True}, "ALL")
    places = [place for place in range(len(columns)) if not (leaves_out and place in keys)]
    if not places:
        options.refuse(INCLUDE, "= 'EXCEPT_KEY' leaves no column for the value")
    chosen = [columns[place] for place in places]
    names, types = [column.name for column in chosen], [column.type for column in chosen]
    return Part(line_format(name, names, types, options, "" if key == "format" else "value."), tuple(places))


def key_part(options: Options, columns: Sequence[Column], keys: Sequence[int]) -> Part:
    """Read from the options what is in records' keys.

    Raises:
        SqlError: an option is missing, or does not fit.
    """
    name = options.choice("key.format", LINE_FORMATS)
    prefix = options.get(PREFIX, "") or ""
    chosen = [columns[place] for place in keys]
    if prefix and options.get(INCLUDE, "ALL") != "EXCEPT_KEY":
        options.refuse(PREFIX, f"is for columns that are in the key alone: set '{INCLUDE}' = 'EXCEPT_KEY'")
    for column in chosen:
        if not column.name.startswith(prefix):
            options.refuse(PREFIX, f"= {prefix!r}: column {column.name!r} of the key does not begin so")
    names = [column.name.removeprefix(prefix) for column in chosen]
    return Part(line_format(name, names, [column.type for column in chosen], options, "key."), tuple(keys))


def named_keys(options: Options, columns: Sequence[Column]) -> list[int]:
    """The places of the columns that ``key.fields`` names; none if there is no key.

    Raises:
        SqlError: there is no such column, or ``key.format`` is given alone, or not at all.
    """
    names = options.listed(FIELDS)
    known = [column.name for column in columns]
    if not names:
        if options.get("key.format") is not None:
            options.refuse("key.format", f"needs '{FIELDS}', which names the columns of the key")
        options.get(PREFIX)
        return []
    for name in names:
        if name not in known:
            options.refuse(FIELDS, f"names {name!r}, which is no stored column: {nearest(name, known)}")
    if options.get("key.format") is None:
        options.refuse(FIELDS, "needs 'key.format', the format of the key")
    return [known.index(name) for name in names]
