"""Late elements: windows that have fired and are kept fire again for each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from windrow.elements.columns import Columns
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.window.panes.pane_windows import PaneWindows
from windrow.operators.window.panes.placing import Mask, Placed

if TYPE_CHECKING:
    from windrow.operators.window.aligned_window_operator import AlignedWindowOperator


class Arrived(NamedTuple):
    """Elements of a batch, as windows of columns take them."""

    elements: Columns
    times: Longs
    placed: Placed
    slots: Longs
    #: Their places in the order of arrival.
    sequence: Longs
    #: A column for each fold.
    inputs: Sequence[Array | None]

    def take(self, chosen: Mask | Longs) -> Arrived:
        """Some of the elements, without what only late ones are asked for."""
        inputs = [None if column is None else column[chosen] for column in self.inputs]
        placed = Placed(self.placed.of_pane[chosen])
        return Arrived(self.elements, self.times[chosen], placed, self.slots[chosen], self.sequence[chosen], inputs)


class LateFirings:
    """Results of late elements that wait to be given out together, before the next element that is skipped.

    Args:
        give: Gives out results, from the slots of keys, the values of their folds, and timestamps.
        by_row: Skips elements.
    """

    def __init__(
        self, give: Callable[[Longs, Sequence[Sequence[Any]], Longs], None], by_row: AlignedWindowOperator
    ) -> None:
        self._give = give
        self._by_row = by_row
        self._slots: list[int] = []
        self._values: list[list[Any]] = []
        self._times: list[int] = []

    @property
    def wants_late(self) -> bool:
        """True if elements that are skipped go to a side output; else they are counted."""
        return self._by_row.wants_late

    def add(self, slot: int, values: list[Any] | None, time: int) -> None:
        """Add a result, if there is one."""
        if values is not None:
            self._slots.append(slot)
            self._values.append(values)
            self._times.append(time)

    def skip(self, element: Any, time: int, *, in_gap: bool) -> None:
        """Skip an element, behind the results that came before."""
        self.flush()
        self._by_row.skip(element, time, in_no_window=in_gap)

    def flush(self) -> None:
        """Give out what waits."""
        if self._slots:
            self._give(np.array(self._slots, np.int64), self._values, np.array(self._times, np.int64))
            self._slots, self._values, self._times = [], [], []


def add_late(panes: PaneWindows, arrived: Arrived, firings: LateFirings, kept: tuple[int, int]) -> None:
    """Add late elements to windows that have fired, and skip those that no window takes, in the order of arrival.

    Args:
        panes: what windows hold.
        arrived: all elements of the batch.
        firings: takes the results and what is skipped.
        kept: the end of the first window that is kept, and of the first one that has not fired.
    """
    placed = arrived.placed
    if placed.late is None or placed.skipped is None or placed.in_gap is None:
        return
    first_kept, first_open = kept
    indexes = np.flatnonzero(placed.late)
    elements = arrived.elements.take(indexes) if firings.wants_late else None
    for number, index in enumerate(indexes.tolist()):
        if placed.skipped[index]:
            element = None if elements is None else elements[number]
            firings.skip(element, int(arrived.times[index]), in_gap=bool(placed.in_gap[index]))
            continue
        one = arrived.take(np.array([index]))
        panes.add(one.placed.of_pane, one.slots, one.sequence, one.inputs)
        panes.add_in_order(one.placed.of_pane, one.slots, one.sequence, one.inputs, first_kept, first_open)
        slot = int(one.slots[0])
        for end in reversed(panes.grid.ends_of(int(one.placed.of_pane[0]))):
            if first_kept <= end < first_open:
                firings.add(slot, panes.at(end, slot), end - 1)
    firings.flush()
