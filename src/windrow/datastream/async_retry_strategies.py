"""Decide how often and after what pause a call is made again (``pyflink.datastream.async_retry_strategies``).

``max_attempts`` counts calls after the first one, as in Flink: 3 are up to four calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from windrow.common.checks import positive
from windrow.datastream.functions import AsyncRetryPredicate, AsyncRetryStrategy
from windrow.errors import ConfigurationError, ConfigurationTypeError, shorten

OUT = TypeVar("OUT")
ResultPredicate = Callable[[list[OUT]], bool]
ExceptionPredicate = Callable[[Exception], bool]


class RetryPredicate(AsyncRetryPredicate[OUT]):
    """Two functions that say which results and which exceptions are to be tried again; None is none.

    Raises:
        ConfigurationTypeError: one of them is no function.
    """

    def __init__(
        self, result_predicate: ResultPredicate[OUT] | None, exception_predicate: ExceptionPredicate | None
    ) -> None:
        _check_predicate(result_predicate, "result_predicate")
        _check_predicate(exception_predicate, "exception_predicate")
        self._result_predicate = result_predicate
        self._exception_predicate = exception_predicate

    def result_predicate(self) -> ResultPredicate[OUT] | None:
        return self._result_predicate

    def exception_predicate(self) -> ExceptionPredicate | None:
        return self._exception_predicate


class NoRetryStrategy(AsyncRetryStrategy[OUT]):
    """The first outcome stands."""

    def can_retry(self, current_attempts: int) -> bool:
        return False

    def get_backoff_time_millis(self, current_attempts: int) -> int:
        return -1

    def get_retry_predicate(self) -> RetryPredicate[OUT]:
        return RetryPredicate(None, None)


class _LimitedRetryStrategy(AsyncRetryStrategy[OUT], Generic[OUT]):
    def __init__(
        self,
        max_attempts: int,
        result_predicate: ResultPredicate[OUT] | None,
        exception_predicate: ExceptionPredicate | None,
    ) -> None:
        self._max_attempts = positive(max_attempts, "max_attempts")
        self._predicate = RetryPredicate(result_predicate, exception_predicate)

    def can_retry(self, current_attempts: int) -> bool:
        return current_attempts <= self._max_attempts

    def get_retry_predicate(self) -> RetryPredicate[OUT]:
        return self._predicate


class FixedDelayRetryStrategy(_LimitedRetryStrategy[OUT]):
    """The same pause before each attempt.

    Args:
        max_attempts: How often a call is made again.
        backoff_time_millis: The pause, in milliseconds.
        result_predicate: A function that is true for the list of results that is to be tried again.
        exception_predicate: A function that is true for an exception after which to try again.

    Raises:
        ConfigurationError: a number is not above 0, or an argument has another type.

    Example:
        >>> strategy = FixedDelayRetryStrategy(3, 100, None, lambda error: isinstance(error, ConnectionError))
        >>> [strategy.can_retry(calls) for calls in (1, 3, 4)]
        [True, True, False]
    """

    def __init__(
        self,
        max_attempts: int,
        backoff_time_millis: int,
        result_predicate: ResultPredicate[OUT] | None = None,
        exception_predicate: ExceptionPredicate | None = None,
    ) -> None:
        super().__init__(max_attempts, result_predicate, exception_predicate)
        self._backoff_time_millis = positive(backoff_time_millis, "backoff_time_millis")

    def get_backoff_time_millis(self, current_attempts: int) -> int:
        return self._backoff_time_millis


class ExponentialBackoffDelayRetryStrategy(_LimitedRetryStrategy[OUT]):
    """A pause that grows with each attempt.

    Flink keeps the last pause in the strategy, where all elements share it; here it follows from the number of
    attempts, which gives what Flink gives where a single element is tried again.

    Args:
        max_attempts: How often a call is made again.
        initial_delay: The first pause, in milliseconds.
        max_retry_delay: The longest pause of those that follow, in milliseconds.
        multiplier: How much longer each pause is than the one before.
        result_predicate: A function that is true for the list of results that is to be tried again.
        exception_predicate: A function that is true for an exception after which to try again.

    Raises:
        ConfigurationError: a number is not above 0, or an argument has another type.

    Example:
        >>> strategy = ExponentialBackoffDelayRetryStrategy(5, 100, 500, 2.0, lambda results: not results)
        >>> [strategy.get_backoff_time_millis(calls) for calls in (1, 2, 3, 4)]
        [100, 200, 400, 500]
    """

    def __init__(
        self,
        max_attempts: int,
        initial_delay: int,
        max_retry_delay: int,
        multiplier: float,
        result_predicate: ResultPredicate[OUT] | None = None,
        exception_predicate: ExceptionPredicate | None = None,
    ) -> None:
        super().__init__(max_attempts, result_predicate, exception_predicate)
        self._initial_delay = positive(initial_delay, "initial_delay")
        self._max_retry_delay = positive(max_retry_delay, "max_retry_delay")
        if isinstance(multiplier, bool) or not isinstance(multiplier, int | float):
            msg = f"multiplier must be a number; got {shorten(multiplier)} ({type(multiplier).__name__})"
            raise ConfigurationTypeError(msg)
        if not multiplier > 0:
            msg = f"multiplier must be above 0; got {multiplier}"
            raise ConfigurationError(msg)
        self._multiplier = multiplier

    def get_backoff_time_millis(self, current_attempts: int) -> int:
        delay = self._initial_delay
        for _ in range(current_attempts - 1):
            longer = int(min(delay * self._multiplier, self._max_retry_delay))
            if longer == delay:
                break
            delay = longer
        return delay


NO_RETRY_STRATEGY: AsyncRetryStrategy[Any] = NoRetryStrategy()


def _check_predicate(predicate: object, parameter: str) -> None:
    if predicate is not None and not callable(predicate):
        msg = f"{parameter} must be a function or None; got {shorten(predicate)} ({type(predicate).__name__})"
        raise ConfigurationTypeError(msg)
