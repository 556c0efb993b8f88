"""Panes as lists: what elements come to, by pane and key, where a pane has few of all keys.

A row of all keys would be read from memory where a pane goes into a window and once more where it goes out of it, and
emptied behind that, mostly for nothing: with a pane of half a second and some 20 windows' results of each element,
that was most of what results cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from windrow.operators.column_folds.field_fold import COMBINES, Array, FieldFold, Longs
from windrow.operators.column_folds.radix import stable_order
from windrow.operators.window.panes.packed import Lines, Packing

#: Panes that have something of fewer than one in so many keys are lists.
FEW = 4
#: A pane to which something was added more often than this is better a row of all keys.
MOST_PARTS = 4


class Part(NamedTuple):
    """Some elements of a pane, folded by key."""

    #: Their keys' slots, each once.
    slots: Longs
    #: The lines of a row of them.
    lines: Lines


class LoosePanes:
    """Panes as lists.

    Args:
        packing: How rows are packed; no element is kept whole.
    """

    def __init__(self, packing: Packing) -> None:
        self._packing = packing
        self.panes: dict[int, list[Part]] = {}
        #: How many keys there are in all parts together.
        self.entries = 0

    def add(self, panes: Longs, slots: Longs, sequence: Longs, inputs: Sequence[Array | None]) -> list[int]:
        """Add elements in the order of arrival; gives the panes that they are in.

        Args:
            panes: The elements' panes.
            slots: Their keys' slots.
            sequence: Their places in the order of arrival.
            inputs: A column for each fold.
        """
        least, width = int(panes.min()), int(slots.max()) + 1
        places = (panes - least) * width + slots
        order = stable_order(places)
        places = places.take(order)
        starts = np.flatnonzero(places[1:] != places[:-1])
        starts += 1
        starts = np.concatenate((_FIRST, starts))
        lines = self._combined(order, starts, sequence, inputs)
        places = places.take(starts)
        of_pane = places // width
        slots = places - of_pane * width
        bounds = np.flatnonzero(of_pane[1:] != of_pane[:-1]) + 1
        begins = [0, *bounds.tolist()]
        present: list[int] = (of_pane.take(begins) + least).tolist()
        for begin, end, pane in zip(begins, [*begins[1:], slots.size], present, strict=True):
            # Copies: a pane that is kept for long does not keep what others had.
            part = Part(slots[begin:end].copy(), [line[begin:end].copy() for line in lines])
            self.panes.setdefault(pane, []).append(part)
        self.entries += slots.size
        return present

    def pop(self, pane: int) -> list[Part]:
        """Take a pane out."""
        parts = self.panes.pop(pane, [])
        self.entries -= sum(part.slots.size for part in parts)
        return parts

    def _combined(self, order: Longs, starts: Longs, sequence: Longs, inputs: Sequence[Array | None]) -> Lines:
        """Fold each run of elements in ``order``: one begins at each of ``starts``, and goes to the next."""
        count = order.size
        firsts = order.take(starts)
        lasts = order.take(np.append(starts[1:], count) - 1) if starts.size < count else firsts
        lines = [sequence.take(firsts)]
        if self._packing.needs_last:
            lines.append(sequence.take(lasts))
        for fold, added in zip(self._packing.folds, inputs, strict=True):
            if fold.kind == "count" and added is None:
                lines.append(np.diff(starts, append=count))
            elif fold.kind != "key":
                assert added is not None, "what is folded is values"
                lines.append(_folded(fold, added, order, starts, firsts, lasts))
        return lines


_FIRST = np.zeros(1, np.int64)


def _folded(fold: FieldFold, added: Array, order: Longs, starts: Longs, firsts: Longs, lasts: Longs) -> Array:
    if fold.kind == "first":
        return added.take(firsts)
    if fold.kind == "last":
        return added.take(lasts)
    values = added.take(order)
    if starts.size == order.size:
        return values
    combined: Array = COMBINES[fold.kind].reduceat(values, starts)
    return combined
