"""Windows out of panes that they share: two stacks, so that a window costs a merge or two and not one for each pane."""

from __future__ import annotations

from collections.abc import Callable

from windrow.operators.window.panes.partials import Partials, Row


class Stacks:
    """Merges ranges of panes, of which each begins and ends no earlier than the one before it.

    The front stack has, for each pane up to where it was filled, all panes from there on merged; behind that the back
    is one running merge. A range that begins behind the front fills it anew from the range's end backwards. So each
    pane is merged twice, however many windows it is in.

    Args:
        partials: Merges two rows.
        row_of: The row of a pane; None if it is empty.
    """

    def __init__(self, partials: Partials, row_of: Callable[[int], Row | None]) -> None:
        self._partials = partials
        self._row_of = row_of
        self._front: dict[int, Row | None] = {}
        self._front_end = self._back_end = -(2**63)
        self._back: Row | None = None

    @property
    def end(self) -> int:
        """The first pane that is in no stack: panes before it must not change without :meth:`clear`."""
        return self._back_end

    def clear(self) -> None:
        """Forget what was merged."""
        self._front.clear()
        self._front_end = self._back_end = -(2**63)
        self._back = None

    def begins_anew(self, begin: int) -> bool:
        """Tell whether nothing of what was merged is in a window that begins with this pane."""
        return begin >= self._front_end

    def merged(self, begin: int, end: int, step: int) -> Row | None:
        """The panes from ``begin`` to below ``end``, to look at; None if all are empty.

        Ranges to come begin a multiple of ``step`` panes later.
        """
        if begin >= self._front_end:
            self._fill(begin, end, step)
        for pane in range(self._back_end, end):
            row = self._row_of(pane)
            if row is not None:
                self._back = self._partials.copy(row) if self._back is None else self._partials.merged(self._back, row)
        self._back_end = end
        while next(reversed(self._front)) < begin:  # the first panes were put in last
            self._front.popitem()
        front = self._front.pop(begin)  # no other range begins there
        if front is None or self._back is None:
            return self._back if front is None else front
        return self._partials.merged(front, self._back)

    def _fill(self, begin: int, end: int, step: int) -> None:
        self._front.clear()
        suffix: Row | None = None
        for pane in range(end - 1, begin - 1, -1):
            row = self._row_of(pane)
            if row is not None:
                suffix = self._partials.copy(row) if suffix is None else self._partials.merged(row, suffix)
            if (pane - begin) % step == 0:
                self._front[pane] = suffix
        self._front_end = self._back_end = end
        self._back = None
