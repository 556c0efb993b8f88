"""A result that may not be there yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class CompletableFuture(Generic[T]):
    """A result that may not be there yet, over a :class:`concurrent.futures.Future`.

    Example:
        >>> CompletableFuture.completed(3).result()
        3
    """

    def __init__(self, future: Future[T], on_interrupt: Callable[[], object] | None = None) -> None:
        self._future = future
        #: What is done when somebody who waits for the result is interrupted (Ctrl-C).
        self._on_interrupt = on_interrupt

    @staticmethod
    def completed(value: T) -> CompletableFuture[T]:
        """A future that is done."""
        future: Future[T] = Future()
        future.set_result(value)
        return CompletableFuture(future)

    def cancel(self) -> bool:
        """Give the result up; False if it is there already or being made."""
        return self._future.cancel()

    def cancelled(self) -> bool:
        return self._future.cancelled()

    def done(self) -> bool:
        """Tell whether there is a result, an exception, or it was cancelled."""
        return self._future.done()

    def result(self) -> T:
        """Wait for the result; raises what went wrong, if anything."""
        with self._waiting():
            return self._future.result()

    def exception(self) -> BaseException | None:
        """Wait, and give what went wrong; None if nothing did."""
        with self._waiting():
            return self._future.exception()

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        try:
            yield
        except KeyboardInterrupt:
            if self._on_interrupt is not None:
                self._on_interrupt()
            raise

    def __str__(self) -> str:
        return f"CompletableFuture({'done' if self.done() else 'pending'})"
