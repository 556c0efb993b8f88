"""The valve, beyond Flink's own cases."""

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common.limits import LONG_MIN
from windrow.errors import ConfigurationError
from windrow.operators.watermarks.valve import StatusWatermarkValve


def test_a_valve_has_channels(output: Any) -> None:
    """No channel, no valve."""
    with pytest.raises(ConfigurationError, match="at least one channel; got 0"):
        StatusWatermarkValve(0, output)


def test_the_last_channel_that_held_the_minimum_flushes_the_maximum(output: Any) -> None:
    """When it goes idle, the maximum over all channels is emitted, then IDLE (SEMANTICS 15)."""
    valve = StatusWatermarkValve(2, output)
    valve.input_watermark(0, 25)
    valve.input_watermark(1, 10)
    valve.input_status(0, idle=True)
    valve.input_status(1, idle=True)
    assert output.take() == [10, 25, "idle"]


def test_a_last_channel_that_did_not_hold_the_minimum_flushes_nothing(output: Any) -> None:
    """An unaligned channel that goes idle last does not release the others' watermarks."""
    valve = StatusWatermarkValve(3, output)
    valve.input_watermark(0, 5)
    valve.input_watermark(1, 9)
    valve.input_status(2, idle=True)
    valve.input_status(1, idle=True)
    valve.input_status(2, idle=False)
    valve.input_status(0, idle=True)
    assert output.take() == [5]
    valve.input_status(2, idle=True)
    assert output.take() == ["idle"]


def test_a_channel_that_comes_back_level_counts_at_once(output: Any) -> None:
    """A channel back from idle whose watermark is the last that came out is aligned."""
    valve = StatusWatermarkValve(2, output)
    valve.input_watermark(0, 5)
    valve.input_watermark(1, 5)
    valve.input_status(1, idle=True)
    valve.input_status(1, idle=False)
    valve.input_watermark(0, 8)
    assert valve.channels[1].aligned
    assert output.take() == [5]


def test_the_heap_stays_small_when_one_channel_runs_ahead(output: Any) -> None:
    """Memory follows the number of channels, not of watermarks."""
    valve = StatusWatermarkValve(2, output)
    for timestamp in range(1000):
        valve.input_watermark(0, timestamp)
    assert len(valve._by_watermark) <= 2


class Model:
    """The rules in their simplest form: all channels are looked at each time."""

    def __init__(self, channels: int) -> None:
        self.watermarks = [LONG_MIN] * channels
        self.active = [True] * channels
        self.aligned = [True] * channels
        self.last = LONG_MIN
        self.items: list[Any] = []

    def emit(self, timestamp: int) -> None:
        if timestamp > self.last:
            self.last = timestamp
            self.items.append(timestamp)

    def emit_minimum(self) -> None:
        aligned = [mark for mark, counts in zip(self.watermarks, self.aligned, strict=True) if counts]
        if aligned:
            self.emit(min(aligned))

    def watermark(self, channel: int, timestamp: int) -> None:
        if self.active[channel] and timestamp > self.watermarks[channel]:
            self.watermarks[channel] = timestamp
            self.aligned[channel] = self.aligned[channel] or timestamp >= self.last
            self.emit_minimum()

    def status(self, channel: int, *, idle: bool) -> None:
        if self.active[channel] != idle:
            return
        was_idle = not any(self.active)
        self.active[channel] = not idle
        self.aligned[channel] = not idle and self.watermarks[channel] >= self.last
        held = self.watermarks[channel] == self.last
        if was_idle:
            self.items.append("active")
        elif not any(self.active):
            if held:
                self.emit(max(self.watermarks))
            self.items.append("idle")
        elif idle and held:
            self.emit_minimum()


STEPS = st.lists(st.tuples(st.integers(0, 3), st.one_of(st.booleans(), st.integers(0, 12))), max_size=60)


@given(steps=STEPS, cut=st.integers(0, 60))
def test_the_valve_does_what_its_rules_say_also_after_a_restore(
    new_output: Any, steps: list[tuple[int, Any]], cut: int
) -> None:
    """Any history gives what the plain rules give, and a snapshot and restore in between changes nothing."""
    model, recorded = Model(4), new_output()
    valve = StatusWatermarkValve(4, recorded)
    for number, (channel, step) in enumerate(steps):
        if number == cut:
            snapshot = pickle.dumps(valve.snapshot())
            valve = StatusWatermarkValve(4, recorded)
            valve.restore(pickle.loads(snapshot))
        if isinstance(step, bool):
            valve.input_status(channel, idle=step)
            model.status(channel, idle=step)
        else:
            valve.input_watermark(channel, step)
            model.watermark(channel, step)
    assert recorded.items == model.items
    assert [status.aligned for status in valve.channels] == model.aligned
