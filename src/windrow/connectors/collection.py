"""A source of the elements of a Python collection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from windrow.common.copies import copied_each
from windrow.connectors.iterator_source import IteratorSource, SourceBatch, SplitPart

if TYPE_CHECKING:
    from windrow.elements.columns import Columns
    from windrow.elements.shape import Shape

#: A split holds so many elements at most: what a runtime hands to a worker stays small.
ELEMENTS_PER_SPLIT = 1 << 16


#: Fewer elements stay rows: a small job starts without Arrow, which imports pandas.
FEWEST_COLUMNS = 256


def _columns(values: Sequence[Any]) -> Columns | None:
    if len(values) < FEWEST_COLUMNS:
        return None
    from windrow.elements.inference import columns_from

    return columns_from(values)


class CollectionSplit(SplitPart):
    """Some consecutive elements."""

    def __init__(self, values: Sequence[Any]) -> None:
        self._values = values

    @property
    def values(self) -> Sequence[Any]:
        """The elements as they were given; those of :meth:`read` are copies."""
        return self._values

    def read(self) -> Iterator[SourceBatch]:
        # What a job does to elements is not to be seen by whoever gave them, nor by another run.
        columns = _columns(self._values)
        yield SourceBatch(copied_each(self._values) if columns is None else columns)

    def cut(self, elements: int) -> list[SplitPart]:
        values = self._values
        return [CollectionSplit(values[start : start + elements]) for start in range(0, len(values), elements)]


class CollectionSource(IteratorSource):
    """The elements of a collection, in order, in one channel.

    Example:
        >>> [list(batch.values) for (split,) in CollectionSource([1, 2]).plan(4) for batch in split.read()]
        [[1, 2]]
    """

    def __init__(self, elements: Sequence[Any]) -> None:
        self._elements = elements

    def produced_shape(self) -> Shape | None:
        columns = _columns(self._elements[:ELEMENTS_PER_SPLIT])
        return None if columns is None else columns.shape

    def sample(self) -> Sequence[Any]:
        """Some elements, by which their classes are known."""
        return self._elements[:ELEMENTS_PER_SPLIT]

    def channels(self, parallelism: int) -> int:
        return 1

    def plan(self, parallelism: int) -> list[list[SplitPart]]:
        elements, size = self._elements, ELEMENTS_PER_SPLIT
        return [[CollectionSplit(elements[start : start + size]) for start in range(0, len(elements), size)]]
