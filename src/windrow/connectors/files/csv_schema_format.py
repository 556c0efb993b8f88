"""CSV files that a ``CsvSchema`` describes, as rows: taken apart and converted as Jackson does, which is Flink's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from windrow.common.composite_types import RowTypeInfo
from windrow.connectors.files.csv_lines import BYTE_ORDER_MARK, RecordLines
from windrow.connectors.files.file_format import FileBatch, StreamFormat
from windrow.connectors.files.lines import behind_last_line, line_blocks, line_regions, line_sub_splits
from windrow.connectors.files.malformed import SOURCE, read_lines
from windrow.connectors.files.split import FileSourceSplit
from windrow.connectors.rows.csv_records import CsvRecords
from windrow.connectors.rows.csv_schema import CsvSchema
from windrow.connectors.rows.csv_values import CsvRows
from windrow.errors import MalformedInputError, TypeConversionError
from windrow.table.data_types import row_type_info


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

    def sub_splits(self, split: FileSourceSplit, elements: int) -> list[FileSourceSplit]:
        return [split] if self.quoted_newlines else line_sub_splits(split, elements)


class SchemaParser:
    """Makes rows of lines of CSV, as a schema says (a ``LineParser``)."""

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
        ends = RecordLines(dialect, quoted_newlines=file_format.quoted_newlines)
        self.lines, self.behind_last_record = ends.lines, ends.behind_last_record

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

    def beginning(self, data: bytes, path: str) -> int:
        """The bytes of the header and of the row that is passed over, at the beginning of a file.

        Raises:
            MalformedInputError: headers are strict, and it has not the columns' names.
        """
        begin = len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0
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

    def _is_passed_over(self, line: bytes) -> bool:
        text = line.strip()
        return not text or (self._comments and text.startswith(b"#"))
