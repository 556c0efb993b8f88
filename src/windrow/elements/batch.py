"""Elements with their timestamps and keys: what operators are given, and what they give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, compress
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.common.copies import copied_each

if TYPE_CHECKING:
    from windrow.elements.arrays import Arrays, Layout
    from windrow.elements.columns import Columns

#: Functions that are called for each element get rows of columns in parts of so many. A row is made, used and gone
#: while it is in the processor's nearest cache; with 16,384 at a time each waited for memory, some 0.1 us.
ROWS_AT_A_TIME = 1 << 11


class Batch:
    """Elements in order.

    Elements and keys are rows (a list, or another sequence of Python objects) or
    :class:`~windrow.elements.columns.Columns`, which are a sequence as well: who does not know columns sees rows.

    Args:
        elements: The elements.
        timestamps: Their timestamps in milliseconds, ``NO_TIMESTAMP`` for one without: a list of integers, or a NumPy
            int64 array.
        keys: Their keys; None on a stream without keys.

    Example:
        >>> batch = Batch(["a", "b", "c"], [1, 2, 3])
        >>> batch.take(np.array([2, 0])).elements
        ['c', 'a']
    """

    __slots__ = ("_arrays", "elements", "keys", "timestamps")

    def __init__(
        self, elements: Sequence[Any], timestamps: Sequence[int] | NDArray[np.int64], keys: Sequence[Any] | None = None
    ) -> None:
        self.elements = elements
        self.timestamps: Any = timestamps
        self.keys = keys
        #: The arrays that it is made of, where they are known.
        self._arrays: Arrays | None = None

    @classmethod
    def of_arrays(cls, arrays: Sequence[Any], layout: Layout, keys: Sequence[Any] | None = None) -> Batch:
        """The batch that these arrays are; with these keys, where they are no columns."""
        parts = layout.parts(arrays)
        batch = cls(parts.elements, parts.timestamps, keys if parts.keys is None else parts.keys)
        batch._arrays = arrays, layout
        return batch

    def __len__(self) -> int:
        return len(self.elements)

    @property
    def columns(self) -> Columns | None:
        """The elements as columns; None if they are rows."""
        return columns_of(self.elements)

    @property
    def key_columns(self) -> Columns | None:
        """The keys as columns; None if they are rows, or if there are none."""
        return columns_of(self.keys)

    def arrays(self) -> Arrays | None:
        """Give the batch's arrays, each once, and their layout; None if its elements are rows, or have no fields."""
        columns = self.columns
        if columns is None or not columns.shape.types:
            return None
        if self._arrays is None:
            from windrow.elements.arrays import Parts

            keys = self.key_columns
            parts = Parts(columns, self.timestamp_array(), keys if keys is not None and keys.shape.types else None)
            self._arrays = parts.arrays()
        return self._arrays

    def in_parts(self, count: int = ROWS_AT_A_TIME) -> Iterator[Batch]:
        """The batch, ``count`` elements at a time where :func:`in_parts` gives parts of them.

        Example:
            >>> [len(part) for part in Batch(["a", "b", "c"], [1, 2, 3]).in_parts(2)]
            [3]
        """
        columns = self.columns
        if columns is None or len(columns) <= count or not columns.untouched or not columns.shape.never_changes:
            yield self
            return
        for start in range(0, len(columns), count):
            yield self.slice(start, start + count)

    def rows_apart(self) -> Batch:
        """The same as rows, without touching the columns: what is done to the rows is not seen in them."""
        columns = self.columns
        elements = self.elements if columns is None else columns.shape.rows(columns.batch)
        return Batch(elements, self.timestamps, self.keys)

    def timestamp_list(self) -> list[int]:
        """The timestamps as Python's integers: arithmetic on NumPy's wraps around, and is slow one by one."""
        timestamps = self.timestamps
        if isinstance(timestamps, list):
            return timestamps
        listed: list[int] = timestamps.tolist() if hasattr(timestamps, "tolist") else list(timestamps)
        return listed

    def timestamp_array(self) -> NDArray[np.int64]:
        """The timestamps as a NumPy array."""
        return np.asarray(self.timestamps, dtype=np.int64)

    def lists(self) -> tuple[Sequence[Any], list[int], Sequence[Any] | None]:
        """Elements, timestamps and keys for a loop over them: the values of what is one array are made once."""
        columns = self.columns
        if self._arrays is None or columns is None or not columns.untouched or not columns.shape.never_changes:
            return self.elements, self.timestamp_list(), self.keys
        arrays, layout = self._arrays
        elements, timestamps, keys = layout.lists(arrays)
        return elements, timestamps, self.keys if keys is None else keys

    def with_elements(self, elements: Sequence[Any]) -> Batch:
        """Other elements with the same timestamps, and without keys."""
        return Batch(elements, self.timestamps)

    def slice(self, start: int, stop: int) -> Batch:
        """The elements from ``start`` to below ``stop``."""
        keys = None if self.keys is None else self.keys[start:stop]
        if self._arrays is not None and self.columns is not None:
            arrays, layout = self._arrays
            return Batch.of_arrays([array[start:stop] for array in arrays], layout, keys)
        return Batch(self.elements[start:stop], self.timestamps[start:stop], keys)

    def take(self, indexes: NDArray[np.int64]) -> Batch:
        """The elements at ``indexes``, in that order."""
        columns = self.columns
        if columns is not None and columns.is_deferred:
            times = self.timestamp_array()
            taken_times = times[indexes]
            keys = None if self.keys is None else taken(self.keys, indexes)
            return Batch(columns.take(indexes, [(times, taken_times)]), taken_times, keys)
        known = self.arrays()
        if known is not None:
            from windrow.elements.fields import take

            arrays, layout = known
            are_rows = self.keys is not None and layout.key_shape is None
            keys = taken(self.keys, indexes) if self.keys is not None and are_rows else None
            return Batch.of_arrays([take(array, indexes) for array in arrays], layout, keys)
        keys = None if self.keys is None else taken(self.keys, indexes)
        return Batch(taken(self.elements, indexes), self.timestamp_array()[indexes], keys)

    def kept(self, keep: Sequence[bool] | NDArray[np.bool_]) -> Batch:
        """The elements for which ``keep`` is true; itself, if it is columns and keeps all."""
        if isinstance(keep, np.ndarray) and self.columns is not None and keep.all():
            return self
        if isinstance(keep, np.ndarray) or self.columns is not None or self.key_columns is not None:
            return self.take(np.flatnonzero(keep))
        timestamps = self.timestamps
        if isinstance(timestamps, np.ndarray):
            stamps: Any = timestamps[np.fromiter(keep, np.bool_, len(keep))]
        else:
            stamps = list(compress(timestamps, keep))
        keys = None if self.keys is None else list(compress(self.keys, keep))
        return Batch(list(compress(self.elements, keep)), stamps, keys)

    def copied(self) -> Batch:
        """The same for another taker, who may change elements; keys cannot be changed."""
        return Batch(copied_elements(self.elements), self.timestamps, self.keys)

    def split(self, places: NDArray[np.int32]) -> dict[int, NDArray[np.int64] | None]:
        """The indexes of the elements that go to each place that gets some; None: all of them."""
        if not places.size:
            return {}
        first, last = int(places.min()), int(places.max())
        if first == last:
            return {first: None}
        found = {place: np.flatnonzero(places == place) for place in range(first, last + 1)}
        return {place: indexes for place, indexes in found.items() if indexes.size}

    def __repr__(self) -> str:
        keys = "" if self.keys is None else f", keys={self.keys!r}"
        return f"Batch({self.elements!r}, {self.timestamps!r}{keys})"


#: No elements.
EMPTY = Batch((), ())


def columns_of(elements: Sequence[Any] | None) -> Columns | None:
    """``elements`` if they are columns that hold what the elements are."""
    # By attribute: importing the class would import Arrow where nothing is a column.
    return elements if getattr(elements, "are_true", False) else None  # type: ignore[return-value]


def in_parts(elements: Sequence[Any], count: int = ROWS_AT_A_TIME) -> Iterator[Sequence[Any]]:
    """The elements, of columns ``count`` at a time: rows of so many stay in the processor's cache, and are gone then.

    Columns whose rows somebody could change are one part: what is done to their rows is to be seen.

    Example:
        >>> list(in_parts(["a", "b", "c"], 2))
        [['a', 'b', 'c']]
    """
    columns = columns_of(elements)
    if columns is None or not columns.untouched or not columns.shape.never_changes:
        yield elements
        return
    for start in range(0, len(columns), count):
        yield columns.part(start, start + count)


def one_by_one(elements: Sequence[Any], count: int = ROWS_AT_A_TIME) -> Iterator[Any]:
    """The elements, of columns that nobody can change each made when it is its turn: there is no list of them.

    Example:
        >>> list(one_by_one(["a", "b"]))
        ['a', 'b']
    """
    return chain.from_iterable(
        part if columns is None else columns.one_by_one()
        for part in in_parts(elements, count)
        for columns in [columns_of(part)]
    )


def taken(items: Sequence[Any], indexes: NDArray[np.int64]) -> Sequence[Any]:
    """The items at ``indexes``, in that order; of columns columns."""
    columns = columns_of(items)
    if columns is not None:
        return columns.take(indexes)
    listed = indexes.tolist()
    return [items[listed[0]]] if len(listed) == 1 else list(itemgetter(*listed)(items)) if listed else []


def copied_elements(elements: Sequence[Any]) -> Sequence[Any]:
    """Copies of elements, as :func:`~windrow.common.copies.copied_each` makes them; of columns columns."""
    if hasattr(elements, "are_true"):
        columns: Columns = elements  # type: ignore[assignment]
        return columns.copied()
    return copied_each(elements)


class Gathered:
    """Elements that wait to be one batch; columns stay columns, if all of them have one shape.

    All of them have keys, or none has.

    Example:
        >>> gathered = Gathered()
        >>> gathered.extend(Batch(["a"], [1]))
        >>> gathered.extend(Batch(["b"], [2]))
        >>> len(gathered), gathered.all().elements
        (2, ['a', 'b'])
    """

    def __init__(self) -> None:
        self._batches: list[Batch] = []
        self._count = 0
        #: Whether some of them are rows; kept, because it is asked for each batch.
        self.are_rows = False

    def __len__(self) -> int:
        return self._count

    def extend(self, batch: Batch) -> None:
        """Take elements behind the others."""
        if len(batch):
            self._count += len(batch)
            self._batches.append(batch)
            self.are_rows = self.are_rows or batch.columns is None

    def take_first(self, count: int) -> Batch:
        """Take out the first elements: so many, which have to be there.

        Example:
            >>> gathered = Gathered()
            >>> for elements in (["a", "b"], ["c", "d"]):
            ...     gathered.extend(Batch(elements, [1, 2]))
            >>> gathered.take_first(3).elements, gathered.all().elements
            (['a', 'b', 'c'], ['d'])
        """
        first, rest = Gathered(), Gathered()
        for batch in self._batches:
            room = count - len(first)
            if len(batch) <= room:
                first.extend(batch)
            else:
                first.extend(batch.slice(0, room))
                rest.extend(batch.slice(room, len(batch)))
        self._batches, self._count, self.are_rows = rest._batches, rest._count, rest.are_rows
        return first.all()

    def all(self) -> Batch:
        """All that was taken."""
        batches = self._batches
        if not batches:
            return EMPTY
        if len(batches) == 1:
            return batches[0]
        columns = self._columns()
        if columns is not None:
            return columns
        keys = None if batches[0].keys is None else [key for batch in batches for key in batch.keys or ()]
        stamps = np.concatenate([batch.timestamp_array() for batch in batches])
        return Batch([element for batch in batches for element in batch.elements], stamps, keys)

    def _columns(self) -> Batch | None:
        """All that was taken, as columns; None if they are not of one shape, or keys are rows."""
        found = [arrays for batch in self._batches if (arrays := batch.arrays()) is not None]
        if len(found) < len(self._batches) or not all(layout.is_like(found[0][1]) for _, layout in found):
            return None
        if self._batches[0].keys is not None and found[0][1].key_shape is None:
            return None
        from windrow.elements.arrays import joined

        return Batch.of_arrays(*joined(found))
