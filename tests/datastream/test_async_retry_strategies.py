import pytest

from windrow.datastream import AsyncRetryStrategy
from windrow.datastream.async_retry_strategies import (
    NO_RETRY_STRATEGY,
    ExponentialBackoffDelayRetryStrategy,
    FixedDelayRetryStrategy,
    NoRetryStrategy,
    RetryPredicate,
)
from windrow.errors import ConfigurationError, ConfigurationTypeError


def yes(_):
    return True


def no(_):
    return False


def test_no_retry():
    """There is one strategy that never tries again and asks about nothing."""
    assert AsyncRetryStrategy.no_restart() is NO_RETRY_STRATEGY
    assert isinstance(NO_RETRY_STRATEGY, NoRetryStrategy)
    assert NO_RETRY_STRATEGY.can_retry(1) is False
    assert NO_RETRY_STRATEGY.get_backoff_time_millis(1) == -1
    predicate = NO_RETRY_STRATEGY.get_retry_predicate()
    assert (predicate.result_predicate(), predicate.exception_predicate()) == (None, None)


@pytest.mark.parametrize(
    "strategy",
    [AsyncRetryStrategy.fixed_delay(2, 10, yes, no), AsyncRetryStrategy.exponential_backoff(2, 1, 9, 2, yes, no)],
)
def test_attempts_and_predicates(strategy):
    """max_attempts calls may follow the first one, and the predicates are those given."""
    assert [strategy.can_retry(calls) for calls in (1, 2, 3)] == [True, True, False]
    predicate = strategy.get_retry_predicate()
    assert (predicate.result_predicate(), predicate.exception_predicate()) == (yes, no)


def test_fixed_delay():
    """The pause is always the same."""
    strategy = AsyncRetryStrategy.fixed_delay(5, 70, None, None)
    assert isinstance(strategy, FixedDelayRetryStrategy)
    assert [strategy.get_backoff_time_millis(calls) for calls in (1, 2, 5)] == [70, 70, 70]


@pytest.mark.parametrize(
    ("initial", "longest", "multiplier", "expected"),
    [
        (100, 1000, 2.0, [100, 200, 400, 800, 1000, 1000]),
        (5, 1000, 1.5, [5, 7, 10, 15, 22, 33]),  # each is cut to whole milliseconds before it grows
        (10, 1000, 1, [10] * 6),
        (500, 100, 2, [500, 100, 100, 100, 100, 100]),  # the first one is not limited
        (8, 100, 0.5, [8, 4, 2, 1, 0, 0]),
    ],
)
def test_exponential_backoff(initial, longest, multiplier, expected):
    """Each pause is the one before times the multiplier, up to the longest, as Flink's are for a single element."""
    strategy = AsyncRetryStrategy.exponential_backoff(9, initial, longest, multiplier, None, None)
    assert isinstance(strategy, ExponentialBackoffDelayRetryStrategy)
    assert [strategy.get_backoff_time_millis(calls) for calls in range(1, 7)] == expected


def test_elements_do_not_share_their_backoff():
    """The pause follows from the number of attempts, whatever was asked for other elements before."""
    strategy = AsyncRetryStrategy.exponential_backoff(9, 10, 10_000, 2.0, None, None)
    assert [strategy.get_backoff_time_millis(calls) for calls in (2, 2, 3, 2, 1, 2)] == [20, 20, 40, 20, 10, 20]


@pytest.mark.parametrize(
    ("make", "parameter"),
    [
        (lambda: AsyncRetryStrategy.fixed_delay(0, 1, None, None), "max_attempts"),
        (lambda: AsyncRetryStrategy.fixed_delay(1, 0, None, None), "backoff_time_millis"),
        (lambda: AsyncRetryStrategy.exponential_backoff(1, 0, 1, 1.0, None, None), "initial_delay"),
        (lambda: AsyncRetryStrategy.exponential_backoff(1, 1, -1, 1.0, None, None), "max_retry_delay"),
        (lambda: AsyncRetryStrategy.exponential_backoff(1, 1, 1, 0.0, None, None), "multiplier"),
        (lambda: AsyncRetryStrategy.exponential_backoff(1, 1, 1, float("nan"), None, None), "multiplier"),
    ],
)
def test_numbers_must_be_above_zero(make, parameter):
    """A number out of range is refused where the strategy is made, by its name."""
    with pytest.raises(ConfigurationError, match=parameter):
        make()


@pytest.mark.parametrize(
    ("make", "parameter"),
    [
        (lambda: AsyncRetryStrategy.fixed_delay(1.5, 1, None, None), "max_attempts"),
        (lambda: AsyncRetryStrategy.exponential_backoff(1, 1, 1, "2", None, None), "multiplier"),
        (lambda: AsyncRetryStrategy.fixed_delay(1, 1, ConnectionError(), None), "result_predicate"),
        (lambda: RetryPredicate(None, True), "exception_predicate"),
    ],
)
def test_types_are_checked(make, parameter):
    """An argument of another type is refused where the strategy is made, by its name."""
    with pytest.raises(ConfigurationTypeError, match=parameter):
        make()
