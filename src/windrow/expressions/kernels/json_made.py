"""JSON made of values: JSON_OBJECT and JSON_ARRAY."""

from __future__ import annotations

import base64
import datetime as dt
import json
import math
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa

from windrow.common.json_values import EXACT
from windrow.common.printing import double_text
from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import NullType, arrow_of
from windrow.expressions.nodes import Call, Expression
from windrow.table import data_types as t
from windrow.table.data_types import DataType

#: What Python escapes with small letters, and Java with capital ones.
_ESCAPED = re.compile(r"(\\\\)|\\u00([0-9a-f]{2})")
_TIMES = (t.TimestampType, t.LocalZonedTimestampType)
_MADE = (t.BooleanType, *_TIMES)


def is_json(value: Expression) -> bool:
    """Tell whether a value is JSON, and is put into other JSON as it is: text would be quoted."""
    return isinstance(value, Call) and value.name in ("JSON_OBJECT", "JSON_ARRAY", "JSON")


def has_json(kind: DataType) -> bool:
    """Tell whether there is JSON for values of a type.

    Example:
        >>> has_json(t.IntType()), has_json(t.DateType()), has_json(t.ArrayType(t.IntType()))
        (True, False, True)
    """
    match kind:
        case t.ArrayType():
            return has_json(kind.element_type)
        case t.MapType():
            return lt.is_text(kind.key_type) and has_json(kind.value_type)
        case t.RowType():
            return all(has_json(each) for each in kind.field_types())
    return isinstance(kind, (*_MADE, NullType)) or lt.is_text(kind) or lt.is_numeric(kind) or lt.is_binary(kind)


def _writer(kind: DataType) -> Callable[[Any], str]:
    """Make a function that writes values of a type, NULL as null; the keys of objects in order, as Flink does."""
    write = _plain_writer(kind)
    return lambda value: "null" if value is None else write(value)


def _plain_writer(kind: DataType) -> Callable[[Any], str]:
    match kind:
        case t.ArrayType():
            element = _writer(kind.element_type)
            return lambda values: f"[{','.join([element(value) for value in values])}]"
        case t.MapType():
            entry = _writer(kind.value_type)
            return lambda entries: _object({key: entry(value) for key, value in entries})
        case t.RowType():
            fields = [(name, _writer(each)) for name, each in zip(kind.field_names(), kind.field_types(), strict=True)]
            return lambda row: _object({name: write(row[name]) for name, write in fields})
        case t.TimestampType():
            return lambda moment: _text(_iso(moment))
        case t.LocalZonedTimestampType():
            return lambda moment: _text(_iso(moment.astimezone(dt.UTC)) + "Z")
    if lt.is_text(kind):
        return _text
    if lt.is_binary(kind):
        return lambda value: _text(base64.b64encode(value).decode())
    return _number


def _number(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if not math.isfinite(value):
            msg = f"there is no JSON for {value}"
            raise ValueError(msg)
        value = Decimal(double_text(value))  # Java writes the decimal of a double's text
    return str(value)


def _text(value: str) -> str:
    return _ESCAPED.sub(lambda found: found[1] or f"\\u00{found[2].upper()}", json.dumps(value, ensure_ascii=False))


def _iso(moment: dt.datetime) -> str:
    fraction = f".{moment.microsecond:06d}".rstrip("0").rstrip(".")
    return f"{moment.replace(microsecond=0, tzinfo=None).isoformat()}{fraction}"


def _object(parts: dict[str, str]) -> str:
    return "{" + ",".join(f"{_text(key)}:{parts[key]}" for key in sorted(parts)) + "}"


def raw(text: str) -> str | None:
    """The value that a text of JSON begins with, as Flink writes it: without spaces, the keys of objects in order.

    Raises:
        ValueError: it is no JSON.

    Example:
        >>> raw(' {"b": [1, 2.50], "a": null} '), raw("")
        ('{"a":null,"b":[1,2.50]}', None)
    """
    begin = len(text) - len(text.lstrip(" \t\r\n"))
    if begin == len(text):
        return None
    try:
        return _rewritten(EXACT.prefix(text, begin)[0])
    except ValueError as error:
        msg = f"JSON takes text that is JSON; {text!r} is none: {error}"
        raise ValueError(msg) from None


def _rewritten(value: Any) -> str:
    match value:
        case None:
            return "null"
        case str():
            return _text(value)
        case list():
            return f"[{','.join([_rewritten(each) for each in value])}]"
        case dict():
            return _object({key: _rewritten(each) for key, each in value.items()})
    return _number(value)


def _as_it_is(text: str | None) -> str:
    return "null" if text is None else text


def json_of(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
    """The JSON that a call makes of the values of its operands, for each row.

    Raises:
        ValueError: a number is infinite, or none.
    """
    names, are_json, absent = call.options
    writers = [
        _as_it_is if is_raw else _writer(operand.type) for is_raw, operand in zip(are_json, call.operands, strict=True)
    ]
    rows = zip(*[value.to_pylist() for value in values], strict=True) if values else ((),) * count
    made = []
    for row in rows:
        kept = [
            (place, write(value))
            for place, (write, value) in enumerate(zip(writers, row, strict=True))
            if not (absent and value is None)
        ]
        if call.name == "JSON_OBJECT":
            made.append(_object({names[place]: text for place, text in kept}))
        else:
            made.append(f"[{','.join(text for _, text in kept)}]")
    return pa.array(made, arrow_of(call.type))
