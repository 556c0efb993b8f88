"""Elements of a table in an error of the user's function that was called with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windrow.errors import shorten


class ShownTable:
    """Stands for the elements of a table, where an error names one element.

    Example:
        >>> ShownTable([5, 6])
        (a table of 2 elements, the first of them 5)
    """

    def __init__(self, elements: Sequence[Any]) -> None:
        self._elements = elements

    def __repr__(self) -> str:
        count, first = len(self._elements), shorten(next(iter(self._elements[:1])), 150)
        return f"(a table of {count} elements, the first of them {first})" if count > 1 else f"(a table of {first})"
