"""Watermarks by split, in the operator that assigns timestamps and emits watermarks."""

from operator import itemgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common.limits import LONG_MIN
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator, WatermarkStrategy
from windrow.elements.batch import Batch
from windrow.elements.codec import dumps, loads
from windrow.errors import UserFunctionError
from windrow.operators.base import OperatorContext, Time
from windrow.operators.watermarks.per_split import PerSplitTimestampsAndWatermarksOperator, SplitsAppear, per_split
from windrow.operators.watermarks.timestamps_and_watermarks import TimestampsAndWatermarksOperator
from windrow.state.keyed import KeyedState


class OnEach(WatermarkGenerator):
    """Behind each element its watermark."""

    def on_event(self, event, event_timestamp, output):
        output.emit_watermark(Watermark(event_timestamp))

    def on_periodic_emit(self, output):
        """There is one behind each element."""


ON_EACH = WatermarkStrategy.for_generator(OnEach)
MONOTONOUS = WatermarkStrategy.for_monotonous_timestamps()


def opened(strategy, output, time=None, **options):
    """The operator for (split, timestamp) pairs."""
    timed = strategy.with_timestamp_assigner(lambda event, _: event[1])
    operator = PerSplitTimestampsAndWatermarksOperator(per_split(timed, itemgetter(0)), **options)
    operator.open(OperatorContext("events", output, time or Time(), KeyedState(), None))
    return operator


def feed(operator, *events):
    operator.process_batch(Batch(list(events), [LONG_MIN] * len(events)))


def watermarks(output):
    return [item for item in output.take() if not isinstance(item, tuple)]


def test_the_watermark_is_that_of_the_split_which_is_behind(output):
    """A split that is ahead moves nothing; where the last one comes to, the watermark comes."""
    operator = opened(ON_EACH, output)
    feed(operator, ("ahead", 100), ("behind", 1), ("ahead", 200), ("behind", 2), ("behind", 150))
    assert output.take() == [
        (("ahead", 100), 100),
        100,
        (("behind", 1), 1),
        (("ahead", 200), 200),
        (("behind", 2), 2),
        (("behind", 150), 150),
        150,
    ]


def test_a_split_that_has_appeared_holds_the_watermark(output):
    """Before its first element, and however often it appears; nothing of it goes on."""
    operator = opened(ON_EACH, output)
    feed(operator, SplitsAppear(["a", "b"]))
    feed(operator, ("a", 10), ("a", 11))
    feed(operator, SplitsAppear(["b"]))
    assert output.take() == [(("a", 10), 10), (("a", 11), 11)]
    feed(operator, ("b", 5))
    assert output.take() == [(("b", 5), 5), 5]
    batch = opened(ON_EACH, output, emit_progressive=False)
    feed(batch, SplitsAppear(["a"]))
    assert output.take() == []


def test_periodic_generators_are_asked_for_each_split(output):
    """After so many elements of the stream all of them are asked, and what comes out is the least."""
    operator = opened(MONOTONOUS, output, emit_every=4)
    feed(operator, ("a", 10), ("b", 50), ("a", 20), ("b", 60), ("a", 30), ("a", 70), ("b", 61), ("b", 62))
    assert watermarks(output) == [19, 61]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 5)), max_size=60))
def test_nothing_is_late_that_is_not_late_in_its_split(new_output, steps):
    """However splits are mixed: elements in the order of their splits stay ahead of the watermark."""
    output = new_output()
    operator = opened(MONOTONOUS, output, emit_every=3)
    newest = dict.fromkeys("abc", 0)
    feed(operator, *newest.items())
    for split, step in steps:
        newest[split] += step
        feed(operator, (split, newest[split]))
    watermark = LONG_MIN
    for item in output.take():
        if isinstance(item, tuple):
            assert item[1] > watermark
        else:
            assert item > watermark
            watermark = item
    if steps:
        assert watermark <= min(newest.values())


def test_a_split_without_elements_becomes_idle(output):
    """It holds nothing back after the timeout, until it has elements again; all idle is an idle stream."""
    time = Time()
    operator = opened(MONOTONOUS.with_idleness(100), output, time, auto_interval=10)
    feed(operator, ("silent", 5), ("busy", 50))

    def later(milliseconds):
        time.processing_time += milliseconds
        operator.advance_processing_time(time.processing_time)

    later(10)
    assert watermarks(output) == [4]
    later(10)  # takes note of silence
    for timestamp in (60, 70, 80, 90, 100):
        feed(operator, ("busy", timestamp))
        later(30)
    assert watermarks(output)[-1] == 99
    later(50)
    later(200)
    assert watermarks(output) == ["idle"]
    feed(operator, ("silent", 101), ("busy", 120))
    later(10)
    assert watermarks(output) == ["active", 100]


@pytest.mark.parametrize("strategy", [MONOTONOUS, ON_EACH, MONOTONOUS.with_idleness(1000)])
def test_the_splits_survive_a_restart(new_output, strategy):
    """A new operator with the snapshot goes on as the old one does: splits, generators and the combined watermark."""
    old_output, new = new_output(), new_output()
    old = opened(strategy, old_output, emit_every=2)
    feed(old, ("a", 10), ("b", 20), (3, 5))
    snapshot = loads(dumps(old.snapshot()))
    old_output.take()
    restored = opened(strategy, new, emit_every=2)
    feed(restored, ("x", 1))  # forgotten
    restored.restore(snapshot)
    new.take()
    for operator in (old, restored):
        feed(operator, ("a", 11), (3, 30), ("b", 25), ("c", 40), ("a", 50), (3, 51))
    assert old_output.items == new.items
    assert old.snapshot() == restored.snapshot()


def test_one_split_is_as_no_splits_at_all(new_output):
    """With one value in the column the strategy gives what it gives for the whole stream."""
    events = [("only", timestamp) for timestamp in (5, 3, 9, 20, 15)]
    split, whole = new_output(), new_output()
    feed(opened(ON_EACH, split), *events)
    operator = TimestampsAndWatermarksOperator(ON_EACH.with_timestamp_assigner(lambda event, _: event[1]))
    operator.open(OperatorContext("events", whole, Time(), KeyedState(), None))
    feed(operator, *events)
    assert split.items == whole.items


def test_an_error_names_the_element(output):
    """A generator that raises is a user's function that raises."""

    class Raising(OnEach):
        def on_event(self, event, event_timestamp, output):
            raise ValueError(event)

    with pytest.raises(UserFunctionError, match=r"\('a', 1\)"):
        feed(opened(WatermarkStrategy.for_generator(Raising), output), ("a", 1))
