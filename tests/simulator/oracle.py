"""Flink's window semantics once more, naively: what the operators are compared with.

Nothing here is shared with the operators, and nothing is made to be fast. There are no timers and no state backend:
each key has a list of the windows it holds, and each event looks at all of them. Numbers in brackets are milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.simulator.program import (
    LONG_MAX,
    LONG_MIN,
    Element,
    Event,
    Global,
    Program,
    Restart,
    Session,
    Sliding,
    Watermark,
    gap_of,
)


@dataclass(frozen=True)
class Emission:
    """One call of the window function, before it is said what the function makes of it."""

    #: How many watermarks went out before.
    segment: int
    #: Emissions of one key come in the order of their ranks; among those of equal rank any order will do.
    rank: tuple[int, int]
    key: int | str
    start: int | None
    end: int | None
    ids: tuple[int, ...]
    #: The how many-th call for this window.
    firing: int
    timestamp: int


@dataclass(frozen=True)
class Fate:
    """What became of an element in one of its windows (None: in its session, which changes as it merges)."""

    id: int
    window: tuple[int, int] | None
    #: emitted, evicted, purged, expired, late; held for those that are none of the others but emitted.
    what: str


@dataclass
class Held:
    """A window that a key holds."""

    start: int | None
    end: int | None
    contents: list[Element] = field(default_factory=list)
    #: Times at which the trigger wants to be asked.
    alarms: set[int] = field(default_factory=set)
    #: The count trigger's elements since it fired, the continuous trigger's next time.
    count: int = 0
    fire_time: int | None = None
    firings: int = 0

    @property
    def last(self) -> int:
        return LONG_MAX if self.end is None else self.end - 1


class Oracle:
    """Takes one event after the other; all lists may be read at any time."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.emissions: list[Emission] = []
        self.late: list[Element] = []
        self.dropped_late = 0
        self.in_no_window = 0
        self.segments = 0
        self.seen: list[Event] = []
        self.fates: set[Fate] = set()
        self.held: dict[int | str, list[Held]] = {}
        self.watermark = LONG_MIN
        self._number = 0

    def run(self, events: list[Event]) -> Oracle:
        self.seen += events
        for event in events:
            self._number += 1
            if isinstance(event, Element):
                self._element(event)
            elif isinstance(event, Watermark):
                self._watermark(event.time)
            elif isinstance(event, Restart):
                self.watermark = LONG_MIN
        return self

    def holding(self) -> set[Fate]:
        """The elements that windows hold now."""
        return {
            Fate(element.id, self._window(held), "held")
            for windows in self.held.values()
            for held in windows
            for element in held.contents
        }

    # An element

    def _element(self, element: Element) -> None:
        windows = self._windows_of(element)
        taken = False
        for start, end in windows:
            held = self._take(element, start, end)
            if held is None:
                self._fate(element, None if isinstance(self.program.windows, Session) else (start, end), "late")
                continue
            taken = True
            held.contents.append(element)
            if self._fires_on(element, held):
                self._fire(element.key, held, (self._number, 0))
        if taken:
            return
        is_late = not isinstance(self.program.windows, Global) and self._over(element.timestamp)
        if is_late and self.program.side_output:
            self.late.append(element)
        elif is_late:
            self.dropped_late += 1
        else:
            self.in_no_window += 1

    def _windows_of(self, element: Element) -> list[tuple[int | None, int | None]]:
        windows, timestamp = self.program.windows, element.timestamp
        if isinstance(windows, Global):
            return [(None, None)]
        assert timestamp is not None
        if isinstance(windows, Session):
            gap = gap_of(element.x) if windows.gap is None else windows.gap
            return [(timestamp, min(timestamp + gap, LONG_MAX))]
        return [
            (start, min(start + windows.size, LONG_MAX))
            for start in range(timestamp - windows.size + 1, timestamp + 1)
            if (start - windows.offset) % windows.slide == 0
        ]

    def _take(self, element: Element, start: int | None, end: int | None) -> Held | None:
        """The window that the element goes into; None if it is late."""
        all_held = self.held.setdefault(element.key, [])
        if isinstance(self.program.windows, Session):
            assert start is not None
            assert end is not None
            return self._join(all_held, start, end)
        for held in all_held:
            if (held.start, held.end) == (start, end):
                return None if end is not None and self._over(held.last) else held
        new = Held(start, end)
        if end is not None and self._over(new.last):
            return None
        all_held.append(new)
        return new

    def _join(self, all_held: list[Held], start: int, end: int) -> Held | None:
        """The session with all that it touches, directly or through others: sessions that share a boundary touch."""
        joined: list[Held] = []
        while True:
            touching = [h for h in all_held if h not in joined and h.start <= end and start <= h.end]  # type: ignore[operator]
            if not touching:
                break
            joined += touching
            start = min([start, *[h.start for h in joined]])  # type: ignore[list-item]
            end = max([end, *[h.end for h in joined]])  # type: ignore[list-item]
        if self._over(end - 1):
            return None
        if len(joined) == 1 and (joined[0].start, joined[0].end) == (start, end):
            return joined[0]
        joined.sort(key=lambda h: h.start or 0)
        session = Held(start, end)
        for old in joined:
            all_held.remove(old)
            session.contents += old.contents
            session.count += old.count
            if old.fire_time is not None and (session.fire_time is None or old.fire_time < session.fire_time):
                session.fire_time = old.fire_time
        all_held.append(session)
        if session.fire_time is not None:
            session.alarms.add(session.fire_time)
        if joined and self.program.trigger.kind == "event_time" and session.last > self.watermark:
            session.alarms.add(session.last)
        return session

    def _over(self, time: int | None) -> bool:
        assert time is not None
        return min(time + self.program.lateness, LONG_MAX) <= self.watermark

    # The trigger

    def _fires_on(self, element: Element, held: Held) -> bool:
        trigger = self.program.trigger
        if trigger.kind == "count":
            held.count += 1
            if held.count < trigger.number:
                return False
            held.count = 0
            return True
        if held.last <= self.watermark:
            return True
        held.alarms.add(held.last)
        if trigger.kind == "continuous" and held.fire_time is None:
            assert element.timestamp is not None
            # Java's remainder: towards zero, also for what is before 1970.
            steps = abs(element.timestamp) // trigger.number
            self._next_fire_time(held, steps * trigger.number * (1 if element.timestamp >= 0 else -1))
        return False

    def _fires_at(self, time: int, held: Held) -> bool:
        trigger = self.program.trigger
        if trigger.kind == "count":
            return False
        if time == held.last:
            return True
        if trigger.kind == "continuous" and held.fire_time == time:
            self._next_fire_time(held, time)
            return True
        return False

    def _next_fire_time(self, held: Held, after: int) -> None:
        held.fire_time = min(after + self.program.trigger.number, held.last)
        held.alarms.add(held.fire_time)

    # A watermark

    def _watermark(self, time: int) -> None:
        self.watermark = time
        for key, all_held in self.held.items():
            while True:
                due = [(alarm, n) for n, held in enumerate(all_held) for alarm in held.alarms if alarm <= time]
                if not due:
                    break
                alarm, n = min(due)
                all_held[n].alarms.remove(alarm)
                if self._fires_at(alarm, all_held[n]):
                    self._fire(key, all_held[n], (self._number, alarm))
            for held in list(all_held):
                cleanup = held.last + self.program.lateness
                # A window whose cleanup time is the end of time, or beyond it, is never forgotten.
                if held.end is not None and cleanup < LONG_MAX and cleanup <= time:
                    all_held.remove(held)
                    for element in held.contents:
                        self._fate(element, self._window(held), "expired")
        self.segments += 1

    # Firing

    def _fire(self, key: int | str, held: Held, rank: tuple[int, int]) -> None:
        if not held.contents:
            return
        evictor = self.program.evictor
        if evictor is not None and not evictor.after:
            self._evict(held)
        held.firings += 1
        for element in held.contents:
            self._fate(element, self._window(held), "emitted")
        ids = tuple(element.id for element in held.contents)
        self.emissions.append(Emission(self.segments, rank, key, held.start, held.end, ids, held.firings, held.last))
        if evictor is not None and evictor.after:
            self._evict(held)
        if self.program.trigger.purging:
            for element in held.contents:
                self._fate(element, self._window(held), "purged")
            held.contents = []

    def _evict(self, held: Held) -> None:
        evictor, contents = self.program.evictor, held.contents
        assert evictor is not None
        kept = list(contents)
        if evictor.kind == "count":
            kept = contents[max(0, len(contents) - evictor.number) :]
        elif contents and evictor.kind == "delta":
            kept = [element for element in contents if element.x - contents[-1].x < evictor.number]
        elif contents and contents[0].timestamp is not None:
            newest = max(element.timestamp for element in contents if element.timestamp is not None)
            kept = [
                element
                for element in contents
                if (LONG_MIN if element.timestamp is None else element.timestamp) > newest - evictor.number
            ]
        for element in contents:
            if element not in kept:
                self._fate(element, self._window(held), "evicted")
        held.contents = kept

    # The ledger

    def _window(self, held: Held) -> tuple[int, int] | None:
        if held.start is None or held.end is None or not isinstance(self.program.windows, Sliding):
            return None
        return held.start, held.end

    def _fate(self, element: Element, window: object, what: str) -> None:
        assert window is None or isinstance(window, tuple)
        self.fates.add(Fate(element.id, window if isinstance(self.program.windows, Sliding) else None, what))
