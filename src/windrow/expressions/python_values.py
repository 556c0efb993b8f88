"""Values as functions of a program's own have them: maps as dicts, rows as Rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from windrow.common.types import Row
from windrow.table import data_types as t
from windrow.table.data_types import DataType

Convert = Callable[[Any], Any]


def given_as(kind: DataType) -> Convert | None:
    """Make a converter from what Arrow gives to what the function takes; None: it is the same."""
    match kind:
        case t.MapType():
            return dict
        case t.RowType():
            names, converts = kind.field_names(), [given_as(each) for each in kind.field_types()]
            return lambda value: _row(value, names, converts)
        case t.ArrayType():
            convert = given_as(kind.element_type)
            return None if convert is None else lambda values: [None if v is None else convert(v) for v in values]
    return None


def taken_as(kind: DataType) -> Convert | None:
    """Make a converter from what the function gives to what Arrow takes; None: it is the same."""
    match kind:
        case t.MapType():
            return lambda value: list(value.items()) if isinstance(value, dict) else value
        case t.RowType():
            names, converts = kind.field_names(), [taken_as(each) for each in kind.field_types()]
            return lambda value: _fields(value, names, converts)
        case t.ArrayType():
            convert = taken_as(kind.element_type)
            return None if convert is None else lambda values: [None if v is None else convert(v) for v in values]
    return None


def _row(value: Any, names: Sequence[str], converts: Sequence[Convert | None]) -> Row:
    row = Row(
        *[value[n] if c is None or value[n] is None else c(value[n]) for n, c in zip(names, converts, strict=True)]
    )
    row.set_field_names(list(names))
    return row


def _fields(value: Any, names: Sequence[str], converts: Sequence[Convert | None]) -> Any:
    if isinstance(value, dict) or not hasattr(value, "__iter__"):
        return value
    pairs = zip(names, value, converts, strict=True)
    return {name: item if convert is None or item is None else convert(item) for name, item, convert in pairs}
