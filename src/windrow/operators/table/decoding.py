"""Lines of files as tuples, and tuples as lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.elements.batch import Batch
from windrow.errors import user_function_error
from windrow.operators.base import Operator
from windrow.operators.forecast import Forecast
from windrow.operators.table.calc import tuples_of
from windrow.operators.table.line_format import LineFormat

if TYPE_CHECKING:
    from windrow.elements.shape import Shape

#: Counts lines that were left out because they could not be read.
UNREADABLE_LINES = "num_unreadable_lines_dropped"


class DecodeOperator(Operator):
    """Tuples of lines; those that are left out because they cannot be read are counted.

    Args:
        lines: The format.
    """

    def __init__(self, lines: LineFormat) -> None:
        self._lines = lines

    def forecast(self, shape: Shape | None) -> Forecast:
        return Forecast(True, shape=tuples_of(self._lines.types))

    def process_batch(self, batch: Batch) -> None:
        import pyarrow as pa

        from windrow.elements.columns import Columns

        shape = tuples_of(self._lines.types)
        found = self._lines.read_all(_encoded(batch.elements))
        if found is not None:
            self.context.output.emit_batch(Batch(Columns.of(shape, found), batch.timestamp_array()))
            return
        rows, places = [], []
        for place, line in enumerate(batch.elements):
            try:
                row = self._lines.read(line)
            except (ValueError, RecursionError) as error:
                if self._lines.ignore_errors:
                    self.context.counters[UNREADABLE_LINES] += 1
                    continue
                raise user_function_error(self.context.name, line, error) from error
            if row is not None:
                rows.append(row)
                places.append(place)
        if not rows:
            return
        arrays = [pa.array(values, of) for values, of in zip(zip(*rows, strict=True), shape.types, strict=True)]
        times = batch.timestamp_array()
        kept = times if len(rows) == times.size else times[np.array(places)]
        self.context.output.emit_batch(Batch(Columns.of(shape, arrays), kept))


def _encoded(lines: Sequence[Any]) -> list[bytes]:
    """Lines as bytes; none where they are something else, or have what UTF-8 does not."""
    try:
        return [line.encode() for line in lines]
    except (AttributeError, UnicodeEncodeError):
        return []


class EncodeOperator(Operator):
    """Lines of tuples."""

    def __init__(self, lines: LineFormat) -> None:
        self._lines = lines

    def process_batch(self, batch: Batch) -> None:
        self.context.output.emit_batch(batch.with_elements([self._lines.write(values) for values in batch.elements]))
