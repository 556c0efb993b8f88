"""Elements that are in the same windows, as objects or as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from windrow.elements.batch import taken

if TYPE_CHECKING:
    from windrow.elements.columns import Columns

Longs: TypeAlias = npt.NDArray[np.int64]
Objects: TypeAlias = npt.NDArray[np.object_]

#: About what an element that is an object takes: a tuple of three numbers has 160 bytes.
_OBJECT_BYTES = 200


class KeptPane:
    """Elements that are in the same windows; chunks of them, each in the order in which they came."""

    __slots__ = ("_chunks", "count", "few")

    def __init__(self) -> None:
        #: The place in the order of arrival, the slot of the key and the element, of a few that came last.
        self.few: list[tuple[int, int, Any]] = []
        self._chunks: list[tuple[Longs, Longs, Objects | Columns]] = []
        self.count = 0

    @property
    def is_small(self) -> bool:
        return not self._chunks

    @property
    def nbytes(self) -> int:
        """About how many bytes of memory it takes."""
        total = len(self.few) * _OBJECT_BYTES
        for places, slots, elements in self._chunks:
            total += places.nbytes + slots.nbytes
            total += len(elements) * _OBJECT_BYTES if isinstance(elements, np.ndarray) else elements.batch.nbytes
        return total

    def add(self, places: Longs, slots: Longs, elements: Objects | Columns) -> None:
        self._gather_few()
        self._chunks.append((places, slots, elements))
        self.count += places.size

    def add_one(self, place: int, slot: int, element: Any) -> None:
        self.few.append((place, slot, element))
        self.count += 1

    def renumber(self, slots: Longs) -> None:
        """Give the key of slot ``n`` the slot ``slots[n]``."""
        self._chunks = [(places, slots[old], elements) for places, old, elements in self.chunks()]

    def as_rows(self) -> None:
        """Make objects of columns."""
        self._chunks = [(places, slots, as_objects(elements)) for places, slots, elements in self._chunks]

    def chunks(self) -> list[tuple[Longs, Longs, Objects | Columns]]:
        """All of them as they came: places, slots, elements."""
        self._gather_few()
        return self._chunks

    def slots(self) -> Longs:
        """The slots of their keys."""
        return np.concatenate([slots for _, slots, _ in self.chunks()])

    def arrays(self) -> tuple[Longs, Longs, Objects | Columns]:
        """All of them in the order in which they came: places, slots, elements."""
        self._gather_few()
        if len(self._chunks) > 1:
            some_places, some_slots, some_elements = zip(*self._chunks, strict=True)
            places, slots, elements = np.concatenate(some_places), np.concatenate(some_slots), join(some_elements)
            if bool((places[1:] < places[:-1]).any()):  # those of two streams, which have waited side by side
                order = np.argsort(places)
                places, slots, elements = places[order], slots[order], take(elements, order)
            self._chunks = [(places, slots, elements)]
        return self._chunks[0]

    def since(self, place: int) -> tuple[Longs, Longs, Objects | Columns]:
        """The same of those from a place in the order of arrival on."""
        places, slots, elements = self.arrays()
        begin = int(np.searchsorted(places, place))
        part: Any = elements if isinstance(elements, np.ndarray) or elements.are_true else as_objects(elements)
        return places[begin:], slots[begin:], part[begin:]

    def _gather_few(self) -> None:
        if self.few:
            places, slots, elements = zip(*self.few, strict=True)
            self._chunks.append((np.array(places), np.array(slots), as_objects(elements)))
            self.few = []


def as_objects(elements: Sequence[Any] | Objects | Columns) -> Objects:
    """An array of them, whatever they are: tuples would become rows of a table."""
    return elements if isinstance(elements, np.ndarray) else np.fromiter(elements, np.object_, len(elements))


def take(elements: Objects | Columns, indexes: Longs) -> Any:
    """The elements at ``indexes``, in that order."""
    return elements[indexes] if isinstance(elements, np.ndarray) else taken(elements, indexes)


def join(parts: Sequence[Objects | Columns]) -> Any:
    """All of them, one behind the other: columns if they all are, of one shape."""
    columns = [part for part in parts if not isinstance(part, np.ndarray)]
    if len(columns) == len(parts):
        if not all(columns[0].is_like(part) for part in columns):
            columns = _united(columns)
        if columns:
            return columns[0].joined(columns)
    return np.concatenate([as_objects(part) for part in parts])


def _united(parts: Sequence[Columns]) -> list[Columns]:
    """Elements of two streams as columns of one shape; none if they cannot be."""
    from windrow.operators.tagged_shape import united  # imports Arrow

    made = [united(part) for part in parts if part.are_true]
    found = [part for part in made if part is not None]
    return found if len(found) == len(parts) and all(found[0].is_like(part) for part in found) else []
