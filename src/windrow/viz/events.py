"""The events that a trace is made of: all that can happen to an operator with windows, or to an interval join.

Each has the step in which it happened. Steps count what the operator was given, one after the other: an element, a
watermark, a moment of processing time. All that a step brings about has its number. Times are in milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from windrow.datastream.window import Window


@dataclass(frozen=True)
class Event:
    """Something that happened, in a step of a subtask."""

    subtask: int
    step: int


@dataclass(frozen=True)
class WatermarkAdvanced(Event):
    """The watermark of the operator's input has risen."""

    watermark: int


@dataclass(frozen=True)
class ProcessingTimeAdvanced(Event):
    """Processing time has moved on."""

    processing_time: int


@dataclass(frozen=True)
class StatusChanged(Event):
    """The input has become idle, or active again."""

    idle: bool


@dataclass(frozen=True)
class OfKey(Event):
    """Something that happened to a key."""

    key: Any


@dataclass(frozen=True)
class Arrived(OfKey):
    """An element has come."""

    #: Its number; those of all subtasks are counted through, from 0 on.
    element: int
    value: Any
    #: None: it has none.
    timestamp: int | None
    #: The operator's watermark and processing time when it came.
    watermark: int
    processing_time: int
    #: Which stream it came on: 1 and 2 are those of an operator on two streams, 0 is the only one.
    input: int = 0


@dataclass(frozen=True)
class Skipped(OfKey):
    """No window took the element, or no buffer of a join: it was too late, or the assigner gave it no window."""

    element: int
    #: Whether it was too late.
    late: bool


@dataclass(frozen=True)
class OfWindow(OfKey):
    """Something that happened to a window of a key."""

    window: Window


@dataclass(frozen=True)
class Opened(OfWindow):
    """A window has come to be."""


@dataclass(frozen=True)
class Merged(OfWindow):
    """Windows have become one: of two or more, or of one that has grown."""

    sources: tuple[Window, ...]


@dataclass(frozen=True)
class Added(OfWindow):
    """An element was added to a window."""

    element: int


@dataclass(frozen=True)
class Fired(OfWindow):
    """A window has fired."""

    #: 1 of its first firing, 2 of the next one, ...; it begins again when the window is emptied.
    number: int
    #: The elements that the window function was called with, in their order.
    elements: tuple[int, ...]
    #: What came out; None where it cannot be told which of several windows a result is from.
    results: tuple[Any, ...] | None


@dataclass(frozen=True)
class Evicted(OfWindow):
    """An evictor has removed an element from a window that fires."""

    element: int
    #: Whether the window function did not see it any more.
    before: bool


@dataclass(frozen=True)
class Purged(OfWindow):
    """A trigger has emptied a window."""


@dataclass(frozen=True)
class CleanedUp(OfWindow):
    """A window is over: what it held is gone, and what comes for it is too late."""


@dataclass(frozen=True)
class Matched(OfKey):
    """An interval join has found a pair."""

    left: int
    right: int


@dataclass(frozen=True)
class Expired(OfKey):
    """An interval join has forgotten an element: the watermark says that all that joins it has come."""

    element: int


AnyEvent: TypeAlias = (
    WatermarkAdvanced
    | ProcessingTimeAdvanced
    | StatusChanged
    | Arrived
    | Skipped
    | Opened
    | Merged
    | Added
    | Fired
    | Evicted
    | Purged
    | CleanedUp
    | Matched
    | Expired
)
