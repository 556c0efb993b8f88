"""Values of tuples as what users are given, and the other way."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any

from windrow.common.time import Instant
from windrow.common.types import Row, RowKind
from windrow.table import data_types as t
from windrow.table.data_types import DataType

Convert = Callable[[Any], Any]


def to_external(kind: DataType) -> Convert | None:
    """What makes a value for users of one in a tuple; None: it is the same."""
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
            return lambda entries: None if entries is None else dict(entries)
    return None


def rows_of(tuples: Sequence[Any], names: Sequence[str], types: Sequence[DataType]) -> list[Row]:
    """Tuples as rows with names."""
    converts = [to_external(kind) for kind in types]
    made = []
    for values in tuples:
        external = [
            value if convert is None else convert(value) for value, convert in zip(values, converts, strict=True)
        ]
        row = Row.of_kind(RowKind.INSERT, *external)
        row.set_field_names(list(names))
        made.append(row)
    return made


def _instant(value: dt.datetime) -> Instant:
    micros = (value - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)) // dt.timedelta(microseconds=1)
    seconds, rest = divmod(micros, 1_000_000)
    return Instant(seconds, rest * 1000)


def _row(value: Any, names: Sequence[str], converts: Sequence[Convert | None]) -> Row:
    made = Row(*[value[n] if c is None else c(value[n]) for n, c in zip(names, converts, strict=True)])
    made.set_field_names(list(names))
    return made
