"""Keeps what happened to one subtask of an operator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from windrow.common.limits import NO_TIMESTAMP
from windrow.operators.base import Time
from windrow.viz.events import AnyEvent, Arrived, Fired


class Recorder:
    """The events of one subtask, in their order.

    Args:
        numbers: Gives numbers to elements; shared by all subtasks.
    """

    def __init__(self, numbers: Iterator[int] | None = None) -> None:
        #: The number of the subtask.
        self.subtask = 0
        self.events: list[AnyEvent] = []
        self._numbers = count() if numbers is None else numbers
        self.step = -1

    def next_step(self) -> None:
        """The operator is given something else."""
        self.step += 1

    def add(self, kind: type[AnyEvent], *fields: Any) -> None:
        """An event of this step."""
        self.events.append(kind(self.subtask, self.step, *fields))

    def arrived(self, key: Any, value: Any, timestamp: int, time: Time, which_input: int) -> int:
        """An element has come, which is a step of its own; its number."""
        self.next_step()
        number = next(self._numbers)
        known = None if timestamp == NO_TIMESTAMP else timestamp
        self.add(Arrived, key, number, value, known, time.watermark, time.processing_time, which_input)
        return number

    def set_results(self, place: int, results: tuple[Any, ...]) -> None:
        """The firing at ``place`` has given these."""
        fired = self.events[place]
        assert isinstance(fired, Fired)
        self.events[place] = replace(fired, results=results)

    def since(self, place: int) -> Sequence[AnyEvent]:
        """The events behind the first ``place`` ones."""
        return self.events[place:]
