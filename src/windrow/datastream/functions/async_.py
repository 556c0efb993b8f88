"""Functions that wait for something outside, many elements at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from windrow.datastream.functions.base import Function, RuntimeContext
from windrow.errors import shorten

IN = TypeVar("IN")
OUT = TypeVar("OUT")


class AsyncRetryPredicate(ABC, Generic[OUT]):
    """Says which outcomes of a call are to be tried again; either method may give None for none."""

    @abstractmethod
    def result_predicate(self) -> Callable[[list[OUT]], bool] | None:
        """A function that is true for results that are to be tried again."""

    @abstractmethod
    def exception_predicate(self) -> Callable[[Exception], bool] | None:
        """A function that is true for exceptions after which to try again."""


class AsyncRetryStrategy(ABC, Generic[OUT]):
    """Says how often and how long after a failure a call is made again.

    It is asked for many elements in turn, so what it says should follow from ``current_attempts`` alone.

    Example:
        >>> strategy = AsyncRetryStrategy.exponential_backoff(3, 100, 1000, 2.0, lambda results: not results, None)
        >>> strategy.get_backoff_time_millis(2)
        200
    """

    @abstractmethod
    def can_retry(self, current_attempts: int) -> bool:
        """Tell whether a call that was made ``current_attempts`` times may be made again."""

    @abstractmethod
    def get_backoff_time_millis(self, current_attempts: int) -> int:
        """Give the milliseconds to wait before the next call."""

    @abstractmethod
    def get_retry_predicate(self) -> AsyncRetryPredicate[OUT]:
        """Give the predicate for outcomes that are to be tried again."""

    @staticmethod
    def no_restart() -> AsyncRetryStrategy[OUT]:
        """The first outcome stands (``NoRetryStrategy``)."""
        from windrow.datastream.async_retry_strategies import NO_RETRY_STRATEGY

        return NO_RETRY_STRATEGY

    @staticmethod
    def fixed_delay(
        max_attempts: int,
        backoff_time_millis: int,
        result_predicate: Callable[[list[OUT]], bool] | None = None,
        exception_predicate: Callable[[Exception], bool] | None = None,
    ) -> AsyncRetryStrategy[OUT]:
        """The same pause before each attempt (``FixedDelayRetryStrategy``)."""
        from windrow.datastream.async_retry_strategies import FixedDelayRetryStrategy

        return FixedDelayRetryStrategy(max_attempts, backoff_time_millis, result_predicate, exception_predicate)

    @staticmethod
    def exponential_backoff(
        max_attempts: int,
        initial_delay: int,
        max_retry_delay: int,
        multiplier: float,
        result_predicate: Callable[[list[OUT]], bool] | None = None,
        exception_predicate: Callable[[Exception], bool] | None = None,
    ) -> AsyncRetryStrategy[OUT]:
        """A pause that grows with each attempt (``ExponentialBackoffDelayRetryStrategy``)."""
        from windrow.datastream.async_retry_strategies import ExponentialBackoffDelayRetryStrategy

        return ExponentialBackoffDelayRetryStrategy(
            max_attempts, initial_delay, max_retry_delay, multiplier, result_predicate, exception_predicate
        )


class AsyncFunction(Function, Generic[IN, OUT]):
    """Makes any number of elements of each element, waiting for something outside: a database, a web service.

    It is used through ``AsyncDataStream``. All of its methods are called in one thread, which is not the program's
    main thread, while one event loop runs there: that loop is the same in all calls, so clients and sessions that are
    bound to a loop can be made in ``open`` and closed in ``close``. Both may be ``async def``. (``asyncio.run`` cannot
    be used in them, a loop is running: await instead.) Fields may be changed without locks between two awaits.

    There is no current key on a keyed stream, as elements of many keys are in flight: keyed state cannot be used.

    Example:
        >>> class Lookup(AsyncFunction):
        ...     async def open(self, runtime_context):
        ...         self.client = await connect()
        ...     async def async_invoke(self, value):
        ...         return [await self.client.get(value)]
        ...     def timeout(self, value):
        ...         return []
        ...     async def close(self):
        ...         await self.client.close()
    """

    def open(self, runtime_context: RuntimeContext) -> Awaitable[None] | None:  # type: ignore[override]
        """Called once before the first element, with the event loop running; may be ``async def``."""

    def close(self) -> Awaitable[None] | None:  # type: ignore[override]
        """Called once after the last element, with the event loop running; may be ``async def``."""

    @abstractmethod
    async def async_invoke(self, value: IN) -> list[OUT]:
        """The new elements: a list or another iterable, empty for none."""

    def timeout(self, value: IN) -> list[OUT]:
        """The new elements if an element took too long, all its attempts together; unless overridden an error.

        ``async_invoke`` has been cancelled before.
        """
        msg = f"async_invoke took longer than its timeout for element {shorten(value)}"
        raise TimeoutError(msg)
