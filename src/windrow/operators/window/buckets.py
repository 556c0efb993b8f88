"""The accumulators of windows by key, and those of a batch's elements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import chain, repeat
from typing import Any, TypeAlias

import numpy as np

from windrow.datastream.window import TimeWindow
from windrow.operators.window.aligned_windows import AlignedWindows, Times

#: Accumulators of one window by key.
Bucket: TypeAlias = dict[Any, Any]


class BucketsByEnd(dict[int, Bucket]):
    """The buckets of a batch by the end of their windows: a window object is made once, not per element."""

    def __init__(self, buckets: defaultdict[TimeWindow, Bucket], windows: AlignedWindows) -> None:
        self._buckets = buckets
        self._windows = windows

    def __missing__(self, end: int) -> Bucket:
        bucket = self[end] = self._buckets[self._windows.window(end)]
        return bucket


def neighbours_shared(ends: Times) -> Iterable[int]:
    """The ends as Python's integers: neighbours that are equal are one object, where most are."""
    others = np.flatnonzero(ends[1:] != ends[:-1]) + 1
    if 2 * others.size >= ends.size:
        listed: list[int] = ends.tolist()
        return listed
    starts = np.concatenate(([0], others))
    counts = np.diff(starts, append=ends.size)
    return chain.from_iterable(map(repeat, ends[starts].tolist(), counts.tolist()))
