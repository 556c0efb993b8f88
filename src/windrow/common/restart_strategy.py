"""What to do when a job has failed."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from windrow.common.time import Duration, Time, to_millis
from windrow.errors import ConfigurationError

Delay = int | Time | Duration | datetime.timedelta


class RestartStrategyConfiguration:
    """Base of all strategies."""

    def get_description(self) -> str:
        """The strategy in words."""
        raise NotImplementedError


@dataclass(frozen=True)
class NoRestartStrategyConfiguration(RestartStrategyConfiguration):
    """A job that has failed stays so."""

    def get_description(self) -> str:
        return "Restart deactivated."


@dataclass(frozen=True)
class FallbackRestartStrategyConfiguration(RestartStrategyConfiguration):
    """Whatever the cluster does."""

    def get_description(self) -> str:
        return "Cluster level default restart strategy"


@dataclass(frozen=True)
class FixedDelayRestartStrategyConfiguration(RestartStrategyConfiguration):
    """A job is started again a number of times, after a delay."""

    restart_attempts: int
    delay_between_attempts_interval: datetime.timedelta

    def get_restart_attempts(self) -> int:
        return self.restart_attempts

    def get_delay_between_attempts_interval(self) -> datetime.timedelta:
        return self.delay_between_attempts_interval

    def get_description(self) -> str:
        delay = self.delay_between_attempts_interval
        return f"Restart with fixed delay ({delay}). #{self.restart_attempts} restart attempts."


@dataclass(frozen=True)
class FailureRateRestartStrategyConfiguration(RestartStrategyConfiguration):
    """A job is started again after a delay, until it fails too often within an interval."""

    max_failure_rate: int
    failure_interval: datetime.timedelta
    delay_between_attempts_interval: datetime.timedelta

    def get_max_failure_rate(self) -> int:
        return self.max_failure_rate

    def get_failure_interval(self) -> datetime.timedelta:
        return self.failure_interval

    def get_delay_between_attempts_interval(self) -> datetime.timedelta:
        return self.delay_between_attempts_interval

    def get_description(self) -> str:
        return (
            f"Failure rate restart with maximum of {self.max_failure_rate} failures within interval "
            f"{self.failure_interval} and fixed delay {self.delay_between_attempts_interval}."
        )


class RestartStrategies:
    """Where strategies are made. Delays are milliseconds, ``Time``, ``Duration`` or ``timedelta``.

    Example:
        >>> RestartStrategies.fixed_delay_restart(3, 10_000).get_delay_between_attempts_interval()
        datetime.timedelta(seconds=10)
    """

    @staticmethod
    def no_restart() -> NoRestartStrategyConfiguration:
        return NoRestartStrategyConfiguration()

    @staticmethod
    def fall_back_restart() -> FallbackRestartStrategyConfiguration:
        return FallbackRestartStrategyConfiguration()

    @staticmethod
    def fixed_delay_restart(
        restart_attempts: int, delay_between_attempts: Delay
    ) -> FixedDelayRestartStrategyConfiguration:
        """Start a failed job again up to ``restart_attempts`` times."""
        return FixedDelayRestartStrategyConfiguration(
            _count(restart_attempts, "restart_attempts"), _span(delay_between_attempts, "delay_between_attempts")
        )

    @staticmethod
    def failure_rate_restart(
        failure_rate: int, failure_interval: Delay, delay_interval: Delay
    ) -> FailureRateRestartStrategyConfiguration:
        """Start a failed job again as long as it fails at most ``failure_rate`` times in ``failure_interval``."""
        return FailureRateRestartStrategyConfiguration(
            _count(failure_rate, "failure_rate"),
            _span(failure_interval, "failure_interval"),
            _span(delay_interval, "delay_interval"),
        )


def _count(value: int, parameter: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        msg = f"{parameter} takes a number of times, 0 or more; got {value!r}"
        raise ConfigurationError(msg)
    return value


def _span(value: Delay, parameter: str) -> datetime.timedelta:
    millis = to_millis(value, parameter)
    if millis < 0:
        msg = f"{parameter} must not be negative; got {millis} ms"
        raise ConfigurationError(msg)
    return datetime.timedelta(milliseconds=millis)
