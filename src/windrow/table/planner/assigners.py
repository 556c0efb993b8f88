"""The windows of the DataStream API that those of SQL are."""

from __future__ import annotations

from typing import Any

from windrow.common.time import Time
from windrow.datastream.window import (
    EventTimeSessionWindows,
    ProcessingTimeSessionWindows,
    SlidingEventTimeWindows,
    SlidingProcessingTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
    WindowAssigner,
)
from windrow.operators.table.clock_windows import ClockWindows, ZonedWindows
from windrow.sql.plan import Window


def assigner_of(window: Window) -> Any:
    """The windows of the DataStream API."""
    size, offset = Time.milliseconds(window.size), window.offset
    if window.by_clock:
        return _windows_by_clock(window)
    if window.kind == "SESSION":
        return EventTimeSessionWindows.with_gap(size)
    if window.zone is not None:
        return ZonedWindows(window.kind, window.size, window.slide, offset, window.zone)
    if window.kind == "TUMBLE":
        return TumblingEventTimeWindows.of(size, Time.milliseconds(offset % window.size))
    return SlidingEventTimeWindows.of(size, Time.milliseconds(window.slide), Time.milliseconds(offset % window.slide))


def _windows_by_clock(window: Window) -> WindowAssigner[Any, Any]:
    """The windows of processing time."""
    size, offset = Time.milliseconds(window.size), window.offset
    if window.kind == "SESSION":
        return ProcessingTimeSessionWindows.with_gap(size)
    if windows_say_bounds(window):
        return ClockWindows(window.kind, window.size, window.slide, offset, window.zone)
    if window.kind == "TUMBLE":
        return TumblingProcessingTimeWindows.of(size, Time.milliseconds(offset % window.size))
    slide = Time.milliseconds(window.slide)
    return SlidingProcessingTimeWindows.of(size, slide, Time.milliseconds(offset % window.slide))


def windows_say_bounds(window: Window) -> bool:
    """Tell whether windows say where they begin and end, because nothing in their rows does.

    Sessions of event time know it of their rows.
    """
    if window.by_clock:
        return window.kind in ("SESSION", "CUMULATE") or window.zone is not None
    return window.kind != "SESSION" and window.zone is not None
