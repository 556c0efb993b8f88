"""Strategies for a job that has failed."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from windrow.common.configuration import Configuration
from windrow.common.settings.table import setting_of, text_of
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
    """Whatever the configuration says; without a word of it, a job that has failed stays so."""

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


@dataclass(frozen=True)
class ExponentialDelayRestartStrategyConfiguration(RestartStrategyConfiguration):
    """A job is started again after delays that grow, until it has run for a while without a failure."""

    initial_backoff: datetime.timedelta
    max_backoff: datetime.timedelta
    backoff_multiplier: float
    reset_backoff_threshold: datetime.timedelta
    jitter_factor: float
    #: Restarts until the first delay is used again; None: as many as it takes.
    attempts_before_reset_backoff: int | None = None

    def get_initial_backoff(self) -> datetime.timedelta:
        return self.initial_backoff

    def get_max_backoff(self) -> datetime.timedelta:
        return self.max_backoff

    def get_backoff_multiplier(self) -> float:
        return self.backoff_multiplier

    def get_reset_backoff_threshold(self) -> datetime.timedelta:
        return self.reset_backoff_threshold

    def get_jitter_factor(self) -> float:
        return self.jitter_factor

    def get_description(self) -> str:
        return (
            f"Restart with exponential delay: starting at {self.initial_backoff}, increasing by "
            f"{self.backoff_multiplier}, with maximum {self.max_backoff}. Delay resets after "
            f"{self.reset_backoff_threshold} with jitter {self.jitter_factor}"
        )


class _Kinds:
    """The strategies' classes, where PyFlink has them."""

    NoRestartStrategyConfiguration = NoRestartStrategyConfiguration
    FixedDelayRestartStrategyConfiguration = FixedDelayRestartStrategyConfiguration
    FailureRateRestartStrategyConfiguration = FailureRateRestartStrategyConfiguration
    ExponentialDelayRestartStrategyConfiguration = ExponentialDelayRestartStrategyConfiguration
    FallbackRestartStrategyConfiguration = FallbackRestartStrategyConfiguration


class RestartStrategies(_Kinds):
    """Makes strategies. Delays are milliseconds, ``Time``, ``Duration`` or ``timedelta``.

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
            _count(failure_rate, "failure_rate", at_least=1),
            _span(failure_interval, "failure_interval"),
            _span(delay_interval, "delay_interval"),
        )

    @staticmethod
    def exponential_delay_restart(
        initial_backoff: Delay = 1_000,
        max_backoff: Delay = 60_000,
        backoff_multiplier: float = 1.5,
        reset_backoff_threshold: Delay = 3_600_000,
        jitter_factor: float = 0.1,
        attempts_before_reset_backoff: int | None = None,
    ) -> ExponentialDelayRestartStrategyConfiguration:
        """Start a failed job again after delays that grow from one failure to the next.

        Args:
            initial_backoff: The first delay.
            max_backoff: The longest one.
            backoff_multiplier: By what a delay is longer than the one before it; above 1.
            reset_backoff_threshold: After how long without a failure the first delay is used again.
            jitter_factor: Up to which part of itself a delay is longer or shorter, by chance; from 0 to 1.
            attempts_before_reset_backoff: How often, until the first delay is used again; None: as often as it takes.

        Raises:
            ConfigurationError: one of them is out of its range, or the first delay is longer than the longest.
        """
        first, longest = _span(initial_backoff, "initial_backoff"), _span(max_backoff, "max_backoff")
        if not datetime.timedelta(0) < first <= longest:
            msg = f"initial_backoff is above 0 and not above max_backoff; got {first} and {longest}"
            raise ConfigurationError(msg)
        if not backoff_multiplier > 1:
            msg = f"backoff_multiplier must be above 1; got {backoff_multiplier!r}"
            raise ConfigurationError(msg)
        if not 0 <= jitter_factor <= 1:
            msg = f"jitter_factor is from 0 to 1; got {jitter_factor!r}"
            raise ConfigurationError(msg)
        attempts = attempts_before_reset_backoff
        return ExponentialDelayRestartStrategyConfiguration(
            first,
            longest,
            backoff_multiplier,
            _span(reset_backoff_threshold, "reset_backoff_threshold"),
            jitter_factor,
            None if attempts is None else _count(attempts, "attempts_before_reset_backoff", at_least=1),
        )


def restart_strategy_of(configuration: Configuration) -> RestartStrategyConfiguration:
    """The strategy that ``restart-strategy.type`` names, with Flink's defaults for what is not said.

    Raises:
        ConfigurationError: there is no such strategy, or it has a value that cannot be.

    Example:
        >>> restart_strategy_of(Configuration.from_dict({"restart-strategy.type": "fixed-delay"})).restart_attempts
        1
    """

    def said(name: str, default: Any) -> Any:
        key = f"restart-strategy.{name}"
        row, text = setting_of(key), text_of(configuration, key)
        return default if text is None or row is None else row.kind.read(key, text)

    name = said("type", None)
    kind = None if name is None else name.replace("-", "")
    if kind == "fixeddelay":
        delay = said("fixed-delay.delay", 1_000)
        return RestartStrategies.fixed_delay_restart(said("fixed-delay.attempts", 1), delay)
    if kind == "failurerate":
        return RestartStrategies.failure_rate_restart(
            said("failure-rate.max-failures-per-interval", 1),
            said("failure-rate.failure-rate-interval", 60_000),
            said("failure-rate.delay", 1_000),
        )
    if kind == "exponentialdelay":
        return RestartStrategies.exponential_delay_restart(
            said("exponential-delay.initial-backoff", 1_000),
            said("exponential-delay.max-backoff", 60_000),
            said("exponential-delay.backoff-multiplier", 1.5),
            said("exponential-delay.reset-backoff-threshold", 3_600_000),
            said("exponential-delay.jitter-factor", 0.1),
            said("exponential-delay.attempts-before-reset-backoff", None),
        )
    return RestartStrategies.fall_back_restart() if kind is None else RestartStrategies.no_restart()


def _count(value: int, parameter: str, at_least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < at_least:
        msg = f"{parameter} takes a number of times, {at_least} or more; got {value!r}"
        raise ConfigurationError(msg)
    return value


def _span(value: Delay, parameter: str) -> datetime.timedelta:
    millis = to_millis(value, parameter)
    if millis < 0:
        msg = f"{parameter} must not be negative; got {millis} ms"
        raise ConfigurationError(msg)
    return datetime.timedelta(milliseconds=millis)
