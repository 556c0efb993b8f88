"""State with a time to live: how it is stored, when it has expired, and what is dropped without being read.

A value with a time to live is stored with the processing time of its last access; a list keeps one for each element,
a map for each entry. The classes below tell such values from those stored without a time to live, so it may be switched
on and off between two runs on one checkpoint (as in Flink since 2.2).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from windrow.common.limits import LONG_MAX
from windrow.datastream.state import StateTtlConfig

if TYPE_CHECKING:  # keyed state has one of these
    from windrow.state.keyed import Entry

#: A value, and the processing time of its last access.
Cell = tuple[Any, int]


class TtlValue(NamedTuple):
    """What value, reducing and aggregating state store."""

    value: Any
    last_access: int


class TtlList(NamedTuple):
    """What list state stores."""

    cells: list[Cell]


class TtlMap(NamedTuple):
    """What map state stores."""

    cells: dict[Any, Cell]


Stored = TtlValue | TtlList | TtlMap
STORED = (TtlValue, TtlList, TtlMap)


def without_ttl(stored: Any) -> Any:
    """What state without a time to live stores for the same content.

    Example:
        >>> without_ttl(TtlList([("a", 10), ("b", 20)])), without_ttl("plain")
        (['a', 'b'], 'plain')
    """
    match stored:
        case TtlValue():
            return stored.value
        case TtlList():
            return [value for value, _ in stored.cells]
        case TtlMap():
            return {key: value for key, (value, _) in stored.cells.items()}
    return stored


class Clock(Protocol):
    """Where the processing time is."""

    processing_time: int


@dataclass
class _StoppedClock:
    processing_time: int = 0


class Ttl:
    """The time to live of one state."""

    def __init__(self, config: StateTtlConfig, expiry: Expiry) -> None:
        self.config = config
        self.refreshes_on_read = config.get_update_type() is StateTtlConfig.UpdateType.OnReadAndWrite
        visibility = config.get_state_visibility()
        self.returns_expired = visibility is StateTtlConfig.StateVisibility.ReturnExpiredIfNotCleanedUp
        #: Whether what nobody reads is dropped.
        self.in_background = config.get_cleanup_strategies().has_any()
        self._millis = config.get_ttl().to_milliseconds()
        self._expiry = expiry

    def now(self) -> int:
        """The processing time."""
        return self._expiry.clock.processing_time

    def end(self, last_access: int) -> int:
        """When a value expires that was last accessed then (Flink's ``TtlUtils``)."""
        return min(last_access + self._millis, LONG_MAX)

    def expired(self, last_access: int) -> bool:
        """Whether a value that was last accessed then has expired."""
        return self.end(last_access) <= self._expiry.clock.processing_time


class Expiry:
    """The states with a time to live of one operator: those that were asked for so far."""

    def __init__(self) -> None:
        self.clock: Clock = _StoppedClock()
        self._ttls: dict[str, Ttl] = {}

    def register(self, name: str, config: StateTtlConfig) -> Ttl:
        """The time to live of the state ``name``, from now on."""
        known = self._ttls.get(name)
        if known is None or known.config is not config:
            known = self._ttls[name] = Ttl(config, self)
        return known

    def is_needed(self) -> bool:
        """Whether there is anything that expires without being read."""
        return any(ttl.in_background for ttl in self._ttls.values())

    def clean(self, entry: Entry) -> None:
        """Drop what has expired from a key's entry."""
        for slot, ttl, stored in self._expiring(entry):
            kept = _unexpired(stored, ttl)
            if kept is None:
                del entry[slot]
            elif kept is not stored:
                entry[slot] = kept

    def last_end(self, entries: Iterable[Entry], never: int) -> int:
        """When everything in the entries that expires has expired; ``never`` if nothing in them does."""
        if not self._ttls:
            return never
        found = [max(_ends(stored, ttl)) for entry in entries for _, ttl, stored in self._expiring(entry)]
        return max(found, default=never)

    def _expiring(self, entry: Entry) -> list[tuple[Any, Ttl, Stored]]:
        return [
            (slot, ttl, stored)
            for slot, stored in entry.items()
            if isinstance(stored, STORED) and (ttl := self._ttls.get(slot[0])) is not None and ttl.in_background
        ]


def _unexpired(stored: Stored, ttl: Ttl) -> Stored | None:
    """What of ``stored`` is alive: itself if all of it is, None if nothing."""
    match stored:
        case TtlValue():
            return None if ttl.expired(stored.last_access) else stored
        case TtlList(cells):
            alive = [cell for cell in cells if not ttl.expired(cell[1])]
            if len(alive) == len(cells):
                return stored
            return TtlList(alive) if alive else None
        case TtlMap(content):
            living = {key: cell for key, cell in content.items() if not ttl.expired(cell[1])}
            if len(living) == len(content):
                return stored
            return TtlMap(living) if living else None


def _ends(stored: Stored, ttl: Ttl) -> list[int]:
    match stored:
        case TtlValue():
            return [ttl.end(stored.last_access)]
        case TtlList(cells):
            return [ttl.end(last_access) for _, last_access in cells]
        case TtlMap(content):
            return [ttl.end(last_access) for _, last_access in content.values()]
