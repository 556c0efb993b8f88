"""The elements of one side of an interval join, per key, ordered by timestamp and then by arrival.

A short buffer is in its key's entry. A long one is cut into leaves, as in a B-tree, and its key's entry holds only
their index: each leaf is the entry of a *state key* of its own, so that a batch reads and writes the pages of the
leaves it touches and not all that a key has buffered. A leaf may hold as many elements as the index has leaves, so
neither outgrows the square root of the buffer by much.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from windrow.common.limits import LONG_MAX
from windrow.state.keyed import Entry, KeyedState
from windrow.state.keys import KeyPart

#: Timestamps in order, and the elements in the same order.
Elements: TypeAlias = tuple[list[int], list[Any]]

#: A leaf of less than this many elements is not split. Keys with short buffers are many, and cheapest in one piece.
LEAF_ELEMENTS = 128
_LEAF_SLOT = ("elements", None)
_NOTHING: tuple[Sequence[int], Sequence[Any]] = ((), ())


@dataclass(frozen=True)
class LeafKey(KeyPart):
    """The state key of a leaf. It is a class of its own to differ from every key of a user."""

    key: Any
    side: str
    leaf: int


@dataclass(slots=True)
class LeafIndex:
    """The entry of a key with a long buffer: where its leaves are.

    Between two leaves of the same timestamp elements arrive in the later one, so order within a timestamp is kept.
    """

    #: For each leaf a timestamp that none of its elements is below: in order; the first is the least of all.
    starts: list[int]
    leaves: list[int]
    #: Numbers of leaves that were emptied. They are used again, so that the pages of leaves stay the same ones.
    free: list[int]


class ElementBuffer:
    """The buffer of one side, for whichever key is the current one.

    Each key's earliest element has an event-time timer, whose namespace is the side, for the time it can be dropped.

    Args:
        state: Keyed state of the operator.
        side: The buffer's name in the state.
        retention: How long after its timestamp an element is kept, in milliseconds, not negative.
    """

    def __init__(self, state: KeyedState, side: str, retention: int) -> None:
        self._state = state
        self._side = side
        self._slot = (side, None)
        self._retention = retention

    def add(self, timestamp: int, value: Any) -> None:
        """Put an element behind those of the same timestamp."""
        entry = self._state.entry
        held = entry.get(self._slot)
        if held is None:
            entry[self._slot] = [timestamp], [value]
            self.set_timer(timestamp)
            return
        if type(held) is LeafIndex:
            self._add_to_leaf(held, timestamp, value)
            return
        times = held[0]
        earliest = times[0]
        insert(held, timestamp, value)
        if timestamp < earliest:
            self.move_timer(earliest, timestamp)
        if len(times) > LEAF_ELEMENTS:
            entry[self._slot] = index = LeafIndex([times[0]], [0], [])
            self._leaf(0)[_LEAF_SLOT] = held
            self._split(index, 0, held)

    def between(self, lower: int, upper: int) -> tuple[Sequence[int], Sequence[Any]]:
        """Timestamps and elements from ``lower`` to ``upper``, both included, in order."""
        held = self._state.entry.get(self._slot)
        if held is None:
            return _NOTHING
        if type(held) is LeafIndex:
            return self._between_leaves(held, lower, upper)
        times, values = held
        if times[-1] < lower or times[0] > upper:
            return _NOTHING
        start, end = bisect_left(times, lower), bisect_right(times, upper)
        return times[start:end], values[start:end]

    def expire(self, watermark: int) -> None:
        """Drop what needs not be kept at this watermark, and set the timer of what is earliest then."""
        limit = self.limit(watermark)
        entry = self._state.entry
        held = entry[self._slot]
        if type(held) is LeafIndex:
            self._expire_leaves(held, limit)
            times = held.starts
        else:
            times = held[0]
            drop(held, limit)
        if times:
            self.set_timer(times[0])
        else:
            del entry[self._slot]

    def limit(self, watermark: int) -> int:
        """The largest timestamp of elements that need not be kept at this watermark."""
        # A time of removal beyond 2^63-1 is 2^63-1: the last watermark drops all.
        return LONG_MAX if watermark == LONG_MAX else watermark - self._retention

    def held(self) -> Elements | LeafIndex | None:
        """Give what the current key's entry has of this side: a short buffer, the index of a long one, or None."""
        held: Elements | LeafIndex | None = self._state.entry.get(self._slot)
        return held

    def clear(self, times: Sequence[int]) -> None:
        """Forget the current key's short buffer, which has elements of these times, and its timer."""
        state = self._state
        state.remove(self._side)
        if times:
            state.event_timers.delete(min(times[0] + self._retention, LONG_MAX), state.current_key, self._side)

    def timestamps(self) -> list[int]:
        """The timestamps of all that is buffered."""
        return list(self.between(-LONG_MAX - 1, LONG_MAX)[0])

    # Leaves

    def _leaf(self, leaf: int) -> Entry:
        return self._state.entry_of(LeafKey(self._state.current_key, self._side, leaf))

    def _elements(self, leaf: int) -> Elements:
        elements: Elements = self._leaf(leaf)[_LEAF_SLOT]
        return elements

    def _add_to_leaf(self, index: LeafIndex, timestamp: int, value: Any) -> None:
        starts = index.starts
        at = bisect_right(starts, timestamp) - 1
        if at < 0:
            at = 0
            self.move_timer(starts[0], timestamp)
            starts[0] = timestamp
        elements = self._elements(index.leaves[at])
        insert(elements, timestamp, value)
        if len(elements[0]) > max(LEAF_ELEMENTS, 4 * len(starts)):
            self._split(index, at, elements)

    def _split(self, index: LeafIndex, at: int, elements: Elements) -> None:
        times, values = elements
        # Time goes forward: behind the end of the last leaf a new one begins, and what is full stays full.
        middle = len(times) - 1 if at == len(index.starts) - 1 else len(times) // 2
        leaf = index.free.pop() if index.free else len(index.leaves)
        self._leaf(leaf)[_LEAF_SLOT] = times[middle:], values[middle:]
        index.starts.insert(at + 1, times[middle])
        index.leaves.insert(at + 1, leaf)
        del times[middle:], values[middle:]

    def _between_leaves(self, index: LeafIndex, lower: int, upper: int) -> tuple[Sequence[int], Sequence[Any]]:
        starts = index.starts
        # The leaf before the first that starts at ``lower`` may end with elements of that time.
        first = max(0, bisect_left(starts, lower) - 1)
        last = bisect_right(starts, upper)
        found_times: list[int] = []
        found_values: list[Any] = []
        for leaf in index.leaves[first:last]:
            times, values = self._elements(leaf)
            start, end = bisect_left(times, lower), bisect_right(times, upper)
            if start < end:
                found_times += times[start:end]
                found_values += values[start:end]
        return found_times, found_values

    def _expire_leaves(self, index: LeafIndex, limit: int) -> None:
        starts, leaves = index.starts, index.leaves
        emptied = 0
        for leaf in leaves[: bisect_right(starts, limit)]:
            elements = self._elements(leaf)
            drop(elements, limit)
            if elements[0]:
                starts[emptied] = elements[0][0]
                break
            self._leaf(leaf).clear()
            emptied += 1
        index.free += leaves[:emptied]
        del starts[:emptied], leaves[:emptied]

    # Timers

    def set_timer(self, earliest: int) -> None:
        """Set the current key's timer: for the time at which an element of this timestamp can be dropped."""
        state = self._state
        state.event_timers.register(min(earliest + self._retention, LONG_MAX), state.current_key, self._side)

    def move_timer(self, earliest_before: int, earliest: int) -> None:
        """Set the current key's timer anew: an element is earlier than the one that was the earliest."""
        state = self._state
        time_before = min(earliest_before + self._retention, LONG_MAX)
        state.event_timers.delete(time_before, state.current_key, self._side)
        self.set_timer(earliest)


def insert(elements: Elements, timestamp: int, value: Any) -> None:
    """Put an element behind those of the same timestamp."""
    times, values = elements
    if timestamp >= times[-1]:
        times.append(timestamp)
        values.append(value)
    else:
        at = bisect_right(times, timestamp)
        times.insert(at, timestamp)
        values.insert(at, value)


def drop(elements: Elements, limit: int) -> None:
    """Remove the elements up to a timestamp."""
    times, values = elements
    end = bisect_right(times, limit)
    del times[:end], values[:end]
