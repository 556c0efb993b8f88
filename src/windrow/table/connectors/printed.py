"""Rows printed as Flink's connector ``print`` does: ``+I[1, a]``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windrow.connectors.print_sink import PrintSink
from windrow.expressions.text import to_text
from windrow.table.data_types import DataType


class PrintTableSink(PrintSink):
    """Prints a line for each tuple.

    Args:
        sink_identifier: What stands before each line; None: nothing.
        types: The types of the tuples' fields.
        to_error: Whether lines go to standard error.
    """

    def __init__(self, sink_identifier: str | None, types: Sequence[DataType], *, to_error: bool = False) -> None:
        super().__init__(sink_identifier, None, to_error=to_error)
        self._types = list(types)

    def deliver(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        writes = [to_text(kind) for kind in self._types]
        lines = [
            f"+I[{', '.join('null' if v is None else w(v) for v, w in zip(row, writes, strict=True))}]"
            for row in values
        ]
        super().deliver(lines, timestamps)
