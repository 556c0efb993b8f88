"""An interval join and its input as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from tests.simulator.program import LONG_MAX, Choose, Event, Program, Sliding, make_events, pick

#: Elements of channel n have ids from n times this on.
IDS_PER_CHANNEL = 1000


@dataclass(frozen=True)
class JoinProgram:
    """Left and right elements join if left + ``lower`` <= right <= left + ``upper``."""

    lower: int
    upper: int
    #: The first so many channels are the left stream's, the others the right one's.
    left_channels: int
    side_output: bool

    def is_left(self, element_id: int) -> bool:
        """Whether the element of that id is of the left stream."""
        return element_id // IDS_PER_CHANNEL < self.left_channels


#: ``make_events`` asks only whether elements may lack a timestamp, which those of a join must have.
_WITH_TIMESTAMPS = Program(Sliding(1, 1, 0))


def make_join(choose: Choose, length: int) -> tuple[JoinProgram, list[list[Event]]]:
    """Any interval join, and the events of one or two channels for each stream."""
    lower = pick(choose, (choose(-12, 12), choose(-12, 12), -LONG_MAX, LONG_MAX))
    width = pick(choose, (0, choose(0, 15), LONG_MAX))
    left, right = choose(1, 2), choose(1, 2)
    channels = [
        make_events(choose, _WITH_TIMESTAMPS, length, statuses=True, first_id=IDS_PER_CHANNEL * number)
        for number in range(left + right)
    ]
    return JoinProgram(lower, min(lower + width, LONG_MAX), left, choose(0, 1) == 1), channels
