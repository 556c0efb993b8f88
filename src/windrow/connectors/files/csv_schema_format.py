"""CSV files that a ``CsvSchema`` describes, as rows: taken apart and converted as Jackson does, which is Flink's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from windrow.common.composite_types import RowTypeInfo
from windrow.connectors.files.file_format import FileBatch, StreamFormat
from windrow.connectors.files.lines import behind_last_line, line_blocks, line_pieces, line_regions
from windrow.connectors.files.malformed import SOURCE, read_lines
from windrow.connectors.files.split import FileSourceSplit
from windrow.connectors.rows.csv_records import CsvRecords, value_patterns
from windrow.connectors.rows.csv_schema import CsvSchema
from windrow.connectors.rows.csv_values import CsvRows
from windrow.errors import MalformedInputError, TypeConversionError
from windrow.table.data_types import row_type_info

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class CsvSchemaFormat(StreamFormat):
    """Rows of a ``CsvSchema``; made, and described, by ``CsvReaderFormat.for_schema``."""

    schema: CsvSchema
    quoted_newlines: bool
    dead_letter: str | None

    @property
    def produced_type(self) -> RowTypeInfo:  # type: ignore[override]
        return row_type_info(self.schema.row_type)

    def read(self, split: FileSourceSplit) -> Iterator[FileBatch]:
        parser = SchemaParser(self)
        for block in line_blocks(split, parser.behind_last_record if self.quoted_newlines else behind_last_line):
            begin = 0 if block.offset else parser.beginning(block.data, split.path)
            yield from read_lines(block, parser, split.path, self.dead_letter, begin)

    def regions(self, path: str, size: int, target: int) -> list[tuple[int, int]]:
        return [(0, size)] if self.quoted_newlines else line_regions(path, size, target)

    def pieces(self, split: FileSourceSplit, elements: int) -> list[FileSourceSplit]:
        return [split] if self.quoted_newlines else line_pieces(split, elements)


class SchemaParser:
    """A ``LineParser``."""

    def __init__(self, file_format: CsvSchemaFormat) -> None:
        schema = file_format.schema
        self._schema, dialect = schema, schema.dialect
        self._comments = dialect.comments
        self._records = CsvRecords(replace(dialect, comments=False))
        self._rows = CsvRows(
            schema.text_type,
            dialect,
            ignore_parse_errors=False,
            separators=dict(schema.separators),
            spare=schema.any_property_name is not None,
        )
        #: What may have a line end behind it, or in it, that does not end the record.
        self._marks = [mark.encode() for mark in (dialect.quote, dialect.escape) if mark is not None]
        quoted, plain = value_patterns(dialect)
        if not file_format.quoted_newlines:
            quoted = "(?!)()"  # each line is a record; quotes that are not closed in it make it a malformed one
            plain = r"([^\r\n]*)"
        delimiter = re.escape(dialect.field_delimiter)
        value = f"(?>{quoted}|{plain})"
        record = rf"(?:[^\S\r\n]*#[^\r\n]*|{value}(?>{delimiter}{value})*)" if self._comments else ""
        record = record or f"{value}(?>{delimiter}{value})*"
        self._record = re.compile(rf"{record}(?:\r\n?|\n|\Z)".encode(), re.DOTALL)

    def parse(self, data: bytes) -> Sequence[Any] | None:
        try:
            texts = [line.decode("utf-8") for line in self.lines(data) if not self._is_passed_over(line)]
            return self._rows.rows(self._records.split_all(texts))
        except (ValueError, TypeConversionError):
            return None

    def fault(self, line: bytes) -> str | None:
        try:
            self._rows.rows(self._records.split_all([line.decode("utf-8")]))
        except (ValueError, TypeConversionError) as error:
            return str(error)
        return None

    def lines(self, data: bytes) -> list[bytes]:
        """The records, each with its end; behind one that does not end, the lines."""
        if not any(mark in data for mark in self._marks):
            return data.splitlines(keepends=True) if b"\r" in data else _lines(data)
        records, position = [], 0
        while position < len(data):
            end = self._end(data, position) or data.find(b"\n", position) + 1 or len(data)
            records.append(data[position:end])
            position = end
        return records

    def behind_last_record(self, data: bytes) -> int:
        """The bytes up to the end of the last record that has one."""
        if not any(mark in data for mark in self._marks):
            return behind_last_line(data)
        position = 0
        while (end := self._end(data, position)) is not None and data[end - 1 : end] == b"\n":
            position = end
            if position == len(data):
                break
        return position

    def beginning(self, data: bytes, path: str) -> int:
        """The bytes of the header and of the row that is passed over, at the beginning of a file.

        Raises:
            MalformedInputError: headers are strict, and it has not the columns' names.
        """
        begin = len(_BYTE_ORDER_MARK) if data.startswith(_BYTE_ORDER_MARK) else 0
        left = self._schema.use_header + self._schema.skip_first_data_row
        for line in self.lines(data[begin:]) if left else ():
            if not left:
                break
            begin += len(line)
            if not self._is_passed_over(line):
                if left == 1 + self._schema.skip_first_data_row and self._schema.use_header:
                    self._check_header(line, path)
                left -= 1
        return begin

    def _check_header(self, line: bytes, path: str) -> None:
        text = line.decode(errors="replace").rstrip("\r\n")
        wanted = self._schema.row_type.field_names()
        try:
            (names,) = self._records.split_all([text])
        except ValueError as error:
            raise MalformedInputError(SOURCE, path, text, line_number=1, reason=f"no header: {error}") from None
        if self._schema.strict_headers and names != wanted:
            reason = f"the header {', '.join(wanted)} is expected"
            raise MalformedInputError(SOURCE, path, text, line_number=1, reason=reason)
        if len(names) > len(wanted) and self._schema.any_property_name is None:
            reason = f"a header of {len(wanted)} columns is expected; there are {len(names)}"
            raise MalformedInputError(SOURCE, path, text, line_number=1, reason=reason)

    def _end(self, data: bytes, position: int) -> int | None:
        found = self._record.match(data, position)
        return None if found is None else found.end()

    def _is_passed_over(self, line: bytes) -> bool:
        text = line.strip()
        return not text or (self._comments and text.startswith(b"#"))


def _lines(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    last = lines.pop()
    return [*[line + b"\n" for line in lines], *([last] if last else [])]
