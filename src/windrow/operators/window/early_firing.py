"""Firing windows before their end, at times that follow from their trigger where it is a known one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from windrow.common.limits import LONG_MAX
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
    PurgingTrigger,
    Trigger,
)
from windrow.datastream.window.continuous_triggers import interval_start
from windrow.operators.window.aligned_windows import SAFE, Times
from windrow.operators.window.emit_trigger import EmitTrigger
from windrow.operators.window.trigger_context import TRIGGER_PREFIX

if TYPE_CHECKING:
    from windrow.datastream.window import TimeWindow
    from windrow.state.keyed import KeyedState
    from windrow.state.timer_queue import TimerQueue

#: Stands for the next time of a window that has fired for the last time.
SPENT = LONG_MAX - 1


class EarlyFiring(NamedTuple):
    """A window fires for each key at regular times, the first of which follows the first element of the key in it.

    What is stored of that is what the trigger stores: a state of each window, and a timer. Where it is stored as
    columns these attributes are, in their order.

    ================================ ========== ======== ============================================================
    Trigger, and its windows         by_clock   aligned  A window fires for the last time
    ================================ ========== ======== ============================================================
    ContinuousEventTime, event time  False      True     at its end, then for each late element
    ContinuousProcessingTime, clock  False      True     at its end
    ContinuousProcessingTime, event  True       True     when the clock comes to its end, or never
    Emit, clock                      False      False    at its end
    Emit, event time                 True       False    when it is over; at its end besides, and for each late element
    ================================ ========== ======== ============================================================

    Attributes:
        interval: How many milliseconds are between two times.
        state: The name of the state that has the next one.
        by_clock: Whether these are times of the clock, and the windows of event time. Otherwise both are of one kind.
        aligned: Whether times are multiples of the interval, and the last one is the last millisecond of the window.
    """

    interval: int
    state: str
    by_clock: bool = False
    aligned: bool = True

    @staticmethod
    def of(trigger: Trigger[Any, Any], *, windows_by_clock: bool = False) -> EarlyFiring | None:
        """Find out how ``trigger``, purging or not, fires windows before their end; None: it is not known.

        Args:
            trigger: The windows' trigger.
            windows_by_clock: Whether they are windows of processing time.

        >>> EarlyFiring.of(ContinuousEventTimeTrigger.of(1000)).interval
        1000
        """
        if type(trigger) is PurgingTrigger:
            trigger = trigger.nested_trigger
        match trigger:
            case ContinuousEventTimeTrigger(interval=interval) if type(trigger) is ContinuousEventTimeTrigger:
                found = None if windows_by_clock else EarlyFiring(interval, FIRE_TIME)
            case ContinuousProcessingTimeTrigger(interval=interval) if type(trigger) is ContinuousProcessingTimeTrigger:
                found = EarlyFiring(interval, FIRE_TIME, by_clock=not windows_by_clock)
            case EmitTrigger(early=interval, late=None, by_clock=by_clock) if interval and by_clock == windows_by_clock:
                found = EarlyFiring(interval, _NEXT_FIRE, by_clock=not windows_by_clock, aligned=False)
            case _:
                found = None
        return found if found is None or found.interval < SAFE else None

    @property
    def fires_at_end(self) -> bool:
        """True if windows fire at their end, and for each element that comes behind it."""
        return not (self.by_clock and self.aligned)

    def after_elements(self, times: Times) -> Times:
        """The first times, if windows had no end, for elements that are the first of their keys.

        >>> EarlyFiring(10, "").after_elements(np.array([9, 10, -5])).tolist()
        [10, 20, 10]
        """
        # As ``interval_start``, for many.
        following: Times = (times - np.fmod(times, self.interval) if self.aligned else times) + self.interval
        return following

    def after_element(self, time: int) -> int:
        """The same for one element, whatever its time is."""
        return (interval_start(time, self.interval) if self.aligned else time) + self.interval

    def after_firing(self, time: int, end: int) -> int:
        """Give the time of the next firing of a window that ends at ``end`` and has fired at ``time``; SPENT: none.

        >>> EarlyFiring(10, "").after_firing(10, 100), EarlyFiring(10, "").after_firing(90, 100)
        (20, 99)
        """
        if self.aligned and time == end - 1:
            return SPENT
        return min(time + self.interval, self.last_time(end))

    def last_time(self, end: int) -> int:
        """The last time that a window can have which ends at ``end``: later ones become this one."""
        return end - 1 if self.aligned else SPENT - 1

    def last_regular(self, end: int) -> int:
        """Up to when times are an interval behind each other; the end of a window, at which all keys fire, is none."""
        return end - 2 if self.aligned or not self.by_clock else SPENT - 1

    def last_early(self, end: int) -> int:
        """Up to when a window fires at its times; not at its end, if it does so anyway."""
        return end - 2 if self.fires_at_end and not self.by_clock else self.last_time(end)

    def timers(self, state: KeyedState) -> TimerQueue:
        """Give the queue that has the timers of these times."""
        return state.processing_timers if self.by_clock else state.event_timers


FIRE_TIME, _NEXT_FIRE = TRIGGER_PREFIX + "fire-time", TRIGGER_PREFIX + "next-fire"
#: The states of triggers that have the time of a timer; the last one is a ``ProcessingTimeoutTrigger``'s.
FIRE_TIME_STATES = frozenset({FIRE_TIME, _NEXT_FIRE, TRIGGER_PREFIX + "timeout"})


class FireTimesByKey:
    """The times at which a window fires next, by key."""

    __slots__ = ("by_time", "keys")

    def __init__(self) -> None:
        self.keys: set[Any] = set()
        #: The keys that fire at a time.
        self.by_time: dict[int, list[Any]] = {}

    def add(self, key: Any, time: int) -> None:
        """Let a key fire at a time, unless it is to fire at another one."""
        if key not in self.keys:
            self.keys.add(key)
            self.by_time.setdefault(time, []).append(key)

    def next(self) -> int:
        """The first time."""
        return min(self.by_time)

    def move(self, time: int, following: int) -> list[Any]:
        """Let the keys that fire at one time fire at another; gives them."""
        keys = self.by_time.pop(time)
        others = self.by_time.setdefault(following, keys)
        if others is not keys:
            others += keys
        return keys

    def store(self, early: EarlyFiring, window: TimeWindow, state: KeyedState, *, ends: bool) -> None:
        """Leave in state what the trigger leaves there, with its timers.

        Args:
            early: When windows fire.
            window: The window.
            state: The operator's state.
            ends: Whether a timer at the window's end is set for each key: nothing else may say when it is over.
        """
        slot, last = (early.state, window), early.last_time(window.end)
        for time, keys in self.by_time.items():
            state.expect(keys)
            for key in keys:
                state.entry_of(key)[slot] = min(time, last)
            if time <= early.last_early(window.end) or not early.aligned:
                early.timers(state).register_each(time, keys, window)
            if ends:
                state.event_timers.register_each(window.end - 1, keys, window)
