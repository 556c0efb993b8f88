"""Numbers for the keys of a subtask, so that what belongs to a key stands in lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy.typing as npt

#: With fewer keys than that nothing is gained by forgetting some.
_FEWEST_TO_FORGET = 1 << 16


class SlotFinder(Protocol):
    """Finds the slots of many keys at a time."""

    def slots_of(self, keys: Sequence[Any]) -> npt.NDArray[Any] | None:
        """The slots of ``keys``; None: they have to be looked up one by one."""


class _Slots(dict[Any, int]):
    """The slots by key; a key that has none is given one."""

    __slots__ = ("_add",)

    def __init__(self, slots: KeySlots) -> None:
        self._add = slots.add

    def __missing__(self, key: Any) -> int:
        return self._add(key)


class KeySlots:
    """The keys that a subtask has seen, each with a slot: the first one has slot 0, the next one 1, and so on.

    A dictionary of some thousand keys is three places in memory to find a value (the hash table, the key that is
    compared, the value), none of them near. Where several things are kept of a key, its slot is found once, of a whole
    column of keys by NumPy, and the rest is in lists.

    Example:
        >>> slots = KeySlots()
        >>> sums = slots.new_list()
        >>> slots.slot_of("a"), list(slots.slots_of(["b", "a", "c"]))
        (0, [1, 0, 2])
        >>> sums
        [None, None, None]
    """

    __slots__ = ("_fewest_to_forget", "_lists", "_slots", "are_used", "finder", "keys", "slot_of")

    def __init__(self) -> None:
        #: The keys, by slot.
        self.keys: list[Any] = []
        #: What finds the slots of columns; whoever has such keys sets it. It is gone when slots become others.
        self.finder: SlotFinder | None = None
        self._slots = _Slots(self)
        #: Gives the slot of a key.
        self.slot_of: Callable[[Any], int] = self._slots.__getitem__
        self._lists: list[list[Any]] = []
        #: Whether there is a list.
        self.are_used = False
        self._fewest_to_forget = _FEWEST_TO_FORGET

    def __len__(self) -> int:
        return len(self.keys)

    def slots_of(self, keys: Iterable[Any]) -> Iterable[int]:
        """The slot of each key, looked up when it is its turn."""
        return map(self.slot_of, keys)

    def add(self, key: Any) -> int:
        """Give a slot to a key that has none."""
        slot = self._slots[key] = len(self.keys)
        self.keys.append(key)
        for values in self._lists:
            values.append(None)
        return slot

    def new_list(self) -> list[Any]:
        """A list with None for each slot, now and when there are more."""
        values: list[Any] = [None] * len(self.keys)
        self._lists.append(values)
        self.are_used = True
        return values

    def drop_list(self, values: list[Any]) -> None:
        """Be done with a list."""
        self._lists = [each for each in self._lists if each is not values]
        self.are_used = bool(self._lists)

    def clear(self) -> None:
        """Forget all keys, and all lists."""
        self.keys, self.finder = [], None
        self._slots.clear()
        self._lists, self.are_used = [], False
        self._fewest_to_forget = _FEWEST_TO_FORGET

    def forget_some(self) -> bool:
        """Forget keys with nothing in any list if these are most; True if so: then the others have other slots.

        It is looked for when there are twice as many keys as there were left the last time: a key costs the same,
        however many come.
        """
        if len(self.keys) < self._fewest_to_forget:
            return False
        # At least one that is not None; where there are no lists all go.
        kept = [slot for slot, values in enumerate(zip(*self._lists)) if values.count(None) < len(values)]  # noqa: B905
        self._fewest_to_forget = max(_FEWEST_TO_FORGET, 2 * len(kept))
        if 2 * len(kept) > len(self.keys):
            return False
        for values in self._lists:
            values[:] = [values[slot] for slot in kept]
        self.keys = [self.keys[slot] for slot in kept]
        self._slots.clear()
        self._slots.update(zip(self.keys, range(len(kept)), strict=True))
        self.finder = None
        return True
