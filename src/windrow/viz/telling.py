"""A trace in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from windrow.common.limits import MAX_WATERMARK
from windrow.datastream.window import TimeWindow, Window
from windrow.errors import shorten
from windrow.viz.events import (
    AnyEvent,
    Arrived,
    CleanedUp,
    Evicted,
    Expired,
    Fired,
    Matched,
    Merged,
    Opened,
    ProcessingTimeAdvanced,
    Purged,
    Skipped,
    StatusChanged,
    WatermarkAdvanced,
)


def told(events: Iterable[AnyEvent]) -> str:
    """A line for each event that says something new; a step's number stands before its first line.

    Example:
        >>> print(told([Arrived(0, 0, "a", 0, "word", 5, -1, 0), WatermarkAdvanced(0, 1, 9)]))
        0: 'word' at 5 of 'a' comes
        1: the watermark is 9
    """
    events = list(events)
    values = {event.element: event.value for event in events if isinstance(event, Arrived)}
    lines = []
    for (_, step), of_step in groupby(events, key=lambda event: (event.subtask, event.step)):
        sentences = [sentence for event in of_step for sentence in _sentences(event, values)]
        if len(sentences) == 1 and sentences[0].startswith("processing time"):
            continue  # it moves all the time, and here nothing came of it
        head = f"{step}: "
        lines += [f"{'' if number else head:<{len(head)}}{sentence}" for number, sentence in enumerate(sentences)]
    return "\n".join(lines)


def window_name(window: Window) -> str:
    """Name a window as sentences and pictures do.

    Example:
        >>> window_name(TimeWindow(0, 10))
        '[0, 10)'
    """
    return f"[{window.start}, {window.end})" if isinstance(window, TimeWindow) else repr(window)


def _sentences(event: AnyEvent, values: dict[int, Any]) -> Iterator[str]:
    def names(elements: Iterable[int]) -> str:
        shown = [shorten(values.get(element)) for element in elements]
        return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else (shown or ["nothing"])[0]

    match event:
        case WatermarkAdvanced(watermark=watermark):
            yield "the input has ended" if watermark == MAX_WATERMARK else f"the watermark is {watermark}"
        case ProcessingTimeAdvanced():
            yield f"processing time is {event.processing_time}"
        case StatusChanged():
            yield f"the input is {'idle' if event.idle else 'active'}"
        case Arrived():
            at = "" if event.timestamp is None else f" at {event.timestamp}"
            stream = f" on stream {event.input}" if event.input else ""
            yield f"{shorten(event.value)}{at} of {event.key!r} comes{stream}"
        case Skipped():
            yield "it is too late" if event.late else "it is in no window"
        case Opened():
            yield f"window {window_name(event.window)} opens"
        case Merged(sources=(one,)):
            yield f"{window_name(one)} grows to {window_name(event.window)}"
        case Merged():
            sources = " and ".join([window_name(source) for source in event.sources])
            yield f"{sources} become {window_name(event.window)}"
        case Fired():
            again = "" if event.number == 1 else " again"
            results = (
                ""
                if event.results is None
                else f": {', '.join([shorten(each) for each in event.results]) or 'no result'}"
            )
            yield f"{window_name(event.window)} of {event.key!r} fires{again}, with {names(event.elements)}{results}"
        case Evicted():
            yield f"{names([event.element])} is evicted{'' if event.before else ' behind that'}"
        case Purged():
            yield "it is emptied"
        case CleanedUp():
            yield f"{window_name(event.window)} is over"
        case Matched():
            yield f"{names([event.left])} and {names([event.right])} match"
        case Expired():
            yield f"{names([event.element])} is forgotten"
        case _:  # added to a window: that is said where it opens or fires
            return
