"""Elements of many keys as runs: those of one key behind each other, and what is so far at each of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.radix import stable_order

#: Runs are combined side by side up to this length, and what is left of longer ones each by itself.
_SIDE_BY_SIDE = 32


class Runs(NamedTuple):
    """Elements ordered by their key's slot, and those of one slot by arrival."""

    #: The places of elements in this order.
    order: Longs
    #: Where in the order the first and the last elements of runs are, and of which slots they are.
    starts: Longs
    ends: Longs
    slots: Longs


def runs_of(slots: Longs) -> Runs:
    """The runs of some elements, at least one, by the slot of each element's key.

    Example:
        >>> runs = runs_of(np.array([7, 3, 7, 7]))
        >>> runs.order.tolist(), runs.slots.tolist(), runs.ends.tolist()
        ([1, 0, 2, 3], [3, 7], [0, 3])
    """
    order = stable_order(slots)
    ordered = slots.take(order)
    is_last = np.empty(slots.size, np.bool_)
    is_last[-1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=is_last[:-1])
    ends = np.flatnonzero(is_last)
    starts = np.empty_like(ends)
    starts[0] = 0
    np.add(ends[:-1], 1, out=starts[1:])
    return Runs(order, starts, ends, ordered[ends])


def accumulate(combine: np.ufunc, values: Array, runs: Runs) -> None:
    """Combine each value with all those before it in its run, one after the other: floats as Python adds them.

    Example:
        >>> values = np.array([0.1, 0.1, 0.2, 0.3])
        >>> accumulate(np.add, values, runs_of(np.array([0, 1, 1, 1])))
        >>> values.tolist()
        [0.1, 0.1, 0.30000000000000004, 0.6000000000000001]
    """
    more = runs.ends - runs.starts
    longer = np.flatnonzero(more)
    starts, more = runs.starts[longer], more[longer]
    for distance in range(1, _SIDE_BY_SIDE):
        if not starts.size:
            return
        places = starts + distance
        values[places] = combine(values[places - 1], values[places])
        still = np.flatnonzero(more > distance)
        starts, more = starts[still], more[still]
    for start, rest in zip(starts.tolist(), more.tolist(), strict=True):
        left = values[start + _SIDE_BY_SIDE - 1 : start + rest + 1]
        combine.accumulate(left, out=left)
