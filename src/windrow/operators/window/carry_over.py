"""Windows that were open when the program was changed: another trigger, or another allowed lateness.

What a window holds is stored alike whatever operator runs it (:mod:`~windrow.operators.window.contents`), so it is
there after such a change. Its timers are not those that the new program would have set: they are mended here, once,
when a window operator is restored from what another one left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

from windrow.common.limits import LONG_MAX
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
    EventTimeTrigger,
    ProcessingTimeoutTrigger,
    ProcessingTimeTrigger,
    PurgingTrigger,
    Trigger,
    Window,
)
from windrow.operators.window.contents import CONTENTS
from windrow.operators.window.early_firing import FIRE_TIME, FIRE_TIME_STATES
from windrow.operators.window.emit_trigger import EmitTrigger
from windrow.operators.window.merging_window_set import MERGING_WINDOWS
from windrow.operators.window.trigger_context import TRIGGER_PREFIX
from windrow.state.keyed import Entry, KeyedState
from windrow.state.timer_queue import TimerQueue

_WITHOUT_STATE = frozenset({EventTimeTrigger.__qualname__, ProcessingTimeTrigger.__qualname__})
_BY_WATERMARK = ContinuousEventTimeTrigger.__qualname__
#: Triggers that operators know which ask none: their states are times, and those of another trigger are none of theirs.
_BEGIN_ANEW = frozenset({_BY_WATERMARK, ContinuousProcessingTimeTrigger.__qualname__, EmitTrigger.__qualname__})


class Timing(NamedTuple):
    """The settings that say when windows fire and when they are over; they stand in the operator's snapshot."""

    #: The trigger's class; its parameters may change without harm.
    trigger: str
    allowed_lateness: int

    @staticmethod
    def of(trigger: Trigger[Any, Any], allowed_lateness: int) -> Timing:
        """The timing of a window operation.

        >>> from windrow.datastream.window import CountTrigger
        >>> Timing.of(PurgingTrigger.of(CountTrigger.of(3)), 10)
        Timing(trigger='CountTrigger', allowed_lateness=10)
        """
        return Timing(_kind(trigger), allowed_lateness)


def _kind(trigger: Trigger[Any, Any]) -> str:
    if isinstance(trigger, PurgingTrigger):
        # It has neither state nor timers of its own.
        return _kind(trigger.nested_trigger)
    if isinstance(trigger, ProcessingTimeoutTrigger):
        return f"{type(trigger).__qualname__} of {_kind(trigger.nested_trigger)}"
    return type(trigger).__qualname__


class CarryOver:
    """Brings the windows in ``state`` from one timing to another.

    Every open window is cleaned up when its new lateness is over, at once if it is over already. Where the trigger is
    another one it has neither state nor timers, so it is asked at the end of each window that has not ended.

    Args:
        state: The operator's keyed state.
        event_time: Whether the windows are windows of event time.
        merging: Whether they merge.
        now: The watermark, or processing time for windows of processing time.
        clear: Removes what belongs to a window that is over, given the window and its state window, with the key set.
    """

    def __init__(
        self, state: KeyedState, *, event_time: bool, merging: bool, now: int, clear: Callable[[Window, Window], None]
    ) -> None:
        self._state = state
        self._event_time = event_time
        self._merging = merging
        self._now = now
        self._clear = clear

    def run(self, before: Timing, after: Timing) -> None:
        """Go over all windows of all keys; they are in memory until they are written again."""
        state = self._state
        state.load_all()
        with_timers = self._windows_of_timers()
        for key in dict.fromkeys([*(key for key, _ in state.entries()), *with_timers]):
            state.set_current_key(key)
            for window, state_window in self._open_windows(state.entry, with_timers.get(key, [])):
                # First, because windows that are over are forgotten with what the new trigger would have had for them.
                if after.trigger in _WITHOUT_STATE or (before.trigger != after.trigger in _BEGIN_ANEW):
                    self._remove_trigger_state(window, before)
                self._mend(window, state_window, before, after)
        state.clear_current_key()

    def _mend(self, window: Window, state_window: Window, before: Timing, after: Timing) -> None:
        state = self._state
        end = window.max_timestamp()
        old, new = (min(end + timing.allowed_lateness, LONG_MAX) for timing in (before, after))
        timers = self._timers(end)
        # Processing time may have passed the end of a window that has not fired: then its timer is still there.
        if new <= self._now and (self._event_time or not timers.has(end, state.current_key, window)):
            for time in (end, old):
                timers.delete(time, state.current_key, window)
            self._clear(window, state_window)
            return
        if old not in (new, end):
            timers.delete(old, state.current_key, window)
        if new < LONG_MAX:
            timers.register(new, state.current_key, window)
        if before.trigger != after.trigger and end > self._now and (CONTENTS, state_window) in state.entry:
            timers.register(end, state.current_key, window)

    def _remove_trigger_state(self, window: Window, before: Timing) -> None:
        """Remove what the trigger before had for a window, and the timer of the time at which it would have fired."""
        state, end = self._state, window.max_timestamp()
        own = state.in_own_time
        for name, value in remove_trigger_state(state.entry, window):
            if name not in FIRE_TIME_STATES or type(value) is not int:
                continue
            by_watermark = name == FIRE_TIME and before.trigger.endswith(_BY_WATERMARK)
            timers = own.event_timers if by_watermark else own.processing_timers
            # At the end of a window is a timer of its own.
            if value != end or timers is not self._timers(end):
                timers.delete(value, state.current_key, window)

    def _timers(self, end: int) -> TimerQueue:
        # The global window is no window of event time, and the watermark comes to its end all the same.
        by_watermark = self._event_time or end == LONG_MAX
        return self._state.event_timers if by_watermark else self._state.processing_timers

    def _windows_of_timers(self) -> dict[Any, list[Window]]:
        """By key the windows that have a timer: a trigger may have purged what they held."""
        found: dict[Any, list[Window]] = {}
        for _, key, window in self._state.event_timers if self._event_time else self._state.processing_timers:
            found.setdefault(key, []).append(cast("Window", window))
        return found

    def _open_windows(self, entry: Entry, with_timers: list[Window]) -> list[tuple[Window, Window]]:
        """The windows of a key, each with the window under which its contents are kept."""
        if self._merging:
            return list(entry.get((MERGING_WINDOWS, None), {}).items())
        stored = [cast("Window", namespace) for _, namespace in entry if namespace is not None]
        return [(window, window) for window in dict.fromkeys([*stored, *with_timers])]


def remove_trigger_state(entry: Entry, window: Window) -> list[tuple[str, Any]]:
    """Remove what any trigger has kept for ``window``, and give it with the names of states."""
    slots = [slot for slot in entry if slot[1] == window and slot[0].startswith(TRIGGER_PREFIX)]
    return [(slot[0], entry.pop(slot)) for slot in slots]
