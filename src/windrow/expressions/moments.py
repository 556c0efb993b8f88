"""Computes what depends on a point in time by its second, once for each second that there is.

Streams have many rows of a second, and calendars are Python's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

_SECOND = 10**6


def by_second(times: pa.Array, of_one: Callable[[Any], Any], kind: pa.DataType, *, up: bool = False) -> pa.Array:
    """A function of points in time or local times, called with each second, for all rows; NULL stays NULL.

    Args:
        times: In microseconds.
        of_one: Called with the beginning of a second, or its end if ``up``.
        kind: The type of what it gives.
        up: Whether a part of a second counts as a second.

    Example:
        >>> times = pa.array([1_200_000, None, 1_900_000, 2_000_000], pa.timestamp("us"))
        >>> by_second(times, lambda moment: moment.second, pa.int64()).to_pylist()
        [1, None, 1, 2]
        >>> by_second(times, lambda moment: moment.second, pa.int64(), up=True).to_pylist()
        [2, None, 2, 2]
    """
    present = times.drop_null()
    ticks = np.asarray(present.cast(pa.int64()))
    seconds, places = np.unique(-(-ticks // _SECOND) if up else ticks // _SECOND, return_inverse=True)
    moments = pa.array(seconds * _SECOND).cast(times.type).to_pylist()
    made = pa.array([of_one(moment) for moment in moments], kind)
    if not times.null_count:
        return made.take(pa.array(places))
    missing = np.asarray(times.is_null())
    rows = np.zeros(missing.size, np.int64)
    rows[~missing] = places
    return made.take(pa.array(rows, mask=missing))
