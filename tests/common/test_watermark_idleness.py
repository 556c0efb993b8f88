"""Idleness: when a stream counts as idle, and what its generator then does."""

from typing import Any

import pytest

from windrow.common.watermark import Watermark, WatermarkOutput
from windrow.common.watermark_generators import AscendingTimestampsWatermarks, WatermarkGenerator
from windrow.common.watermark_idleness import IdlenessTimer, WatermarksWithIdleness
from windrow.errors import ConfigurationError


class Clock:
    """A clock set by hand."""

    def __init__(self, now: int = 0) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


class Calls(WatermarkOutput):
    """Keeps what was called."""

    def __init__(self) -> None:
        self.calls: list[int | str] = []

    def emit_watermark(self, watermark: Watermark) -> None:
        self.calls.append(watermark.timestamp)

    def mark_idle(self) -> None:
        self.calls.append("idle")

    def mark_active(self) -> None:
        self.calls.append("active")


@pytest.mark.parametrize(("elapsed", "idle"), [(9, False), (10, False), (11, True)])
def test_idle_means_more_than_the_timeout(elapsed: int, *, idle: bool) -> None:
    """Idle when elapsed > timeout; at exactly the timeout not yet (SEMANTICS 15)."""
    clock = Clock()
    timer = IdlenessTimer(clock, 10)
    timer.check_if_idle()
    clock.now = elapsed
    assert timer.check_if_idle() is idle


def test_the_time_starts_at_the_first_check_not_at_creation() -> None:
    """A timer that was never checked is not idle, however long ago it was made."""
    clock = Clock()
    timer = IdlenessTimer(clock, 10)
    clock.now = 1000
    assert not timer.check_if_idle()


def test_a_clock_may_start_at_zero_or_below() -> None:
    """No value of the clock means "not started"."""
    for start in (0, -5):
        clock = Clock(start)
        timer = IdlenessTimer(clock, 10)
        timer.check_if_idle()
        clock.now = start + 11
        assert timer.check_if_idle()


def test_the_check_after_an_activity_does_not_start_the_time() -> None:
    """The first check after an activity only notes it; the second starts the time."""
    clock = Clock()
    timer = IdlenessTimer(clock, 10)
    timer.activity()
    timer.check_if_idle()
    clock.now = 11
    assert not timer.check_if_idle()
    clock.now = 22
    assert timer.check_if_idle()


def test_a_restored_timer_goes_on() -> None:
    """State kept in a checkpoint: when the inactivity began."""
    clock = Clock()
    before, after = IdlenessTimer(clock, 10), IdlenessTimer(clock, 10)
    before.check_if_idle()
    after.restore_state(before.snapshot_state())
    clock.now = 11
    assert after.check_if_idle()


@pytest.mark.parametrize("timeout", [0, -1])
def test_a_timeout_must_be_positive(timeout: int) -> None:
    """Zero and negative timeouts are refused, naming the parameter."""
    with pytest.raises(ConfigurationError, match="idle_timeout"):
        IdlenessTimer(Clock(), timeout)


def test_idle_is_marked_once_and_watermarks_stop() -> None:
    """While idle, the generator inside is not asked and the output is marked only once."""
    clock, output = Clock(), Calls()
    generator = WatermarksWithIdleness(AscendingTimestampsWatermarks(), 10, clock)
    generator.on_event("event", 5, output)
    for clock.now in (0, 1, 12, 30):
        generator.on_periodic_emit(output)
    assert output.calls == [4, 4, "idle"]


def test_after_an_event_the_generator_is_asked_again() -> None:
    """An event ends idleness at the next periodic emit; being idle again is marked again."""
    clock, output = Clock(), Calls()
    generator = WatermarksWithIdleness(AscendingTimestampsWatermarks(), 10, clock)
    for clock.now in (0, 11):
        generator.on_periodic_emit(output)
    generator.on_event("event", 5, output)
    for clock.now in (12, 13, 24):
        generator.on_periodic_emit(output)
    assert output.calls[1:] == ["idle", 4, 4, "idle"]


def test_a_batch_counts_as_activity() -> None:
    """The batch listener tells the generator inside and the timer."""
    clock, output = Clock(), Calls()
    generator = WatermarksWithIdleness(AscendingTimestampsWatermarks(), 10, clock)
    for clock.now in (0, 11):
        generator.on_periodic_emit(output)
    tell = generator.batch_listener()
    assert tell is not None
    tell(8)
    generator.on_periodic_emit(output)
    assert output.calls[1:] == ["idle", 7]


def test_a_generator_that_looks_at_events_does_so_inside_idleness() -> None:
    """Idleness takes batches only where the generator inside does."""

    class Custom(WatermarkGenerator):
        def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
            """Look at the event."""

        def on_periodic_emit(self, output: WatermarkOutput) -> None:
            """Nothing."""

    assert WatermarksWithIdleness(Custom(), 10, Clock()).batch_listener() is None


def test_the_state_covers_generator_timer_and_mark() -> None:
    """A restored generator that was idle does not mark its output again, and remembers its newest timestamp."""
    clock, output = Clock(), Calls()
    before = WatermarksWithIdleness(AscendingTimestampsWatermarks(), 10, clock)
    before.on_event("event", 5, output)
    for clock.now in (0, 1, 12):
        before.on_periodic_emit(output)
    after = WatermarksWithIdleness(AscendingTimestampsWatermarks(), 10, clock)
    after.restore_state(before.snapshot_state())
    output.calls.clear()
    after.on_periodic_emit(output)
    assert output.calls == []
    after.on_event("event", 3, output)
    after.on_periodic_emit(output)
    assert output.calls == [4]


def test_idleness_is_asked_for_without_watermarks() -> None:
    """Only a stream that becomes idle says how far it has come, once, and idleness is that of the periodic emits."""
    clock, output = Clock(), Calls()
    generator = WatermarksWithIdleness(AscendingTimestampsWatermarks(), 10, clock)
    generator.on_event("event", 5, output)
    for clock.now in (0, 1, 11):
        generator.emit_idleness(output)
    assert output.calls == []
    clock.now = 12
    generator.emit_idleness(output)
    generator.on_periodic_emit(output)
    generator.emit_idleness(output)
    assert output.calls == [4, "idle"]
    generator.on_event("event", 6, output)
    generator.emit_idleness(output)
    assert output.calls == [4, "idle"]
