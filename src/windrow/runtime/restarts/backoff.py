"""Decides when a job that has failed starts again: Flink's restart strategies, without a clock of their own.

Times are milliseconds.
"""

from __future__ import annotations

import datetime
from collections import deque
from random import Random
from typing import Protocol

from windrow.common.restart_strategy import (
    ExponentialDelayRestartStrategyConfiguration,
    FailureRateRestartStrategyConfiguration,
    FixedDelayRestartStrategyConfiguration,
    RestartStrategyConfiguration,
)

_MILLI = datetime.timedelta(milliseconds=1)


class Backoff(Protocol):
    """Flink's ``RestartBackoffTimeStrategy``."""

    def delay_after(self, now: int) -> int | None:
        """Give the time from a failure until the job starts again; None: it stays failed."""


class NoRestart:
    """A job that has failed stays so."""

    def delay_after(self, now: int) -> int | None:
        return None


class FixedDelay:
    """So many restarts in all, each after the same delay."""

    def __init__(self, attempts: int, delay: int) -> None:
        self._left = attempts
        self._delay = delay

    def delay_after(self, now: int) -> int | None:
        if self._left == 0:
            return None
        self._left -= 1
        return self._delay


class FailureRate:
    """Restarts after the same delay, until more failures than allowed fall into an interval."""

    def __init__(self, max_failures: int, interval: int, delay: int) -> None:
        self._interval = interval
        self._delay = delay
        #: The last failures, one more than are allowed.
        self._failures: deque[int] = deque(maxlen=max_failures + 1)

    def delay_after(self, now: int) -> int | None:
        self._failures.append(now)
        if len(self._failures) == self._failures.maxlen and now - self._failures[0] <= self._interval:
            return None
        return self._delay


class ExponentialDelay:
    """Restarts after delays that grow, and that begin anew when the job has run long enough without a failure.

    Args:
        initial: The first delay.
        longest: The longest one.
        multiplier: By what a delay is longer than the one before.
        reset_after: How long the job runs until the first delay is used again.
        jitter: Up to which part of itself a delay is longer or shorter.
        attempts: Restarts until the first delay is used again; None: as many as it takes.
        random: Where the jitter comes from.
    """

    def __init__(
        self,
        initial: int,
        longest: int,
        multiplier: float,
        reset_after: int,
        jitter: float,
        attempts: int | None = None,
        random: Random | None = None,
    ) -> None:
        self._initial = initial
        self._longest = longest
        self._multiplier = multiplier
        self._reset_after = reset_after
        self._jitter = jitter
        self._attempts = attempts
        self._random = random or Random()
        self._current = initial
        self._made = 0
        self._last_failure: int | None = None

    def delay_after(self, now: int) -> int | None:
        if self._last_failure is None or now - self._last_failure >= self._reset_after + self._current:
            self._current = self._initial
            self._made = 0
        else:
            self._current = min(int(self._current * self._multiplier), self._longest)
        self._last_failure = now
        self._made += 1
        if self._attempts is not None and self._made > self._attempts:
            return None
        offset = int(self._current * self._jitter)
        return min(self._current + self._random.randint(-offset, offset), self._longest)


def backoff_of(strategy: RestartStrategyConfiguration) -> Backoff:
    """Make what a strategy asks for. One that leaves it to the cluster restarts nothing: there is none to ask."""
    if isinstance(strategy, FixedDelayRestartStrategyConfiguration):
        return FixedDelay(strategy.restart_attempts, _millis(strategy.delay_between_attempts_interval))
    if isinstance(strategy, FailureRateRestartStrategyConfiguration):
        interval, delay = strategy.failure_interval, strategy.delay_between_attempts_interval
        return FailureRate(strategy.max_failure_rate, _millis(interval), _millis(delay))
    if isinstance(strategy, ExponentialDelayRestartStrategyConfiguration):
        return ExponentialDelay(
            _millis(strategy.initial_backoff),
            _millis(strategy.max_backoff),
            strategy.backoff_multiplier,
            _millis(strategy.reset_backoff_threshold),
            strategy.jitter_factor,
            strategy.attempts_before_reset_backoff,
        )
    return NoRestart()


def _millis(span: datetime.timedelta) -> int:
    return span // _MILLI
