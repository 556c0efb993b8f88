"""An output that keeps what comes out of operators and valves."""

from typing import Any

import pytest

from windrow.elements.batch import Batch


class RecordedOutput:
    """What came out: an element as (value, timestamp), a watermark as its timestamp, a status as text."""

    def __init__(self) -> None:
        self.items: list[Any] = []

    def emit(self, value: Any, timestamp: int) -> None:
        self.items.append((value, timestamp))

    def emit_batch(self, batch: Batch) -> None:
        self.items.extend(zip(batch.elements, batch.timestamp_list(), strict=True))

    def emit_side(self, tag_id: str, value: Any, timestamp: int) -> None:
        raise AssertionError

    def emit_watermark(self, timestamp: int) -> None:
        self.items.append(timestamp)

    def emit_status(self, *, idle: bool) -> None:
        self.items.append("idle" if idle else "active")

    def take(self) -> list[Any]:
        """All that came out since the last call."""
        items, self.items = self.items, []
        return items


@pytest.fixture
def output() -> RecordedOutput:
    """An empty recorded output."""
    return RecordedOutput()


@pytest.fixture(scope="session")
def new_output() -> type[RecordedOutput]:
    """Makes outputs: property tests need one for each example."""
    return RecordedOutput
