"""CSV files as rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from windrow.common.composite_types import RowTypeInfo
from windrow.connectors.files.compression import open_file
from windrow.connectors.files.csv_lines import BYTE_ORDER_MARK
from windrow.connectors.files.file_format import FileBatch, StreamFormat
from windrow.connectors.files.lines import behind_last_line, line_blocks, line_regions, line_sub_splits, reading
from windrow.connectors.files.malformed import SOURCE, read_lines
from windrow.connectors.files.split import FileSourceSplit
from windrow.connectors.rows.csv_dialect import CsvDialect
from windrow.connectors.rows.csv_records import CsvRecords
from windrow.errors import MalformedInputError

_LONGEST_HEADER = 1 << 20


@dataclass(frozen=True)
class CsvFormat(StreamFormat):
    """Lines of values; made, and described, by ``CsvReaderFormat.for_schema``."""

    row_type: RowTypeInfo
    header: bool
    delimiter: str
    quoted_newlines: bool
    dead_letter: str | None

    gives_columns: ClassVar[bool] = True

    @property
    def produced_type(self) -> RowTypeInfo:  # type: ignore[override]
        return self.row_type

    def read(self, split: FileSourceSplit) -> Iterator[FileBatch]:
        from windrow.connectors.files.csv_parser import CsvParser

        columns = self._columns(split.path) if self.header else self.row_type.get_field_names()
        parser = CsvParser(self, columns)
        for block in line_blocks(split, parser.behind_last_record if self.quoted_newlines else behind_last_line):
            begin = 0 if block.offset else self._beginning(block.data)
            yield from read_lines(block, parser, split.path, self.dead_letter, begin)

    def _beginning(self, data: bytes) -> int:
        if self.header:
            return len(_first_line(data))
        return len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0

    def regions(self, path: str, size: int, target: int) -> list[tuple[int, int]]:
        return [(0, size)] if self.quoted_newlines else line_regions(path, size, target)

    def sub_splits(self, split: FileSourceSplit, elements: int) -> list[FileSourceSplit]:
        return [split] if self.quoted_newlines else line_sub_splits(split, elements)

    def _columns(self, path: str) -> list[str]:
        """The names in the file's header; those of the row type may stand in any order, among others."""
        with reading(path), open_file(path) as file:
            line = (
                _first_line(file.read(_LONGEST_HEADER)).decode(errors="replace").removeprefix("\ufeff").rstrip("\r\n")
            )
        fields = self.row_type.get_field_names()
        if not line:
            return fields
        try:
            (names,) = CsvRecords(CsvDialect(field_delimiter=self.delimiter)).split_all([line])
        except ValueError as error:
            raise MalformedInputError(SOURCE, path, line, line_number=1, reason=f"no header: {error}") from None
        for name in fields:
            if names.count(name) != 1:
                reason = f"a header with the column {name!r}, once, is expected"
                raise MalformedInputError(SOURCE, path, line, line_number=1, reason=reason)
        return names


def _first_line(data: bytes) -> bytes:
    lines = data[: data.find(b"\n") + 1 or len(data)].splitlines(keepends=True)
    return lines[0] if lines else b""
