"""Arrays, maps and rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from windrow.expressions.function import (
    ANY,
    ARRAY,
    AS_INT,
    COLLECTION,
    MAP,
    TEXT,
    TRUTH,
    Kernel,
    each,
    each_nullable,
    function,
    same,
)
from windrow.expressions.logical_types import BOOLEAN, INT, STRING, arrow_of
from windrow.expressions.nodes import Call
from windrow.table import data_types as t
from windrow.table.data_types import DataType

_SECTION = "Collection functions"


def _array(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
    rows = zip(*[value.to_pylist() for value in values], strict=True) if values else ((),) * count
    return pa.array([list(row) for row in rows], arrow_of(call.type))


def _map(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
    rows = zip(*[value.to_pylist() for value in values], strict=True) if values else ((),) * count
    return pa.array([list(dict(zip(row[::2], row[1::2], strict=True)).items()) for row in rows], arrow_of(call.type))


def _row(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    names = [field.name for field in call.type.fields]  # type: ignore[attr-defined]
    return pa.StructArray.from_arrays(list(values), names).cast(arrow_of(call.type))


def _field(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    (rows,) = values
    found = rows.field(call.options[0])
    if not rows.null_count:
        return found
    return pa.array([None if row is None else row[call.options[0]] for row in rows.to_pylist()], arrow_of(call.type))


def _item(values: Sequence[Any], place: int) -> Any:
    return values[place - 1] if 1 <= place <= len(values) else None


def _entry(entries: Sequence[Any], key: Any) -> Any:
    return dict(entries).get(key)


def _element(values: Sequence[Any]) -> Any:
    return values[0] if len(values) == 1 else None


OPERATORS: dict[str, Kernel] = {
    "ARRAY": _array,
    "MAP": _map,
    "ROW": _row,
    "FIELD": _field,
    "ITEM": each(_item),
    "ENTRY": each(_entry),
}


def _element_of(types: Sequence[DataType]) -> DataType:
    assert isinstance(types[0], t.ArrayType)
    return types[0].element_type


def _keys_of(types: Sequence[DataType]) -> DataType:
    assert isinstance(types[0], t.MapType)
    return t.ArrayType(types[0].key_type)


def _entries_of(types: Sequence[DataType]) -> DataType:
    (kind,) = types
    assert isinstance(kind, t.MapType)
    return t.ArrayType(t.RowType([t.RowField("key", kind.key_type), t.RowField("value", kind.value_type)]))


def _values_of(types: Sequence[DataType]) -> DataType:
    assert isinstance(types[0], t.MapType)
    return t.ArrayType(types[0].value_type)


def _unique(values: Sequence[Any]) -> list[Any]:
    return [value for place, value in enumerate(values) if value not in values[:place]]


def _slice(values: Sequence[Any], start: int, end: int | None = None) -> list[Any]:
    """From one place to another, both included and counted from 1, or from the end where they are negative."""
    size = len(values)
    first = max(start + size if start < 0 else start - 1, 0)
    last = size if end is None else end + size + 1 if end < 0 else end
    return list(values[first : max(last, 0)])


def _sorted(values: Sequence[Any], ascending: bool = True, nulls_first: bool | None = None) -> list[Any]:
    known = sorted((value for value in values if value is not None), reverse=not ascending)
    nulls = [None] * (len(values) - len(known))
    return [*nulls, *known] if (ascending if nulls_first is None else nulls_first) else [*known, *nulls]


def _map_of(types: Sequence[DataType]) -> DataType:
    assert isinstance(types[0], t.ArrayType)
    assert isinstance(types[1], t.ArrayType)
    return t.MapType(types[0].element_type, types[1].element_type)


def _without(values: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    return _unique([value for value in values if value not in others])


def _shared(values: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    return _unique([value for value in values if value in others])


function("CARDINALITY", _SECTION, [COLLECTION], INT, each(len))
function("ELEMENT", _SECTION, [ARRAY], _element_of, each(_element))
function("ARRAY_CONTAINS", _SECTION, [ARRAY, ANY], BOOLEAN, each_nullable(lambda a, x: None if a is None else x in a))
function("ARRAY_DISTINCT", _SECTION, [ARRAY], same(), each(_unique))
function("ARRAY_REVERSE", _SECTION, [ARRAY], same(), each(lambda a: a[::-1]))
function(
    "ARRAY_CONCAT",
    _SECTION,
    [ARRAY],
    same(),
    each(lambda *arrays: [x for array in arrays for x in array]),
    repeats=True,
)
function("ARRAY_APPEND", _SECTION, [ARRAY, ANY], same(), each_nullable(lambda a, x: None if a is None else [*a, x]))
function("ARRAY_PREPEND", _SECTION, [ARRAY, ANY], same(), each_nullable(lambda a, x: None if a is None else [x, *a]))
function("ARRAY_POSITION", _SECTION, [ARRAY, ANY], INT, each(lambda a, x: a.index(x) + 1 if x in a else 0))
function(
    "ARRAY_REMOVE",
    _SECTION,
    [ARRAY, ANY],
    same(),
    each_nullable(lambda a, x: None if a is None else [y for y in a if y != x]),
)
function("ARRAY_UNION", _SECTION, [ARRAY, ARRAY], same(), each(lambda a, b: _unique([*a, *b])))
function(
    "ARRAY_MAX",
    _SECTION,
    [ARRAY],
    _element_of,
    each(lambda a: max((x for x in a if x is not None), default=None)),
    nullable=True,
)
function(
    "ARRAY_MIN",
    _SECTION,
    [ARRAY],
    _element_of,
    each(lambda a: min((x for x in a if x is not None), default=None)),
    nullable=True,
)
function("ARRAY_JOIN", _SECTION, [ARRAY, TEXT], STRING, each(lambda a, d: d.join(x for x in a if x is not None)))
function("MAP_KEYS", _SECTION, [MAP], _keys_of, each(lambda m: [k for k, _ in m]))
function(
    "MAP_ENTRIES",
    _SECTION,
    [MAP],
    _entries_of,
    each(lambda m: [{"key": key, "value": value} for key, value in m]),
)
function("MAP_VALUES", _SECTION, [MAP], _values_of, each(lambda m: [v for _, v in m]))
function("ARRAY_SLICE", _SECTION, [ARRAY, AS_INT, AS_INT], same(), each(_slice), required=2)
function("ARRAY_SORT", _SECTION, [ARRAY, TRUTH, TRUTH], same(), each(_sorted), required=1)
function("ARRAY_EXCEPT", _SECTION, [ARRAY, ARRAY], same(), each(_without))
function("ARRAY_INTERSECT", _SECTION, [ARRAY, ARRAY], same(), each(_shared))
function("MAP_FROM_ARRAYS", _SECTION, [ARRAY, ARRAY], _map_of, each(lambda k, v: list(zip(k, v, strict=True))))
function(
    "MAP_UNION",
    _SECTION,
    [MAP],
    same(),
    each(lambda *m: list(dict(p for e in m for p in e).items())),
    repeats=True,
)
