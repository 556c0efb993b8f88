"""A source with ten thousand splits: what comes, when it is said to be over, and what it costs."""

from collections import deque

import pytest

from tests.load.many_splits import RECORDS, SPAN, ManyReader, ManySplits, Numbered
from tests.runtime.sources.running import OneReader, environment, executor_of, splits_for
from windrow.common import WatermarkStrategy
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.operators.watermarks.emitter import EMIT_EVERY
from windrow.operators.watermarks.multiplexer import PartialWatermark
from windrow.runtime.sources import reading, repeating
from windrow.runtime.sources.split_watermarks import SplitWatermarks

SPLITS = 10_000
TIMES = WatermarkStrategy.for_monotonous_timestamps()
#: Of a hundred splits each, in milliseconds, and what they count.
WINDOW = 100 * SPAN
ALL = [(window, 100 * RECORDS) for window in range(SPLITS // 100)]


@pytest.fixture
def calls():
    """How often readers were called."""
    ManyReader.calls.clear()
    return ManyReader.calls


def counted(monkeypatch, owner, name):
    """How often something is called from now on, in a list of one number."""
    count, original = [0], getattr(owner, name)

    def counting(*arguments, **named):
        count[0] += 1
        return original(*arguments, **named)

    monkeypatch.setattr(owner, name, counting)
    return count


def windows(env, source):
    """How many records there are in each window of a hundred splits."""
    stream = env.from_source(source, TIMES, "many").map(lambda value: (value[0] * SPAN // WINDOW, 1))
    counts = stream.key_by(lambda value: value[0]).window(TumblingEventTimeWindows.of(WINDOW))
    return counts.reduce(lambda a, b: (a[0], a[1] + b[1]))


def test_each_record_comes_once_and_none_is_late(env):
    """Splits of two readers, one ahead of the other: the least watermark of all that are left counts."""
    with windows(env, ManySplits(SPLITS)).execute_and_collect() as found:
        assert sorted(found) == ALL


def test_splits_that_readers_ask_for_come_once_as_well():
    """Fifty with each request, in as many batches as that takes."""
    with windows(environment(parallelism=2), ManySplits(SPLITS, per_request=50)).execute_and_collect() as found:
        assert sorted(found) == ALL


def test_watermarks_follow_the_splits_that_are_left():
    """A reader's watermark is that of its first split that has not ended, whichever of ten thousand that is."""
    executor, shown = executor_of(ManySplits(SPLITS), TIMES)
    executor.run()
    assert len(shown.values) == SPLITS * RECORDS
    watermarks = [event for event in shown.events if isinstance(event, int)]
    assert watermarks == sorted(set(watermarks))
    newest = -1
    for event in shown.events:  # one reader reads one split after the other: nothing is behind what was said to be over
        if isinstance(event, int):
            newest = event
        else:
            assert event[1] > newest


def test_each_split_is_dealt_registered_and_asked_a_few_times(calls, monkeypatch):
    """None of what happens once for each split happens once for each pair of them."""
    looks = counted(monkeypatch, PartialWatermark, "set_watermark")
    registered = counted(monkeypatch, SplitWatermarks, "_split")
    executor, shown = executor_of(ManySplits(SPLITS), TIMES)
    executor.run()
    assert len(shown.values) == SPLITS * RECORDS
    assert (calls["add splits"], calls["poll"]) == (1, SPLITS * RECORDS)
    assert registered[0] == SPLITS + SPLITS * RECORDS
    # Each split that is left is asked for a watermark after so many records.
    assert looks[0] <= SPLITS * (SPLITS * RECORDS // EMIT_EVERY + 2)


def test_who_waits_for_splits_ends_the_batch(calls, monkeypatch):
    """A request is answered between batches, so nobody waits for the answer in one: not once for each split."""
    waited = counted(monkeypatch, reading, "is_done")
    executor, shown = executor_of(ManySplits(2_000, per_request=1), TIMES, source__wait=60_000)
    executor.run()
    assert len(shown.values) == 2_000 * RECORDS
    assert waited == [0]


def test_a_batch_of_ten_thousand_splits_is_read_again_in_as_many_steps(monkeypatch, tmp_path):
    """Of all the splits that have come, not each is looked at for each of them."""
    source = ManySplits(SPLITS)
    reader = OneReader(source, directory=tmp_path)
    messages = splits_for(source, *map(Numbered, range(SPLITS)))
    first = reader.run(*messages)
    looks = 0

    class Looked(deque):
        def __len__(self):
            nonlocal looks
            looks += 1
            return super().__len__()

    monkeypatch.setattr(repeating, "deque", Looked)
    assert reader.again(*messages) == first
    assert SPLITS < looks < 10 * SPLITS * RECORDS
