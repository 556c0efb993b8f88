"""Rows of what is stored of keys: as text, or as a user's function gives them. Runs in workers."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from windrow.datastream.window import TimeWindow
from windrow.operators.interval_join.entries import buffers_to_entries
from windrow.operators.interval_join.interval import Interval
from windrow.operators.interval_join.kept_buffers import are_buffers
from windrow.operators.runtime_context import OperatorRuntimeContext
from windrow.operators.stored_by_key import results_to_entries
from windrow.operators.user_function import NamingErrors
from windrow.operators.window.stored_columns import entries_of_columns
from windrow.state.items import read_item
from windrow.state.keyed import Entry, KeyedState
from windrow.state.keys import KeyPart, key_of_user
from windrow.state.page import PageRows
from windrow.state.page_store import MemoryPageStore
from windrow.state.paged import PagedKeyedState
from windrow.state.store import USER_PREFIX
from windrow.state.ttl import without_ttl
from windrow.state_processor.functions import KeyedStateReaderFunction

#: Times in milliseconds; ``namespace`` is None for a window of time.
VALUES_SCHEMA = "key string, state string, window_start long, window_end long, namespace string, value string"


class Reading(ABC):
    """Gives rows of a key."""

    @abstractmethod
    def open(self) -> None:
        """Begin, in a worker."""

    @abstractmethod
    def close(self) -> None:
        """Be done."""

    @abstractmethod
    def rows(self, key: Any, entry: Entry, timers: Timers) -> Iterable[Any]:
        """Make the rows of a key."""


class Timers(NamedTuple):
    """The times of a key's timers, in their order."""

    event_time: Sequence[int]
    processing_time: Sequence[int]


class ValuesReading(Reading):
    """All that is stored, as text: a row for each state of a key in a namespace."""

    def open(self) -> None:
        """Nothing is needed."""

    def close(self) -> None:
        """Nothing is held."""

    def rows(self, key: Any, entry: Entry, timers: Timers) -> Iterable[Any]:
        shown = repr(key.key if isinstance(key, KeyPart) else key_of_user(key))
        for (name, namespace), stored in entry.items():
            value = repr(without_ttl(stored))
            if isinstance(namespace, TimeWindow):
                yield shown, name.removeprefix(USER_PREFIX), namespace.start, namespace.end, None, value
            else:
                where = None if namespace is None else repr(namespace)
                yield shown, name.removeprefix(USER_PREFIX), None, None, where, value


class FunctionReading(Reading):
    """The rows that a user's function gives of each key.

    Args:
        uid: The operator's, for errors.
        function: The function.
    """

    def __init__(self, uid: str, function: KeyedStateReaderFunction) -> None:
        self._uid = uid
        self._function = function
        #: Made in the worker.
        self._state: KeyedState | None = None

    def open(self) -> None:
        self._state = KeyedState()
        self._state.expiry.clock = _Now(time.time_ns() // 1_000_000)
        with NamingErrors(self._uid, "open"):
            self._function.open(OperatorRuntimeContext(self._uid, state=self._state))

    def close(self) -> None:
        with NamingErrors(self._uid, "close"):
            self._function.close()

    def rows(self, key: Any, entry: Entry, timers: Timers) -> Iterable[Any]:
        if isinstance(key, KeyPart):
            return ()
        assert self._state is not None, "it is open"
        self._state.clear()
        self._state.entries_in_memory[key] = entry
        self._state.set_current_key(key)
        with NamingErrors(self._uid, "read_key"):
            return list(self._function.read_key(key_of_user(key), _Context(timers)) or ())


@dataclass
class _Now:
    """Says what has expired by now."""

    processing_time: int


class _Context(KeyedStateReaderFunction.Context):
    def __init__(self, timers: Timers) -> None:
        self._timers = timers

    def registered_event_time_timers(self) -> Sequence[int]:
        return self._timers.event_time

    def registered_processing_time_timers(self) -> Sequence[int]:
        return self._timers.processing_time


def rows_of_page(reading: Reading, data: bytes) -> Iterator[Any]:
    """The rows of the keys in a page."""
    rows = PageRows(data)
    for row in range(len(rows.hashes)):
        key, entry, event_time, processing_time = read_item(rows.names, rows.item(row))
        yield from reading.rows(key, entry, Timers(_times(event_time), _times(processing_time)))


def rows_of_subtask(reading: Reading, owner: str, pages: Mapping[str, bytes], watermark: int) -> Iterator[Any]:
    """The rows of all keys of an operator in a subtask that has tables of columns.

    Args:
        reading: Gives the rows.
        owner: What the names of the pages begin with.
        pages: All of them, by name.
        watermark: The operator's.
    """
    state = PagedKeyedState(operator=owner)
    state.attach(MemoryPageStore(dict(pages)), owner)
    columns = state.columns
    if columns.are_stored():
        if are_buffers(columns):
            # How long elements are kept decides their timers alone.
            buffers_to_entries(state, Interval(0, 0))
        elif not results_to_entries(state):
            entries_of_columns(state, watermark)
    state.load_all()
    event_time, processing_time = state.event_timers.by_key(), state.processing_timers.by_key()
    for key, entry in list(state.entries()):
        timers = Timers(_times(event_time.get(key, ())), _times(processing_time.get(key, ())))
        yield from reading.rows(key, entry, timers)


def _times(timers: Iterable[tuple[int, Any]]) -> list[int]:
    return sorted(at for at, _ in timers)
