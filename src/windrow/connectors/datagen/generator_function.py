"""Makes the elements of a data generator source."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

from windrow.connectors.source import SourceReaderContext


class GeneratorFunction:
    """Makes an element of each number (Flink's ``org.apache.flink.connector.datagen.source.GeneratorFunction``).

    It should give the same element for the same number: a batch that is run again calls it again.

    Example:
        >>> class Squares(GeneratorFunction):
        ...     def map(self, value):
        ...         return value * value
        >>> Squares().map(3)
        9
    """

    def open(self, reader_context: SourceReaderContext) -> None:
        """Called once in each reader, before the first element."""

    def close(self) -> None:
        """Called when the reader is not needed any more."""

    @abstractmethod
    def map(self, value: int) -> Any:
        """The element of the number ``value``, which counts from 0."""


#: A generator function, or a plain callable that takes the number.
Generator: TypeAlias = GeneratorFunction | Callable[[int], Any]
