"""Keyed state and timers of one operator in one subtask, held in memory.

An operator sees one key at a time: the runtime calls :meth:`KeyedState.set_current_key` and from then on
``entry`` is that key's own dictionary, from ``(state name, namespace)`` to a value. A namespace is a window, or None.
Timers belong to ``(key, namespace)``; registering one twice is registering it once, as in Flink's timer service.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any

from windrow.errors import UsageError
from windrow.state.keys import key_of_user
from windrow.state.ttl import Expiry

if TYPE_CHECKING:
    from windrow.datastream.state import StateDescriptor
    from windrow.state.kept_columns import KeptColumns

Entry = dict[tuple[str, Hashable], Any]
Timer = tuple[int, Any, Hashable]


class TimerQueue:
    """Timers of one time domain, taken out in the order of their time, then of their registration."""

    __slots__ = ("_heap", "_live", "closed", "next_sequence")

    def __init__(self) -> None:
        #: Registering does nothing while set: at the end of a BATCH job.
        self.closed = False
        #: Gives the number of the next registration; operators that keep timers of their own number them along.
        self.next_sequence: Callable[[], int] = count().__next__
        self._heap: list[tuple[int, int, Any, Hashable]] = []
        self._live: dict[Timer, int] = {}

    def __len__(self) -> int:
        return len(self._live)

    def __iter__(self) -> Iterator[Timer]:
        """All pending timers as ``(time, key, namespace)``, in firing order."""
        return iter([timer for timer, _ in sorted(self._live.items(), key=lambda item: (item[0][0], item[1]))])

    def by_key(self) -> dict[Any, list[tuple[int, Hashable]]]:
        """All pending timers as ``(time, namespace)`` by key, each key's in firing order."""
        numbered: dict[Any, list[tuple[int, int, Hashable]]] = {}
        for (time, key, namespace), sequence in self._live.items():
            numbered.setdefault(key, []).append((time, sequence, namespace))
        return {
            key: [(time, namespace) for time, _, namespace in (sorted(timers) if len(timers) > 1 else timers)]
            for key, timers in numbered.items()
        }

    def clear(self) -> None:
        self._heap.clear()
        self._live.clear()

    @property
    def pending(self) -> Container[Timer]:
        """The timers that wait."""
        return self._live

    def register(self, time: int, key: Any, namespace: Hashable) -> None:
        timer = (time, key, namespace)
        if timer not in self._live and not self.closed:
            self._live[timer] = sequence = self.next_sequence()
            heappush(self._heap, (time, sequence, key, namespace))

    def register_each(self, time: int, keys: Iterable[Any], namespace: Hashable) -> None:
        """Register a timer for each of many keys, in their order."""
        if self.closed:
            return
        live, heap, next_sequence = self._live, self._heap, self.next_sequence
        for key in keys:
            timer = (time, key, namespace)
            if timer not in live:
                live[timer] = sequence = next_sequence()
                heappush(heap, (time, sequence, key, namespace))

    def take(self, time: int, key: Any, namespace: Hashable) -> int | None:
        """Delete a timer and return the number of its registration; None if there is no such timer."""
        return self._live.pop((time, key, namespace), None)

    def put_back(self, time: int, key: Any, namespace: Hashable, sequence: int) -> None:
        """Register a timer as if it had been registered when :attr:`next_sequence` gave ``sequence``."""
        self._live[(time, key, namespace)] = sequence
        heappush(self._heap, (time, sequence, key, namespace))

    def delete(self, time: int, key: Any, namespace: Hashable) -> None:
        # The heap entry stays and is passed over when it comes up: removing from a heap's middle costs a scan.
        self._live.pop((time, key, namespace), None)

    def has(self, time: int, key: Any, namespace: Hashable) -> bool:
        """Whether this timer is pending."""
        return (time, key, namespace) in self._live

    def next_time(self) -> int | None:
        """The time of the earliest pending timer, or None."""
        heap = self._heap
        while heap and self._live.get((heap[0][0], heap[0][2], heap[0][3])) != heap[0][1]:
            heappop(heap)
        return heap[0][0] if heap else None

    def next_due(self, limit: int) -> Timer | None:
        """The earliest timer if its time is at most ``limit``; it stays."""
        time = self.next_time()
        if time is None or time > limit:
            return None
        _, _, key, namespace = self._heap[0]
        return time, key, namespace

    def take_due(self, limit: int) -> list[Timer]:
        """Take out and return all timers up to ``limit``."""
        return list(iter(partial(self.pop_due, limit), None))

    def pop_due(self, limit: int) -> Timer | None:
        """Take out and return the earliest timer if its time is at most ``limit``."""
        heap, live = self._heap, self._live
        while heap and heap[0][0] <= limit:
            time, sequence, key, namespace = heappop(heap)
            timer = (time, key, namespace)
            if live.get(timer) == sequence:
                del live[timer]
                return timer
        return None


class _NoKey:
    def __repr__(self) -> str:
        return "no key"

    def __deepcopy__(self, _memo: dict[int, Any]) -> _NoKey:
        return self


#: The current key while there is none: when functions are opened, and for elements of an input without keys.
NO_KEY: Any = _NoKey()


class _NoEntry(Entry):
    """What :attr:`KeyedState.entry` is while no key is current: touching it is a mistake in the user's function."""

    def _refuse(self, *_: Any) -> Any:
        msg = (
            "keyed state was read or changed while there is no current key: it belongs to a key, so use it where an "
            "element or a timer of a keyed stream is processed, not in open(), close() or for broadcast elements"
        )
        raise UsageError(msg)

    __getitem__ = __setitem__ = __delitem__ = __contains__ = __iter__ = __len__ = _refuse
    get = pop = setdefault = update = items = keys = values = _refuse  # type: ignore[assignment]


_NO_ENTRY: Entry = _NoEntry()


class KeyedState:
    """Entries and timers of all keys that are in memory; the paged variant brings the others in when needed."""

    def __init__(self) -> None:
        self.current_key: Any = NO_KEY
        self.entry: Entry = _NO_ENTRY
        self.event_timers = TimerQueue()
        self.processing_timers = TimerQueue()
        #: Whether user functions get what is stored, and not copies of it; what they store likewise.
        self.object_reuse = False
        #: Which states have a time to live.
        self.expiry = Expiry()
        #: What user functions have asked for, by the state's name and whether it is in no namespace.
        self.descriptors: dict[tuple[str, bool], StateDescriptor] = {}
        #: What an operator keeps as columns beside the entries of keys; None: it can keep entries only.
        self.columns: KeptColumns | None = None
        self._entries: dict[Any, Entry] = {}

    def set_current_key(self, key: Any) -> None:
        """Make ``key`` the current key; ``entry`` is its state from now on."""
        self.current_key = key
        entry = self._entries.get(key)
        self.entry = self._bring_in(key) if entry is None else entry

    def get_current_key(self) -> Any:
        """The current key as a user's function sees it."""
        return key_of_user(self.current_key)

    def entry_of(self, key: Any) -> Entry:
        """The entry of a key that need not be the current one; an empty one if it has no state."""
        entry = self._entries.get(key)
        return self._bring_in(key) if entry is None else entry

    def clear_current_key(self) -> None:
        """From now on there is no current key."""
        self.current_key, self.entry = NO_KEY, _NO_ENTRY

    def get(self, name: str, namespace: Hashable = None, default: Any = None) -> Any:
        return self.entry.get((name, namespace), default)

    def put(self, name: str, namespace: Hashable, value: Any) -> None:
        self.entry[(name, namespace)] = value

    def remove(self, name: str, namespace: Hashable = None) -> None:
        self.entry.pop((name, namespace), None)

    def clear(self) -> None:
        """Forget everything that is in memory."""
        self._entries.clear()
        self.event_timers.clear()
        self.processing_timers.clear()
        self.clear_current_key()

    def load_all(self) -> None:
        """Bring every key into memory, for those who look at the whole state. In memory, all are there already."""

    def entries(self) -> Iterator[tuple[Any, Entry]]:
        """Every key in memory that has state, with its entry."""
        return ((key, entry) for key, entry in self._entries.items() if entry)

    def is_empty(self) -> bool:
        """Whether no key has state, in memory or not."""
        return not any(self._entries.values())

    def stored_keys(self) -> int:
        """How many keys had entries or timers in pages when the batch began."""
        return 0

    def next_event_time(self) -> int | None:
        """The earliest event-time timer of any key, in memory or not."""
        return self.event_timers.next_time()

    def next_processing_time(self) -> int | None:
        """The earliest processing-time timer of any key, in memory or not."""
        return self.processing_timers.next_time()

    def fire_event_timers(self, watermark: int, fire: Callable[[int, Hashable], None]) -> None:
        """Call ``fire(time, namespace)``, with the key set, for each event-time timer up to ``watermark``.

        Timers that ``fire`` registers and that are due at once fire in the same call.
        """
        self._bring_in_due(watermark, event_time=True)
        queue = self.event_timers
        while (timer := queue.pop_due(watermark)) is not None:
            self.set_current_key(timer[1])
            fire(timer[0], timer[2])

    def due_event_timer(self, watermark: int) -> Timer | None:
        """The earliest event-time timer of any key up to ``watermark``, which stays; its page is in memory then."""
        self._bring_in_due(watermark, event_time=True)
        return self.event_timers.next_due(watermark)

    def take_due_event_timers(self, watermark: int) -> list[Timer]:
        """Take out all event-time timers of any key up to ``watermark``, in firing order."""
        self._bring_in_due(watermark, event_time=True)
        return self.event_timers.take_due(watermark)

    def fire_processing_timers(self, now: int, fire: Callable[[int, Hashable], None]) -> None:
        """The same as :meth:`fire_event_timers` for processing time."""
        self._bring_in_due(now, event_time=False)
        queue = self.processing_timers
        while (timer := queue.pop_due(now)) is not None:
            self.set_current_key(timer[1])
            fire(timer[0], timer[2])

    def _bring_in(self, key: Any) -> Entry:
        """The entry of a key that is not in memory yet."""
        return self._entries.setdefault(key, {})

    def _bring_in_due(self, limit: int, *, event_time: bool) -> None:
        """Bring in all keys that have a timer up to ``limit``. In memory, all are there already."""
