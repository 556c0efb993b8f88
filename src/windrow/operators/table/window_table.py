"""Puts rows into windows: each row once for each window that it is in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.elements.batch import Batch
from windrow.operators.base import Operator
from windrow.operators.forecast import Forecast
from windrow.operators.table.calc import arrays_of, tuples_of
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    import pyarrow as pa

    from windrow.elements.shape import Shape

Longs = NDArray[np.int64]


class WindowTableOperator(Operator):
    """Tuples with the start, the end and the last millisecond of their windows behind their fields.

    The timestamps of the results are their windows' last milliseconds, at which a window is complete.

    Args:
        types: The types of the fields of a result.
        kind: TUMBLE, HOP or CUMULATE.
        size: How long windows are at most.
        step: How far apart they begin, or how much longer each is.
        offset: From when on they are counted.
        zone: The time zone in which they begin and end; None: UTC.
    """

    def __init__(
        self, types: Sequence[DataType], kind: str, size: int, step: int, offset: int, zone: str | None = None
    ) -> None:
        self._types = list(types)
        self._zone = zone
        self._kind = kind
        self._size, self._step, self._offset = size, step, offset

    def takes_columns(self, shape: Shape) -> bool:
        return True

    def forecast(self, shape: Shape | None) -> Forecast:
        return Forecast(True, shape=tuples_of(self._types))

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        import pyarrow as pa

        from windrow.elements.columns import Columns
        from windrow.expressions.logical_types import arrow_of

        times = batch.timestamp_array()
        local = times if self._zone is None else shown_at(times, self._zone)
        rows, starts, ends = windows_of(local, self._kind, self._size, self._step, self._offset)
        last = ends - 1 if self._zone is None else last_of(ends, self._zone)
        arrays = [column.take(pa.array(rows)) for column in arrays_of(batch, self._types[:-3])]
        for bound, kind in zip((starts, ends, last), self._types[-3:], strict=True):
            arrays.append(pa.array(bound * 1000).cast(arrow_of(kind)))
        self.context.output.emit_batch(Batch(Columns.of(tuples_of(self._types), arrays), last))


def shown_at(times: Longs, zone: str) -> Longs:
    """Convert times to what clocks show in a zone then, both in milliseconds."""
    import pyarrow as pa

    from windrow.expressions.casts import local_times

    return _ticks(local_times(pa.array(times * 1000).cast(pa.timestamp("us", tz="UTC")), zone))


def moments_of(shown: Longs, zone: str) -> Longs:
    """Convert what clocks show in a zone to the times when they do, both in milliseconds."""
    import pyarrow as pa

    from windrow.expressions.casts import zoned_times

    return _ticks(zoned_times(pa.array(shown * 1000).cast(pa.timestamp("us")), zone))


def last_of(ends: Longs, zone: str) -> Longs:
    """The last millisecond before clocks show some times in a zone."""
    import pyarrow as pa

    from windrow.expressions.casts import last_moments

    return _ticks(last_moments(pa.array(ends * 1000).cast(pa.timestamp("us")), zone))


def _ticks(times: pa.Array) -> Longs:
    import pyarrow as pa

    ticks: Longs = np.asarray(times.cast(pa.int64()), np.int64) // 1000
    return ticks


def windows_of(times: Longs, kind: str, size: int, step: int, offset: int) -> tuple[Longs, Longs, Longs]:
    """The windows of each time: which time, starts and ends.

    Example:
        >>> [each.tolist() for each in windows_of(np.array([7]), "HOP", 10, 5, 0)]
        [[0, 0], [5, 0], [15, 10]]
        >>> [each.tolist() for each in windows_of(np.array([7]), "CUMULATE", 10, 5, 0)]
        [[0], [0], [10]]
    """
    if kind == "TUMBLE":
        starts = times - (times - offset) % size
        return np.arange(times.size), starts, starts + size
    if kind == "HOP":
        count = -(-size // step)
        newest = times - (times - offset) % step
        starts = newest[:, None] - step * np.arange(count)
        inside = starts + size > times[:, None]
        rows = np.repeat(np.arange(times.size), count).reshape(-1, count)
        return rows[inside], starts[inside], starts[inside] + size
    count = size // step
    first = times - (times - offset) % size
    ends = first[:, None] + step * np.arange(1, count + 1)
    inside = ends > times[:, None]
    rows = np.repeat(np.arange(times.size), count).reshape(-1, count)
    starts = np.repeat(first, count).reshape(-1, count)
    return rows[inside], starts[inside], ends[inside]
