"""Finds out whether a trigger fires a window of processing time at its end and does nothing before.

Of the triggers that come with Windrow that is known by their class. One that a program has written is called once with
stand-ins, if its code is known to do no more than register timers and give a result: it shows which timers of a window
it sets, and what it answers when they are due. A trigger that looks at elements, times or state is not known.
"""

from __future__ import annotations

import dis
from enum import Enum
from types import FunctionType
from typing import Any

from windrow.datastream.window import ProcessingTimeTrigger, PurgingTrigger, Trigger, TriggerResult
from windrow.tracing.outcome import Refused

#: All that the code of such a trigger may name.
_TIMERS = ("register_processing_time_timer", "register_event_time_timer")
_NAMES = frozenset(
    {
        *("TriggerResult", "CONTINUE", "FIRE", "FIRE_AND_PURGE", "max_timestamp", *_TIMERS),
        *("delete_processing_time_timer", "delete_event_time_timer"),
    }
)
#: Instructions that call, and look up what is called: nothing is compared, and no way is chosen.
_STRAIGHT = frozenset(
    {
        *("RESUME", "NOP", "CACHE", "EXTENDED_ARG", "PRECALL", "PUSH_NULL", "NOT_TAKEN", "LOAD_CONST", "LOAD_GLOBAL"),
        *(
            "LOAD_FAST",
            "LOAD_FAST_CHECK",
            "LOAD_FAST_LOAD_FAST",
            "LOAD_FAST_BORROW",
            "LOAD_FAST_BORROW_LOAD_FAST_BORROW",
        ),
        *("LOAD_ATTR", "LOAD_METHOD", "CALL", "STORE_FAST", "STORE_FAST_LOAD_FAST", "POP_TOP"),
        *("RETURN_VALUE", "RETURN_CONST"),
    }
)
_FIRES = (TriggerResult.FIRE, TriggerResult.FIRE_AND_PURGE)


class Fires(Enum):
    """The kinds of time that fire a window and empty it."""

    #: The clock, when it comes to the window's last millisecond.
    BY_CLOCK = "by clock"
    #: The clock, and the watermark when it does.
    BY_CLOCK_AND_WATERMARK = "by clock and watermark"


def fires_at_end(trigger: Trigger[Any, Any]) -> Fires | None:
    """Find what fires windows of processing time that neither merge nor take late elements; None: not just their end.

    >>> fires_at_end(PurgingTrigger.of(ProcessingTimeTrigger.create()))
    <Fires.BY_CLOCK: 'by clock'>
    """
    if is_default(trigger):
        return Fires.BY_CLOCK
    try:
        return _tried(trigger)
    except Refused:
        return None


def is_default(trigger: Trigger[Any, Any]) -> bool:
    """Tell whether this is the default trigger of windows of processing time, purging or not."""
    if type(trigger) is PurgingTrigger:
        return is_default(trigger.nested_trigger)
    return type(trigger) is ProcessingTimeTrigger


class _Window:
    """Stands for a window, of which the last millisecond alone is known; that is no number."""

    def max_timestamp(self) -> object:
        return _END


class _Context:
    """Notes which timers are registered."""

    def __init__(self) -> None:
        self.registered: set[str] = set()
        self.has_deleted = False

    def register_processing_time_timer(self, time: object) -> None:
        self._note("processing", time)

    def register_event_time_timer(self, time: object) -> None:
        self._note("event", time)

    def delete_processing_time_timer(self, time: object) -> None:
        self.has_deleted = True

    delete_event_time_timer = delete_processing_time_timer

    def _note(self, kind: str, time: object) -> None:
        if time is not _END:
            raise Refused("registers a timer at another time than a window's end")  # noqa: EM101
        self.registered.add(kind)


_END = object()
_NOTHING = object()


def _tried(trigger: Trigger[Any, Any]) -> Fires | None:
    """See what a trigger of the program's own does.

    Raises:
        Refused: it does something else than register timers and give a result.
    """
    result, registered = _called(trigger, "on_element", _NOTHING, _NOTHING, _Window())
    if result is not TriggerResult.CONTINUE:
        return None
    at_end, then = _called(trigger, "on_processing_time", _NOTHING, _Window())
    _, cleared = _called(trigger, "clear", _Window())
    if at_end not in _FIRES or then or cleared:
        return None
    if "event" not in registered:
        return Fires.BY_CLOCK
    at_end, then = _called(trigger, "on_event_time", _NOTHING, _Window())
    return Fires.BY_CLOCK_AND_WATERMARK if at_end is TriggerResult.FIRE_AND_PURGE and not then else None


def _called(trigger: Trigger[Any, Any], name: str, *arguments: object) -> tuple[object, set[str]]:
    """Call a method of a trigger; gives its result, and the kinds of timers that it registers."""
    method = getattr(type(trigger), name)
    if not isinstance(method, FunctionType) or name in vars(trigger) or method.__closure__:
        raise Refused("is no plain method")  # noqa: EM101
    code = method.__code__
    if not _STRAIGHT.issuperset(instruction.opname for instruction in dis.get_instructions(code)):
        raise Refused("does more than call its arguments")  # noqa: EM101
    if not _NAMES.issuperset(code.co_names) or method.__globals__.get("TriggerResult") is not TriggerResult:
        raise Refused("uses something else than timers and results")  # noqa: EM101
    context = _Context()
    try:
        result = method(trigger, *arguments, context)
    except Exception as error:  # whatever Python says of an argument that is none
        raise Refused("looks at its arguments") from error  # noqa: EM101
    if context.has_deleted and name != "clear":
        raise Refused("deletes timers")  # noqa: EM101
    return result, context.registered
