"""Elements of open windows as columns of state: each once, in chunks of panes, to which batches add.

A chunk holds what a range of panes got between two places in the order of arrival. A batch writes the elements that it
has brought; where the chunks of before are no larger they become one with it, so that a window has a few of them, and
an element is written again only when as many others have come. A chunk is removed when all of its panes are over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from windrow.common.limits import LONG_MAX
from windrow.operators.window.aligned_windows import AlignedWindows
from windrow.operators.window.element_form import Form, formed, read_formed
from windrow.operators.window.kept_elements import KeptElements
from windrow.operators.window.kept_pane import Longs, Objects, as_objects, join, take
from windrow.state.column_page import Array, Table
from windrow.state.kept_columns import Groups, KeptColumns

#: The first thing in a description: what kind of things the tables hold, and its version.
KIND, VERSION = "elements", 1
#: All panes of a window are in so many ranges at most.
_RANGES = 32
#: Chunks of fewer elements become one with what comes next.
_FEW = 512
#: Numbers of panes have room for so much.
_MOST = 1 << 62
#: The section of tables, followed by the number of the form of their elements.
_SECTION = "elements"


class _Chunk(NamedTuple):
    """A stored part of a range of panes: what came from one place in the order of arrival on.

    Attributes:
        name: The table.
        first: The place of its first element, which is the table's number.
        size: How many elements it had when it was written.
    """

    name: tuple[str, int]
    first: int
    size: int


class StoredElements:
    """Writes :class:`KeptElements` and reads them.

    Args:
        windows: How time is cut.
        lateness: For how long windows are kept for late elements, in milliseconds.
    """

    def __init__(self, windows: AlignedWindows, lateness: int) -> None:
        self._windows = windows
        self._lateness = lateness
        #: How many windows an element is in at most.
        self._most_windows = max(1, -(-windows.size // windows.slide))
        self._panes_of_range = max(1, self._most_windows // _RANGES)
        self._forms: list[Form] = []
        self._chunks: dict[int, list[_Chunk]] = {}
        #: All elements before this place are in chunks.
        self._stored_to = 0
        self._groups: Groups = np.zeros(0, np.int32)
        #: The keys of whose slots the key groups are known.
        self._grouped: list[Any] | None = None

    def forget(self) -> None:
        """Forget which chunks are stored: they are not what is in memory any more, and all is written anew."""
        self._chunks.clear()
        self._stored_to = 0
        self._grouped = None

    def write(self, kept: KeptElements, columns: KeptColumns) -> bool:
        """Store what has come since; False if it cannot be kept as columns.

        Whatever is raised when an element is pickled goes through.
        """
        panes: dict[int, list[tuple[int, int]]] = {}
        for pane in kept.panes:
            if abs(pane[1] // self._windows.slide) > _MOST // self._most_windows:
                return False
            panes.setdefault(self._range_of(pane[1]), []).append(pane)
        changed = []
        for number, of_range in sorted(panes.items()):
            chunk = self._next_chunk(kept, number, of_range)
            if chunk is not None:
                changed.append(chunk)
        for number in [number for number in self._chunks if number not in panes]:
            del self._chunks[number]
        if not panes:
            if columns.are_stored():
                columns.clear()
            self.forget()
            return True
        tables = [(number, *self._table(kept, columns, panes[number], first)) for number, first in changed]
        for number, form, *_ in tables:
            written = self._chunks[number][-1]
            self._chunks[number][-1] = written._replace(name=(f"{_SECTION}{self._number_of(form)}", written.first))
        present = {chunk.name for chunks in self._chunks.values() for chunk in chunks}
        gone = [name for name in columns.names if name not in present]
        if tables or gone:
            named = [(self._chunks[number][-1].name, table, groups) for number, _, table, groups in tables]
            columns.write(self._description(), named, gone)
        self._stored_to = kept.next_place
        return True

    def read(self, columns: KeptColumns, kept: KeptElements) -> None:
        """Bring all that is stored into ``kept``, which is empty.

        The description is that of these windows (:func:`is_of`).
        """
        self.forget()
        self._forms = [Form(*form) for form in columns.description()[4]]
        found: dict[tuple[int, int], list[tuple[Longs, Longs | Objects, Any]]] = {}
        counts: dict[tuple[str, int], tuple[int, int]] = {}
        for name, table in columns.read():
            form = self._forms[int(name[0].removeprefix(_SECTION))]
            places, numbers, *arrays = table.columns
            elements = read_formed(form, table.keys, arrays)
            elements = elements if hasattr(elements, "are_true") else as_objects(elements)
            keys = table.keys if table.keys.dtype == np.int64 else as_objects(table.keys.tolist())
            for number in np.unique(numbers).tolist():
                rows = np.flatnonzero(numbers == number)
                part = places[rows], keys[rows], take(elements, rows)
                found.setdefault(self._pane_of(number), []).append(part)
            _, count = counts.get(name, (0, 0))
            counts[name] = self._range_of(self._pane_of(int(numbers[0]))[1]), count + len(keys)
        for name, (number, count) in sorted(counts.items(), key=lambda item: item[0][1]):
            self._chunks.setdefault(number, []).append(_Chunk(name, name[1], count))
        for pane in sorted(found):
            some_places, some_keys, parts = zip(*found[pane], strict=True)
            places = np.concatenate(some_places)
            kept.put(pane, places, np.concatenate(some_keys), join(parts))
        self._stored_to = kept.next_place

    def is_of(self, columns: KeptColumns) -> bool:
        """Tell whether elements are stored that are in windows like these."""
        description = columns.description()
        return description is not None and tuple(description[:4]) == self._description()[:4]

    def _description(self) -> tuple[Any, ...]:
        return KIND, VERSION, tuple(self._windows), self._lateness, [tuple(form) for form in self._forms]

    def _next_chunk(self, kept: KeptElements, number: int, panes: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
        """Make a chunk of the elements of a range that have come since; the range and its first place."""
        first, count = _first_of(kept, panes, self._stored_to)
        if not count:
            return None
        chunks = self._chunks.setdefault(number, [])
        while chunks and chunks[-1].size <= max(count, _FEW):
            before = chunks.pop()
            first, count = before.first, count + before.size
        first, count = _first_of(kept, panes, first)
        chunks.append(_Chunk((_SECTION, first), first, count))
        return number, first

    def _table(
        self, kept: KeptElements, columns: KeptColumns, panes: Iterable[tuple[int, int]], first: int
    ) -> tuple[Form, Table, Groups]:
        """The elements of panes from a place on, by the key groups of their keys, and these."""
        parts = []
        for pane in panes:
            places, slots, elements = kept.panes[pane].since(first)
            if places.size:
                parts.append((places, slots, np.full(places.size, self._number_of_pane(pane)), elements))
        some_places, some_slots, some_numbers, some_elements = zip(*parts, strict=True)
        places, slots, numbers = (np.concatenate(some) for some in (some_places, some_slots, some_numbers))
        groups = self._groups_of(kept, columns)[slots]
        order = np.lexsort((places, groups))
        places, slots, numbers, groups = places[order], slots[order], numbers[order], groups[order]
        elements = take(join(some_elements), order)
        form, keys, arrays = formed(elements, _keys(kept.keys_by_slot, slots))
        return form, Table(keys, [places, numbers, *arrays]), groups

    def _number_of(self, form: Form) -> int:
        if form not in self._forms:
            self._forms.append(form)
        return self._forms.index(form)

    def _groups_of(self, kept: KeptElements, columns: KeptColumns) -> Groups:
        """The key group of each slot."""
        known = kept.keys_by_slot
        if self._grouped is not known:
            self._grouped, self._groups = known, self._groups[:0]
        if self._groups.size < len(known):
            self._groups = np.concatenate([self._groups, columns.groups_of_each(known[self._groups.size :])])
        return self._groups

    def _range_of(self, last_end: int) -> int:
        return last_end // self._windows.slide // self._panes_of_range

    def _number_of_pane(self, pane: tuple[int, int]) -> int:
        """One number for the first and the last end of the windows that elements are in."""
        first, last = pane
        return last // self._windows.slide * self._most_windows + (last - first) // self._windows.slide

    def _pane_of(self, number: int) -> tuple[int, int]:
        size, slide, offset = self._windows
        turn, before = divmod(number, self._most_windows)
        last = turn * slide + (size + offset) % slide
        return last - before * slide, last


def elements_of_windows(columns: KeptColumns, watermark: int) -> tuple[AlignedWindows, int, KeptElements]:
    """Read what is stored: how time is cut, for how long windows wait for late elements, and the elements.

    Windows that ``watermark`` has passed are over.

    Raises:
        ValueError: it is of another version.
    """
    _, version, windows, lateness, _ = columns.description()
    if version != VERSION:
        msg = f"stored elements of windows have version {version}, and this program reads {VERSION}"
        raise ValueError(msg)
    cut = AlignedWindows(*windows)
    kept = KeptElements(cut.slide)
    StoredElements(cut, lateness).read(columns, kept)
    kept.release(cut.first_end_after(watermark) - cut.slide)
    return cut, lateness, kept


def _first_of(kept: KeptElements, panes: Iterable[tuple[int, int]], place: int) -> tuple[int, int]:
    """The place of the first element in panes from a place on, and how many there are."""
    first, count = LONG_MAX, 0
    for pane in panes:
        places = kept.panes[pane].arrays()[0]
        begin = int(np.searchsorted(places, place))
        if begin < places.size:
            first, count = min(first, int(places[begin])), count + places.size - begin
    return first, count


def _keys(keys_by_slot: Sequence[Any], slots: Longs) -> Array:
    """The keys of slots: integers of 64 bits, or objects."""
    used = np.unique(slots)
    keys = [keys_by_slot[slot] for slot in used.tolist()]
    places = np.searchsorted(used, slots)
    if {int}.issuperset(map(type, keys)):
        try:
            return np.array(keys, np.int64)[places]
        except OverflowError:  # more than 64 bits
            pass
    return as_objects(keys)[places]
