"""The interface of join functions that compute many pairs at once, as columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.elements.columns import Columns
    from windrow.elements.shape import Shape
    from windrow.operators.interval_join.growing import Longs
    from windrow.operators.interval_join.pair_function import PairColumns


class ColumnPairs(ABC):
    """Computes many pairs at once; what it gives for one by one is the same."""

    @property
    @abstractmethod
    def result_shape(self) -> Shape:
        """The shape of the results."""

    @abstractmethod
    def of_columns(self, pairs: PairColumns) -> tuple[Columns, Longs]:
        """The results of pairs, in their order, and the timestamps of results."""
