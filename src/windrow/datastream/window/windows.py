"""The windows that elements are put into: time windows, count windows and the one global window."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from windrow.common.limits import LONG_MAX, LONG_MIN

if TYPE_CHECKING:
    from windrow.datastream.window.assigner import MergeCallback


class Window(ABC):
    """A group of elements that is evaluated together (Flink's ``Window``).

    A window is a value: it is hashable, compares by content and never changes, because state and timers are kept
    per window.
    """

    __slots__ = ()

    @abstractmethod
    def max_timestamp(self) -> int:
        """The largest timestamp, in milliseconds, that still belongs to this window."""


class _Interval(NamedTuple):
    start: int
    end: int


# Windows are made and hashed once or more per element, so time and count windows are tuples: both then run in C.
class TimeWindow(_Interval, Window):
    """The half-open interval ``[start, end)`` of time, in milliseconds (Flink's ``TimeWindow``).

    Time windows are ordered by start, then by end.

    >>> window = TimeWindow(0, 5000)
    >>> window.start, window.end, window.max_timestamp()
    (0, 5000, 4999)
    """

    __slots__ = ()

    def max_timestamp(self) -> int:
        """The last millisecond inside: ``end - 1``."""
        return self[1] - 1

    def intersects(self, other: TimeWindow) -> bool:
        """Tell whether the two overlap or touch: windows that only share a boundary do intersect, as in Flink.

        >>> TimeWindow(10, 20).intersects(TimeWindow(20, 30)), TimeWindow(10, 20).intersects(TimeWindow(21, 30))
        (True, False)
        """
        return self[0] <= other[1] and self[1] >= other[0]

    def cover(self, other: TimeWindow) -> TimeWindow:
        """The smallest window that contains both.

        >>> TimeWindow(0, 10).cover(TimeWindow(15, 20))
        TimeWindow(start=0, end=20)
        """
        return TimeWindow(min(self[0], other[0]), max(self[1], other[1]))

    @staticmethod
    def get_window_start_with_offset(timestamp: int, offset: int, window_size: int) -> int:
        """The start of the window of ``window_size`` that ``timestamp`` falls into; all in milliseconds.

        Windows are aligned to the epoch plus ``offset``; a start before -2^63 becomes -2^63.
        ``TimeWindow.getWindowStartWithOffset`` corrects Java's truncating remainder for negative values; Python's
        remainder already has the sign of the divisor.

        >>> TimeWindow.get_window_start_with_offset(8, 0, 7), TimeWindow.get_window_start_with_offset(-1, 3, 7)
        (7, -4)
        """
        start = timestamp - (timestamp - offset) % window_size
        return start if start >= LONG_MIN else LONG_MIN

    @staticmethod
    def merge_windows(windows: Iterable[TimeWindow], callback: MergeCallback[TimeWindow]) -> None:
        """Call ``callback.merge(sources, result)`` for each group of two or more windows that overlap or touch.

        The rule is Flink's ``TimeWindow.mergeWindows``: go through the windows by start and widen the current group
        while the next one intersects it. Sources are listed by start, a window that is there twice is listed twice.
        """
        groups: list[tuple[list[TimeWindow], TimeWindow]] = []
        for window in sorted(windows, key=lambda candidate: candidate[0]):
            if groups and groups[-1][1].intersects(window):
                sources, covered = groups[-1]
                sources.append(window)
                groups[-1] = (sources, covered.cover(window))
            else:
                groups.append(([window], window))
        for sources, covered in groups:
            if len(sources) > 1:
                callback.merge(sources, covered)


class _Identified(NamedTuple):
    id: int


class CountWindow(_Identified, Window):
    """The window with number ``id`` of a key, for windows that hold a number of elements (PyFlink's ``CountWindow``).

    >>> CountWindow(3).id
    3
    """

    __slots__ = ()

    def max_timestamp(self) -> int:
        """2^63-1: time never ends a count window."""
        return LONG_MAX


class GlobalWindow(Window):
    """The one window that every element belongs to (Flink's ``GlobalWindow``).

    >>> GlobalWindow.get() == GlobalWindow()
    True
    """

    __slots__ = ()

    _instance: GlobalWindow | None = None

    def __new__(cls) -> GlobalWindow:
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    @staticmethod
    def get() -> GlobalWindow:
        """The only instance."""
        return GlobalWindow()

    def max_timestamp(self) -> int:
        """2^63-1: only the end of the stream passes it."""
        return LONG_MAX

    def __repr__(self) -> str:
        return "GlobalWindow()"

    # There is one, so it is equal to none but itself: object's own methods say so, in a tenth of the time.
    def __reduce__(self) -> tuple[Callable[[], GlobalWindow], tuple[()]]:
        return GlobalWindow.get, ()
