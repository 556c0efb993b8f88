import pickle

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from windrow.connectors.datagen.rate_limiter import (
    MAX_BURST_SECONDS,
    GatedRateLimiter,
    RateLimiterStrategy,
    TimedRateLimiter,
)
from windrow.errors import ConfigurationError, ConfigurationTypeError


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_a_second_gives_what_the_rate_says():
    """Nothing at the beginning, then one record after each part of a second."""
    clock = Clock()
    limiter = TimedRateLimiter(4, clock)
    given = [limiter.acquire(100)]
    for _ in range(4):
        clock.now += 0.25
        given.append(limiter.acquire(100))
    assert given == [0, 1, 1, 1, 1]


@example(0.109375, [2.0, 3.0, 3.0, 3.0, 2.0, 3.0, 3.0], 3)
@given(st.floats(0.1, 1e6), st.lists(st.floats(0.0, 3.0), min_size=1, max_size=50), st.integers(1, 10_000))
def test_over_any_time_the_rate_is_kept(rate, steps, wanted):
    """However often and late it is asked, it never gives more than time allows, and all of it if asked for enough."""
    clock = Clock()
    limiter = TimedRateLimiter(rate, clock)
    given = 0
    for step in steps:
        clock.now += step
        given += limiter.acquire(wanted)
        assert given <= (clock.now - 100.0) * rate + 1e-3 * rate
    if wanted >= rate * 3.0 * len(steps):
        assert given >= (clock.now - 100.0) * rate - 1.001


def test_what_was_missed_is_made_up_for_within_bounds():
    """A pause of a few seconds is made up for; of a long one only the last seconds are."""
    clock = Clock()
    limiter = TimedRateLimiter(10, clock)
    clock.now += 5
    assert limiter.acquire(1000) == 50
    clock.now += 3600
    assert limiter.acquire(10**6) == 10 * MAX_BURST_SECONDS


def test_a_rate_below_one_in_ten_seconds():
    """The bound of the burst is never less than one record."""
    clock = Clock()
    limiter = TimedRateLimiter(0.01, clock)
    clock.now += 99
    assert limiter.acquire(1) == 0
    clock.now += 1.001
    assert limiter.acquire(1) == 1


def test_a_clock_that_is_set_back():
    """Time goes on from there: nobody waits until the clock is where it was."""
    clock = Clock()
    limiter = TimedRateLimiter(10, clock)
    clock.now -= 50
    assert limiter.acquire(100) == 0
    clock.now += 1
    assert limiter.acquire(100) == 10


def test_the_future_is_done_when_a_record_is_due():
    """It is done at once where one is due already, else some time later."""
    clock = Clock()
    limiter = TimedRateLimiter(1000, clock)
    waiting = limiter.is_available()
    assert not waiting.done()
    clock.now += 0.001
    assert limiter.is_available().done()
    assert waiting.result(timeout=30) is None
    limiter.close()


def test_a_gate_opens_with_each_checkpoint():
    """Its number of records, then none until the batch is committed; what is left over is not added to the next."""
    limiter = GatedRateLimiter(3)
    assert [limiter.acquire(2), limiter.acquire(2), limiter.acquire(2)] == [2, 1, 0]
    waiting = limiter.is_available()
    assert not waiting.done()
    limiter.notify_checkpoint_complete(1)
    assert waiting.done()
    assert limiter.is_available().done()
    assert limiter.acquire(1) == 1
    limiter.notify_checkpoint_complete(2)
    assert limiter.acquire(100) == 3


def test_readers_share_the_rate():
    """Each of the readers has its part; the strategy travels to the workers."""
    strategy = pickle.loads(pickle.dumps(RateLimiterStrategy.per_checkpoint(10)))
    assert strategy.create_rate_limiter(4).acquire(100) == 2
    assert RateLimiterStrategy.per_second(8).create_rate_limiter(4)._rate == 2
    no_limit = RateLimiterStrategy.no_op().create_rate_limiter(4)
    assert no_limit.acquire(10**9) == 10**9
    assert no_limit.is_available().done()


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (lambda: RateLimiterStrategy.per_second(0), ConfigurationError, "records_per_second must be above 0; got 0"),
        (lambda: RateLimiterStrategy.per_second(float("nan")), ConfigurationError, "records_per_second must be above"),
        (lambda: RateLimiterStrategy.per_second("1"), ConfigurationTypeError, "records_per_second must be a number"),
        (lambda: RateLimiterStrategy.per_second(True), ConfigurationTypeError, "records_per_second must be a number"),
        (lambda: RateLimiterStrategy.per_checkpoint(-1), ConfigurationError, "records_per_checkpoint must be above 0"),
        (lambda: RateLimiterStrategy.per_checkpoint(1.5), ConfigurationTypeError, "records_per_checkpoint must be"),
        (
            lambda: RateLimiterStrategy.per_checkpoint(3).create_rate_limiter(4),
            ConfigurationError,
            "leaves nothing for each of 4 readers",
        ),
    ],
)
def test_rates_that_are_none_are_refused(make, error, said):
    """A rate is a positive number, and every reader needs a part of it."""
    with pytest.raises(error, match=said):
        make()
