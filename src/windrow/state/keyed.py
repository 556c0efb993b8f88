"""Keyed state and timers of one operator in one subtask, held in memory.

An operator sees one key at a time: the runtime calls :meth:`KeyedState.set_current_key` and from then on
``entry`` is that key's own dictionary, from ``(state name, namespace)`` to a value. A namespace is a window, or None.
Timers belong to ``(key, namespace)``; registering one twice is registering it once, as in Flink's timer service.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

from windrow.errors import UsageError
from windrow.state.entry_when_asked import EntryWhenAsked
from windrow.state.key_slots import KeySlots
from windrow.state.keys import key_of_user
from windrow.state.timer_queue import FiringTimer, Timer, TimerQueue
from windrow.state.ttl import Expiry
from windrow.state.value_table import ValueTable, ValueTables

if TYPE_CHECKING:
    from windrow.datastream.state import StateDescriptor
    from windrow.state.kept_columns import KeptColumns

Entry = dict[tuple[str, Hashable], Any]


class _NoKey:
    def __repr__(self) -> str:
        return "no key"

    def __deepcopy__(self, _memo: dict[int, Any]) -> _NoKey:
        return self


#: The current key while there is none: when functions are opened, and for elements of an input without keys.
NO_KEY: Any = _NoKey()


class _NoEntry(Entry):
    """The :attr:`KeyedState.entry` while no key is current: touching it is a mistake in the user's function."""

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

    #: What is looked at for each element: found without a dictionary, however many attributes there are beside them.
    __slots__ = (
        *("__dict__", "__weakref__"),
        *("current_key", "current_slot", "entries_in_memory", "entry", "event_timers", "object_reuse"),
    )

    def __init__(self) -> None:
        self.current_key: Any = NO_KEY
        #: The slot of the current key; None: there is no key, or it is not known yet (:meth:`slot_of_current`).
        self.current_slot: int | None = None
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
        #: The entries of keys that are in memory; others may have entries as well.
        self.entries_in_memory: dict[Any, Entry] = {}
        self._tables = ValueTables()
        self._entry_when_asked: Entry = EntryWhenAsked(self)

    def set_current_key(self, key: Any) -> None:
        """Make ``key`` the current key; ``entry`` is its state from now on."""
        self.current_key, slots = key, self._tables.slots
        self.current_slot = slots.slot_of(key) if slots.are_used else None
        entry = self.entries_in_memory.get(key)
        self.entry = self._bring_in(key) if entry is None else entry

    def get_current_key(self) -> Any:
        """The current key as a user's function sees it."""
        return key_of_user(self.current_key)

    def expect(self, keys: Iterable[Any]) -> None:
        """Bring in together what is stored of keys that come next. In memory, all are there already."""

    def entry_of(self, key: Any) -> Entry:
        """The entry of a key that need not be the current one; an empty one if it has no state."""
        entry = self.entries_in_memory.get(key)
        return self._bring_in(key) if entry is None else entry

    def table_of(self, name: str, namespace: Hashable) -> ValueTable:
        """Give the table that holds a state's values where entries do not."""
        return self._tables.table_of((name, namespace))

    def slots(self) -> KeySlots | None:
        """The slots of keys, by which tables have values; None: there are no such tables."""
        slots = self._tables.slots
        return slots if slots.are_used else None

    def forget_some_slots(self) -> None:
        """Before elements come: forget the slots of keys without values, where these are many."""
        if self._tables.slots.forget_some():
            self.current_slot = None
            self.event_timers.forget_slots()
            self.processing_timers.forget_slots()

    def slot_of_current(self) -> int:
        """The slot of the current key.

        Raises:
            UsageError: there is no current key.
        """
        key = self.current_key
        if key is NO_KEY:
            self.entry.get(key)  # refused
        slot = self.current_slot = self._tables.slots.slot_of(key)
        return slot

    def keep_in_entries(self, name: str, namespace: Hashable) -> None:
        """Let entries hold a state's values, whoever else asks for it."""
        self._tables.leave_out((name, namespace), self.entry_of)

    def entries_of(self, keys: Sequence[Any]) -> Iterable[Entry | None]:
        """For a loop that makes these keys the current one in turn, what ``entry`` is to be; None: not in memory yet.

        It may be :meth:`entry_when_asked`.
        """
        waiting, entries = self.entry_when_asked(), self.entries_in_memory
        return map(entries.get, keys) if waiting is None else repeat(waiting, len(keys))

    def entry_when_asked(self) -> Entry | None:
        """Give an entry that looks itself up when it is used; None: entries hold state that functions know of."""
        return self._entry_when_asked if self._tables.hold_all(self.descriptors) else None

    def entry_of_each(self) -> Entry | None:
        """For a loop that makes keys the current one, what :attr:`entry` may be for all; None: it is each key's own.

        The function that is called has no state, or tables hold all of it. If it comes to have some it is found.
        """
        return self.entry_when_asked() if self.descriptors else self._entry_when_asked

    @property
    def in_own_time(self) -> KeyedState:
        """The state itself, if this shows it with its timers exchanged: whose current key loops may set."""
        return self

    def clear_current_key(self) -> None:
        """From now on there is no current key."""
        self.current_key, self.current_slot, self.entry = NO_KEY, None, _NO_ENTRY

    def get(self, name: str, namespace: Hashable = None, default: Any = None) -> Any:
        return self.entry.get((name, namespace), default)

    def put(self, name: str, namespace: Hashable, value: Any) -> None:
        self.entry[(name, namespace)] = value

    def remove(self, name: str, namespace: Hashable = None) -> None:
        self.entry.pop((name, namespace), None)

    def clear(self) -> None:
        """Forget everything that is in memory."""
        self.entries_in_memory.clear()
        self._tables.clear()
        self.event_timers.clear()
        self.processing_timers.clear()
        self.clear_current_key()

    def load_all(self) -> None:
        """Bring every key into memory, for those who look at the whole state. In memory, all are there already."""

    def entries(self) -> Iterator[tuple[Any, Entry]]:
        """Every key in memory that has state, with its entry."""
        self._tables.move_to(self.entry_of)
        return ((key, entry) for key, entry in self.entries_in_memory.items() if entry)

    def is_empty(self) -> bool:
        """Tell whether no key has state, in memory or not."""
        return not any(self.entries_in_memory.values()) and not self._tables.hold_any()

    def stored_keys(self) -> int:
        """Give the number of keys that had entries or timers in pages when the batch began."""
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
        for time, key, namespace, _ in self.firing_event_timers(watermark):
            self.set_current_key(key)
            fire(time, namespace)

    def firing_event_timers(self, watermark: int) -> Iterator[FiringTimer]:
        """Give each event-time timer up to ``watermark``; who takes it sets its key.

        Timers that are registered or deleted in between count, as in :meth:`fire_event_timers`.
        """
        self._bring_in_due(watermark, event_time=True)
        return self.event_timers.firing(watermark)

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
        for time, key, namespace, _ in self.firing_processing_timers(now):
            self.set_current_key(key)
            fire(time, namespace)

    def firing_processing_timers(self, now: int) -> Iterator[FiringTimer]:
        """The same as :meth:`firing_event_timers` for processing time."""
        self._bring_in_due(now, event_time=False)
        return self.processing_timers.firing(now)

    def take_due_processing_timers(self, now: int) -> list[Timer]:
        """The same as :meth:`take_due_event_timers` for processing time."""
        self._bring_in_due(now, event_time=False)
        return self.processing_timers.take_due(now)

    def _bring_in(self, key: Any) -> Entry:
        """The entry of a key that is not in memory yet."""
        return self.entries_in_memory.setdefault(key, {})

    def _bring_in_due(self, limit: int, *, event_time: bool) -> None:
        """Bring in all keys that have a timer up to ``limit``. In memory, all are there already."""
