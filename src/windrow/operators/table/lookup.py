"""The interface by which a lookup join asks for the rows of keys."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, TypeAlias

#: The values of the columns that are looked up, none of which is NULL.
Key: TypeAlias = tuple[Any, ...]
#: The values of the table's columns.
Values: TypeAlias = tuple[Any, ...]


class Lookup(ABC):
    """Finds rows of a table by some of its columns; it is pickled, and used by one subtask after it was opened."""

    def open(self) -> None:  # noqa: B027  (not every one has something to open)
        """Prepare to be asked."""

    def close(self) -> None:  # noqa: B027
        """It is not asked any more."""

    @abstractmethod
    def rows(self, keys: Sequence[Key]) -> Sequence[Sequence[Values]]:
        """The rows of each of some keys, which differ."""
