"""The values of one state, in memory: found by the key's slot, without the key's entry."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Protocol, TypeAlias
from weakref import WeakSet

from windrow.state.key_slots import KeySlots

#: A state's name and its namespace.
Slot: TypeAlias = tuple[str, Hashable]
EntryOf: TypeAlias = Callable[[Any], dict[Any, Any]]


class Looking(Protocol):
    """A reader and writer of a state's values, which is told where they are."""

    def look_at(self, values: list[Any] | None, *, may_change: bool) -> None:
        """Look for values in this list, by slot, or in entries (None); there may be some that can be changed."""


class ValueTable:
    """The values that all keys have of a state, or None where their entries hold them.

    To find a value in a key's entry takes the dictionary of entries, the entry, what it holds, and the value: each is
    somewhere else in memory, and with some thousand keys none of them is near. A table takes one step, and a key that
    has nothing else needs no entry.
    """

    __slots__ = ("_may_change", "_views", "values")

    def __init__(self) -> None:
        #: By slot; None is no value.
        self.values: list[Any] | None = None
        #: Whether one of them may be of a kind that can be changed.
        self._may_change = False
        self._views: WeakSet[Looking] = WeakSet()

    def add_view(self, view: Looking) -> None:
        """Tell somebody where values are, now and when that changes."""
        self._views.add(view)
        view.look_at(self.values, may_change=self._may_change)

    def hold(self, values: list[Any] | None) -> None:
        """Have other values."""
        self.values, self._may_change = values, False
        self._tell()

    def let_change(self) -> None:
        """From now on there are values that can be changed."""
        self._may_change = True
        self._tell()

    def _tell(self) -> None:
        for view in self._views:
            view.look_at(self.values, may_change=self._may_change)


class ValueTables:
    """The tables of an operator's states.

    Example:
        >>> tables, entries = ValueTables(), {}
        >>> table = tables.table_of(("sum", None))
        >>> tables.hold_values(True)
        >>> table.values[tables.slots.slot_of("a")] = 1
        >>> tables.move_to(lambda key: entries.setdefault(key, {}))
        >>> entries, table.values
        ({'a': {('sum', None): 1}}, None)
    """

    __slots__ = ("_hold_values", "_left_out", "_tables", "slots")

    def __init__(self) -> None:
        #: The slots of keys.
        self.slots = KeySlots()
        self._tables: dict[Slot, ValueTable] = {}
        self._hold_values = False
        self._left_out: set[Slot] = set()

    def table_of(self, slot: Slot) -> ValueTable:
        """The one table of a state."""
        table = self._tables.get(slot)
        if table is None:
            table = self._tables[slot] = ValueTable()
            table.hold(self._empty(slot))
        return table

    def hold_values(self, hold: bool) -> None:
        """Forget all values; from now on tables hold them, or entries do."""
        self._hold_values = hold
        self.clear()

    def clear(self) -> None:
        """Forget all values, and the slots of keys."""
        self.slots.clear()
        for slot, table in self._tables.items():
            table.hold(self._empty(slot))

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
        values = table.values
        table.hold(None)
        if values is not None:
            self.slots.drop_list(values)
            for key, value in zip(self.slots.keys, values, strict=True):
                if value is not None:
                    entry_of(key)[slot] = value

    def _empty(self, slot: Slot) -> list[Any] | None:
        return self.slots.new_list() if self._hold_values and slot not in self._left_out else None

    def hold_any(self) -> bool:
        """Tell whether any key has a value in any table."""
        return any(value is not None for table in self._tables.values() for value in table.values or ())

    def hold_all(self, states: Iterable[tuple[str, bool]]) -> bool:
        """Tell whether tables hold all these states: each a name, and whether it is in no namespace."""
        return self._hold_values and all(is_alone and self._holds((name, None)) for name, is_alone in states)

    def _holds(self, slot: Slot) -> bool:
        table = self._tables.get(slot)
        return table is not None and table.values is not None
