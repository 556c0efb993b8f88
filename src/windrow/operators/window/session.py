"""The sessions of one key that are held in memory, in order, and which of them an element belongs to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter
from typing import Any, NamedTuple

from windrow.common.limits import LONG_MAX
from windrow.datastream.window import TimeWindow

_START = attrgetter("start")


class HeldSession(NamedTuple):
    """A session that goes from one operator to another."""

    window: TimeWindow
    #: The number of the registration of its timers.
    sequence: int
    is_pending: bool
    contents: Any


class SessionPart(NamedTuple):
    """An element that was combined of several of one session before they crossed the exchange."""

    element: Any
    #: How many milliseconds there are between the earliest and the latest of their timestamps.
    reach: int
    #: Whether it is no element but what some have come to, of an aggregate function.
    is_local: bool = False


class Session:
    """One session: a window that grows, and what it holds.

    Sessions of a key neither overlap nor touch: those that do are one.
    """

    __slots__ = (
        "barrier",
        "contents",
        "end",
        "is_pending",
        "key",
        "opens",
        "restored",
        "scheduled",
        "sequence",
        "sessions",
        "start",
        "state_window",
    )

    def __init__(
        self, sessions: KeySessions, window: TimeWindow, state_window: TimeWindow, sequence: int, *, is_pending: bool
    ) -> None:
        self.sessions = sessions
        self.key = sessions.key
        self.start, self.end = start, _ = window
        #: The window under which keyed state has its contents: the one that it began with.
        self.state_window = state_window
        #: An element from here to :attr:`end` may make the session longer without anybody being asked, as long as
        #: the session's end stays below :attr:`barrier`.
        self.opens = start
        #: Where the key's next session begins.
        self.barrier = LONG_MAX
        self.contents: Any = None
        #: The number of the registration of its timers: of those at one time the lower one fires first.
        self.sequence = sequence
        #: Both numbers where each timer has its own, as after a restart; they hold while the first is :attr:`sequence`.
        self.restored: tuple[int, int] | None = None
        #: Whether it fires when the watermark passes its end.
        self.is_pending = is_pending
        #: The time for which the operator has it in its queue: at most that of its next timer. None: it is not there.
        self.scheduled: int | None = None

    @property
    def window(self) -> TimeWindow:
        """The session's window as it is now."""
        return TimeWindow(self.start, self.end)

    @property
    def cleanup_sequence(self) -> int:
        """The number of the registration of the timer at which it is over."""
        restored = self.restored
        return self.sequence if restored is None or restored[0] != self.sequence else restored[1]


class KeySessions:
    """The sessions of one key by their start.

    Args:
        key: The key.
    """

    __slots__ = ("_sorted", "key")

    def __init__(self, key: Any) -> None:
        self.key = key
        self._sorted: list[Session] = []

    def __len__(self) -> int:
        return len(self._sorted)

    def __iter__(self) -> Iterator[Session]:
        return iter(self._sorted)

    def last(self) -> Session:
        """The latest one."""
        return self._sorted[-1]

    def add(self, session: Session) -> None:
        """Put in a session that touches no other one."""
        held = self._sorted
        at = bisect_right(held, session.start, key=_START)
        held.insert(at, session)
        self._set_barriers(at)

    def remove(self, session: Session) -> None:
        """Take out a session."""
        at = bisect_right(self._sorted, session.start, key=_START) - 1
        del self._sorted[at]
        self._set_barriers(at)

    def touched_by(self, start: int, end: int) -> list[Session]:
        """The sessions that the window from ``start`` to ``end`` overlaps or touches, in order."""
        held = self._sorted
        last = first = bisect_right(held, end, key=_START)
        while first and held[first - 1].end >= start:
            first -= 1
        return held[first:last]

    def unite(self, touched: list[Session], start: int, end: int) -> Session:
        """Make one of neighbours and of a window that touches them: the first one stays, and covers all."""
        session = touched[0]
        at = bisect_right(self._sorted, session.start, key=_START) - 1
        session.end = max(end, touched[-1].end)
        session.start = session.opens = min(start, session.start)
        for other in touched[1:]:
            other.scheduled = None
        del self._sorted[at + 1 : at + len(touched)]
        self._set_barriers(at)
        return session

    def _set_barriers(self, at: int) -> None:
        """Tell the sessions at and before a place what comes behind them."""
        held = self._sorted
        for place in (at - 1, at):
            if 0 <= place < len(held):
                held[place].barrier = held[place + 1].start if place + 1 < len(held) else LONG_MAX
