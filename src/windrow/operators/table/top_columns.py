"""The first rows of each key of a window, on columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import Shape
from windrow.expressions.logical_types import BIGINT
from windrow.operators.column_folds.field_fold import Array
from windrow.operators.table.calc import arrays_of, tuples_of
from windrow.operators.table.column_accumulators import ticks
from windrow.operators.window.kept_pane import Objects
from windrow.operators.window.whole_windows import WindowColumns
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    from windrow.operators.window.whole_windows import Chunks


class TopColumns(WindowColumns):
    """Puts the rows of a window in order, all keys together, as :class:`TopRows` does for one.

    Args:
        order: Places of fields by which tuples are put in order, each with whether it is descending, and whether NULL
            comes first.
        count: How many of a key there are at most; None: all.
        types: The types of the tuples' fields.
    """

    def __init__(self, order: Sequence[tuple[int, bool, bool]], count: int | None, types: Sequence[DataType]) -> None:
        self._order, self._count, self._types = list(order), count, list(types)
        self._shape = tuples_of([*types, BIGINT.not_null()])

    def takes(self, shape: Shape) -> bool:
        return len(shape.types) == len(self._types)

    def results(self, chunks: Chunks, timestamp: int) -> Batch | None:
        some_places, some_slots, some_elements = zip(*chunks, strict=True)
        places, slots = np.concatenate(some_places), np.concatenate(some_slots)
        fields = self._fields(some_elements)
        keys = []
        for place, descending, nulls_first in self._order:
            found = _keys(fields[place], descending=descending, nulls_first=nulls_first)
            if found is None:
                return None
            keys += found
        # The last one counts first; rows that are equal stay in the order in which they came.
        order = np.lexsort((places, *reversed(keys), slots))
        slots = slots[order]
        starts = np.flatnonzero(np.diff(slots, prepend=-1))
        sizes = np.diff(starts, append=slots.size)
        numbers = np.arange(slots.size) - np.repeat(starts, sizes)
        first_places = np.repeat(np.minimum.reduceat(places[order], starts), sizes)
        chosen = np.arange(slots.size) if self._count is None else np.flatnonzero(numbers < self._count)
        chosen = chosen[np.argsort(first_places[chosen], kind="stable")]
        taken = pa.array(order[chosen])
        arrays = [*[field.take(taken) for field in fields], pa.array(numbers[chosen] + 1)]
        return Batch(Columns.of(self._shape, arrays), np.full(chosen.size, timestamp, np.int64))

    def _fields(self, parts: Sequence[Objects | Columns]) -> list[pa.Array]:
        """The fields of all rows; of rows that were stored they may be of wider types."""
        made = []
        for part in parts:
            elements = part.tolist() if isinstance(part, np.ndarray) else part
            made.append(arrays_of(Batch(elements, np.zeros(len(part), np.int64)), self._types))
        return [pa.concat_arrays(arrays) for arrays in zip(*made, strict=True)]


def _keys(field: pa.Array, *, descending: bool, nulls_first: bool) -> list[Array] | None:
    """Numbers that rise as the values do, behind whether these are NULL; None: Python has to put them in order."""
    kind = field.type
    if pa.types.is_integer(kind) or pa.types.is_temporal(kind):
        numbers = np.asarray(ticks(field).fill_null(0))
    elif pa.types.is_floating(kind):
        numbers = np.asarray(field.fill_null(0))
        if bool(np.isnan(numbers).any()):  # it is neither less nor more than any number
            return None
    elif pa.types.is_nested(kind):
        return None
    else:
        numbers = np.asarray(pc.rank(field, tiebreaker="dense")).astype(np.int64)
    if descending:
        numbers = -numbers if numbers.dtype.kind == "f" else ~numbers
    if not field.null_count:
        return [numbers]
    is_null = np.asarray(field.is_null())
    return [~is_null if nulls_first else is_null, np.where(is_null, 0, numbers)]
