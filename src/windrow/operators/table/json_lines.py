"""Rows as objects of JSON, as Flink's format of this name has them."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar

from windrow.common.conversions import Convert, array_of, check_object, entries_of, lenient, optional
from windrow.common.json_scalars import AS_WRITTEN, WRITTEN, TextNotKept, base64_bytes
from windrow.common.json_texts import (
    Write,
    array_writer,
    compact,
    map_writer,
    number_writer,
    object_writer,
    or_null,
    quoted,
)
from windrow.common.json_values import EXACT
from windrow.common.printing import double_text
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
        self._readers = [_reader(kind, ignore_errors=ignore_errors) for kind in types]
        self._write = object_writer(self.names, [or_null(_writer(kind, iso=iso)) for kind in types])

    def read(self, line: str) -> tuple[Any, ...] | None:
        if not line.strip():
            return None
        try:
            return self._values((WRITTEN if "-0" in line else EXACT).decode(line), line)
        except TextNotKept:
            return self._values(WRITTEN.decode(line), line)

    def _values(self, given: Any, line: str) -> tuple[Any, ...]:
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


def _reader(kind: DataType, *, ignore_errors: bool) -> Convert:
    """Find what makes a value of one that JSON has (``JsonParserToRowDataConverters``).

    Args:
        kind: The value's type.
        ignore_errors: Whether elements, entries and fields that cannot be read are NULL.
    """

    def part(of_part: DataType) -> Convert:
        read = _reader(of_part, ignore_errors=ignore_errors)
        return lenient(read) if ignore_errors else read

    match kind:
        case t.ArrayType():
            return array_of(part(kind.element_type))
        case t.MapType():
            return entries_of(reading.reader(kind.key_type), part(kind.value_type))
        case t.RowType():
            return _row_of([(field.name, optional(part(field.data_type))) for field in kind.fields])
        case t.BooleanType():
            return AS_WRITTEN.truth
        case t.DoubleType() | t.FloatType():
            return AS_WRITTEN.real
        case t.DecimalType():
            return lambda value: reading.rounded(
                value if isinstance(value, Decimal) else reading.decimal_number(str(value)), kind
            )
    if is_text(kind):
        return AS_WRITTEN.string
    if is_binary(kind):
        return base64_bytes
    if is_integer(kind):
        return AS_WRITTEN.whole(reading.BITS[type(kind)], cuts=isinstance(kind, t.IntType | t.BigIntType))
    read_text, text = reading.reader(kind), AS_WRITTEN.text
    return lambda value: read_text(text(value))


def _row_of(fields: Sequence[tuple[str, Convert]]) -> Convert:
    def convert_row(value: Any) -> dict[str, Any]:
        check_object(value)
        return {name: read(value.get(name)) for name, read in fields}

    return convert_row


def _writer(kind: DataType, *, iso: bool) -> Write:
    """Find what makes JSON of a value that is not NULL (``RowDataToJsonConverters``)."""
    match kind:
        case t.BooleanType() | t.DecimalType():
            return _number
        case t.FloatType() | t.DoubleType():
            return number_writer(double_text if isinstance(kind, t.DoubleType) else to_text(kind))
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
    """Find what makes the text of a value that is text in JSON."""
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
