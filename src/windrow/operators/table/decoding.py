"""Lines of files as tuples, and tuples as lines: CSV and JSON, as Flink's formats of these names have them."""

from __future__ import annotations

import base64
import csv
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.elements.batch import Batch
from windrow.errors import user_function_error
from windrow.expressions import reading
from windrow.expressions.logical_types import is_binary, is_integer, is_text
from windrow.expressions.text import to_text
from windrow.operators.base import Operator
from windrow.operators.forecast import Forecast
from windrow.operators.table.calc import tuples_of
from windrow.operators.table.json_columns import can_read, columns_of_json
from windrow.table import data_types as t
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    import pyarrow as pa

    from windrow.elements.shape import Shape


#: Counts lines that were left out because they could not be read.
UNREADABLE_LINES = "num_unreadable_lines_dropped"


class LineFormat(ABC):
    """Reads and writes a row as a line.

    Args:
        names: What columns are called.
        types: Their types.
        ignore_errors: Whether a line that cannot be read is left out, and a value that cannot be is NULL.
    """

    def __init__(self, names: Sequence[str], types: Sequence[DataType], *, ignore_errors: bool = False) -> None:
        self.names = list(names)
        self.types = list(types)
        self.ignore_errors = ignore_errors

    @abstractmethod
    def read(self, line: str) -> tuple[Any, ...] | None:
        """The values of a line; None: there is no row in it.

        Raises:
            ValueError: it cannot be read.
        """

    def read_all(self, lines: Sequence[bytes | None]) -> list[pa.Array] | None:
        """The columns of many lines, each of which has one row; None: they have to be read one by one.

        That is so, too, where one of the lines is none.
        """
        return None

    @abstractmethod
    def write(self, values: Sequence[Any]) -> str:
        """The line of some values."""


class CsvLines(LineFormat):
    """Values between delimiters.

    Args:
        delimiter: What stands between values.
        quote: What stands around a value with a delimiter in it; None: nothing does.
        null: What stands for NULL; None: nothing does.
        comments: Whether lines that begin with ``#`` are left out.
        escape: What stands before a character that is taken as it is.
        elements: What stands between the elements of an array, and the fields of a row.
    """

    def __init__(
        self,
        names: Sequence[str],
        types: Sequence[DataType],
        *,
        delimiter: str = ",",
        quote: str | None = '"',
        null: str | None = None,
        comments: bool = False,
        escape: str | None = None,
        elements: str = ";",
        ignore_errors: bool = False,
    ) -> None:
        super().__init__(names, types, ignore_errors=ignore_errors)
        self._elements = elements
        self._delimiter, self._quote, self._null, self._comments, self._escape = (
            delimiter,
            quote,
            null,
            comments,
            escape,
        )
        self._readers = [_of_cell(kind, elements) for kind in types]

    def read(self, line: str) -> tuple[Any, ...] | None:
        if not line or (self._comments and line.startswith("#")):
            return None
        (cells,) = csv.reader(
            [line],
            delimiter=self._delimiter,
            quotechar=self._quote,
            quoting=csv.QUOTE_MINIMAL if self._quote else csv.QUOTE_NONE,
            escapechar=self._escape,
        )
        if len(cells) > len(self.types):
            msg = f"a line of {len(self.types)} columns has {len(cells)} values"
            raise ValueError(msg)
        values = [self._value(cell, place) for place, cell in enumerate(cells)]
        return (*values, *[None] * (len(self.types) - len(values)))

    def _value(self, cell: str, place: int) -> Any:
        if cell == self._null:
            return None
        try:
            return self._readers[place](cell)
        except ValueError as error:
            if self.ignore_errors:
                return None
            msg = f"column {self.names[place]!r}: {error}"
            raise ValueError(msg) from None

    def write(self, values: Sequence[Any]) -> str:
        written = Written()
        cells = [self._cell(value, kind) for value, kind in zip(values, self.types, strict=True)]
        writer = csv.writer(written, delimiter=self._delimiter, quotechar=self._quote or '"', lineterminator="")
        writer.writerow(cells)
        return written.text

    def _cell(self, value: Any, kind: DataType) -> Any:
        if value is None:
            return self._null or ""
        match kind:
            case t.BooleanType():
                return "true" if value else "false"
            case t.ArrayType():
                return self._elements.join([self._part(each, kind.element_type) for each in value])
            case t.RowType():
                parts = [self._part(value[field.name], field.data_type) for field in kind.fields]
                return self._elements.join(parts)
            case t.LocalZonedTimestampType():
                return to_text(kind)(value) + "Z"
        return base64.b64encode(value).decode() if is_binary(kind) else to_text(kind)(value)

    def _part(self, value: Any, kind: DataType) -> str:
        return "" if value is None else str(self._cell(value, kind))


class Written:
    """Takes what is written to a file."""

    text = ""

    def write(self, text: str) -> None:
        """Take a line."""
        self.text += text


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


def _of_cell(kind: DataType, elements: str) -> Callable[[str], Any]:
    """What makes a value of a cell."""
    match kind:
        case t.BooleanType():
            return lambda text: text.strip().lower() == "true"  # as Java's parseBoolean
        case t.ArrayType():
            read = _of_cell(kind.element_type, elements)
            return lambda text: [read(part) for part in text.split(elements)]
        case t.RowType():
            fields = [(field.name, _of_cell(field.data_type, elements)) for field in kind.fields]
            return lambda text: _row(text.split(elements), fields)
        case t.MapType():
            msg = f"CSV has no form for {kind!r}"
            raise ValueError(msg)
        case t.LocalZonedTimestampType():
            moment = reading.reader(kind)
            return lambda text: moment(text.removesuffix("Z"))
    return base64.b64decode if is_binary(kind) else reading.reader(kind)


def _row(parts: Sequence[str], fields: Sequence[tuple[str, Callable[[str], Any]]]) -> dict[str, Any]:
    if len(parts) != len(fields):
        msg = f"a row of {len(fields)} fields has {len(parts)} values"
        raise ValueError(msg)
    return {name: read(part) for (name, read), part in zip(fields, parts, strict=True)}


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


class DecodeOperator(Operator):
    """Tuples of lines; those that are left out because they cannot be read are counted.

    Args:
        lines: The format.
    """

    def __init__(self, lines: LineFormat) -> None:
        self._lines = lines

    def forecast(self, shape: Shape | None) -> Forecast:
        return Forecast(True, shape=tuples_of(self._lines.types))

    def process_batch(self, batch: Batch) -> None:
        import pyarrow as pa

        from windrow.elements.columns import Columns

        shape = tuples_of(self._lines.types)
        found = self._lines.read_all(_encoded(batch.elements))
        if found is not None:
            self.context.output.emit_batch(Batch(Columns.of(shape, found), batch.timestamp_array()))
            return
        rows, places = [], []
        for place, line in enumerate(batch.elements):
            try:
                row = self._lines.read(line)
            except ValueError as error:
                if self._lines.ignore_errors:
                    self.context.counters[UNREADABLE_LINES] += 1
                    continue
                raise user_function_error(self.context.name, line, error) from error
            if row is not None:
                rows.append(row)
                places.append(place)
        if not rows:
            return
        arrays = [pa.array(values, of) for values, of in zip(zip(*rows, strict=True), shape.types, strict=True)]
        times = batch.timestamp_array()
        kept = times if len(rows) == times.size else times[np.array(places)]
        self.context.output.emit_batch(Batch(Columns.of(shape, arrays), kept))


def _encoded(lines: Sequence[Any]) -> list[bytes]:
    """Lines as bytes; none where they are something else, or have what UTF-8 does not."""
    try:
        return [line.encode() for line in lines]
    except (AttributeError, UnicodeEncodeError):
        return []


class EncodeOperator(Operator):
    """Lines of tuples."""

    def __init__(self, lines: LineFormat) -> None:
        self._lines = lines

    def process_batch(self, batch: Batch) -> None:
        self.context.output.emit_batch(batch.with_elements([self._lines.write(values) for values in batch.elements]))
