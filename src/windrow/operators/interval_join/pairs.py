"""Pairs of elements that join, as indexes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from windrow.operators.interval_join.growing import Longs

#: Pairs are made so many at a time: some that many elements may have.
MOST_PAIRS = 1 << 16


def pairs(starts: Longs, counts: Longs, most: int = MOST_PAIRS) -> Iterator[tuple[Longs, Longs]]:
    """Element by element those that it meets: their elements' indexes, and the indexes of what they meet.

    Args:
        starts: For each element the first that it meets.
        counts: How many it meets, one behind the other.
        most: How many pairs are given at a time.

    Example:
        >>> found = pairs(np.array([7, 0, 4]), np.array([2, 0, 3]), most=3)
        >>> [(elements.tolist(), met.tolist()) for elements, met in found]
        [([0, 0, 2], [7, 8, 4]), ([2, 2], [5, 6])]
    """
    ends = np.cumsum(counts)
    total = int(ends[-1]) if ends.size else 0
    # What is added to a pair's number to have the index of what is met.
    offsets = starts - (ends - counts)
    for begin in range(0, total, most):
        numbers = np.arange(begin, min(begin + most, total))
        if total <= most:
            elements = np.repeat(np.arange(counts.size), counts)
        else:
            elements = np.searchsorted(ends, numbers, side="right")
        yield elements, numbers + offsets[elements]
