"""Restart strategies."""

from datetime import timedelta

import pytest

from windrow.common.restart_strategy import RestartStrategies
from windrow.common.time import Time
from windrow.errors import ConfigurationError


def test_strategies_give_back_what_they_were_given():
    """Counts and delays come back; equal strategies are equal."""
    fixed = RestartStrategies.fixed_delay_restart(3, 10_000)
    assert (fixed.get_restart_attempts(), fixed.get_delay_between_attempts_interval()) == (3, timedelta(seconds=10))
    rate = RestartStrategies.failure_rate_restart(2, Time.minutes(1), 500)
    assert rate.get_max_failure_rate() == 2
    assert rate.get_failure_interval() == timedelta(minutes=1)
    assert rate.get_delay_between_attempts_interval() == timedelta(milliseconds=500)
    assert fixed == RestartStrategies.fixed_delay_restart(3, Time.seconds(10))
    assert RestartStrategies.no_restart() == RestartStrategies.no_restart()
    assert RestartStrategies.no_restart() != RestartStrategies.fall_back_restart()


def test_every_strategy_describes_itself():
    """The words name the numbers."""
    assert "#3 restart attempts" in RestartStrategies.fixed_delay_restart(3, 1).get_description()
    assert "maximum of 2 failures" in RestartStrategies.failure_rate_restart(2, 1, 1).get_description()
    assert RestartStrategies.no_restart().get_description() == "Restart deactivated."
    assert "Cluster" in RestartStrategies.fall_back_restart().get_description()


def test_wrong_numbers_are_refused():
    """Counts and delays are not negative."""
    with pytest.raises(ConfigurationError, match="restart_attempts"):
        RestartStrategies.fixed_delay_restart(-1, 1)
    with pytest.raises(ConfigurationError, match="delay_between_attempts must not be negative"):
        RestartStrategies.fixed_delay_restart(1, -1)
