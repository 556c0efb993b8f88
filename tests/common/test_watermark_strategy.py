"""Watermark strategies: what they are made of, and that nothing set is forgotten."""

from collections.abc import Callable
from datetime import timedelta
from itertools import permutations
from typing import Any

import cloudpickle
import pytest

from windrow.common.time import Duration, Time
from windrow.common.watermark import WatermarkOutput
from windrow.common.watermark_generators import (
    AscendingTimestampsWatermarks,
    BoundedOutOfOrdernessWatermarks,
    NoWatermarksGenerator,
)
from windrow.common.watermark_idleness import WatermarksWithIdleness
from windrow.common.watermark_strategy import (
    TimestampAssigner,
    WatermarkAlignment,
    WatermarkGenerator,
    WatermarkStrategy,
)
from windrow.errors import ConfigurationError, ConfigurationTypeError


def stopped() -> int:
    return 0


class Custom(WatermarkGenerator):
    """A user's generator."""

    def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
        """Nothing."""

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        """Nothing."""


class Field(TimestampAssigner):
    """A user's assigner."""

    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value[1])


@pytest.mark.parametrize(
    ("strategy", "kind"),
    [
        (WatermarkStrategy.for_monotonous_timestamps(), AscendingTimestampsWatermarks),
        (WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_seconds(1)), BoundedOutOfOrdernessWatermarks),
        (WatermarkStrategy.no_watermarks(), NoWatermarksGenerator),
        (WatermarkStrategy.for_generator(Custom), Custom),
        (WatermarkStrategy.for_generator(lambda: Custom()), Custom),  # noqa: PLW0108
    ],
)
def test_each_factory_makes_its_generator(strategy: WatermarkStrategy, kind: type) -> None:
    """Each call makes a new generator: streams do not share one."""
    first, second = strategy.create_watermark_generator(stopped), strategy.create_watermark_generator(stopped)
    assert type(first) is kind
    assert first is not second


@pytest.mark.parametrize("bound", [Duration.of_seconds(2), Time.seconds(2), timedelta(seconds=2), 2000])
def test_a_bound_may_be_given_in_any_form(bound: Any) -> None:
    """Duration, Time, timedelta and milliseconds mean the same."""
    generator = WatermarkStrategy.for_bounded_out_of_orderness(bound).create_watermark_generator(stopped)
    assert isinstance(generator, BoundedOutOfOrdernessWatermarks)
    generator.on_newest_timestamp(5000)
    assert generator.current_watermark() == 2999


Step = Callable[[WatermarkStrategy], WatermarkStrategy]
STEPS: list[Step] = [
    lambda strategy: strategy.with_timestamp_assigner(Field()),
    lambda strategy: strategy.with_idleness(Duration.of_millis(7)),
    lambda strategy: strategy.with_watermark_alignment("group", Duration.of_millis(8), Duration.of_millis(9)),
]


@pytest.mark.parametrize("steps", list(permutations(STEPS)))
def test_nothing_set_before_is_forgotten(steps: tuple[Step, ...]) -> None:
    """In any order, all settings are kept (SEMANTICS 20: PyFlink's with_idleness drops the assigner)."""
    strategy = WatermarkStrategy.for_monotonous_timestamps()
    for step in steps:
        strategy = step(strategy)
    assigner = strategy.create_timestamp_assigner()
    assert assigner is not None
    assert assigner(("a", 17), 0) == 17
    assert isinstance(strategy.create_watermark_generator(stopped), WatermarksWithIdleness)
    assert strategy.alignment == WatermarkAlignment("group", 8, 9)


def test_refining_leaves_the_original_alone() -> None:
    """A strategy is immutable: two refinements of one do not meet."""
    base = WatermarkStrategy.for_monotonous_timestamps()
    base.with_timestamp_assigner(Field())
    base.with_idleness(5)
    assert base.create_timestamp_assigner() is None
    assert base.idle_timeout is None


def test_an_assigner_may_be_a_function() -> None:
    """Any function of (value, record timestamp) will do."""
    strategy = WatermarkStrategy.no_watermarks().with_timestamp_assigner(lambda value, timestamp: value + timestamp)
    assigner = strategy.create_timestamp_assigner()
    assert assigner is not None
    assert assigner(3, 4) == 7


def test_alignment_compares_every_second_by_default() -> None:
    """Flink's default interval of updates is one second."""
    strategy = WatermarkStrategy.no_watermarks().with_watermark_alignment("group", Time.seconds(3))
    assert strategy.alignment == WatermarkAlignment("group", 3000, 1000)


def test_strategies_travel() -> None:
    """A strategy with lambdas is picklable by cloudpickle, as a worker needs it."""
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(3).with_timestamp_assigner(lambda value, _: value)
    copy = cloudpickle.loads(cloudpickle.dumps(strategy))
    assert copy.create_timestamp_assigner()(9, 0) == 9
    assert isinstance(copy.create_watermark_generator(stopped), BoundedOutOfOrdernessWatermarks)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (lambda: WatermarkStrategy.for_bounded_out_of_orderness(-1), "max_out_of_orderness"),
        (lambda: WatermarkStrategy.for_bounded_out_of_orderness(None), "max_out_of_orderness"),  # type: ignore[arg-type]
        (lambda: WatermarkStrategy.no_watermarks().with_idleness(0), "idle_timeout"),
        (lambda: WatermarkStrategy.no_watermarks().with_idleness(1.5), "idle_timeout"),  # type: ignore[arg-type]
        (lambda: WatermarkStrategy.no_watermarks().with_watermark_alignment("g", -1), "max_allowed_watermark_drift"),
        (lambda: WatermarkStrategy.no_watermarks().with_watermark_alignment("g", 1, 0), "update_interval"),
        (lambda: WatermarkStrategy.no_watermarks().with_timestamp_assigner(5), "timestamp_assigner"),  # type: ignore[arg-type]
        (lambda: WatermarkStrategy.no_watermarks().with_timestamp_assigner(Field), "class Field; did you forget"),  # type: ignore[arg-type]
        (lambda: WatermarkStrategy.for_generator(Custom()), "for_generator"),  # type: ignore[arg-type]
    ],
)
def test_wrong_settings_fail_where_they_are_made(wrong: Callable[[], object], named: str) -> None:
    """The error names the parameter."""
    with pytest.raises(ConfigurationError, match=named):
        wrong()


def test_a_callable_that_makes_something_else_is_named() -> None:
    """What for_generator's callable makes is checked when it is made."""
    strategy = WatermarkStrategy.for_generator(lambda: "generator")  # type: ignore[arg-type, return-value]
    with pytest.raises(ConfigurationTypeError, match=r"'generator' \(str\)"):
        strategy.create_watermark_generator(stopped)
