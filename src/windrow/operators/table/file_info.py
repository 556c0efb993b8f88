"""Rows of files with what is known of the files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windrow.operators.table.line_format import LineFormat
from windrow.table.data_types import DataType


class InfoLines(LineFormat):
    """Reads pairs of a line and what is known of its file, which stands behind the line's values.

    Args:
        lines: The format of the lines.
        names: What the columns behind them are called.
        types: Their types.
    """

    def __init__(self, lines: LineFormat, names: Sequence[str], types: Sequence[DataType]) -> None:
        super().__init__([*lines.names, *names], [*lines.types, *types], ignore_errors=lines.ignore_errors)
        self._lines = lines

    def read(self, line: Any) -> tuple[Any, ...] | None:
        content, info = line
        values = self._lines.read(content)
        return None if values is None else (*values, *info)

    def write(self, values: Sequence[Any]) -> str:
        return self._lines.write(values[: len(self._lines.types)])
