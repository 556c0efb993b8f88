"""Rows as objects of JSON, as Flink's format of this name has them."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar

from windrow.common.conversions import Convert, array_of, check_object, entries_of, optional
from windrow.common.json_texts import Write, array_writer, compact, map_writer, object_writer, or_null, quoted
from windrow.common.json_values import EXACT, strict
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

    part: ClassVar[str] = "field"

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
        self._missing_fails = missing_fails
        self._by_columns = can_read(names, types) and not missing_fails
        self._readers = [_reader(kind) for kind in types]
        self._write = object_writer(self.names, [or_null(_writer(kind, iso=iso)) for kind in types])

    def read(self, line: str) -> tuple[Any, ...] | None:
        if not line.strip():
            return None
        given = (_SIGNED_ZEROS if "-0" in line else EXACT).decode(line)
        if not isinstance(given, dict):
            msg = f"a line has to be an object of JSON; got {line[:100]}"
            raise ValueError(msg)
        if self._missing_fails:
            self._check_fields(given)
        return tuple(
            [
                None if (value := given.get(name)) is None else self.value(read, value, name)
                for read, name in zip(self._readers, self.names, strict=True)
            ]
        )

    def read_all(self, lines: Sequence[bytes | None]) -> list[pa.Array] | None:
        return columns_of_json(lines, self.names, self.types) if self._by_columns and len(lines) else None

    def _check_fields(self, given: dict[str, Any]) -> None:
        for name in self.names:
            if name not in given:
                msg = f"there is no field {name!r}"
                raise ValueError(msg)

    def write(self, values: Sequence[Any]) -> str:
        return self._write(values)


class _NegativeZero(int):
    """-0: as an integer 0, and -0.0 as a floating-point number, which Java's parser makes of the text."""

    def __float__(self) -> float:
        return -0.0


#: A function that is called for each integer, where one may be -0. This format reads the text of numbers
#: (``JsonParserToRowDataConverters``); ``JsonRowDeserializationSchema`` reads a tree, in which -0 is 0 already.
_SIGNED_ZEROS = strict(parse_float=Decimal, parse_int=lambda text: _NegativeZero() if text == "-0" else int(text))


def _reader(kind: DataType) -> Convert:
    """What makes a value of one that JSON has."""
    match kind:
        case t.ArrayType():
            return array_of(_reader(kind.element_type))
        case t.MapType():
            return entries_of(reading.reader(kind.key_type), _reader(kind.value_type))
        case t.RowType():
            return _row_of([(field.name, optional(_reader(field.data_type))) for field in kind.fields])
        case t.DoubleType() | t.FloatType():
            return _fraction
        case t.DecimalType():
            return lambda value: reading.rounded(
                value if isinstance(value, Decimal) else reading.decimal_number(str(value)), kind
            )
    if is_text(kind):
        return _text
    if is_binary(kind):
        return base64.b64decode
    read_text = reading.reader(kind)
    if is_integer(kind):
        greatest = _GREATEST[type(kind)]
        return lambda value: value if type(value) is int and -greatest <= value <= greatest else read_text(_text(value))
    return lambda value: read_text(_text(value))


def _fraction(value: Any) -> float:
    return reading.fraction(value) if isinstance(value, str) else float(value)


def _text(value: Any) -> str:
    """A value as text: objects and arrays as JSON."""
    return value if isinstance(value, str) else compact(value)


def _row_of(fields: Sequence[tuple[str, Convert]]) -> Convert:
    def convert_row(value: Any) -> dict[str, Any]:
        check_object(value)
        return {name: read(value.get(name)) for name, read in fields}

    return convert_row


#: Numbers up to these are taken as they are; the least of each type is read as text.
_GREATEST: dict[type[DataType], int] = {kind: 2**bits - 1 for kind, bits in reading.BITS.items()}


def _writer(kind: DataType, *, iso: bool) -> Write:
    """What makes JSON of a value that is not NULL (``RowDataToJsonConverters``)."""
    match kind:
        case t.BooleanType() | t.DecimalType():
            return _number
        case t.FloatType() | t.DoubleType():
            show = to_text(kind)
            # JSON has no such numbers: they are text, which is read as them.
            return lambda value: _number(value) if math.isfinite(value) else quoted(show(value))
        case t.ArrayType():
            return array_writer(or_null(_writer(kind.element_type, iso=iso)))
        case t.MapType():
            write_map = map_writer(str, or_null(_writer(kind.value_type, iso=iso)))
            return lambda entries: write_map({str(key): value for key, value in entries})
        case t.RowType():
            names = [field.name for field in kind.fields]
            write_row = object_writer(names, [or_null(_writer(field.data_type, iso=iso)) for field in kind.fields])
            return lambda row: write_row([row[name] for name in names])
    if is_integer(kind):
        return _number
    show = _shown(kind, iso=iso)
    return lambda value: quoted(show(value))


def _shown(kind: DataType, *, iso: bool) -> Callable[[Any], str]:
    """What makes the text of a value that is text in JSON."""
    if is_binary(kind):
        return lambda value: base64.b64encode(value).decode()
    show = to_text(kind)
    match kind:
        case t.LocalZonedTimestampType():
            return lambda value: f"{show(value)}Z"
        case t.TimestampType() if iso:
            return lambda value: show(value).replace(" ", "T")
    return show


def _number(value: Any) -> str:
    """A number or a truth value: the module's own writer has no decimal numbers."""
    return f"{value:f}" if isinstance(value, Decimal) else compact(value)
