"""Timers of one time by the slots of their keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import length_hint
from typing import Any


class SlotTimers:
    """Timers of one time without a namespace, in the order of their registration.

    Most timers are registered again by each element of a key. To find that out takes one place in memory here; in a
    dictionary by key it takes several, none of them near.

    Args:
        registered: The timers that are there: the slot of the key, and the key as it was given.

    Example:
        >>> timers = SlotTimers([(0, "a")])
        >>> timers.add(2, "c"), timers.add(1, "b"), timers.remove(2), timers.add(2, "c"), len(timers)
        (None, None, None, None, 3)
        >>> list(timers.firing()), timers.known
        ([(0, 'a'), (1, 'b'), (2, 'c')], [False, False, False])
    """

    __slots__ = ("_keys", "_keys_left", "_left", "_registered", "_removed", "known")

    def __init__(self, registered: Iterable[tuple[int, Any]]) -> None:
        self._registered: list[int] = []
        self._keys: list[Any] = []
        #: What has not fired yet: it sees what is added.
        self._left, self._keys_left = iter(self._registered), iter(self._keys)
        #: For each slot whether its timer is there; there may be more slots since.
        self.known: list[bool] = []
        #: How often a slot stands among them whose timer was deleted, in front of where it was registered anew.
        self._removed: dict[int, int] = {}
        for slot, key in registered:
            self.add(slot, key)

    def __len__(self) -> int:
        return length_hint(self._left) - sum(self._removed.values())

    def add(self, slot: int, key: Any) -> None:
        """Register a timer that is not there: whoever does looks at :attr:`known` first."""
        if slot >= len(self.known):
            self.known += [False] * (slot + 1 - len(self.known))
        self.known[slot] = True
        self._registered.append(slot)
        self._keys.append(key)

    def remove(self, slot: int) -> None:
        """Delete a timer, if it is there."""
        if slot < len(self.known) and self.known[slot]:
            self.known[slot] = False
            self._removed[slot] = self._removed.get(slot, 0) + 1

    def firing(self) -> Iterator[tuple[int, Any]]:
        """Take out timers one by one; those that come or go in between count as they are then."""
        known, removed = self.known, self._removed
        # Of both one is taken where there is one: the second is not asked where the first is at its end.
        for slot, key in zip(self._left, self._keys_left, strict=False):
            if slot in removed:
                left = removed.pop(slot) - 1
                if left:
                    removed[slot] = left
                continue
            known[slot] = False
            yield slot, key
