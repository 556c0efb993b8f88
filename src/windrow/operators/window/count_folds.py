"""Results so far of open count windows, and the windows that a batch of elements completes: arrays by slot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from windrow.operators.column_folds.field_fold import COMBINES, Array, FieldFold, Longs, magnitude
from windrow.operators.column_folds.runs import Runs, accumulate, runs_of
from windrow.tracing.outcome import NotExact


class Segments(NamedTuple):
    """The elements of a batch by key and window: each segment has those of one window, in the order of arrival."""

    #: The places of elements, by key and then by arrival.
    order: Longs
    #: Where in the order the first and the last element of each segment is.
    starts: Longs
    ends: Longs
    #: The first and the last segment of each key that has elements, and the slots of these keys.
    first: Longs
    last: Longs
    slots: Longs
    #: How many elements the last window of these keys has then; 0: it is complete.
    left: Longs
    #: The segments that complete their windows, in the order in which they do, and the slots of their keys.
    complete: Longs
    completed: Longs


def segments_of(slots: Longs, counts: Longs, size: int) -> Segments:
    """Cut elements, at least one, into windows of ``size``.

    Args:
        slots: The slot of each element's key.
        counts: How many elements the open window of each slot has.
        size: How many elements a window has.

    Example:
        >>> segments = segments_of(np.array([1, 0, 1, 1]), np.array([0, 1]), 2)
        >>> segments.order.tolist(), segments.starts.tolist(), segments.ends.tolist()
        ([1, 0, 2, 3], [0, 1, 2], [0, 1, 3])
        >>> segments.completed.tolist(), segments.left.tolist()
        ([1, 1], [1, 0])
    """
    runs = runs_of(slots)
    before = counts[runs.slots]
    total = before + (runs.ends - runs.starts + 1)
    whole, left = total // size, total % size
    pieces = whole + (left > 0)
    last = np.cumsum(pieces) - 1
    first = last - pieces + 1
    run = np.repeat(np.arange(pieces.size), pieces)
    number = np.arange(run.size) - first[run]
    # Of a key's elements those that complete a window are so far from the beginning of its run.
    beyond = runs.starts[run] - before[run] + (number + 1) * size
    ends = np.minimum(beyond - 1, runs.ends[run])
    starts = np.maximum(beyond - size, runs.starts[run])
    complete = np.flatnonzero(number < whole[run])
    complete = complete[np.argsort(runs.order[ends[complete]])]
    return Segments(runs.order, starts, ends, first, last, runs.slots, left, complete, runs.slots[run[complete]])


class CountFolds:
    """The open windows of keys.

    Args:
        folds: What becomes of each field; none of them keeps one of the elements whole.
        size: How many elements a window has.
    """

    def __init__(self, folds: Sequence[FieldFold], size: int) -> None:
        self._folds = folds
        self._size = size
        #: How many elements the window of each slot has.
        self.counts = np.zeros(0, np.int64)
        #: For each field what is in each slot; an empty array for one that is the key.
        self.fields: list[Array] = [np.zeros(0, fold.dtype) for fold in folds]

    def widen(self, count: int) -> None:
        """Make room for so many slots."""
        before = self.counts.size
        if count <= before:
            return
        more = max(count, 2 * before, 1024) - before
        self.counts = np.concatenate([self.counts, np.zeros(more, np.int64)])
        self.fields = [
            values if fold.kind == "key" else np.concatenate([values, np.full(more, fold.identity, fold.dtype)])
            for fold, values in zip(self._folds, self.fields, strict=True)
        ]

    def put(self, slots: Longs, counts: Sequence[int], fields: Sequence[Array | None]) -> None:
        """Set the windows of slots that have none."""
        self.counts[slots] = counts
        for values, given in zip(self.fields, fields, strict=True):
            if given is not None:
                values[slots] = given

    def held(self) -> Longs:
        """The slots whose windows have elements."""
        return np.flatnonzero(self.counts)

    def fold(self, segments: Segments, inputs: Sequence[Array | None]) -> list[Array | None]:
        """Fold each segment, field by field, with what its window has had; None for a field that is the key.

        Args:
            segments: The elements.
            inputs: A column for each field; None for one that is the key, or that is counted.

        Raises:
            NotExact: a sum may leave 64 bits.
        """
        return [
            None if fold.kind == "key" else self._fold(fold, values, added, segments)
            for fold, values, added in zip(self._folds, self.fields, inputs, strict=True)
        ]

    def take(self, segments: Segments, folded: Sequence[Array | None]) -> None:
        """Have what :meth:`fold` gave of windows that are not complete."""
        slots, is_open = segments.slots, segments.left > 0
        self.counts[slots] = segments.left
        for fold, values, of_segments in zip(self._folds, self.fields, folded, strict=True):
            if of_segments is not None:
                values[slots] = fold.identity
                values[slots[is_open]] = of_segments[segments.last[is_open]]

    def _fold(self, fold: FieldFold, values: Array, added: Array | None, segments: Segments) -> Array:
        held = values[segments.slots]
        if fold.kind == "count":
            counted = segments.ends - segments.starts + 1
            counted[segments.first] += held
            return counted
        assert added is not None, "what is neither the key nor counted is a value"
        if fold.kind == "last":
            return added[segments.order[segments.ends]]
        if fold.kind == "first":
            first = added[segments.order[segments.starts]]
            had = self.counts[segments.slots] > 0
            first[segments.first[had]] = held[had]
            return first
        combine, ordered = COMBINES[fold.kind], added[segments.order]
        if fold.ordered:
            # One after the other, from what was there or what a window begins with.
            begins = np.full(segments.starts.size, fold.identity, fold.dtype)
            begins[segments.first] = held
            with np.errstate(all="ignore"):
                ordered[segments.starts] = combine(begins, ordered[segments.starts])
                accumulate(combine, ordered, Runs(segments.order, segments.starts, segments.ends, segments.starts))
            so_far: Array = ordered[segments.ends]
            return so_far
        if fold.kind == "sum" and magnitude(held) + self._size * magnitude(added) >= 2**63:
            msg = "a sum may leave 64 bits"
            raise NotExact(msg)
        reduced: Array = combine.reduceat(ordered, segments.starts)
        reduced[segments.first] = combine(held, reduced[segments.first])
        return reduced
