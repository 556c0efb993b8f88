"""Timers of one time domain, in the order in which they fire."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from operator import itemgetter
from typing import Any, TypeAlias

from windrow.state.key_slots import KeySlots
from windrow.state.slot_timers import SlotTimers

#: A time, a key and a namespace.
Timer: TypeAlias = tuple[int, Any, Hashable]
#: The same, and the slot of the key, where it is known.
FiringTimer: TypeAlias = tuple[int, Any, Hashable, int | None]
#: The numbers of the registrations for one time, by key; by key and namespace where there is one.
Bucket: TypeAlias = dict[Any, int]

#: Stands behind key and namespace in a bucket: no key of a user's is such a tuple.
_SPACED = object()
_by_number = itemgetter(1)


class TimerQueue:
    """Timers, taken out in the order of their time, then of their registration; registering one twice is once.

    Most timers have their time in common with others (the end of a window, a full minute), so they are held by time:
    to look for one that is there makes no object.

    Example:
        >>> timers = TimerQueue()
        >>> timers.register(20, "a", None), timers.register(10, "b", None), timers.register(20, "a", None)
        (None, None, None)
        >>> timers.pop_due(20), timers.pop_due(20), timers.pop_due(20)
        ((10, 'b', None), (20, 'a', None), None)
    """

    __slots__ = ("_order", "_times", "_unordered", "buckets", "by_slot", "closed", "next_sequence")

    def __init__(self) -> None:
        #: Registering does nothing while set: at the end of a BATCH job.
        self.closed = False
        #: Gives the number of the next registration; operators that keep timers of their own number them along.
        self.next_sequence: Callable[[], int] = count().__next__
        #: By time, in the order of registration; a key without a namespace stands for itself.
        self.buckets: dict[int, Bucket] = {}
        #: The same of times that have many timers, by the slots of keys; what is here is not there.
        self.by_slot: dict[int, SlotTimers] = {}
        #: The times that have a bucket, or had one, as a heap.
        self._times: list[int] = []
        #: Of times that fire: what is left of their timers, the first of them at the end. Others may have come since.
        self._order: dict[int, list[tuple[Any, int]]] = {}
        #: Times of which timers are not in the order of their numbers.
        self._unordered: set[int] = set()

    def __len__(self) -> int:
        return sum(map(len, self.buckets.values())) + sum(map(len, self.by_slot.values()))

    def __iter__(self) -> Iterator[Timer]:
        """All pending timers, in firing order."""
        self.forget_slots()
        for time in sorted(self.buckets):
            for token, _ in self._in_order(time):
                yield time, *_parts(token)

    def by_key(self) -> dict[Any, list[tuple[int, Hashable]]]:
        """All pending timers as ``(time, namespace)`` by key, each key's in firing order."""
        found: dict[Any, list[tuple[int, Hashable]]] = {}
        for time, key, namespace in self:
            found.setdefault(key, []).append((time, namespace))
        return found

    def clear(self) -> None:
        self.buckets.clear()
        self.by_slot.clear()
        self._times.clear()
        self._order.clear()
        self._unordered.clear()

    def register(self, time: int, key: Any, namespace: Hashable) -> None:
        token = key if namespace is None else (key, namespace, _SPACED)
        if self.closed:
            return
        if time in self.by_slot:
            self._forget_slots_of(time)
        bucket = self.buckets.get(time)
        if bucket is None:
            self.buckets[time] = {token: self.next_sequence()}
            heappush(self._times, time)
        elif token not in bucket:
            bucket[token] = self.next_sequence()

    def register_each(self, time: int, keys: Iterable[Any], namespace: Hashable) -> None:
        """Register a timer for each of many keys, in their order."""
        if self.closed:
            return
        bucket, next_sequence = self._bucket(time), self.next_sequence
        for token in keys if namespace is None else [(key, namespace, _SPACED) for key in keys]:
            if token not in bucket:
                bucket[token] = next_sequence()

    def take(self, time: int, key: Any, namespace: Hashable) -> int | None:
        """Delete a timer and return the number of its registration; None if there is no such timer."""
        if time in self.by_slot:
            self._forget_slots_of(time)
        bucket = self.buckets.get(time)
        if bucket is None:
            return None
        number = bucket.pop(_token(key, namespace), None)
        if not bucket:
            self._drop(time)  # an empty bucket is as large as one with some timers
        return number

    def put_back(self, time: int, key: Any, namespace: Hashable, sequence: int) -> None:
        """Register a timer as if it had been registered when :attr:`next_sequence` gave ``sequence``."""
        self._bucket(time)[_token(key, namespace)] = sequence
        self._unordered.add(time)
        self._order.pop(time, []).clear()  # who fires them looks again

    def delete(self, time: int, key: Any, namespace: Hashable) -> None:
        self.take(time, key, namespace)

    def has(self, time: int, key: Any, namespace: Hashable) -> bool:
        """Tell whether this timer is pending: registered, and neither fired nor deleted."""
        self._forget_slots_of(time)
        return _token(key, namespace) in self.buckets.get(time, ())

    def next_time(self) -> int | None:
        """The time of the earliest pending timer, or None."""
        times = self._times
        while times:
            time = times[0]
            bucket = self.by_slot.get(time) or self.buckets.get(time)
            if bucket:
                return time
            heappop(times)
            self._drop(time)
        return None

    def next_due(self, limit: int) -> Timer | None:
        """The earliest timer if its time is at most ``limit``; it stays."""
        time = self.next_time()
        if time is None or time > limit:
            return None
        return time, *_parts(self._left(time)[-1][0])

    def take_due(self, limit: int) -> list[Timer]:
        """Take out and return all timers up to ``limit``."""
        due: list[Timer] = []
        while (time := self.next_time()) is not None and time <= limit:
            self._forget_slots_of(time)
            due += [(time, *_parts(token)) for token, _ in self._in_order(time)]
            self._drop(time)
        return due

    def pop_due(self, limit: int) -> Timer | None:
        """Take out and return the earliest timer if its time is at most ``limit``."""
        time = self.next_time()
        if time is None or time > limit:
            return None
        token, _ = self._left(time).pop()
        del self.buckets[time][token]
        return time, *_parts(token)

    def firing(self, limit: int) -> Iterator[FiringTimer]:
        """Take out the timers up to ``limit`` one by one; those that come or go in between count as they are then.

        Example:
            >>> timers = TimerQueue()
            >>> timers.register(5, "a", None)
            >>> firing = timers.firing(5)
            >>> next(firing), timers.register(4, "b", None), next(firing)
            ((5, 'a', None, None), None, (4, 'b', None, None))
        """
        times = self._times
        while (time := self.next_time()) is not None and time <= limit:
            by_slot = self.by_slot.get(time)
            if by_slot is not None:
                for slot, key in by_slot.firing():
                    yield time, key, None, slot
                    if not times or times[0] != time:
                        break
                continue
            bucket, left = self.buckets[time], self._left(time)
            # An earlier time stands first in the heap; a bucket that is not this time's any more is empty.
            while left and times and times[0] == time:
                token, number = left.pop()
                found = bucket.pop(token, None)
                if found == number:
                    if type(token) is tuple:
                        yield time, *_parts(token), None
                    else:
                        yield time, token, None, None
                elif found is not None:  # it was deleted, and registered anew
                    self.put_back(time, *_parts(token), found)
                    left = self._left(time)

    def note_by_slot(self, time: int, slots: KeySlots) -> None:
        """Hold the timers of a time, which has some, by the slots of keys, if all of them are without a namespace."""
        bucket = self.buckets[time]
        has_namespaces = any(_has_namespace(token) for token in bucket)
        if not has_namespaces and time not in self._unordered and time not in self._order:
            self._drop(time)
            self.by_slot[time] = SlotTimers((slots.slot_of(key), key) for key in bucket)

    def forget_slots(self) -> None:
        """The slots of keys are others from now on."""
        for time in list(self.by_slot):
            self._forget_slots_of(time)

    def _forget_slots_of(self, time: int) -> None:
        """Have the timers of a time in its bucket."""
        by_slot = self.by_slot.pop(time, None)
        if by_slot is not None:
            self.buckets[time] = {key: self.next_sequence() for _, key in by_slot.firing()}

    def _bucket(self, time: int) -> Bucket:
        self._forget_slots_of(time)
        bucket = self.buckets.get(time)
        if bucket is None:
            bucket = self.buckets[time] = {}
            heappush(self._times, time)
        return bucket

    def _left(self, time: int) -> list[tuple[Any, int]]:
        """Give the timers of a time that has some, in reverse order of firing: at the end is one that is pending."""
        self._forget_slots_of(time)
        bucket, left = self.buckets[time], self._order.get(time)
        while left:
            token, number = left[-1]
            if bucket.get(token) == number:
                return left
            left.pop()  # it was deleted; registered anew, it stands behind the others
        self._order[time] = left = list(self._in_order(time))[::-1]
        return left

    def _in_order(self, time: int) -> Iterable[tuple[Any, int]]:
        items = self.buckets[time].items()
        return sorted(items, key=_by_number) if time in self._unordered else items

    def _drop(self, time: int) -> None:
        """Forget a bucket; its time stays in the heap, once for each bucket that it had."""
        self.buckets.pop(time, None)
        self.by_slot.pop(time, None)
        self._order.pop(time, None)
        self._unordered.discard(time)


def _has_namespace(token: Any) -> bool:
    return type(token) is tuple and _parts(token)[1] is not None


def _token(key: Any, namespace: Hashable) -> Any:
    return key if namespace is None else (key, namespace, _SPACED)


def _parts(token: Any) -> tuple[Any, Hashable]:
    """A token's key and namespace."""
    if type(token) is tuple and len(token) == 3 and token[2] is _SPACED:
        return token[0], token[1]
    return token, None
