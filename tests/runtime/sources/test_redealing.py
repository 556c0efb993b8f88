"""Splits that are dealt out to other readers keep what belongs to them."""

from dataclasses import replace

import pytest

from tests.runtime.sources.scripted import Say, Script, ScriptedSource
from windrow.common import WatermarkStrategy
from windrow.elements.stored import dumps, loads
from windrow.errors import CheckpointError
from windrow.runtime.sources.coordinator_log import LogEntry
from windrow.runtime.sources.messages import (
    AddSplits,
    EventToEnumerator,
    EventToReader,
    MaxWatermark,
    NoMoreSplits,
    SplitRequest,
)
from windrow.runtime.sources.reader_task import ReaderState
from windrow.runtime.sources.redealing import redealt
from windrow.runtime.sources.split_watermarks import SplitWatermarks

SOURCE = ScriptedSource([])
SERIALIZER = SOURCE.get_split_serializer()
LAST = LogEntry({0: b"heard"}, b"enumerator", 3, 7, frozenset({0}), frozenset({0}))


class Gathered:
    def __init__(self):
        self.controls = []

    def elements(self, values, timestamps):
        """Only time is looked at."""

    def control(self, control):
        self.controls.append(control)


def watermarks(target=None):
    return SplitWatermarks("scripted", WatermarkStrategy.for_monotonous_timestamps(), target or Gathered())


def reader(times, **state):
    """A reader of splits, by their names, that have come to these times."""
    of_splits = watermarks()
    of_splits.register(times)
    for name, time in times.items():
        if time is not None:
            of_splits.elements(name, [time], [time])
    of_splits.periodic_emit()
    splits = [SERIALIZER.serialize(Script(name, [])) for name in times]
    version = SERIALIZER.get_version()
    return ReaderState(splits=splits, version=version, watermarks=of_splits.snapshot(), number=5, **state)


def names(state):
    return [SERIALIZER.deserialize(state.version, split).name for split in state.splits]


def dealt(readers, count, unheard=None):
    return redealt(SOURCE, "scripted", readers, unheard or [[] for _ in readers], LAST, count)


def test_splits_are_dealt_in_turn_and_keep_their_watermarks():
    """A reader emits the least of its splits' as soon as it is asked, if that is more than the least of all."""
    found = dealt([reader({"a": 50, "b": 20}), reader({"c": 90}), reader({"d": 70})], 2)
    assert [names(state) for state in found.readers] == [["a", "c"], ["b", "d"]]
    assert [state.number for state in found.readers] == [0, 0]
    for state, least in zip(found.readers, (49, None), strict=True):
        target = Gathered()
        restored = watermarks(target)
        restored.restore(state.watermarks)
        assert restored.current_watermark == 19
        restored.periodic_emit()
        assert target.controls == ([] if least is None else [least])
    assert found.decided == LogEntry({}, b"enumerator", 3)
    assert not found.finished


def test_readers_without_splits_begin_as_new_ones():
    """There may be more readers than splits."""
    found = dealt([reader({"a": 50})], 3)
    assert [names(state) for state in found.readers] == [["a"], [], []]
    restored = watermarks()
    restored.restore(found.readers[2].watermarks)
    assert (restored.split_ids(), restored.output_ids()) == (set(), {None})


def test_what_readers_have_not_heard_is_dealt_too():
    """Splits that were assigned in the meantime; what all were told, that no more come, all are told."""
    sent = AddSplits([SERIALIZER.serialize(Script("late", []))], SERIALIZER.get_version())
    found = dealt([reader({"a": 5}), reader({})], 1, [[NoMoreSplits()], [sent, MaxWatermark(7), NoMoreSplits()]])
    assert names(found.readers[0]) == ["a", "late"]
    assert found.readers[0].no_more_splits
    assert found.decided.complete == {0}
    one_was_told = dealt([reader({"a": 5}), reader({})], 1, [[NoMoreSplits()], [sent]])
    assert not one_was_told.readers[0].no_more_splits
    assert one_was_told.decided.complete == set()


def test_what_was_read_and_taken_by_no_batch_goes_with_its_split():
    """Also what is of a split that its reader has released."""
    waiting = [("b", "release"), (None, "idle"), ("gone", "release")]
    found = dealt([reader({"a": 1, "b": 2, "gone": 3}, waiting=waiting)], 2)
    assert [state.waiting for state in found.readers] == [[(None, "idle"), ("gone", "release")], [("b", "release")]]


def test_readers_that_have_all_ended_have_ended():
    """Nobody is made anew to end a second time; one that goes on keeps the others from being so."""
    ended, open_ = ReaderState(finished=True, no_more_splits=True), reader({"a": 1})
    found = dealt([ended, ended], 3)
    assert found.finished
    assert [state.finished for state in found.readers] == [True] * 3
    assert found.decided.finished == found.decided.complete == {0, 1, 2}
    assert not dealt([ended, open_], 1).finished


def test_what_readers_held_that_have_ended_holds_nobody_back():
    """A reader may end without a word of its splits."""
    ended = reader({"a": 5}, finished=True)
    ended.splits = []
    (one,) = dealt([ended, reader({"b": 90})], 1).readers
    restored = watermarks()
    restored.restore(one.watermarks)
    assert (restored.split_ids(), restored.current_watermark) == ({"b"}, 89)


def test_as_many_readers_go_on_as_they_were():
    """With their splits, what they have to say, and what they have not heard, events included."""
    readers = [reader({"a": 50}, unsent=[EventToEnumerator(Say("up"))], limit=7), ReaderState(finished=True)]
    found = dealt(readers, 2, [[EventToReader(Say("down"))], []])
    assert found.readers == [replace(readers[0], number=0), readers[1]]
    assert loads(found.decided.messages[0])[0].event.text == "down"
    assert (found.decided.finished, found.decided.batch, found.finished) == ({0}, -1, False)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (reader({}, unsent=[SplitRequest("host"), EventToEnumerator(Say("up"))]), None),
        (reader({}), EventToReader(Say("down"))),
    ],
    ids=["to the enumerator", "to a reader"],
)
def test_an_event_on_its_way_is_not_lost(state, message):
    """Nobody knows whom else it is for; a request for a split is made again."""
    with pytest.raises(CheckpointError, match=r"source 'scripted': .*Say.* is on its way"):
        dealt([state], 2, [[] if message is None else [message]])
    assert dumps(dealt([reader({}, unsent=[SplitRequest("host")])], 2).readers[0].unsent) == dumps([])
