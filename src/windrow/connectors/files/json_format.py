"""Files with a JSON value in each line, as rows or as they are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from windrow.common.composite_types import RowTypeInfo
from windrow.common.json_values import STRICT
from windrow.connectors.files.file_format import FileBatch, StreamFormat
from windrow.connectors.files.lines import line_blocks, line_regions, line_sub_splits
from windrow.connectors.files.malformed import of_type, read_lines
from windrow.connectors.files.split import FileSourceSplit
from windrow.connectors.rows.json_reading import JsonRows
from windrow.connectors.rows.json_typed import typed_value
from windrow.errors import shorten

#: What parsing and converting raise for a value that is not of its type.
_MALFORMED = (ValueError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True)
class JsonFormat(StreamFormat):
    """Lines of JSON; made, and described, by ``JsonReaderFormat.for_row_type``."""

    row_type: RowTypeInfo | None
    dead_letter: str | None

    @property
    def produced_type(self) -> RowTypeInfo | None:  # type: ignore[override]
        return self.row_type

    def read(self, split: FileSourceSplit) -> Iterator[FileBatch]:
        parser = JsonParser(self.row_type)
        for block in line_blocks(split):
            yield from read_lines(block, parser, split.path, self.dead_letter)

    def regions(self, path: str, size: int, target: int) -> list[tuple[int, int]]:
        return line_regions(path, size, target)

    def sub_splits(self, split: FileSourceSplit, elements: int) -> list[FileSourceSplit]:
        return line_sub_splits(split, elements)


class JsonParser:
    """Makes rows, or values of Python where no type is declared, of lines of JSON (a ``LineParser``)."""

    def __init__(self, row_type: RowTypeInfo | None) -> None:
        self._row_type = row_type

    @cached_property
    def _rows(self) -> JsonRows:
        assert self._row_type is not None
        return JsonRows(self._row_type, single=typed_value)

    def parse(self, data: bytes) -> Sequence[Any] | None:
        try:
            lines = data.decode("utf-8").split("\n")
            if not lines[-1]:
                del lines[-1]
            values = STRICT.decode_all(lines)
            if self._row_type is None:
                return values
            return self._rows.rows(values) if set(map(type, values)) <= {dict} else None
        except _MALFORMED:
            return None

    def lines(self, data: bytes) -> list[bytes]:
        return [line + b"\n" for line in data.removesuffix(b"\n").split(b"\n")]

    def fault(self, line: bytes) -> str | None:
        try:
            (value,) = STRICT.decode_all([line.decode("utf-8").rstrip("\n")])
        except json.JSONDecodeError as error:
            return f"{error.msg} at character {error.pos + 1}"
        except UnicodeDecodeError:
            return "not UTF-8"
        except (ValueError, RecursionError) as error:
            return str(error)
        if not isinstance(value, dict):
            return f"a JSON object is expected; it is {shorten(value)} ({type(value).__name__})"
        row_type = self._row_type or RowTypeInfo([], [])
        for name, field_type in zip(row_type.get_field_names(), row_type.get_field_types(), strict=True):
            came = value.get(name)
            try:
                JsonRows(RowTypeInfo([field_type], [name]), single=typed_value).rows([value])
            except _MALFORMED:
                return of_type(name, field_type, f"{shorten(came)} ({type(came).__name__})")
        return None
