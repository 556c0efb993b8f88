"""Rows as objects of JSON, as Flink's format of this name has them."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from windrow.expressions import reading
from windrow.expressions.logical_types import is_binary, is_integer, is_text
from windrow.expressions.text import to_text
from windrow.operators.table.json_columns import can_read, columns_of_json
from windrow.operators.table.line_format import LineFormat
from windrow.table import data_types as t
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    import pyarrow as pa


class JsonLines(LineFormat):
    """Objects of JSON.

    Args:
        missing_fails: Whether an object without one of the fields is an error.
        iso: Whether times are written as ISO 8601 says; else with a space, as SQL does.
    """

    def __init__(
        self,
        names: Sequence[str],
        types: Sequence[DataType],
        *,
        missing_fails: bool = False,
        iso: bool = False,
        ignore_errors: bool = False,
    ) -> None:
        super().__init__(names, types, ignore_errors=ignore_errors)
        self._missing_fails, self._iso = missing_fails, iso
        self._by_columns = can_read(names, types) and not missing_fails
        self._readers = [_of_json(kind) for kind in types]

    def read(self, line: str) -> tuple[Any, ...] | None:
        if not line.strip():
            return None
        given = (_WITH_NEGATIVE_ZERO if "-0" in line else _DECODER).decode(line)
        if not isinstance(given, dict):
            msg = f"a line has to be an object of JSON; got {line[:100]}"
            raise ValueError(msg)
        return tuple([self._value(given, name, place) for place, name in enumerate(self.names)])

    def read_all(self, lines: Sequence[bytes | None]) -> list[pa.Array] | None:
        return columns_of_json(lines, self.names, self.types) if self._by_columns and len(lines) else None

    def _value(self, given: dict[str, Any], name: str, place: int) -> Any:
        if name not in given:
            if self._missing_fails:
                msg = f"there is no field {name!r}"
                raise ValueError(msg)
            return None
        value = given[name]
        if value is None:
            return None
        try:
            return self._readers[place](value)
        except (ValueError, TypeError, AttributeError) as error:
            if self.ignore_errors:
                return None
            msg = f"field {name!r}: {error}"
            raise ValueError(msg) from None

    def write(self, values: Sequence[Any]) -> str:
        made = {
            name: None if value is None else self._written(value, kind)
            for name, value, kind in zip(self.names, values, self.types, strict=True)
        }
        return _json_text(made)

    def _written(self, value: Any, kind: DataType) -> Any:
        if value is None:
            return None
        match kind:
            case t.BooleanType() | t.DecimalType():
                return value
            case t.FloatType() | t.DoubleType():
                # JSON has no such numbers: they are text, which is read as them.
                return value if math.isfinite(value) else to_text(kind)(value)
            case t.ArrayType():
                return [self._written(each, kind.element_type) for each in value]
            case t.MapType():
                return {str(key): self._written(each, kind.value_type) for key, each in value}
            case t.RowType():
                return {field.name: self._written(value[field.name], field.data_type) for field in kind.fields}
            case t.LocalZonedTimestampType():
                return to_text(kind)(value) + "Z"
        if is_integer(kind):
            return value
        if is_binary(kind):
            return base64.b64encode(value).decode()
        text = to_text(kind)(value)
        return text.replace(" ", "T") if self._iso and isinstance(kind, t.TimestampType) else text


_string_text = json.JSONEncoder(ensure_ascii=False).encode


def _json_text(value: Any) -> str:
    """A value as JSON: the module's own writer has no decimal numbers."""
    match value:
        case str():
            return _string_text(value)
        case Decimal():
            return f"{value:f}"
        case dict():
            return f"{{{','.join([f'{_string_text(name)}:{_json_text(each)}' for name, each in value.items()])}}}"
        case list():
            return f"[{','.join(map(_json_text, value))}]"
    return json.dumps(value)


def _no_constant(name: str) -> Any:
    msg = f"{name} is no number of JSON"
    raise ValueError(msg)


#: Made once: the module's function would make one for each line.
_DECODER = json.JSONDecoder(parse_float=reading.decimal_number, parse_constant=_no_constant)


class _NegativeZero(int):
    """-0: as an integer 0, and -0.0 as a floating-point number, which Java's parser makes of the text."""

    def __float__(self) -> float:
        return -0.0


#: A function that is called for each integer, where one may be -0.
_WITH_NEGATIVE_ZERO = json.JSONDecoder(
    parse_float=reading.decimal_number,
    parse_int=lambda text: _NegativeZero() if text == "-0" else int(text),
    parse_constant=_no_constant,
)


def _of_json(kind: DataType) -> Callable[[Any], Any]:
    """What makes a value of one that JSON has."""
    match kind:
        case t.ArrayType():
            each = _or_none(_of_json(kind.element_type))
            return lambda values: [each(value) for value in values]
        case t.MapType():
            key, read = reading.reader(kind.key_type), _or_none(_of_json(kind.value_type))
            return lambda entries: [(key(name), read(value)) for name, value in entries.items()]
        case t.RowType():
            fields = [(field.name, _or_none(_of_json(field.data_type))) for field in kind.fields]
            return lambda row: {name: read(row.get(name)) for name, read in fields}
        case t.DoubleType() | t.FloatType():
            return lambda value: reading.fraction(value) if isinstance(value, str) else float(value)
        case t.DecimalType():
            return lambda value: reading.rounded(
                value if isinstance(value, Decimal) else reading.decimal_number(str(value)), kind
            )
    if is_text(kind):
        return lambda value: value if isinstance(value, str) else _plain_json(value)
    if is_binary(kind):
        return base64.b64decode
    read_text = reading.reader(kind)
    if is_integer(kind):
        greatest = _GREATEST[type(kind)]
        return lambda value: (
            value
            if type(value) is int and -greatest <= value <= greatest
            else read_text(value if isinstance(value, str) else _plain_json(value))
        )
    return lambda value: read_text(value if isinstance(value, str) else _plain_json(value))


#: Numbers up to these are taken as they are; the least of each type is read as text.
_GREATEST: dict[type[DataType], int] = {
    t.TinyIntType: 2**7 - 1,
    t.SmallIntType: 2**15 - 1,
    t.IntType: 2**31 - 1,
    t.BigIntType: 2**63 - 1,
}


def _plain_json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), default=float)


def _or_none(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)
