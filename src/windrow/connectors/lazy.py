"""Elements that become Python objects when somebody looks at them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any


class LazyElements(Sequence[Any]):
    """Elements of a source in the form in which they were read, columns of Arrow say.

    What only counts, cuts or moves elements leaves them as they are. Iterating or indexing makes objects of all of
    them, once: whoever looks later sees the same objects.
    """

    @property
    @abstractmethod
    def untouched(self) -> bool:
        """Whether nobody has looked at the elements yet."""

    @abstractmethod
    def take(self, indexes: Sequence[int]) -> Sequence[Any]:
        """The elements at ``indexes``, in that order."""

    @abstractmethod
    def joined(self, others: Sequence[Sequence[Any]]) -> Sequence[Any]:
        """These elements and then those of ``others``."""
