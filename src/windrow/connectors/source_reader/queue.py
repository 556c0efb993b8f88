"""The queue between fetchers and the reader: bounded, so what is read ahead stays bounded."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from threading import Condition
from typing import Generic, TypeVar

from windrow.common.checks import positive
from windrow.connectors.source.reader import available

T = TypeVar("T")


class FutureCompletingBlockingQueue(Generic[T]):
    """Putting waits while it is full; taking never waits, but there is a future that is done when there is something.

    Flink's ``org.apache.flink.connector.base.source.reader.synchronization.FutureCompletingBlockingQueue``.

    Args:
        capacity: How many elements it holds at most; elements are the results of whole fetches.

    Example:
        >>> queue = FutureCompletingBlockingQueue(capacity=2)
        >>> queue.put(0, "first"), queue.get_availability_future().done(), queue.poll(), queue.poll()
        (True, True, 'first', None)
        >>> queue.get_availability_future().done()
        False
    """

    def __init__(self, capacity: int = 2) -> None:
        self._capacity = positive(capacity, "capacity of a FutureCompletingBlockingQueue")
        self._elements: deque[T] = deque()
        self._condition = Condition()
        self._woken: set[int] = set()
        self._future: Future[None] = Future()

    def put(self, thread_index: int, element: T) -> bool:
        """Add an element, waiting for room.

        Args:
            thread_index: Who puts: :meth:`wake_up_putting_thread` names it.
            element: What is added.

        Returns:
            False: the thread was woken while it waited, and the element is not added.
        """
        with self._condition:
            while len(self._elements) >= self._capacity:
                if thread_index in self._woken:
                    self._woken.remove(thread_index)
                    return False
                self._condition.wait()
            self._elements.append(element)
        self.notify_available()
        return True

    def poll(self) -> T | None:
        """The next element; None if there is none now."""
        with self._condition:
            element = self._elements.popleft() if self._elements else None
            if not self._elements and self._future.done():
                self._future = Future()
            self._condition.notify_all()
            return element

    def get_availability_future(self) -> Future[None]:
        """Done when there is something to poll, or :meth:`notify_available` was called since the last poll."""
        with self._condition:
            return self._future

    def notify_available(self) -> None:
        """Complete the availability future: something other than an element needs the reader's attention."""
        with self._condition:
            waited_for, self._future = self._future, available()
        # Outside the lock: it calls what others have attached to the future. Only one thread finds one not done.
        if not waited_for.done():
            waited_for.set_result(None)

    def wake_up_putting_thread(self, thread_index: int) -> None:
        """Make the put that this thread waits in, or will next have to wait in, return False."""
        with self._condition:
            self._woken.add(thread_index)
            self._condition.notify_all()

    def is_empty(self) -> bool:
        return not self._elements

    def size(self) -> int:
        return len(self._elements)

    def remaining_capacity(self) -> int:
        return self._capacity - len(self._elements)
