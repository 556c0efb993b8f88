"""Flink's restart strategies, without waiting."""

from random import Random

import pytest

from windrow.common import RestartStrategies
from windrow.runtime.restarts.backoff import ExponentialDelay, FailureRate, FixedDelay, NoRestart, backoff_of


def test_a_fixed_delay_is_given_so_many_times():
    """After the last attempt a failure is final."""
    backoff = FixedDelay(2, 100)
    assert [backoff.delay_after(now) for now in (0, 10, 10_000)] == [100, 100, None]


def test_a_failure_rate_bears_so_many_failures_in_an_interval():
    """Flink's rule: one failure more than allowed, and no more than the interval since the first of them, is final."""
    backoff = FailureRate(2, interval=1_000, delay=5)
    assert [backoff.delay_after(now) for now in (0, 100)] == [5, 5]
    assert backoff.delay_after(1_001) == 5  # the one at 0 is more than an interval ago
    assert backoff.delay_after(1_100) is None  # 100, 1001, 1100: three within 1000


def test_an_exponential_delay_grows_to_its_longest():
    """Each delay is the one before times the multiplier, in whole milliseconds."""
    backoff = ExponentialDelay(1_000, 4_000, 1.5, reset_after=100_000, jitter=0)
    assert [backoff.delay_after(now) for now in range(5)] == [1_000, 1_500, 2_250, 3_375, 4_000]


def test_an_exponential_delay_begins_anew_after_a_while_without_failure():
    """The job has to run for the threshold and the delay itself."""
    backoff = ExponentialDelay(1_000, 9_000, 2, reset_after=100_000, jitter=0)
    assert [backoff.delay_after(now) for now in (0, 10)] == [1_000, 2_000]
    assert backoff.delay_after(10 + 101_999) == 4_000
    assert backoff.delay_after(10 + 101_999 + 104_000) == 1_000


def test_attempts_of_an_exponential_delay_count_since_it_began_anew():
    """So many restarts, then a failure is final, unless the job has run long enough in between."""
    backoff = ExponentialDelay(1, 10, 2, reset_after=1_000, jitter=0, attempts=2)
    assert [backoff.delay_after(now) for now in (0, 5, 5_000, 5_005, 5_010)] == [1, 2, 1, 2, None]


def test_jitter_stays_within_its_part_and_below_the_longest_delay():
    """A delay differs from what it would be by at most the factor."""
    delays = []
    for seed in range(50):
        backoff = ExponentialDelay(1_000, 1_050, 2, reset_after=1_000, jitter=0.1, random=Random(seed))
        delays.append(backoff.delay_after(0))
    assert min(delays) >= 900
    assert max(delays) == 1_050
    assert len(set(delays)) > 20


@pytest.mark.parametrize(
    ("strategy", "kind"),
    [
        (RestartStrategies.no_restart(), NoRestart),
        (RestartStrategies.fall_back_restart(), NoRestart),
        (RestartStrategies.fixed_delay_restart(1, 7), FixedDelay),
        (RestartStrategies.failure_rate_restart(1, 1_000, 7), FailureRate),
        (RestartStrategies.exponential_delay_restart(7, jitter_factor=0), ExponentialDelay),
    ],
)
def test_a_programs_strategy_is_what_is_done(strategy, kind):
    """Each strategy has its own; one that leaves it to the cluster restarts nothing."""
    backoff = backoff_of(strategy)
    assert type(backoff) is kind
    assert backoff.delay_after(0) == (None if kind is NoRestart else 7)
