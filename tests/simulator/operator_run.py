"""Runs a program straight on its operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.simulator.compare import Outcome
from tests.simulator.program import Element, Event, Program, Restart, Watermark
from tests.simulator.translate import LATE, ids_of, key_of, spec_of, timestamp_of, value_of
from windrow.operators.window.spec import build
from windrow.testing import OperatorHarness, Record, StateEntry, WatermarkOut

_CONTENTS = ("_window-contents", "_aligned")


class OperatorRun:
    """An operator in its harness, and what it has given since the beginning, restarts included."""

    def __init__(self, program: Program, *, aligned: bool = True) -> None:
        self._program = program
        self._aligned = aligned
        self.outcome = Outcome()
        self.harness = self._harness(None)

    def run(self, events: Sequence[Event], cuts: frozenset[int] = frozenset()) -> OperatorRun:
        """Push the events. ``cuts``: positions before which a batch of elements ends; others are one batch."""
        batch: list[Element] = []
        for position, event in enumerate(events):
            if batch and (position in cuts or not isinstance(event, Element)):
                self._push(batch)
                batch = []
            if isinstance(event, Element):
                batch.append(event)
            elif isinstance(event, Watermark):
                self.harness.process_watermark(event.time)
            elif isinstance(event, Restart):
                self._drain()
                self.harness = self._harness(self.harness.snapshot())
        self._push(batch)
        self._drain()
        return self

    def held_ids(self) -> list[int]:
        """The ids of the elements in stored window contents, each as often as it is there."""
        return sorted(i for entry in self.harness.state_entries() if entry.name in _CONTENTS for i in _ids(entry))

    def _push(self, elements: list[Element]) -> None:
        if elements:
            self.harness.process_elements([(value_of(element), timestamp_of(element)) for element in elements])

    def _harness(self, snapshot: bytes | None) -> OperatorHarness:
        return OperatorHarness(build(spec_of(self._program), aligned=self._aligned), key_of, snapshot=snapshot)

    def _drain(self) -> None:
        outcome = self.outcome
        for item in self.harness.take_output():
            if isinstance(item, Record):
                outcome.record(item.value, item.timestamp)
            elif isinstance(item, WatermarkOut):
                outcome.watermark()
        outcome.late += self.harness.side_output(LATE)
        self.harness.side_output(LATE).clear()
        outcome.counters.update(self.harness.counters)
        self.harness.counters.clear()


def _ids(entry: StateEntry) -> tuple[int, ...]:
    contents: Any = entry.value
    if isinstance(contents, list):
        return ids_of(getattr(element, "value", element) for element in contents)
    return ids_of([contents])
