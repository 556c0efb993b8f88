"""Keyed state as an operator sees it whose time is processing time: what it calls event time is the clock."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from windrow.state.keyed import Entry, KeyedState
from windrow.state.timer_queue import TimerQueue

if TYPE_CHECKING:
    from windrow.state.kept_columns import KeptColumns
    from windrow.state.key_slots import KeySlots
    from windrow.state.value_table import ValueTable


class InProcessingTime(KeyedState):
    """A view of ``state`` in which the two kinds of timers have changed places; all else is the state's own.

    Args:
        state: What is seen.

    Example:
        >>> state = KeyedState()
        >>> InProcessingTime(state).event_timers is state.processing_timers
        True
    """

    def __init__(self, state: KeyedState) -> None:
        self._state = state
        self.expiry = state.expiry
        self.descriptors = state.descriptors

    # What the base sets as attributes.

    @property
    def current_key(self) -> Any:
        return self._state.current_key

    @current_key.setter
    def current_key(self, value: Any) -> None:
        self._state.current_key = value

    @property
    def current_slot(self) -> int | None:
        return self._state.current_slot

    @current_slot.setter
    def current_slot(self, value: int | None) -> None:
        self._state.current_slot = value

    @property
    def entry(self) -> Entry:
        return self._state.entry

    @entry.setter
    def entry(self, value: Entry) -> None:
        self._state.entry = value

    @property
    def event_timers(self) -> TimerQueue:  # type: ignore[override]
        return self._state.processing_timers

    @property
    def processing_timers(self) -> TimerQueue:  # type: ignore[override]
        return self._state.event_timers

    @property
    def object_reuse(self) -> bool:
        return self._state.object_reuse

    @object_reuse.setter
    def object_reuse(self, value: bool) -> None:
        self._state.object_reuse = value

    @property
    def columns(self) -> KeptColumns | None:  # type: ignore[override]
        return self._state.columns

    # Times.

    def next_event_time(self) -> int | None:
        return self._state.next_processing_time()

    def next_processing_time(self) -> int | None:
        return self._state.next_event_time()

    def _bring_in_due(self, limit: int, *, event_time: bool) -> None:
        self._state._bring_in_due(limit, event_time=not event_time)

    # Keys.

    def set_current_key(self, key: Any) -> None:
        self._state.set_current_key(key)

    def expect(self, keys: Iterable[Any]) -> None:
        self._state.expect(keys)

    def entry_of(self, key: Any) -> Entry:
        return self._state.entry_of(key)

    def table_of(self, name: str, namespace: Hashable) -> ValueTable:
        return self._state.table_of(name, namespace)

    def slots(self) -> KeySlots | None:
        return self._state.slots()

    def forget_some_slots(self) -> None:
        self._state.forget_some_slots()

    def slot_of_current(self) -> int:
        return self._state.slot_of_current()

    def keep_in_entries(self, name: str, namespace: Hashable) -> None:
        self._state.keep_in_entries(name, namespace)

    def entries_of(self, keys: Sequence[Any]) -> Iterable[Entry | None]:
        return self._state.entries_of(keys)

    def entry_when_asked(self) -> Entry | None:
        return self._state.entry_when_asked()

    def entry_of_each(self) -> Entry | None:
        return self._state.entry_of_each()

    @property
    def in_own_time(self) -> KeyedState:
        return self._state

    def clear_current_key(self) -> None:
        self._state.clear_current_key()

    def clear(self) -> None:
        self._state.clear()

    def load_all(self) -> None:
        self._state.load_all()

    def entries(self) -> Iterator[tuple[Any, Entry]]:
        return self._state.entries()

    def is_empty(self) -> bool:
        return self._state.is_empty()

    def stored_keys(self) -> int:
        return self._state.stored_keys()
