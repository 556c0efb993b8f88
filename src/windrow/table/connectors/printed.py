"""Rows printed as Flink's connector ``print`` does: ``+I[1, a, 2020-01-01T08:10]``, Java's text of each value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windrow.common.types import RowKind
from windrow.connectors.print_sink import PrintSink
from windrow.expressions.java_text import java_text
from windrow.table.data_types import DataType


class PrintTableSink(PrintSink):
    """Prints a line for each tuple.

    Args:
        sink_identifier: What stands before each line; None: nothing.
        types: The types of the tuples' fields.
        to_error: Whether lines go to standard error.
        changes: Whether the field behind these is the kind of the row.
    """

    def __init__(
        self, sink_identifier: str | None, types: Sequence[DataType], *, to_error: bool = False, changes: bool = False
    ) -> None:
        super().__init__(sink_identifier, None, to_error=to_error)
        self._types = list(types)
        self._changes = changes

    def deliver(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        writes = [java_text(kind) for kind in self._types]
        lines = []
        for row in values:
            kind, fields = (RowKind(row[-1]), row[:-1]) if self._changes else (RowKind.INSERT, row)
            texts = [write(value) for value, write in zip(fields, writes, strict=True)]
            lines.append(f"{kind}[{', '.join(texts)}]")
        super().deliver(lines, timestamps)
