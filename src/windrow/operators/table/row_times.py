"""The time of rows, where they are read."""

from __future__ import annotations

from collections.abc import Sequence

from windrow.elements.batch import Batch
from windrow.expressions.nodes import Expression, references
from windrow.operators.table.calc import arrays_of, milliseconds_of
from windrow.operators.watermarks.timestamp_assignment import BatchAssigner, Timestamps
from windrow.table.data_types import DataType


class RowTimes(BatchAssigner):
    """Gives tuples the timestamps that an expression over their fields gives.

    Args:
        types: The types of the fields.
        time: The expression, a time.
    """

    def __init__(self, types: Sequence[DataType], time: Expression) -> None:
        self._types = list(types)
        self._time = time
        self._needed = references([time])

    def of_batch(self, batch: Batch) -> Timestamps:
        import pyarrow as pa

        from windrow.expressions.evaluation import Input, evaluate
        from windrow.expressions.logical_types import arrow_of

        if batch.columns is not None:
            columns = arrays_of(batch, self._types)
        else:
            nothing = pa.nulls(len(batch))
            columns = [
                pa.array([row[place] for row in batch.elements], arrow_of(kind)) if place in self._needed else nothing
                for place, kind in enumerate(self._types)
            ]
        return milliseconds_of(evaluate(self._time, Input(columns, batch.timestamp_array())))
