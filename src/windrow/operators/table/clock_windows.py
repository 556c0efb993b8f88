"""Windows that the DataStream API has none for: those of a time zone, and by processing time CUMULATE."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from windrow.datastream.functions import ProcessWindowFunction
from windrow.datastream.window import (
    EventTimeTrigger,
    ProcessingTimeTrigger,
    TimeWindow,
    Trigger,
    WindowAssigner,
    WindowAssignerContext,
)
from windrow.operators.table.window_table import last_of, moments_of, shown_at, windows_of


class ClockWindows(WindowAssigner[Any, TimeWindow]):
    """The windows of a window table function at the current processing time.

    Args:
        kind: TUMBLE, HOP or CUMULATE.
        size: How long windows are at most, in milliseconds.
        step: How far apart they begin, or how much longer each is.
        offset: From when on they are counted.
        zone: The time zone in which they begin and end; None: UTC.
    """

    def __init__(self, kind: str, size: int, step: int, offset: int, zone: str | None) -> None:
        self._of = kind, size, step, offset
        self._zone = zone
        #: The windows of one time: by processing time all elements of a batch have the same.
        self._last: tuple[int, list[TimeWindow]] | None = None

    def __repr__(self) -> str:
        kind, size, step, offset = self._of
        return f"ClockWindows({kind}, {size}, {step}, {offset}, {self._zone})"

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> list[TimeWindow]:
        now = context.get_current_processing_time()
        if self._last is None or self._last[0] != now:
            self._last = now, self._at(now)
        return self._last[1]

    def _at(self, now: int) -> list[TimeWindow]:
        times = np.array([now], np.int64)
        if self._zone is None:
            _, starts, ends = windows_of(times, *self._of)
        else:
            _, starts, ends = windows_of(shown_at(times, self._zone), *self._of)
            starts, ends = moments_of(starts, self._zone), last_of(ends, self._zone) + 1
        return [TimeWindow(start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]

    def get_default_trigger(self, env: Any = None) -> Trigger[Any, TimeWindow]:
        return ProcessingTimeTrigger.create()

    def is_event_time(self) -> bool:
        return False


class ZonedWindows(ClockWindows):
    """The same at the event time of each element."""

    def __repr__(self) -> str:
        return super().__repr__().replace("Clock", "Zoned", 1)

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> list[TimeWindow]:
        if self._last is None or self._last[0] != timestamp:
            self._last = timestamp, self._at(timestamp)
        return self._last[1]

    def get_default_trigger(self, env: Any = None) -> Trigger[Any, TimeWindow]:
        return EventTimeTrigger.create()

    def is_event_time(self) -> bool:
        return True


class WindowBounds(ProcessWindowFunction[Any, Any, Any, Any]):
    """Puts the window's start and end, in milliseconds, behind the fields of what was combined in it."""

    def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
        window = context.window()
        return [(*element, window.start, window.end) for element in elements]
