"""The sink behind ``execute_and_collect``: hands elements from the thread that runs the job to the one that asks."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Condition
from typing import Any

from windrow.connectors.interfaces import DriverSink

#: The job waits while so many elements have not been asked for.
BUFFERED_ELEMENTS = 1 << 20


class CollectSink(DriverSink):
    """Keeps elements until they are taken."""

    def __init__(self, buffered_elements: int = BUFFERED_ELEMENTS) -> None:
        self._buffered_elements = buffered_elements
        self._elements: list[Any] = []
        self._changed = Condition()
        #: No more elements come: the job is over.
        self._ended = False
        #: No more elements are wanted.
        self._closed = False

    def deliver(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._elements) < self._buffered_elements)
            if not self._closed:
                self._elements.extend(values)
                self._changed.notify_all()

    def end(self) -> None:
        """Say that no more elements come."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def close(self) -> None:
        """Say that no more elements are wanted; those that are there are thrown away."""
        with self._changed:
            self._closed = True
            self._elements.clear()
            self._changed.notify_all()

    def take(self) -> list[Any]:
        """The elements that are there; waits for some. None are left when the list is empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._elements or self._ended or self._closed)
            elements, self._elements = self._elements, []
            self._changed.notify_all()
            return elements
