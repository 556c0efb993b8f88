"""State with a time to live: how it is stored, when it has expired, and what is dropped without being read.

A value with a time to live is stored with the processing time of its last access; a list keeps one for each element, a
map for each entry. Such values can be told from those stored without, so a time to live may be switched on and off
between two runs on one checkpoint (as in Flink since 2.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

from windrow.common.limits import LONG_MAX
from windrow.datastream.state import StateTtlConfig

if TYPE_CHECKING:  # keyed state has one of these
    from windrow.state.keyed import Entry

#: A value, and the processing time of its last access.
Cell = tuple[Any, int]


class _WithTtl:
    """The class of :data:`WithTtl`."""

    _instance: _WithTtl | None = None

    def __new__(cls) -> _WithTtl:
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __repr__(self) -> str:
        return "WithTtl"

    def __deepcopy__(self, _memo: dict[int, Any]) -> _WithTtl:
        return self

    def __reduce__(self) -> str:
        return "WithTtl"


#: The first item of every tuple that is stored with a time to live. What follows is ``value, last access`` for value,
#: reducing and aggregating state, a list of cells for list state, a dictionary to cells for map state. Plain tuples:
#: with classes of their own, a page took ten times as long to pickle.
WithTtl = _WithTtl()

Stored = tuple[Any, ...]


def has_ttl(stored: Any) -> TypeGuard[Stored]:
    """Tell whether a value was stored with a time to live."""
    return type(stored) is tuple and len(stored) > 1 and stored[0] is WithTtl


def without_ttl(stored: Any) -> Any:
    """Give what state without a time to live stores for the same content.

    Example:
        >>> without_ttl((WithTtl, [("a", 10), ("b", 20)])), without_ttl((WithTtl, "c", 10)), without_ttl("plain")
        (['a', 'b'], 'c', 'plain')
    """
    if not has_ttl(stored):
        return stored
    content = stored[1]
    if len(stored) == 3:
        return content
    if isinstance(content, dict):
        return {key: value for key, (value, _) in content.items()}
    return [value for value, _ in content]


class Clock(Protocol):
    """Tells the processing time."""

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
        """Give the time when a value expires that was last accessed then (Flink's ``TtlUtils``)."""
        return min(last_access + self._millis, LONG_MAX)

    def expired(self, last_access: int) -> bool:
        """Tell whether a value that was last accessed then has expired."""
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
        """Tell whether there is anything that expires without being read."""
        return any(ttl.in_background for ttl in self._ttls.values())

    def clean(self, entry: Entry) -> tuple[int, int] | None:
        """Drop what has expired from a key's entry; when the first and the last of the rest does, None if none will."""
        firsts, lasts = [], []
        for slot, stored in list(entry.items()):
            if not has_ttl(stored):
                continue
            ttl = self._ttls.get(slot[0])
            if ttl is None or not ttl.in_background:
                continue
            kept = _unexpired(stored, ttl)
            if kept is None:
                del entry[slot]
                continue
            if kept is not stored:
                entry[slot] = kept
            accesses = _accesses(kept)
            firsts.append(ttl.end(min(accesses)))
            lasts.append(ttl.end(max(accesses)))
        return (min(firsts), max(lasts)) if firsts else None


def _unexpired(stored: Stored, ttl: Ttl) -> Stored | None:
    """Give what of ``stored`` is alive: itself if all of it is, None if nothing."""
    if len(stored) == 3:
        return None if ttl.expired(stored[2]) else stored
    content: Any = stored[1]
    alive: Any
    if isinstance(content, dict):
        alive = {key: cell for key, cell in content.items() if not ttl.expired(cell[1])}
    else:
        alive = [cell for cell in content if not ttl.expired(cell[1])]
    if len(alive) == len(content):
        return stored
    return (WithTtl, alive) if alive else None


def _accesses(stored: Stored) -> list[int]:
    """List when each of its parts was last accessed."""
    if len(stored) == 3:
        return [stored[2]]
    content: Any = stored[1]
    cells: list[Cell] = list(content.values()) if isinstance(content, dict) else content
    return [last for _, last in cells]
