"""Elements of open windows, each once: with those that are in the same windows, and in the order in which they came."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from windrow.common.unchangeable import all_never_change
from windrow.elements.batch import columns_of
from windrow.operators.window.aligned_windows import Times
from windrow.operators.window.kept_pane import KeptPane, Longs, Objects, as_objects, join, take
from windrow.operators.window.key_slots import KeySlots

if TYPE_CHECKING:
    from windrow.elements.columns import Columns

#: Fewer elements than this are worked on one by one: arrays cost some 50 us however few they have.
_FEW = 48
#: So many keys are remembered, whether or not there are elements of them.
_MANY_KEYS = 1024
#: Numbers below this are sorted in two passes over their bytes, which takes a tenth of the time.
_SHORT = 1 << 16


class KeptWindow(NamedTuple):
    """The elements of a window, by key in the order in which the first elements of keys came.

    Attributes:
        keys: The keys.
        firsts: For each key the place of its first element in the order of arrival.
        elements: All elements: those of the first key, those of the next one, ..., each in the order of arrival. A
            list, or columns if all were added as columns of one shape.
        bounds: For each key where its elements begin, and where they end.
    """

    keys: list[Any]
    firsts: list[int]
    elements: Sequence[Any]
    bounds: list[tuple[int, int]]

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Each key with a list of its elements, or their columns, made as it is asked for."""
        elements = self.elements
        for key, (start, stop) in zip(self.keys, self.bounds, strict=True):
            yield key, elements[start:stop]


class KeptElements:
    """Elements by pane: those that are in the same windows.

    A window is known by its end. Adding an element costs the same however many windows it is in; a window is put
    together when it fires.

    Example:
        >>> kept = KeptElements()
        >>> kept.add(["a", "b", "a"], [1, 2, 3], np.array([5, 5, 10]), np.array([10, 10, 15]))
        0
        >>> list(kept.window(10).items())
        [('a', [1, 3]), ('b', [2])]
        >>> kept.ends(15), kept.release(10), kept.ends(15)
        ([5, 10, 15], None, [15])
    """

    def __init__(self, slide: int = 5) -> None:
        self._slide = slide
        #: By the first and the last end of the windows that elements are in.
        self.panes: dict[tuple[int, int], KeptPane] = {}
        self._slots = KeySlots()
        self._next = 0
        #: All windows with ends up to this one are gone.
        self._released: int | None = None

    def __bool__(self) -> bool:
        return bool(self.panes)

    @property
    def next_place(self) -> int:
        """The place in the order of arrival that the next element gets."""
        return self._next

    @property
    def keys_by_slot(self) -> list[Any]:
        """The keys: of slot 0, of slot 1, ...; another list if slots are other keys'."""
        return self._slots.by_slot

    @property
    def count(self) -> int:
        """The number of elements, each counted once."""
        return sum([pane.count for pane in self.panes.values()])

    @property
    def nbytes(self) -> int:
        """About how many bytes of memory they take."""
        return sum([pane.nbytes for pane in self.panes.values()])

    def skip(self, count: int = 1) -> int:
        """Leave out places, and give the first of them."""
        self._next += count
        return self._next - count

    def add(
        self, keys: Sequence[Any], elements: Sequence[Any], first: Times, last: Times, places: Longs | None = None
    ) -> int:
        """Add elements that are in the windows from ``first`` to ``last``; the place of the first of them.

        Args:
            keys: The keys.
            elements: The elements.
            first: For each the end of the first window that it is in.
            last: The same of the last one.
            places: Where in the order of arrival each came, ascending, all of them left out before; None: it comes now.
        """
        count = len(keys)
        if not count:
            return self._next
        arrived = np.arange(self.skip(count), self._next) if places is None else places
        begin = int(arrived[0])
        slots = self._slots.of(keys)
        columns = columns_of(elements)
        if count < _FEW and columns is None:
            windows = zip(first.tolist(), last.tolist(), strict=True)
            few = zip(arrived.tolist(), slots.tolist(), elements, windows, strict=True)
            for place, slot, element, ends in few:
                self._pane(ends).add_one(place, slot, element)
            return begin
        objects = as_objects(elements) if columns is None else columns
        is_one_pane = bool((first == first[0]).all() and (last == last[0]).all())
        if is_one_pane:  # as most batches are: nothing is to be put in order
            self._pane((int(first[0]), int(last[0]))).add(arrived, slots, objects)
            return begin
        order = np.lexsort((first, last))
        first, last = first[order], last[order]
        starts = np.flatnonzero((first[1:] != first[:-1]) | (last[1:] != last[:-1])) + 1
        arrived, slots = arrived[order], slots[order]
        bounds = [0, *starts.tolist(), count]
        for start, stop in pairwise(bounds):
            pane = self._pane((int(first[start]), int(last[start])))
            pane.add(arrived[start:stop], slots[start:stop], take(objects, order[start:stop]))
        return begin

    def put(self, windows: tuple[int, int], places: Longs, keys: Longs | Objects, elements: Objects | Columns) -> None:
        """Hold elements that were held before, at the places in the order of arrival that they had."""
        slots, order = self._slots.of(keys), np.argsort(places)
        self._pane(windows).add(places[order], slots[order], take(elements, order))
        self._next = max(self._next, int(places.max()) + 1)

    def present_keys(self) -> list[Any]:
        """The keys that there are elements of."""
        slots = [pane.slots() for pane in self.panes.values()]
        return [self.keys_by_slot[slot] for slot in np.unique(np.concatenate(slots)).tolist()] if slots else []

    def ends(self, limit: int) -> list[int]:
        """The ends of the windows up to ``limit`` that hold elements, ascending."""
        found: set[int] = set()
        for first, last in self.panes:
            if first <= limit:
                found.update(range(self._first_left(first), min(last, limit) + 1, self._slide))
        return sorted(found)

    def next_end(self) -> int | None:
        """The end of the first window that holds elements; None if there are none."""
        return min((self._first_left(first) for first, _ in self.panes), default=None)

    def window(self, end: int) -> KeptWindow:
        """Give the elements of the window that ends at ``end``, by key in the order in which their first ones came."""
        panes = [pane for (first, last), pane in self.panes.items() if first <= end <= last]
        if not panes or (all(pane.is_small for pane in panes) and sum([len(pane.few) for pane in panes]) < _FEW):
            return self._small_window(panes)
        chunks = zip(*[pane.arrays() for pane in panes], strict=True)
        some_places, some_slots, some_elements = chunks
        places, slots, elements = np.concatenate(some_places), np.concatenate(some_slots), join(some_elements)
        if len(panes) > 1:
            order = np.argsort(places, kind="stable")
            places, slots = places[order], slots[order]
        by_key = _order_of(slots, len(self._slots))
        elements = take(elements, by_key if len(panes) == 1 else order[by_key])
        listed = elements.tolist() if isinstance(elements, np.ndarray) else elements
        slots = slots[by_key]
        starts = np.concatenate([[0], np.flatnonzero(slots[1:] != slots[:-1]) + 1])
        in_order = np.argsort(by_key[starts])
        stops = np.append(starts[1:], slots.size)[in_order].tolist()
        starts = starts[in_order]
        known = self._slots.by_slot
        keys = [known[slot] for slot in slots[starts].tolist()]
        bounds = list(zip(starts.tolist(), stops, strict=True))
        return KeptWindow(keys, places[by_key[starts]].tolist(), listed, bounds)

    def release(self, end: int) -> None:
        """Forget what is in no window behind the one that ends at ``end``."""
        self._released = end
        for windows in [windows for windows in self.panes if windows[1] <= end]:
            del self.panes[windows]
        if len(self._slots) > _MANY_KEYS and len(self._slots) > 2 * self.count:
            self._forget_keys()

    def as_rows(self) -> None:
        """Make objects of columns: then all windows have the same ones."""
        for pane in self.panes.values():
            pane.as_rows()

    def rows_may_change(self) -> bool:
        """Tell whether any of the elements that are objects can change."""
        return not all(all_never_change(part.tolist()) for part in self._parts() if isinstance(part, np.ndarray))

    def columns_may_change(self) -> bool:
        """The same of those that are columns."""
        return not all(part.shape.never_changes for part in self._parts() if not isinstance(part, np.ndarray))

    def chunks(self, end: int) -> list[tuple[Longs, Longs, Objects | Columns]]:
        """Give the elements of the window that ends at ``end`` as they came: places, slots of keys, elements."""
        panes = [pane for (first, last), pane in self.panes.items() if first <= end <= last]
        return [chunk for pane in panes for chunk in pane.chunks()]

    def clear(self) -> None:
        """Forget all."""
        self.panes.clear()
        self._slots = KeySlots()
        self._released = None

    def _parts(self) -> list[Objects | Columns]:
        return [elements for pane in self.panes.values() for _, _, elements in pane.chunks()]

    def _pane(self, windows: tuple[int, int]) -> KeptPane:
        pane = self.panes.get(windows)
        if pane is None:
            pane = self.panes[windows] = KeptPane()
        return pane

    def _first_left(self, first: int) -> int:
        """The end of the first window from ``first`` on that is not gone."""
        released = self._released
        if released is None or first > released:
            return first
        return released + self._slide - (released - first) % self._slide

    def _forget_keys(self) -> None:
        """Forget the keys that no pane has elements of."""
        renumbered = np.zeros(len(self._slots), np.int64)
        for pane in self.panes.values():
            renumbered[pane.slots()] = 1
        kept = np.flatnonzero(renumbered)
        renumbered[kept] = np.arange(kept.size)
        for pane in self.panes.values():
            pane.renumber(renumbered)
        self._slots = self._slots.only(kept)

    def _small_window(self, panes: Sequence[KeptPane]) -> KeptWindow:
        by_slot: dict[int, list[Any]] = {}
        firsts: list[int] = []
        for place, slot, element in sorted(_few(panes), key=itemgetter(0)):
            elements = by_slot.get(slot)
            if elements is None:
                by_slot[slot] = [element]
                firsts.append(place)
            else:
                elements.append(element)
        known = self._slots.by_slot
        stops = list(accumulate(map(len, by_slot.values())))
        bounds = list(zip([0, *stops], stops, strict=False))
        return KeptWindow([known[slot] for slot in by_slot], firsts, list(chain(*by_slot.values())), bounds)


def _few(panes: Sequence[KeptPane]) -> Iterator[tuple[int, int, Any]]:
    for pane in panes:
        yield from pane.few


def _order_of(slots: Longs, count: int) -> Longs:
    """Give the order that sorts slots, all below ``count``; equal ones stay in their order."""
    order: Longs = np.argsort((slots & (_SHORT - 1)).astype(np.uint16), kind="stable")
    if count > _SHORT:
        high = slots[order] // _SHORT
        order = order[np.argsort(high.astype(np.uint16) if count < _SHORT**2 else high, kind="stable")]
    return order
