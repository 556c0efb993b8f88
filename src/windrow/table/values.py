"""Values of tuples as what users are given, and the other way."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from windrow.common.time import Instant
from windrow.common.types import Row, RowKind
from windrow.table import data_types as t
from windrow.table.data_types import DataType

Convert = Callable[[Any], Any]


def to_external(kind: DataType) -> Convert | None:
    """Give the function that makes a value for users of one in a tuple; None: it is the same."""
    match kind:
        case t.LocalZonedTimestampType():
            return lambda value: None if value is None else _instant(value)
        case t.RowType():
            names, converts = kind.field_names(), [to_external(each) for each in kind.field_types()]
            return lambda value: None if value is None else _row(value, names, converts)
        case t.ArrayType():
            convert = to_external(kind.element_type)
            return None if convert is None else lambda values: None if values is None else [convert(v) for v in values]
        case t.MapType():
            key, item = to_external(kind.key_type), to_external(kind.value_type)
            return lambda entries: None if entries is None else _by_key(entries, key, item)
    return None


def _by_key(entries: Iterable[tuple[Any, Any]], key: Convert | None, item: Convert | None) -> dict[Any, Any]:
    """A map; an array that is a key becomes a tuple."""
    keys = ((name if key is None else key(name), value) for name, value in entries)
    hashable = ((tuple(name) if isinstance(name, list) else name, value) for name, value in keys)
    return {name: value if item is None else item(value) for name, value in hashable}


def rows_of(
    tuples: Sequence[Any], names: Sequence[str], types: Sequence[DataType], *, changes: bool = False
) -> list[Row]:
    """Tuples as rows with names; with ``changes`` the last field is the row's kind."""
    converts = [to_external(kind) for kind in types]
    made = []
    for values in tuples:
        kind = RowKind(values[-1]) if changes else RowKind.INSERT
        external = [
            value if convert is None else convert(value)
            for value, convert in zip(values[:-1] if changes else values, converts, strict=True)
        ]
        row = Row.of_kind(kind, *external)
        row.set_field_names(list(names))
        made.append(row)
    return made


def left_of(changes: Iterable[Any]) -> list[Any]:
    """The rows that are there after all changes, which are tuples with their kind as the last field.

    Example:
        >>> left_of([("a", 1, 0), ("b", 1, 0), ("a", 1, 1), ("a", 2, 2)])
        [('b', 1), ('a', 2)]
    """
    places: dict[Any, list[int]] = {}
    rows: dict[int, Any] = {}
    for number, (*values, kind) in enumerate(changes):
        row = tuple(values)
        key = repr(row)
        if RowKind(kind) in (RowKind.INSERT, RowKind.UPDATE_AFTER):
            places.setdefault(key, []).append(number)
            rows[number] = row
        elif places.get(key):
            del rows[places[key].pop()]
    return list(rows.values())


def _instant(value: dt.datetime) -> Instant:
    micros = (value - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)) // dt.timedelta(microseconds=1)
    seconds, rest = divmod(micros, 1_000_000)
    return Instant(seconds, rest * 1000)


def _row(value: Any, names: Sequence[str], converts: Sequence[Convert | None]) -> Row:
    made = Row(*[value[n] if c is None else c(value[n]) for n, c in zip(names, converts, strict=True)])
    made.set_field_names(list(names))
    return made
