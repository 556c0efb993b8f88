"""The values of one state by key, in memory: found by the key alone, without the key's entry."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeAlias

#: A state's name and its namespace.
Slot: TypeAlias = tuple[str, Hashable]
EntryOf: TypeAlias = Callable[[Any], dict[Any, Any]]


class ValueTable:
    """The values that all keys have of a state, or None where their entries hold them.

    To find a value in a key's entry takes the dictionary of entries, the entry, what it holds, and the value: each is
    somewhere else in memory, and with some thousand keys none of them is near. A table takes one step, and a key that
    has nothing else needs no entry.
    """

    __slots__ = ("values",)

    def __init__(self) -> None:
        self.values: dict[Any, Any] | None = None


class ValueTables:
    """The tables of an operator's states.

    Example:
        >>> tables, entries = ValueTables(), {}
        >>> table = tables.table_of(("sum", None))
        >>> tables.hold_values(True)
        >>> table.values["a"] = 1
        >>> tables.move_to(lambda key: entries.setdefault(key, {}))
        >>> entries, table.values
        ({'a': {('sum', None): 1}}, None)
    """

    __slots__ = ("_hold_values", "_left_out", "_tables")

    def __init__(self) -> None:
        self._tables: dict[Slot, ValueTable] = {}
        self._hold_values = False
        self._left_out: set[Slot] = set()

    def table_of(self, slot: Slot) -> ValueTable:
        """The one table of a state."""
        table = self._tables.get(slot)
        if table is None:
            table = self._tables[slot] = ValueTable()
            table.values = self._empty(slot)
        return table

    def hold_values(self, hold: bool) -> None:
        """Forget all values; from now on tables hold them, or entries do."""
        self._hold_values = hold
        self.clear()

    def clear(self) -> None:
        """Forget all values."""
        for slot, table in self._tables.items():
            table.values = self._empty(slot)

    def move_to(self, entry_of: EntryOf) -> None:
        """Let keys' entries hold what tables hold."""
        self._hold_values = False
        for slot in self._tables:
            self._move(slot, entry_of)

    def leave_out(self, slot: Slot, entry_of: EntryOf) -> None:
        """Let keys' entries hold the values of a state from now on, and whatever else belongs to them."""
        self._left_out.add(slot)
        self._move(slot, entry_of)

    def _move(self, slot: Slot, entry_of: EntryOf) -> None:
        table = self.table_of(slot)
        values, table.values = table.values, None
        for key, value in (values or {}).items():
            entry_of(key)[slot] = value

    def _empty(self, slot: Slot) -> dict[Any, Any] | None:
        return {} if self._hold_values and slot not in self._left_out else None

    def hold_any(self) -> bool:
        """Whether a key has a value in one of them."""
        return any(table.values for table in self._tables.values())

    def hold_all(self, states: Iterable[tuple[str, bool]]) -> bool:
        """Whether all these states, by name and whether they are in no namespace, are in tables."""
        return self._hold_values and all(is_alone and self._holds((name, None)) for name, is_alone in states)

    def _holds(self, slot: Slot) -> bool:
        table = self._tables.get(slot)
        return table is not None and table.values is not None
