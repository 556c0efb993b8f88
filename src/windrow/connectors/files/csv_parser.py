"""Makes rows of lines of CSV with Arrow's parser."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc

from windrow.connectors.files.malformed import of_type
from windrow.elements.columns import Columns
from windrow.elements.shape import shape_of
from windrow.errors import shorten

if TYPE_CHECKING:
    from windrow.connectors.files.csv_format import CsvFormat

_LINE_FEED, _QUOTE = ord("\n"), ord('"')


class CsvParser:
    """A ``LineParser``.

    Whether a line is well-formed must not depend on the lines around it, for blocks end anywhere. Arrow's parser takes
    a quote that is not closed for one that goes on in the next line; so quotes are counted, and rows.

    Args:
        file_format: What is to be parsed.
        columns: The names of the columns, of which the format's row type may have fewer.
    """

    def __init__(self, file_format: CsvFormat, columns: list[str]) -> None:
        self._lines_in_quotes = file_format.quoted_newlines
        self._shape = shape_of(file_format.row_type)
        self._columns = columns
        self._row_type = file_format.row_type
        schema = self._shape.schema
        self._parsing = pc.ParseOptions(delimiter=file_format.delimiter, newlines_in_values=True)
        self._converting = pc.ConvertOptions(
            column_types=schema,
            include_columns=schema.names,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        )
        #: A row of nothing: where it does not come out as a row, a quote before it is not closed.
        self._last = file_format.delimiter.encode() * (len(columns) - 1) + b"\n" if len(columns) > 1 else b""

    def parse(self, data: bytes) -> Sequence[Any] | None:
        lines = self._count(data)
        if lines is None:
            return None
        if not data.endswith((b"\n", b"\r")):
            data += b"\n"
        options = pc.ReadOptions(column_names=self._columns, use_threads=False, block_size=len(data) + len(self._last))
        try:
            table = pc.read_csv(pa.BufferReader(data + self._last), options, self._parsing, self._converting)
        except pa.ArrowInvalid:
            return None
        rows = table.num_rows - bool(self._last)
        if rows < 0 or (not self._lines_in_quotes and rows != lines):
            return None
        (batch,) = table.combine_chunks().to_batches()
        return Columns(batch.slice(0, rows), self._shape)

    def lines(self, data: bytes) -> list[bytes]:
        lines = data.splitlines(keepends=True)
        if not self._lines_in_quotes:
            return lines
        records, pending = [], b""
        for line in lines:
            pending += line
            if pending.count(b'"') % 2 == 0:
                records.append(pending)
                pending = b""
        return [*records, pending] if pending else records

    def fault(self, line: bytes) -> str | None:
        text = line.decode(errors="backslashreplace")
        if text.count('"') % 2:
            return "a quote is not closed"
        values = next(csv.reader(text.splitlines(keepends=True), delimiter=self._parsing.delimiter), [])
        if len(values) != len(self._columns):
            return f"{len(values)} values, but the columns are {len(self._columns)}: {', '.join(self._columns)}"
        for name, field_type in zip(self._row_type.get_field_names(), self._row_type.get_field_types(), strict=True):
            value = values[self._columns.index(name)]
            if not self._fits(name, value):
                return of_type(name, field_type, shorten(value))
        return None

    def _fits(self, name: str, value: str) -> bool:
        """Tell whether a value can be converted to its column's type, alone."""
        quoted = '"' + value.replace('"', '""') + '"\n' if value else "\n"
        options = pc.ReadOptions(column_names=[name], use_threads=False)
        parsing = pc.ParseOptions(newlines_in_values=True, ignore_empty_lines=False)
        converting = pc.ConvertOptions(
            column_types=self._converting.column_types, null_values=[""], strings_can_be_null=True
        )
        try:
            pc.read_csv(pa.BufferReader(quoted.encode()), options, parsing, converting)
        except pa.ArrowInvalid:
            return False
        return True

    def _count(self, data: bytes) -> int | None:
        """Count the lines; None if one, or in files of quoted line ends all, have an odd number of quotes."""
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if not data.endswith(b"\n"):
            data += b"\n"
        if b'"' not in data:
            return data.count(b"\n")
        octets = np.frombuffer(data, np.uint8)
        ends = np.flatnonzero(octets == _LINE_FEED)
        quotes = np.cumsum(octets == _QUOTE)[ends]
        odd = quotes[-1] % 2 if self._lines_in_quotes else (quotes % 2).any()
        return None if odd else len(ends)
