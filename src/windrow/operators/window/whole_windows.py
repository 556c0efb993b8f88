"""Window functions that are computed for all keys of a window together, where its elements are columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from windrow.datastream.functions import ProcessWindowFunction
from windrow.elements.batch import Batch
from windrow.operators.window.kept_pane import Longs, Objects

if TYPE_CHECKING:
    from windrow.elements.columns import Columns
    from windrow.elements.shape import Shape

    #: What a window holds: places in the order of arrival, slots of keys, elements.
    Chunks: TypeAlias = Sequence[tuple[Longs, Longs, Objects | Columns]]


class WindowColumns(ABC):
    """Computes what a function gives for a window."""

    @abstractmethod
    def takes(self, shape: Shape) -> bool:
        """Tell whether elements of this shape are to be kept as columns."""

    @abstractmethod
    def results(self, chunks: Chunks, timestamp: int) -> Batch | None:
        """The results of a window, key by key as these came; None: the function has to be called for each key."""


class WholeWindowFunction(ProcessWindowFunction[Any, Any, Any, Any]):
    """A function that says itself how it is computed."""

    @abstractmethod
    def on_columns(self) -> WindowColumns:
        """Give what computes the function for a whole window of columns."""

    @abstractmethod
    def shape(self) -> Shape:
        """Give the shape of the results."""
