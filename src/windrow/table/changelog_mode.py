"""The kinds of rows that a table takes or gives."""

from __future__ import annotations

from collections.abc import Iterable

from windrow.common.types import RowKind
from windrow.table.data_types import TinyIntType

#: The type of the field behind a row's columns that says what kind it has: the value of a :class:`RowKind`.
ROW_KIND = TinyIntType(False)


class ChangelogMode:
    """The kinds of rows of a changelog (Flink's and PyFlink's class of the same name).

    Example:
        >>> ChangelogMode.upsert()
        ChangelogMode[+I, +U, -D]
        >>> ChangelogMode.insert_only().contains(RowKind.DELETE)
        False
    """

    def __init__(self, kinds: Iterable[RowKind]) -> None:
        self._kinds = frozenset(kinds)

    @staticmethod
    def insert_only() -> ChangelogMode:
        """Rows are added, and stay."""
        return ChangelogMode([RowKind.INSERT])

    @staticmethod
    def upsert() -> ChangelogMode:
        """A row takes the place of the one with the same key; no row says what was there before."""
        return ChangelogMode([RowKind.INSERT, RowKind.UPDATE_AFTER, RowKind.DELETE])

    @staticmethod
    def all() -> ChangelogMode:
        """All kinds."""
        return ChangelogMode(RowKind)

    def contains(self, kind: RowKind) -> bool:
        """Tell whether there are rows of a kind."""
        return kind in self._kinds

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChangelogMode) and other._kinds == self._kinds

    def __hash__(self) -> int:
        return hash(self._kinds)

    def __repr__(self) -> str:
        return f"ChangelogMode[{', '.join(str(kind) for kind in RowKind if kind in self._kinds)}]"
