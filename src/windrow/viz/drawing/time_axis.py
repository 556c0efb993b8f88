"""The axis of time: where a moment is, and which moments are named below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
#: From here on a number of milliseconds is a date: times before 1973 are taken as counted from some beginning.
_DATES = 100_000_000_000
_STEPS = (
    *(factor * 10**power for power in range(3) for factor in (1, 2, 5)),
    *(factor * SECOND for factor in (1, 2, 5, 10, 15, 30)),
    *(factor * MINUTE for factor in (1, 2, 5, 10, 15, 30)),
    *(factor * HOUR for factor in (1, 2, 3, 6, 12)),
    *(factor * DAY for factor in (1, 2, 7, 14, 30, 90, 365)),
)
_MOST_TICKS = 9


def duration(milliseconds: int) -> str:
    """A span of time in its largest whole unit, or in seconds.

    Example:
        >>> duration(20_000), duration(90_000), duration(-7_200_000), duration(2_900)
        ('20 s', '90 s', '-2 h', '2.9 s')
    """
    for unit, name in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (SECOND, "s")):
        if milliseconds and milliseconds % unit == 0:
            return f"{milliseconds // unit} {name}"
    return f"{milliseconds} ms" if abs(milliseconds) < SECOND else f"{milliseconds / SECOND:g} s"


@dataclass(frozen=True)
class TimeAxis:
    """From a moment in milliseconds to a place in pixels.

    Example:
        >>> axis = TimeAxis.over([0, 30_000], 100, 700)
        >>> [text for _, text in axis.ticks()]
        ['0 s', '5 s', '10 s', '15 s', '20 s', '25 s', '30 s']
    """

    first: int
    last: int
    left: float
    right: float

    @staticmethod
    def over(moments: Iterable[int], left: float, right: float) -> TimeAxis:
        """The axis on which all these moments are, with some room at both ends."""
        known = list(moments) or [0]
        first, last = min(known), max(known)
        room = max((last - first) // 25, 1)
        return TimeAxis(first - room, last + room, left, right)

    def place(self, moment: int) -> float:
        """Give the pixel of a moment; moments beyond the ends are at the ends."""
        within = min(max(moment, self.first), self.last)
        return self.left + (within - self.first) / (self.last - self.first) * (self.right - self.left)

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Places and names of round moments."""
        step = next((step for step in _STEPS if (self.last - self.first) / step <= _MOST_TICKS), _STEPS[-1])
        moment = -(-self.first // step) * step
        while moment <= self.last:
            yield self.place(moment), self._name(moment, step)
            moment += step

    @property
    def unit(self) -> str:
        """The text behind the axis' name: the unit or the day, where moments are named without one; else empty."""
        step = next((step for step in _STEPS if (self.last - self.first) / step <= _MOST_TICKS), _STEPS[-1])
        if self.last >= _DATES:
            day = f"{datetime.fromtimestamp(max(self.first, 0) / SECOND, UTC):%Y-%m-%d}"
            return f", UTC, {day}" if self.last - self.first <= DAY else ", UTC"
        return " (ms)" if step < SECOND else ""

    def _name(self, moment: int, step: int) -> str:
        if self.last >= _DATES:
            form = "%Y-%m-%d" if step >= DAY else "%H:%M" if step >= MINUTE else "%H:%M:%S"
            if step < DAY < self.last - self.first:
                form = "%m-%d %H:%M"
            text = datetime.fromtimestamp(moment / SECOND, UTC).strftime(form)
            return text if step >= SECOND else f"{text}.{moment % SECOND:03}"
        for unit, name in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (SECOND, "s")):
            if step % unit == 0:
                return f"{moment // unit} {name}"
        return str(moment)
