"""Elements of windows that wait, as columns, until somebody needs to know them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from windrow.elements.batch import Batch, Gathered
from windrow.operators.window.kept_pane import Longs

if TYPE_CHECKING:
    from windrow.elements.columns import Columns


class _Alike(NamedTuple):
    """Batches whose elements are columns of one shape, and keys as well."""

    elements: Columns
    keys: Columns
    batches: Gathered
    #: How many elements have come in front of each batch, and how many it has.
    spans: list[tuple[int, int]]


class WaitingElements:
    """Batches of columns in the order in which they come, those of one shape together.

    Example:
        >>> from windrow.elements.columns import Columns
        >>> from windrow.elements.shape import LONG
        >>> numbers = Columns.of(LONG, [np.array([7, 8])])
        >>> waiting = WaitingElements()
        >>> for _ in range(2):
        ...     waiting.extend(Batch(numbers, [1, 2], numbers))
        >>> [(list(batch.elements), places.tolist()) for batch, places in waiting.alike(10)]
        [([7, 8, 7, 8], [10, 11, 13, 14])]
    """

    def __init__(self) -> None:
        self._batches: list[Batch] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def extend(self, batch: Batch) -> None:
        """Take a batch whose elements and keys are columns."""
        self._batches.append(batch)
        self._count += len(batch)

    @property
    def batches(self) -> list[Batch]:
        """The batches taken so far, in the order of arrival."""
        return self._batches

    @property
    def places(self) -> int:
        """The number of places in the order of arrival that they take: one is left out behind each batch."""
        return self._count + len(self._batches)

    def alike(self, first: int) -> Iterator[tuple[Batch, Longs]]:
        """The elements of each shape, and their places in the order of arrival, of which ``first`` is the first."""
        groups: list[_Alike] = []
        begin = first
        for batch in self._batches:
            columns, keys = batch.columns, batch.key_columns
            assert columns is not None, "elements are columns"
            assert keys is not None, "keys are columns"
            found = next((one for one in groups if columns.is_like(one.elements) and keys.is_like(one.keys)), None)
            if found is None:
                found = _Alike(columns, keys, Gathered(), [])
                groups.append(found)
            found.batches.extend(batch)
            found.spans.append((begin, len(batch)))
            begin += len(batch) + 1
        for group in groups:
            begins, counts = (np.array(column) for column in zip(*group.spans, strict=True))
            behind = np.cumsum(counts)
            yield group.batches.all(), np.repeat(begins - (behind - counts), counts) + np.arange(behind[-1])
