"""Combining elements before the exchange in front of an operator that would combine them behind it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from windrow.elements.batch import Batch
    from windrow.elements.shape import Shape


class WatermarkAt(NamedTuple):
    """A watermark, and how many elements of a batch stand before it."""

    position: int
    watermark: int


class Combined(NamedTuple):
    """Elements in place of others."""

    batch: Batch
    #: The place of each among those before, in order.
    places: NDArray[np.int64]


class LocalAggregate(Protocol):
    """Combines elements of one key; whoever gets what is left of them finds the same results.

    Flink's Table API calls it so, and does it where a query's ``table.optimizer.agg-phase-strategy`` says so.
    """

    def takes(self, shape: Shape, key: Shape, are_key: Collection[int]) -> bool:
        """Tell whether elements of this shape can be combined.

        Args:
            shape: What an element is made of.
            key: What a key is made of.
            are_key: The fields of an element that are its key.
        """

    def shape_of(self, shape: Shape) -> Shape:
        """The shape of what elements of this shape, which it takes, come to."""

    def combined(self, batch: Batch, watermarks: Sequence[WatermarkAt]) -> Combined | None:
        """Combine the elements of a batch; None: each of them has to cross the exchange.

        Args:
            batch: Elements and keys, both as columns.
            watermarks: Those of the channel: what it had before the batch, at place 0, and what it has behind each
                control event that stands in it. The receiver's watermark is not beyond them.
        """
