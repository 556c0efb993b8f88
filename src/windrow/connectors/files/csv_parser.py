"""Makes rows of lines of CSV with Arrow's parser, taken apart as Jackson's takes them apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv as pc

from windrow.connectors.files.csv_lines import BYTE_ORDER_MARK, RecordLines
from windrow.connectors.files.malformed import of_type
from windrow.connectors.rows.csv_dialect import CsvDialect
from windrow.connectors.rows.csv_records import CsvRecords
from windrow.elements.columns import Columns
from windrow.elements.shape import shape_of
from windrow.errors import shorten

if TYPE_CHECKING:
    from windrow.connectors.files.csv_format import CsvFormat

_LINE_FEED, _QUOTE = ord("\n"), ord('"')

Places = npt.NDArray[np.int64]


class CsvParser:
    """A ``LineParser``.

    What the values of a line are, and whether it is malformed, is what :class:`CsvRecords` says. Arrow takes more for a
    line's values, and other things: text behind a closing quote, a quote that is closed in a later line. So it is given
    lines as they are where it cannot be mistaken (:func:`count_plain_lines`), and else the values of each line, in
    quotes.

    Args:
        file_format: What is to be parsed.
        columns: The names of the columns, of which the format's row type may have fewer.
    """

    def __init__(self, file_format: CsvFormat, columns: list[str]) -> None:
        self._lines_in_quotes = file_format.quoted_newlines
        self._shape = shape_of(file_format.row_type)
        self._columns = columns
        self._row_type = file_format.row_type
        self._delimiter = file_format.delimiter
        dialect = CsvDialect(field_delimiter=file_format.delimiter)
        self._records = CsvRecords(dialect)
        ends = RecordLines(dialect, quoted_newlines=file_format.quoted_newlines)
        self.lines, self.behind_last_record = ends.lines, ends.behind_last_record
        schema = self._shape.schema
        self._converting = pc.ConvertOptions(
            column_types=schema,
            include_columns=schema.names,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        )
        #: Blank lines are passed over, and Arrow passes over empty ones only.
        self._blanks_may_be_values = len(columns) == 1 or file_format.delimiter.isspace()
        #: A delimiter behind a line's last value does no harm; Arrow thinks it does.
        self._spare_delimiter = re.compile(re.escape(file_format.delimiter).encode() + rb'(?:"")?(?:[\r\n]|\Z)')

    def parse(self, data: bytes) -> Sequence[Any] | None:
        lines = count_plain_lines(data, self._delimiter.encode(), newlines_in_quotes=self._lines_in_quotes)
        if lines is not None and not (self._blanks_may_be_values and _has_blank_lines(data)):
            rows = self._convert(data)
            if rows is not None:
                return rows if len(rows) == lines else None  # else there are blank lines
            if self._spare_delimiter.search(data) is None:
                return None
        try:
            return self._convert(self._in_quotes(self.lines(data)))
        except ValueError:
            return None

    def fault(self, line: bytes) -> str | None:
        try:
            values = self._split(line)
        except UnicodeDecodeError:
            return "not UTF-8"
        except ValueError as error:
            return str(error)
        if len(values) != len(self._columns):
            return f"{len(values)} values, but the columns are {len(self._columns)}: {', '.join(self._columns)}"
        for name, field_type in zip(self._row_type.get_field_names(), self._row_type.get_field_types(), strict=True):
            value = values[self._columns.index(name)]
            if not self._fits(name, value):
                return of_type(name, field_type, shorten(value))
        return None

    def _split(self, line: bytes) -> list[str | None]:
        values = self._records.split_nothing_apart(line.decode("utf-8"))
        if len(values) == len(self._columns) + 1 and values[-1] in (None, ""):
            values.pop()
        return values

    def _in_quotes(self, lines: list[bytes]) -> bytes:
        """The same values, so that Arrow cannot be mistaken.

        Raises:
            ValueError: a line is malformed, or blank.
        """
        records = [self._split(line) for line in lines]
        if any(len(record) != len(self._columns) for record in records) or not all(line.strip() for line in lines):
            msg = "a line has too many values, or too few, or is blank"
            raise ValueError(msg)
        quoted = [self._delimiter.join([_quoted(value) for value in record]) for record in records]
        return "".join([f"{line}\n" for line in quoted]).encode()

    def _convert(self, data: bytes) -> Columns | None:
        """The rows of lines that Arrow takes apart as it should; None if a value cannot be converted."""
        if not data.endswith((b"\n", b"\r")):  # without an end, nothing behind a value in quotes counts as in quotes
            data += b"\n"
        options = pc.ReadOptions(column_names=self._columns, use_threads=False, block_size=len(data) + 1)
        parsing = pc.ParseOptions(
            delimiter=self._delimiter, newlines_in_values=True, ignore_empty_lines=len(self._columns) > 1
        )
        try:
            table = pc.read_csv(pa.BufferReader(data), options, parsing, self._converting)
        except pa.ArrowInvalid:
            return None
        batches = table.combine_chunks().to_batches()
        batch = batches[0] if batches else pa.RecordBatch.from_pylist([], self._shape.schema)
        return Columns(batch, self._shape)

    def _fits(self, name: str, value: str | None) -> bool:
        """Tell whether a value can be converted to its column's type, alone."""
        options = pc.ReadOptions(column_names=[name], use_threads=False)
        parsing = pc.ParseOptions(newlines_in_values=True, ignore_empty_lines=False)
        converting = pc.ConvertOptions(
            column_types=self._converting.column_types,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        )
        try:
            pc.read_csv(pa.BufferReader(f"{_quoted(value)}\n".encode()), options, parsing, converting)
        except pa.ArrowInvalid:
            return False
        return True


def count_plain_lines(data: bytes, delimiter: bytes, *, newlines_in_quotes: bool) -> int | None:
    r"""Count lines that every parser of CSV takes apart in the same way; None: they may not be such lines.

    They are UTF-8, and a quote either opens a value at its very beginning, closes it at its very end, or is one of two
    that stand for one.

    Example:
        >>> count_plain_lines(b'1,"a"\n,\n', b",", newlines_in_quotes=False)
        2
        >>> count_plain_lines(b'1,"a" \n', b",", newlines_in_quotes=False) is None
        True
    """
    if not data.isascii():
        if BYTE_ORDER_MARK in data:
            return None
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return None
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not data.endswith(b"\n"):
        data += b"\n"
    if b'"' not in data:
        return data.count(b"\n")
    octets = np.frombuffer(data, np.uint8)
    quotes = np.flatnonzero(octets == _QUOTE)
    if len(quotes) % 2 or not _are_around_values(octets, quotes, delimiter):
        return None
    ends = np.flatnonzero(octets == _LINE_FEED)
    inside = int((np.searchsorted(quotes, ends) % 2).sum())
    return len(ends) - inside if newlines_in_quotes or not inside else None


def _are_around_values(octets: npt.NDArray[np.uint8], quotes: Places, delimiter: bytes) -> bool:
    """Tell whether, of each two quotes, the first begins a value and the second ends one, or is doubled."""
    opening, closing = quotes[::2], quotes[1::2]
    doubled = closing[:-1] + 1 == opening[1:]
    edges = (_LINE_FEED, ord(delimiter))
    before = np.isin(octets[opening - 1], edges)
    before[0] |= opening[0] == 0
    behind = np.isin(octets[closing + 1], edges)
    before[1:] |= doubled
    behind[:-1] |= doubled
    return bool(before.all() and behind.all())


def _has_blank_lines(data: bytes) -> bool:
    return not all(line.strip() for line in data.splitlines())


def _quoted(value: str | None) -> str:
    return "" if value is None else '"' + value.replace('"', '""') + '"'
