"""Strategies that give a stream its timestamps and watermarks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any, TypeAlias

from windrow.absent.explained import module_getattr
from windrow.common.callables import check_function, check_results
from windrow.common.time import Duration, Time, to_millis
from windrow.common.watermark import Watermark, WatermarkOutput
from windrow.common.watermark_generators import (
    AscendingTimestampsWatermarks,
    BoundedOutOfOrdernessWatermarks,
    NoWatermarksGenerator,
    WatermarkGenerator,
)
from windrow.common.watermark_idleness import WatermarksWithIdleness
from windrow.errors import ConfigurationError, ConfigurationTypeError, shorten

__all__ = [
    "TimestampAssigner",
    "Watermark",
    "WatermarkAlignment",
    "WatermarkGenerator",
    "WatermarkOutput",
    "WatermarkStrategy",
]

#: What takes a value and its timestamp so far and gives the value's timestamp, both in milliseconds.
AssignTimestamp: TypeAlias = Callable[[Any, int], int]
#: A length of time; an int is in milliseconds.
DurationLike: TypeAlias = Duration | Time | timedelta | int


class TimestampAssigner(ABC):
    """Gives elements their timestamps. PyFlink's class of the same name.

    Example:
        >>> class SecondField(TimestampAssigner):
        ...     def extract_timestamp(self, value, record_timestamp):
        ...         return value[1]
        >>> SecondField().extract_timestamp(("a", 17), 0)
        17
    """

    @abstractmethod
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        """The timestamp of ``value``.

        Args:
            value: The element.
            record_timestamp: The timestamp it has so far (from its source, say) in milliseconds; -2^63 if it has none.

        Returns:
            Milliseconds since the epoch.
        """


@dataclass(frozen=True)
class WatermarkAlignment:
    """Sources of one group do not read further ahead of the slowest than ``max_drift``. Times are in milliseconds."""

    group: str
    max_drift: int
    update_interval: int


@dataclass(frozen=True)
class WatermarkStrategy:
    """Gives a stream its timestamps and watermarks: a generator, and if need be an assigner and a timeout.

    Made by one of the static methods and refined by the ``with_`` methods, each of which gives a new strategy that
    keeps all that was set before, in any order. (PyFlink's ``with_idleness`` forgets an assigner set before it.)
    Durations are a ``Duration``, a ``Time``, a ``timedelta`` or a number of milliseconds.

    Example:
        >>> strategy = (
        ...     WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_seconds(20))
        ...     .with_timestamp_assigner(lambda event, record_timestamp: event[1])
        ...     .with_idleness(Duration.of_minutes(1))
        ... )
        >>> strategy.create_timestamp_assigner()(("a", 17), 0)
        17
        >>> strategy.idle_timeout
        60000
    """

    generator: Callable[[], WatermarkGenerator]
    timestamp_assigner: TimestampAssigner | AssignTimestamp | None = None
    idle_timeout: int | None = None
    alignment: WatermarkAlignment | None = None

    @staticmethod
    def for_monotonous_timestamps() -> WatermarkStrategy:
        """For timestamps that never go down within a split: the watermark is the newest timestamp - 1."""
        return WatermarkStrategy(AscendingTimestampsWatermarks)

    @staticmethod
    def for_bounded_out_of_orderness(max_out_of_orderness: DurationLike) -> WatermarkStrategy:
        """For events that come at most ``max_out_of_orderness`` later than the newest event before them.

        The watermark is the newest timestamp - ``max_out_of_orderness`` - 1.

        Raises:
            ConfigurationTypeError: ``max_out_of_orderness`` is not a length of time.
            ConfigurationError: It is negative.
        """
        bound = _at_least(0, max_out_of_orderness, "max_out_of_orderness")
        return WatermarkStrategy(partial(BoundedOutOfOrdernessWatermarks, bound))

    @staticmethod
    def no_watermarks() -> WatermarkStrategy:
        """No watermarks but the last: for streams that are not read in event time."""
        return WatermarkStrategy(NoWatermarksGenerator)

    @staticmethod
    def for_generator(generator: Callable[[], WatermarkGenerator]) -> WatermarkStrategy:
        """Watermarks made by the program's own generator.

        Args:
            generator: Called without arguments for each parallel stream; a :class:`WatermarkGenerator` class will do.

        Raises:
            ConfigurationTypeError: ``generator`` cannot be called: a generator itself, say, which streams cannot share.
        """
        if not callable(generator):
            msg = (
                "for_generator needs a callable without arguments that makes a WatermarkGenerator "
                f"(its class, or a lambda); got {_described(generator)}"
            )
            raise ConfigurationTypeError(msg)
        return WatermarkStrategy(generator)

    def with_timestamp_assigner(self, timestamp_assigner: TimestampAssigner | AssignTimestamp) -> WatermarkStrategy:
        """The same strategy, with timestamps given by ``timestamp_assigner`` in place of those that elements have.

        Args:
            timestamp_assigner: A :class:`TimestampAssigner`, or a function of (value, timestamp so far).

        Raises:
            ConfigurationTypeError: It is neither, or cannot be called with both, or is a generator or ``async def``.
        """
        is_class = isinstance(timestamp_assigner, type)
        if is_class or not (isinstance(timestamp_assigner, TimestampAssigner) or callable(timestamp_assigner)):
            hint = "; did you forget to make an instance of it?" if is_class else ""
            msg = (
                "timestamp_assigner must be a TimestampAssigner or a function of (value, record_timestamp); "
                f"got {_described(timestamp_assigner)}{hint}"
            )
            raise ConfigurationTypeError(msg)
        extract = (
            timestamp_assigner.extract_timestamp
            if isinstance(timestamp_assigner, TimestampAssigner)
            else timestamp_assigner
        )
        check_function(extract, 2, "with_timestamp_assigner")
        return replace(self, timestamp_assigner=timestamp_assigner)

    def with_idleness(self, idle_timeout: DurationLike) -> WatermarkStrategy:
        """The same strategy, where a stream without elements for longer than ``idle_timeout`` is marked as idle.

        An idle stream does not hold back the watermark of the streams that it is combined with.

        Raises:
            ConfigurationTypeError: ``idle_timeout`` is not a length of time.
            ConfigurationError: It is not positive.
        """
        return replace(self, idle_timeout=_at_least(1, idle_timeout, "idle_timeout"))

    def with_watermark_alignment(
        self,
        watermark_group: str,
        max_allowed_watermark_drift: DurationLike,
        update_interval: DurationLike | None = None,
    ) -> WatermarkStrategy:
        """The same strategy, where sources do not read further ahead than a drift of the slowest of their group.

        Args:
            watermark_group: The name that aligned sources share.
            max_allowed_watermark_drift: How far ahead of the slowest a source may be.
            update_interval: How often sources compare their watermarks; 1 second by default.

        Raises:
            ConfigurationTypeError: A duration is not a length of time.
            ConfigurationError: The drift is negative or the interval is not positive.
        """
        interval = 1000 if update_interval is None else _at_least(1, update_interval, "update_interval")
        drift = _at_least(0, max_allowed_watermark_drift, "max_allowed_watermark_drift")
        return replace(self, alignment=WatermarkAlignment(watermark_group, drift, interval))

    def create_timestamp_assigner(self) -> AssignTimestamp | None:
        """The function that gives timestamps; None where elements keep those that they have."""
        assigner = self.timestamp_assigner
        return assigner.extract_timestamp if isinstance(assigner, TimestampAssigner) else assigner

    def create_watermark_generator(self, clock: Callable[[], int]) -> WatermarkGenerator:
        """A new generator for one stream.

        Args:
            clock: Tells idleness the time, in milliseconds since any fixed point.

        Raises:
            ConfigurationTypeError: The callable that :meth:`for_generator` was given made something else, or one whose
                methods yield watermarks instead of emitting them.
        """
        generator = self.generator()
        if not isinstance(generator, WatermarkGenerator):
            msg = f"the callable given to for_generator must make a WatermarkGenerator; got {_described(generator)}"
            raise ConfigurationTypeError(msg)
        kind = type(generator)
        for name in ("on_event", "on_periodic_emit"):
            check_results(getattr(kind, name), f"{name} of {kind.__name__}")
        if self.idle_timeout is None:
            return generator
        return WatermarksWithIdleness(generator, self.idle_timeout, clock)


#: They make watermarks of elements alone.
_BY_ELEMENTS = (AscendingTimestampsWatermarks, BoundedOutOfOrdernessWatermarks, NoWatermarksGenerator)


def watches_clock(strategy: WatermarkStrategy) -> bool:
    """Tell whether its watermarks may change because time passes; if not, elements alone change them.

    Example:
        >>> strategy = WatermarkStrategy.for_monotonous_timestamps()
        >>> watches_clock(strategy), watches_clock(strategy.with_idleness(1000))
        (False, True)
    """
    # Not made to be looked at: a function of the program's would be called.
    made = strategy.generator.func if isinstance(strategy.generator, partial) else strategy.generator
    return strategy.idle_timeout is not None or strategy.alignment is not None or made not in _BY_ELEMENTS


def _at_least(minimum: int, duration: DurationLike, parameter: str) -> int:
    millis = to_millis(duration, parameter)
    if millis < minimum:
        msg = f"{parameter} must be at least {minimum} ms; got {millis} ms"
        raise ConfigurationError(msg)
    return millis


def _described(value: Any) -> str:
    return f"the class {value.__name__}" if isinstance(value, type) else f"{shorten(value)} ({type(value).__name__})"


__getattr__ = module_getattr(__name__)
