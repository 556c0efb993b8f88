"""Limits how many records a reader gives."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from windrow.connectors.datagen.alarm import Alarm
from windrow.connectors.source import available
from windrow.connectors.source.future_notifier import FutureNotifier
from windrow.errors import ConfigurationError, ConfigurationTypeError

#: What could not be given while a batch was worked on is made up for, up to what so many seconds allow.
MAX_BURST_SECONDS = 10.0
#: Nobody is woken more often than this, in seconds: at a high rate several records become due at a time.
SHORTEST_WAIT = 0.005


class RateLimiter(ABC):
    """Says how many records one reader may give now (Flink's ``RateLimiter``, for many records at a time)."""

    @abstractmethod
    def acquire(self, wanted: int) -> int:
        """Take leave to give up to ``wanted`` records, and say for how many it is given: 0 if one has to wait."""

    @abstractmethod
    def is_available(self) -> Future[None]:
        """Done when :meth:`acquire` gives leave for at least one record."""

    def notify_checkpoint_complete(self, checkpoint_id: int) -> None:  # noqa: B027  (most limiters do not care)
        """A batch is committed."""

    def snapshot_state(self) -> Any:
        """Give what a reader that goes on in another process hands to its limiter there; it must pickle."""
        return None

    def restore_state(self, state: Any) -> None:  # noqa: B027  (most limiters keep nothing)
        """Take back what :meth:`snapshot_state` gave."""

    def close(self) -> None:  # noqa: B027  (most limiters hold nothing)
        """Nobody waits any more."""


class RateLimiterStrategy(ABC):
    """Limits how fast a source is; all its readers share it in equal parts (Flink's ``RateLimiterStrategy``).

    Example:
        >>> limiter = RateLimiterStrategy.per_checkpoint(10).create_rate_limiter(parallelism=2)
        >>> limiter.acquire(100), limiter.acquire(100)
        (5, 0)
        >>> limiter.notify_checkpoint_complete(1)
        >>> limiter.acquire(3)
        3
    """

    @abstractmethod
    def create_rate_limiter(self, parallelism: int) -> RateLimiter:
        """The limiter of one of ``parallelism`` readers; called on the workers."""

    @staticmethod
    def per_second(records_per_second: float) -> RateLimiterStrategy:
        """At most so many records a second.

        Over any time a reader gives no more than its part of the rate allows. Records come in bursts, for nothing is
        read while Spark finishes a batch: the time since then counts, up to 10 seconds of it.

        Raises:
            ConfigurationTypeError: ``records_per_second`` is not a number.
            ConfigurationError: it is not positive.
        """
        return PerSecond(float(_positive(records_per_second, "records_per_second", int | float)))

    @staticmethod
    def per_checkpoint(records_per_checkpoint: int) -> RateLimiterStrategy:
        """At most so many records in each checkpoint, which here is a batch.

        Raises:
            ConfigurationTypeError: ``records_per_checkpoint`` is not an int.
            ConfigurationError: it is not positive.
        """
        return PerCheckpoint(int(_positive(records_per_checkpoint, "records_per_checkpoint", int)))

    @staticmethod
    def no_op() -> RateLimiterStrategy:
        """As fast as it goes."""
        return NoLimit()


@dataclass(frozen=True)
class PerSecond(RateLimiterStrategy):
    """See :meth:`RateLimiterStrategy.per_second`."""

    records_per_second: float

    def create_rate_limiter(self, parallelism: int) -> RateLimiter:
        return TimedRateLimiter(self.records_per_second / parallelism)


@dataclass(frozen=True)
class PerCheckpoint(RateLimiterStrategy):
    """See :meth:`RateLimiterStrategy.per_checkpoint`."""

    records_per_checkpoint: int

    def create_rate_limiter(self, parallelism: int) -> RateLimiter:
        of_reader = self.records_per_checkpoint // parallelism
        if of_reader == 0:
            msg = (
                f"records_per_checkpoint of {self.records_per_checkpoint} leaves nothing for each of {parallelism} "
                "readers; make it at least the source's parallelism"
            )
            raise ConfigurationError(msg)
        return GatedRateLimiter(of_reader)


@dataclass(frozen=True)
class NoLimit(RateLimiterStrategy):
    """See :meth:`RateLimiterStrategy.no_op`."""

    def create_rate_limiter(self, parallelism: int) -> RateLimiter:
        return UnlimitedRateLimiter()


class UnlimitedRateLimiter(RateLimiter):
    """Always gives leave (Flink's ``NoOpRateLimiter``)."""

    def acquire(self, wanted: int) -> int:
        return wanted

    def is_available(self) -> Future[None]:
        return available()


class GatedRateLimiter(RateLimiter):
    """Gives leave for a number of records between two checkpoints (Flink's ``GatedRateLimiter``)."""

    def __init__(self, records: int) -> None:
        self._records = records
        self._left = records
        self._opened = FutureNotifier()

    def acquire(self, wanted: int) -> int:
        given = min(wanted, self._left)
        self._left -= given
        return given

    def is_available(self) -> Future[None]:
        return available() if self._left else self._opened.future()

    def notify_checkpoint_complete(self, checkpoint_id: int) -> None:
        self._left = self._records
        self._opened.notify_complete()


class TimedRateLimiter(RateLimiter):
    """Gives leave as time goes by (Flink's ``GuavaRateLimiter``).

    Args:
        rate: Records a second.
        clock: Seconds since a point that is the same in all processes.
    """

    def __init__(self, rate: float, clock: Callable[[], float] = time.time) -> None:
        self._rate = rate
        self._clock = clock
        #: From this time on leave was not given yet.
        self._since = clock()
        self._due = FutureNotifier()
        self._alarm = Alarm(self._due.notify_complete)

    def acquire(self, wanted: int) -> int:
        now = self._clock()
        self._since = min(self._since, now)  # the clock may have been set back
        # Computed from one number, so that neither rounding nor the number of calls changes the rate.
        due = math.floor((now - self._since) * self._rate + 1e-6)
        burst = max(MAX_BURST_SECONDS * self._rate, 1.0)
        if due > burst:  # compared in whole records: a part of one that waits for longer is not lost
            due = math.floor(burst + 1e-6)
            self._since = now - burst / self._rate
        given = min(wanted, due)
        self._since += given / self._rate
        return given

    def is_available(self) -> Future[None]:
        wait = self._since + 1 / self._rate - self._clock()
        if wait <= 0:
            return available()
        future = self._due.future()
        self._alarm.set(max(wait, SHORTEST_WAIT))
        return future

    def snapshot_state(self) -> float:
        return self._since

    def restore_state(self, state: float) -> None:
        self._since = state

    def close(self) -> None:
        self._alarm.close()


def _positive(value: float, parameter: str, kind: object) -> float:
    if isinstance(value, bool) or not isinstance(value, kind):  # type: ignore[arg-type]
        msg = f"{parameter} must be a number; got {value!r} ({type(value).__name__})"
        raise ConfigurationTypeError(msg)
    if not 0 < value < math.inf:
        msg = f"{parameter} must be above 0; got {value}"
        raise ConfigurationError(msg)
    return value
