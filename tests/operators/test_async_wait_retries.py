from functools import partial

import pytest

from tests.operators.async_calls import LONG, SHORT, Calls, harnesses
from windrow.datastream import AsyncRetryStrategy
from windrow.datastream.async_retry_predicates import (
    empty_result_predicate,
    exception_type_predicate,
    has_exception_predicate,
)
from windrow.errors import UserFunctionError


@pytest.fixture
def opened():
    with harnesses() as harness:
        yield harness


class Fails(Calls):
    """Raises the error, or gives no results, the first so many times."""

    def __init__(self, times, error=None):
        super().__init__(self.answer)
        self.times = times
        self.error = error

    async def answer(self, value):
        if self.calls.count(value) > self.times:
            return [value]
        if self.error is not None:
            raise self.error
        return []


class RecordedStrategy(AsyncRetryStrategy):
    """Up to two more attempts, at once; notes what it is asked."""

    def __init__(self):
        self.asked = []

    def can_retry(self, current_attempts):
        self.asked.append(("can_retry", current_attempts))
        return current_attempts <= 2

    def get_backoff_time_millis(self, current_attempts):
        self.asked.append(("backoff", current_attempts))
        return 0

    def get_retry_predicate(self):
        return AsyncRetryStrategy.fixed_delay(
            1, 1, empty_result_predicate, has_exception_predicate
        ).get_retry_predicate()


@pytest.mark.parametrize("error", [None, LookupError("gone")])
def test_tries_until_it_succeeds(opened, error):
    """Results and exceptions that the predicates name are tried again; the strategy hears how many calls were made."""
    strategy, function = RecordedStrategy(), Fails(2, error)
    harness = opened(function, strategy=strategy)
    harness.process_element("v", 7)
    assert [tuple(record) for record in harness.records()] == [("v", 7)]
    assert len(function.calls) == 3
    assert strategy.asked == [("can_retry", 1), ("backoff", 1), ("can_retry", 2), ("backoff", 2)]


def test_the_last_result_stands(opened):
    """After max_attempts further calls (Flink's count) the last result is the result, though the predicate names it."""
    function = Fails(99)
    harness = opened(function, strategy=AsyncRetryStrategy.fixed_delay(3, 1, empty_result_predicate, None))
    harness.process_element("v", 1)
    assert harness.values() == []
    assert len(function.calls) == 1 + 3


def test_the_last_exception_stands(opened):
    """After max_attempts further calls the last exception fails the job."""
    function = Fails(99, LookupError("gone"))
    strategy = AsyncRetryStrategy.exponential_backoff(2, 1, 2, 2.0, None, has_exception_predicate)
    with pytest.raises(UserFunctionError, match="LookupError: gone"):
        opened(function, strategy=strategy).process_element("v", 1)
    assert len(function.calls) == 1 + 2


def test_exceptions_of_another_type_are_not_tried_again(opened):
    """An exception that the predicate does not name fails the job at once."""
    function = Fails(99, LookupError("gone"))
    lost = partial(exception_type_predicate, expected_error_type=ConnectionError)
    with pytest.raises(UserFunctionError, match="gone"):
        opened(function, strategy=AsyncRetryStrategy.fixed_delay(9, 1, None, lost)).process_element("v", 1)
    assert len(function.calls) == 1


def test_without_a_strategy_there_is_one_call(opened):
    """no_restart calls once."""
    function = Fails(99)
    opened(function).process_element("v", 1)
    assert function.calls == ["v"]


def test_the_timeout_is_for_all_attempts_together(opened):
    """Retries end at the timeout, in the pause between two of them too, and its results are not tried again."""

    class NoResults(Fails):
        def timeout(self, value):
            self.calls.append("timeout")
            return []

    function = NoResults(99)
    strategy = AsyncRetryStrategy.fixed_delay(1000, LONG, empty_result_predicate, None)
    harness = opened(function, timeout=SHORT, strategy=strategy)
    harness.process_element("v", 1)
    assert harness.values() == []
    assert function.calls == ["v", "timeout"]


def test_an_error_in_a_predicate_is_the_users(opened):
    """A predicate that raises fails the job; the error names the element."""
    strategy = AsyncRetryStrategy.fixed_delay(3, 1, lambda results: results[0] > 1, None)
    with pytest.raises(UserFunctionError, match="IndexError") as raised:
        opened(Fails(99), strategy=strategy).process_element("v", 1)
    assert raised.value.element == "'v'"
