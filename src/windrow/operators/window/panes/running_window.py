"""Windows out of panes that have few of all keys: one window becomes the next one where its panes have something."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from windrow.operators.window.panes.loose_panes import Part
from windrow.operators.window.panes.packed import Lines, Packing, put, taken
from windrow.operators.window.panes.partials import Row


class RunningWindow:
    """Does what :class:`~windrow.operators.window.panes.stacks.Stacks` does, by the slots that panes have something in.

    It is the same two stacks, of which only that is there which a pane changes. The front has for each pane, in the
    slots of that pane, what the panes behind it have, up to where the front was filled. So when a pane goes, its slots
    in the window become what the front has, merged with the back.

    Args:
        packing: How rows are packed.
        empty: Makes a row in which nothing is.
        parts_of: What is in a pane, in parts.
    """

    def __init__(self, packing: Packing, empty: Callable[[], Row], parts_of: Callable[[int], Sequence[Part]]) -> None:
        self._packing = packing
        self._empty = empty
        self._parts_of = parts_of
        #: For each pane what is behind it, in its slots.
        self._front: dict[int, list[Part]] = {}
        self._begin = self._front_end = self._back_end = -(2**63)
        self._window: Row | None = None
        self._lines: Lines = []
        self._back: Lines | None = None

    @property
    def end(self) -> int:
        """The first pane that is in no stack: panes before it must not change without :meth:`clear`."""
        return self._back_end

    def clear(self) -> None:
        """Forget what was merged."""
        self._front.clear()
        self._begin = self._front_end = self._back_end = -(2**63)
        self._window = self._back = None

    def begins_anew(self, begin: int) -> bool:
        """Tell whether nothing of what was merged is in a window that begins with this pane."""
        return begin >= self._front_end

    def merged(self, begin: int, end: int) -> Row:
        """The panes from ``begin`` to below ``end``, to look at until the next call."""
        if begin >= self._front_end or self._window is None:
            self._window = self._fill(begin, end)
        merge, lines, back = self._packing.merge, self._lines, self._back
        for pane in range(self._begin, begin):
            for slots, left in self._front.pop(pane):
                if back is not None:
                    merge(left, taken(back, slots))
                put(lines, slots, left)
        self._begin = begin
        for pane in range(self._back_end, end):
            for slots, added in self._parts_of(pane):
                if back is None:
                    back = self._back = self._packing.lines(self._empty())
                for target in (lines, back):
                    self._packing.merge_at(target, slots, added)
        self._back_end = end
        return self._window

    def _fill(self, begin: int, end: int) -> Row:
        window, packing = self._empty(), self._packing
        lines = packing.lines(window)
        self._front.clear()
        for pane in range(end - 1, begin - 1, -1):
            front = []
            for slots, added in reversed(self._parts_of(pane)):
                behind = taken(lines, slots)
                merged = [line.copy() for line in added]
                packing.merge(merged, behind)
                put(lines, slots, merged)
                front.append(Part(slots, behind))
            self._front[pane] = front[::-1]
        self._begin, self._front_end, self._back_end = begin, end, end
        self._lines, self._back = lines, None
        return window
