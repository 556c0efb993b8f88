"""The built-in watermark generators, and what every generator keeps in a checkpoint."""

from typing import Any

import pytest

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.common.watermark import Watermark, WatermarkOutput
from windrow.common.watermark_generators import (
    AscendingTimestampsWatermarks,
    BoundedOutOfOrdernessWatermarks,
    NoWatermarksGenerator,
    WatermarkGenerator,
)
from windrow.errors import ConfigurationError


class Collected(WatermarkOutput):
    """Keeps emitted timestamps."""

    def __init__(self) -> None:
        self.timestamps: list[int] = []

    def emit_watermark(self, watermark: Watermark) -> None:
        self.timestamps.append(watermark.timestamp)

    def mark_idle(self) -> None:
        raise AssertionError

    def mark_active(self) -> None:
        raise AssertionError


def emitted(generator: WatermarkGenerator, *timestamps: int) -> list[int]:
    """What a periodic emit gives after events with these timestamps."""
    output = Collected()
    for timestamp in timestamps:
        generator.on_event("event", timestamp, output)
    assert output.timestamps == [], "built-in generators emit only periodically"
    generator.on_periodic_emit(output)
    return output.timestamps


def test_bounded_watermarks_trail_the_newest_timestamp() -> None:
    """The watermark is the newest timestamp - bound - 1 (SEMANTICS 15)."""
    assert emitted(BoundedOutOfOrdernessWatermarks(10), 12345, 12300) == [12334]


def test_ascending_watermarks_trail_by_one() -> None:
    """The watermark is the newest timestamp - 1."""
    assert emitted(AscendingTimestampsWatermarks(), 12345, 12340) == [12344]


@pytest.mark.parametrize("generator", [AscendingTimestampsWatermarks(), BoundedOutOfOrdernessWatermarks(10)])
def test_before_any_event_the_watermark_is_the_lowest(generator: WatermarkGenerator) -> None:
    """-2^63 before any event, without underflow."""
    assert emitted(generator) == [LONG_MIN]


@pytest.mark.parametrize(
    ("timestamp", "watermark"), [(LONG_MIN, LONG_MIN), (LONG_MIN + 11, LONG_MIN), (LONG_MIN + 12, LONG_MIN + 1)]
)
def test_the_watermark_does_not_underflow(timestamp: int, watermark: int) -> None:
    """Events right above -2^63 leave the watermark there."""
    assert emitted(BoundedOutOfOrdernessWatermarks(10), timestamp) == [watermark]


def test_a_bound_as_large_as_64_bits_allow() -> None:
    """The greatest bound and timestamp do not overflow."""
    assert emitted(BoundedOutOfOrdernessWatermarks(LONG_MAX), LONG_MAX) == [-1]


def test_unchanged_watermarks_are_emitted_again() -> None:
    """A generator does not hold back what it has emitted before: the operator does."""
    generator = BoundedOutOfOrdernessWatermarks(10)
    assert emitted(generator, 100) + emitted(generator) == [89, 89]


def test_no_watermarks_emits_nothing() -> None:
    """The generator of no_watermarks is silent."""
    assert emitted(NoWatermarksGenerator(), 1, 2) == []


def test_a_negative_bound_is_refused() -> None:
    """Out-of-orderness cannot be negative."""
    with pytest.raises(ConfigurationError, match="-1 ms"):
        BoundedOutOfOrdernessWatermarks(-1)


def test_a_changed_bound_takes_effect_after_a_restart() -> None:
    """The newest timestamp is state, the bound is not."""
    before = BoundedOutOfOrdernessWatermarks(10)
    before.on_newest_timestamp(100)
    after = BoundedOutOfOrdernessWatermarks(50)
    after.restore_state(before.snapshot_state())
    assert after.current_watermark() == 49


class WithFields(WatermarkGenerator):
    """A user's generator."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
        self.seen.append(event_timestamp)

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        output.emit_watermark(Watermark(max(self.seen)))


class WithSlots(WithFields):
    """The same with a slot beside its fields."""

    __slots__ = ("last",)
    last: int


class WithOwnState(WithFields):
    """One that says itself how its state is taken back."""

    def __getstate__(self) -> object:
        return tuple(self.seen)

    def __setstate__(self, state: tuple[int, ...]) -> None:
        self.seen = list(state)


def test_the_fields_of_a_users_generator_are_its_state() -> None:
    """By default all fields go into a checkpoint and come back."""
    before, after = WithFields(), WithFields()
    emitted(before, 3, 1)
    after.restore_state(before.snapshot_state())
    assert after.seen == [3, 1]


def test_slots_are_state_too() -> None:
    """Slots are kept like fields."""
    before, after = WithSlots(), WithSlots()
    before.last = 7
    after.restore_state(before.snapshot_state())
    assert (after.last, after.seen) == (7, [])


def test_a_generators_own_pickling_is_respected() -> None:
    """__getstate__ and __setstate__ decide where a class defines them."""
    before, after = WithOwnState(), WithOwnState()
    emitted(before, 3, 1)
    after.restore_state(before.snapshot_state())
    assert after.seen == [3, 1]


def test_a_generator_without_fields_has_an_empty_state() -> None:
    """No fields: nothing to take back, and no error."""

    class Stateless(NoWatermarksGenerator):
        pass

    generator = Stateless()
    generator.restore_state(generator.snapshot_state())
    assert vars(generator) == {}


def test_only_generators_that_do_not_look_at_events_take_batches() -> None:
    """A subclass of a built-in generator that overrides on_event sees each event."""

    class Counting(BoundedOutOfOrdernessWatermarks):
        def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
            """Look at the event."""

    assert BoundedOutOfOrdernessWatermarks(1).batch_listener() is not None
    assert Counting(1).batch_listener() is None
    assert WithFields().batch_listener() is None
