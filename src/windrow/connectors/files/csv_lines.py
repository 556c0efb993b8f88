"""Finds where the records of CSV files end."""

from __future__ import annotations

import re

from windrow.connectors.files.lines import behind_last_line
from windrow.connectors.rows.csv_dialect import CsvDialect
from windrow.connectors.rows.csv_records import value_patterns

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class RecordLines:
    r"""Finds the ends of records, as Jackson's parser finds them.

    Args:
        dialect: The layout of the records.
        quoted_newlines: Whether values in quotes may have line ends in them.

    Example:
        >>> RecordLines(CsvDialect(), quoted_newlines=True).lines(b'1,"a\nb"\n2,c"d\n')
        [b'1,"a\nb"\n', b'2,c"d\n']
    """

    def __init__(self, dialect: CsvDialect, *, quoted_newlines: bool) -> None:
        #: What may have a line end behind it, or in it, that does not end the record.
        self._marks = [mark.encode() for mark in (dialect.quote, dialect.escape) if mark is not None]
        quoted, plain = value_patterns(dialect)
        if not quoted_newlines:
            quoted = "(?!)()"  # each line is a record; quotes that are not closed in it make it a malformed one
            plain = r"([^\r\n]*)"
        delimiter = re.escape(dialect.field_delimiter)
        value = f"(?>{quoted}|{plain})"
        record = rf"(?:[^\S\r\n]*#[^\r\n]*|{value}(?>{delimiter}{value})*)" if dialect.comments else ""
        record = record or f"{value}(?>{delimiter}{value})*"
        self._record = re.compile(rf"{record}(?:\r\n?|\n|\Z)".encode(), re.DOTALL)

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

    def _end(self, data: bytes, position: int) -> int | None:
        found = self._record.match(data, position)
        return None if found is None else found.end()


def _lines(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    last = lines.pop()
    return [*[line + b"\n" for line in lines], *([last] if last else [])]
