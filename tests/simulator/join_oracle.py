"""Flink's interval join once more, naively: every element is compared with all that are buffered.

Nothing here is shared with the operator. There are no timers: each watermark looks at all of both buffers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.simulator.join_program import JoinProgram
from tests.simulator.program import LONG_MAX, LONG_MIN, Element, Event, Watermark


class Pair(NamedTuple):
    """A call of the join function."""

    key: int | str
    left: int
    right: int
    left_timestamp: int
    right_timestamp: int
    #: That of the result.
    timestamp: int


@dataclass
class JoinOracle:
    """Takes all events; then what came of them may be read."""

    program: JoinProgram
    #: The pairs between two watermarks.
    segments: list[list[Pair]] = field(default_factory=lambda: [[]])
    late: list[Element] = field(default_factory=list)
    dropped: int = 0
    buffer: list[Element] = field(default_factory=list)
    watermark: int = LONG_MIN

    def run(self, events: Iterable[Event]) -> JoinOracle:
        for event in events:
            if isinstance(event, Watermark):
                self._on_watermark(event.time)
            elif isinstance(event, Element):
                self._on_element(event)
        return self

    def _on_watermark(self, time: int) -> None:
        self.watermark = time
        self.segments.append([])
        self.buffer = [element for element in self.buffer if self._removed_at(element) > time]

    def _removed_at(self, element: Element) -> int:
        program = self.program
        span = program.upper if program.is_left(element.id) else -program.lower
        return min(_time(element) + max(0, span), LONG_MAX)

    def _on_element(self, element: Element) -> None:
        if _time(element) < self.watermark:
            if self.program.side_output:
                self.late.append(element)
            else:
                self.dropped += 1
            return
        from_left = self.program.is_left(element.id)
        self.buffer.append(element)
        others = [other for other in self.buffer if self.program.is_left(other.id) != from_left]
        # Sorting keeps the order of arrival where timestamps are equal.
        for other in sorted(others, key=_time):
            left, right = (element, other) if from_left else (other, element)
            if left.key == right.key and self._joins(_time(left), _time(right)):
                times = _time(left), _time(right)
                self.segments[-1].append(Pair(left.key, left.id, right.id, *times, max(times)))

    def _joins(self, left: int, right: int) -> bool:
        return left + self.program.lower <= right <= left + self.program.upper


def _time(element: Element) -> int:
    assert element.timestamp is not None
    return element.timestamp
