"""Makes bytes of a key with its entry and timers: plain data, in which the user's values are pickled.

An item is ``(key, slots)`` or ``(key, slots, event-time timers, processing-time timers)``, each a flat list: of a
name's number, a namespace and a value, or of a time and a namespace. A time window is written as its start and end, any
other namespace as a list of itself: so neither needs a class.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from windrow.datastream.window import TimeWindow
from windrow.elements.stored import Writer, loads
from windrow.errors import CheckpointError, shorten
from windrow.state.keyed import Entry
from windrow.state.storable import check_storable

#: Times and namespaces.
Timers = Sequence[tuple[int, Hashable]]


class ItemWriter:
    """Writes items, one after another, into bytes of their own."""

    def __init__(self) -> None:
        self._writer = Writer()

    def write(self, names: list[str], key: Any, entry: Entry, event_timers: Timers, processing_timers: Timers) -> bytes:
        """Give the bytes of an item.

        Names of states that ``names``, those that its page knows, does not have are put behind them.

        Raises:
            NotStorableError: a value cannot be pickled; it names the state and the key.
        """
        slots: list[Any] = []
        for (name, namespace), value in entry.items():
            if name not in names:
                names.append(name)
            slots += (names.index(name), None if namespace is None else _plain(namespace), value)
        item: tuple[Any, ...] = (key, slots)
        if event_timers or processing_timers:
            item = (key, slots, _plain_timers(event_timers), _plain_timers(processing_timers))
        try:
            return self._writer.write(item)
        except Exception:
            for (name, namespace), value in entry.items():
                inside = "" if namespace is None else f" in {shorten(namespace)}"
                check_storable(f"state {name!r} of key {shorten(key)}{inside}", value)
            raise


def read_item(names: Sequence[str], data: bytes | memoryview) -> tuple[Any, Entry, Timers, Timers]:
    """Give key, entry, event-time timers and processing-time timers.

    Raises:
        CheckpointError: objects in it cannot be made: their class is gone, or has another form.
    """
    try:
        key, slots, *timers = loads(data)
    except CheckpointError:
        raise
    except Exception as error:  # whatever the __setstate__ of a user's class raises
        msg = (
            f"what is stored of a key, in the states {', '.join(names)}, cannot be read "
            f"({type(error).__name__}: {error}); a class that was moved or renamed has to be found at its former "
            "place, too (Old = New), and one that was changed otherwise may have a __setstate__"
        )
        raise CheckpointError(msg) from error
    entry: Entry = {}
    for index in range(0, len(slots), 3):
        namespace = slots[index + 1]
        entry[names[slots[index]], None if namespace is None else _namespace(namespace)] = slots[index + 2]
    if not timers:
        return key, entry, (), ()
    return key, entry, _timers(timers[0]), _timers(timers[1])


def _plain(namespace: Hashable) -> tuple[int, ...] | list[Hashable]:
    return tuple(namespace) if namespace.__class__ is TimeWindow else [namespace]


def _namespace(plain: tuple[int, int] | list[Hashable]) -> Hashable:
    return TimeWindow(*plain) if plain.__class__ is tuple else plain[0]


def _plain_timers(timers: Timers) -> list[Any]:
    plain: list[Any] = []
    for time, namespace in timers:
        plain += (time, None if namespace is None else _plain(namespace))
    return plain


def _timers(plain: list[Any]) -> Timers:
    return [
        (plain[index], None if plain[index + 1] is None else _namespace(plain[index + 1]))
        for index in range(0, len(plain), 2)
    ]
