"""The timer service that operators hand to user functions."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.datastream.timerservice import TimerService
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError
from windrow.operators.base import OperatorContext
from windrow.state.keyed import NO_KEY
from windrow.state.slot_timers import SlotTimers
from windrow.state.timer_queue import TimerQueue

#: So many timers of one time are worth that it is remembered by the slots of keys whether they are there.
_TIMERS_OF_A_TIME = 256
#: If there are no more slots for each of them.
_SLOTS_OF_A_TIMER = 16


class OperatorTimerService(TimerService):
    """Times and timers of one operator; timers are those of the current key in ``namespace``.

    Args:
        context: the operator's context.
        namespace: what the operator tells its timers apart by; None if it has one kind only.
        keyed: whether the operator's stream is keyed; without keys the times can be read, but no timer set.
    """

    def __init__(self, context: OperatorContext, namespace: Hashable = None, *, keyed: bool = True) -> None:
        self._context = context
        self._state = context.state
        self._namespace = namespace
        self._keyed = keyed
        self._timers = timers = context.state.event_timers
        by_slot: dict[int, SlotTimers] = timers.by_slot if namespace is None else {}
        self._timers_at, self._by_slot_at = timers.buckets.get, by_slot.get

    def current_processing_time(self) -> int:
        return self._context.time.processing_time

    def current_watermark(self) -> int:
        return self._context.time.watermark

    def register_processing_time_timer(self, timestamp: int) -> None:
        self._register(self._context.state.processing_timers, timestamp)

    def register_event_time_timer(self, timestamp: int) -> None:
        # Most are registered again and again, by each element of a key.
        if type(timestamp) is int:
            by_slot = self._by_slot_at(timestamp)
            if by_slot is None:
                self._register_event_time_timer(timestamp)
                return
            slot = self._state.current_slot
            if slot is not None:
                try:
                    if by_slot.known[slot]:
                        return
                except IndexError:  # the key has come since
                    pass
                if not self._timers.closed:
                    by_slot.add(slot, self._state.current_key)
                return
        self._register(self._timers, timestamp)

    def delete_processing_time_timer(self, timestamp: int) -> None:
        self._delete(self._context.state.processing_timers, timestamp)

    def delete_event_time_timer(self, timestamp: int) -> None:
        by_slot = self._by_slot_at(timestamp) if type(timestamp) is int else None
        slot = self._state.current_slot
        if by_slot is None or slot is None:
            self._delete(self._timers, timestamp)
        else:
            by_slot.remove(slot)

    def _register_event_time_timer(self, timestamp: int) -> None:
        bucket = self._timers_at(timestamp)
        if bucket is None or self._namespace is not None:
            self._register(self._timers, timestamp)
        elif self._state.current_key not in bucket:
            self._register(self._timers, timestamp)
            # Timers that the watermark has passed fire, one after the other.
            if not len(bucket) % _TIMERS_OF_A_TIME and timestamp > self._context.time.watermark:
                slots = self._state.slots()
                if slots is not None and len(slots) < len(bucket) * _SLOTS_OF_A_TIMER:
                    self._timers.note_by_slot(timestamp, slots)

    def _register(self, timers: TimerQueue, timestamp: Any) -> None:
        key = self._state.current_key
        if type(timestamp) is not int or not self._keyed or key is NO_KEY or not LONG_MIN <= timestamp <= LONG_MAX:
            timestamp = self._checked(timestamp)
        timers.register(timestamp, key, self._namespace)

    def _delete(self, timers: TimerQueue, timestamp: Any) -> None:
        timers.delete(self._checked(timestamp), self._context.state.current_key, self._namespace)

    def _checked(self, timestamp: Any) -> int:
        name = self._context.name
        if not self._keyed:
            msg = f"operator {name!r} set a timer, but timers need a keyed stream: call key_by before it"
            raise UsageError(msg)
        if self._context.state.current_key is NO_KEY:
            msg = f"operator {name!r} set a timer for an element without a key: only elements of keyed streams have one"
            raise UsageError(msg)
        return time_of_timer(timestamp, name)


def time_of_timer(timestamp: Any, operator: str) -> int:
    """The time of a timer as Python's integer.

    Args:
        timestamp: What was given for it, in milliseconds.
        operator: The operator's name, for the error.

    Raises:
        ConfigurationTypeError: it is no integer.
        ConfigurationError: it does not fit 64 bits.
    """
    if isinstance(timestamp, bool) or not hasattr(timestamp, "__index__"):
        msg = f"operator {operator!r} set a timer for {timestamp!r}: the time of a timer is an int, in milliseconds"
        raise ConfigurationTypeError(msg)
    millis = int(timestamp)
    if not LONG_MIN <= millis <= LONG_MAX:
        msg = f"operator {operator!r} set a timer for {millis} ms, which does not fit 64 bits"
        raise ConfigurationError(msg)
    return millis
