"""Rows as lines of CSV, as Flink's format of this name has them: taken apart and quoted as Jackson does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from windrow.common.conversions import lenient
from windrow.common.parse_text import parse_boolean, parse_bytes, parse_integer
from windrow.connectors.rows.csv_dialect import CsvDialect
from windrow.connectors.rows.csv_records import CsvRecords
from windrow.connectors.rows.csv_values import quoting
from windrow.connectors.rows.show_text import show_bytes, show_time, show_timestamp
from windrow.expressions import reading
from windrow.expressions.logical_types import is_binary, is_integer, is_numeric, name_of
from windrow.expressions.text import to_text
from windrow.operators.table.line_format import LineFormat
from windrow.table import data_types as t
from windrow.table.data_types import DataType

_FLINKS: Final = CsvDialect()


class CsvLines(LineFormat):
    """Values between delimiters.

    Args:
        names: What columns are called.
        types: Their types.
        dialect: The characters between and around values.
        ignore_errors: Whether a line that cannot be read is left out, and a value that cannot be is NULL.
    """

    def __init__(
        self,
        names: Sequence[str],
        types: Sequence[DataType],
        dialect: CsvDialect = _FLINKS,
        *,
        ignore_errors: bool = False,
    ) -> None:
        super().__init__(names, types, ignore_errors=ignore_errors)
        self._dialect = dialect
        self._records = CsvRecords(dialect)
        self._readers = [_reader(kind, dialect, ignore_errors=ignore_errors) for kind in types]
        self._writers = [_writer(kind, dialect) for kind in types]

    def read(self, line: str) -> tuple[Any, ...] | None:
        if not line or (self._dialect.comments and not self._records.has_record(line)):
            return None
        (cells,) = self._records.split_all([line])
        if len(cells) == len(self.types) + 1 and not cells[-1]:
            del cells[-1]  # a delimiter behind the last value does no harm
        if len(cells) > len(self.types) or (len(cells) < len(self.types) and not self.ignore_errors):
            msg = f"a line of {len(self.types)} columns has {len(cells)} values"
            raise ValueError(msg)
        null = self._dialect.null_literal
        values = [
            None if cell == null else self.value(read, cell, name)
            for read, cell, name in zip(self._readers, cells, self.names, strict=False)
        ]
        return (*values, *[None] * (len(self.types) - len(values)))

    def write(self, values: Sequence[Any]) -> str:
        null = self._dialect.null_literal or ""
        cells = [null if value is None else show(value) for value, show in zip(values, self._writers, strict=True)]
        return self._dialect.field_delimiter.join(cells)


def _writer(kind: DataType, dialect: CsvDialect) -> Callable[[Any], str]:
    """Find what makes the text of a value: numbers and truth values are bare, others in quotes where they need them."""
    show = _shown(kind, dialect)
    if is_numeric(kind) or isinstance(kind, t.BooleanType):
        return show
    quote = quoting(dialect)
    return lambda value: quote(show(value))


def _shown(kind: DataType, dialect: CsvDialect) -> Callable[[Any], str]:
    match kind:
        case t.BooleanType():
            return lambda value: "true" if value else "false"
        case t.ArrayType():
            element = _or_null(kind.element_type, dialect)
            return lambda values: dialect.array_delimiter.join([element(each) for each in values])
        case t.RowType():
            fields = [(field.name, _or_null(field.data_type, dialect)) for field in kind.fields]
            return lambda row: dialect.array_delimiter.join([show(row[name]) for name, show in fields])
        case t.TimeType():
            return show_time
        case t.TimestampType():
            return show_timestamp
        case t.LocalZonedTimestampType():
            return lambda value: f"{show_timestamp(value)}Z"
    return show_bytes if is_binary(kind) else to_text(kind)


def _or_null(kind: DataType, dialect: CsvDialect) -> Callable[[Any], str]:
    show, null = _shown(kind, dialect), dialect.null_literal or ""
    return lambda value: null if value is None else show(value)


def _reader(kind: DataType, dialect: CsvDialect, *, ignore_errors: bool) -> Callable[[str], Any]:
    """Find what makes a value of its text.

    Args:
        kind: The value's type.
        dialect: What stands between the elements of an array, and the fields of a row, and for NULL among them.
        ignore_errors: Whether elements and fields that cannot be read are NULL.
    """
    between, null = dialect.array_delimiter, dialect.null_literal

    def part(of_part: DataType) -> Callable[[str], Any]:
        whole = _reader(of_part, dialect, ignore_errors=ignore_errors)
        read = lenient(whole) if ignore_errors else whole
        return lambda text: None if text == null else read(text)

    match kind:
        case t.BooleanType():
            return parse_boolean
        case t.ArrayType():
            element = part(kind.element_type)
            return lambda text: [element(each) for each in text.split(between)] if text else []
        case t.RowType():
            fields = [(field.name, part(field.data_type)) for field in kind.fields]
            return lambda text: _row(text.split(between), fields)
        case t.MapType():
            msg = f"CSV has no form for {kind!r}"
            raise ValueError(msg)
        case t.LocalZonedTimestampType():
            moment = reading.reader(kind)
            return lambda text: moment(text.removesuffix("Z"))
    if is_integer(kind):
        return _whole_number(kind)
    return parse_bytes if is_binary(kind) else reading.reader(kind)


def _whole_number(kind: DataType) -> Callable[[str], int]:
    """Give what reads a whole number as Java does: CAST would take 1.5 as well."""
    bound = 1 << reading.BITS[type(kind)]

    def read(text: str) -> int:
        value = parse_integer(text)
        if not -bound <= value < bound:
            msg = f"{text!r} is no {name_of(kind, nullability=False)}: it is too large"
            raise ValueError(msg)
        return value

    return read


def _row(parts: Sequence[str], fields: Sequence[tuple[str, Callable[[str], Any]]]) -> dict[str, Any]:
    if len(parts) != len(fields):
        msg = f"a row of {len(fields)} fields has {len(parts)} values"
        raise ValueError(msg)
    return {name: read(part) for (name, read), part in zip(fields, parts, strict=True)}
