"""Elements that become Python objects when somebody looks at them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from windrow.common.copies import copied_each


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
    def copied(self) -> Sequence[Any]:
        """The elements for another taker, who may change them; itself, if none of them can change."""

    @abstractmethod
    def joined(self, others: Sequence[Sequence[Any]]) -> Sequence[Any]:
        """These elements and then those of ``others``."""


def copied_elements(values: Sequence[Any]) -> Sequence[Any]:
    """Copies of elements, as :func:`~windrow.common.copies.copied_each` makes them; of lazy ones lazy ones."""
    return values.copied() if isinstance(values, LazyElements) else copied_each(values)
