"""Watermarks of splits and of the reader they are in."""

import pytest

from windrow.common import WatermarkStrategy
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator
from windrow.errors import UserFunctionError
from windrow.runtime.sources.split_watermarks import SplitWatermarks

TIMES = WatermarkStrategy.for_monotonous_timestamps()


class Target:
    def __init__(self):
        self.events = []

    def elements(self, values, timestamps):
        self.events += zip(values, timestamps.tolist(), strict=True)

    def control(self, control):
        self.events.append(control)


def made(strategy=TIMES, **more):
    target = Target()
    return SplitWatermarks("source", strategy, target, **more), target


def test_the_least_watermark_of_the_active_splits_counts():
    """A split holds it back from the moment it is registered, until it is released."""
    watermarks, target = made()
    watermarks.register(["a", "b"])
    watermarks.elements("a", ["x"], [50])
    watermarks.periodic_emit()
    assert target.events == [("x", 50)]
    watermarks.elements("b", ["y"], [20])
    watermarks.periodic_emit()
    watermarks.release("b")
    assert target.events[1:] == [("y", 20), 19, 49]
    assert watermarks.active_watermarks() == {"a": 49}
    watermarks.release("b")
    assert target.events[-1] == 49


def test_the_readers_own_watermark_counts_while_there_are_no_splits():
    """A reader that gets a split later does not begin idle, and one that has none any more keeps its watermark."""
    watermarks, _ = made()
    assert watermarks.output_ids() == {None}
    watermarks.register(["a"])
    assert watermarks.output_ids() == {"a"}
    watermarks.elements("a", ["x"], [50])
    watermarks.release("a")
    assert watermarks.output_ids() == {None}


def test_watermarks_of_the_source_itself_and_its_statuses():
    """An idle split holds nothing back; all of them idle, the reader is."""
    watermarks, target = made()
    watermarks.register(["a", "b"])
    for split_id, mark in [("a", 10), ("b", "idle"), ("a", "idle"), ("b", 12), ("a", "active")]:
        watermarks.mark(split_id, mark)
    assert target.events == [10, "idle", "active", 12]


def test_in_batch_there_are_no_watermarks():
    """The last one comes from the end of the input."""
    watermarks, target = made(progressive=False)
    watermarks.register(["a"])
    watermarks.elements("a", ["x"], [50])
    watermarks.mark("a", 40)
    watermarks.periodic_emit()
    assert target.events == [("x", 50)]


@pytest.mark.parametrize("cut", [1, 8191, 8192, 20_000])
def test_generators_are_asked_every_so_many_elements_wherever_batches_are_cut(cut):
    """The count is part of the snapshot."""
    watermarks, target = made()
    watermarks.register(["a"])
    numbers = list(range(20_000))
    for part in (numbers[:cut], numbers[cut:]):
        watermarks.elements("a", part, part)
        again, rest = made()
        again.restore(watermarks.snapshot())
        rest.events = target.events
        watermarks, target = again, rest
    assert [event for event in target.events if isinstance(event, int)] == [8190, 16382]


def test_a_paused_split_does_not_become_idle():
    """Its clock stands still, over a snapshot as well."""
    watermarks, target = made(TIMES.with_idleness(100))
    watermarks.register(["a"])
    watermarks.elements("a", ["x"], [50])
    watermarks.periodic_emit()
    watermarks.periodic_emit()
    watermarks.pause({"a"})
    watermarks.now = 1000
    again, target = made(TIMES.with_idleness(100))
    again.restore(watermarks.snapshot())
    again.now = 2000
    again.periodic_emit()
    assert target.events == []
    again.pause(())
    again.now = 2100
    again.periodic_emit()
    assert target.events == []
    again.now = 2101
    again.periodic_emit()
    assert target.events == ["idle"]


class Broken(WatermarkGenerator):
    def on_event(self, event, event_timestamp, output):
        if event == "bad":
            msg = "in on_event"
            raise ValueError(msg)
        output.emit_watermark(Watermark(event_timestamp))

    def on_periodic_emit(self, output):
        msg = "in on_periodic_emit"
        raise ValueError(msg)


def test_an_error_of_a_generator_is_the_users():
    """It names the source and the element, if it was about one."""
    watermarks, _ = made(WatermarkStrategy.for_generator(Broken))
    with pytest.raises(UserFunctionError, match="in on_event") as caught:
        watermarks.elements("a", ["good", "bad"], [1, 2])
    assert "'bad'" in str(caught.value)
    with pytest.raises(UserFunctionError, match="in on_periodic_emit"):
        watermarks.periodic_emit()
