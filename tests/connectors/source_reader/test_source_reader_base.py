"""SourceReaderBase: what poll_next says, what snapshots say, and what the reader is told of its splits."""

import threading
import traceback

import pytest

from tests.connectors.source_reader.numbers import (
    PATIENCE,
    Numbers,
    NumbersReader,
    NumbersReaderBase,
    OneByOne,
    Together,
    Until,
)
from windrow.common import Configuration
from windrow.connectors.source import InputStatus
from windrow.connectors.source_reader import (
    FixedSizeSplitFetcherManager,
    OneSplitPerFetcherManager,
    RecordsBySplits,
    RecordsWithSplitIds,
    SingleThreadFetcherManager,
    SingleThreadMultiplexSourceReaderBase,
    SplitReader,
)
from windrow.errors import UsageError
from windrow.testing import SourceReaderHarness, SourceRecord, SplitRelease

MANAGERS = {
    "single": SingleThreadFetcherManager,
    "fixed": lambda make: FixedSizeSplitFetcherManager(make, 2),
    "one per split": OneSplitPerFetcherManager,
}


def harness(snapshot=None, **options):
    return SourceReaderHarness(lambda context: NumbersReaderBase(context, **options), snapshot=snapshot)


class Given(SplitReader):
    """Gives scripted fetches, then waits."""

    def __init__(self, *fetches):
        self.fetches = list(fetches)
        self.woken = threading.Event()

    def handle_splits_changes(self, splits_changes):
        """They are scripted."""

    def fetch(self):
        if self.fetches:
            return self.fetches.pop(0)
        assert self.woken.wait(PATIENCE)
        self.woken.clear()
        return RecordsBySplits({})

    def wake_up(self):
        self.woken.set()


@pytest.mark.parametrize("manager", MANAGERS)
@pytest.mark.parametrize("emitter", [OneByOne, Together])
def test_splits_are_read_to_their_end(manager, emitter):
    """Each record once, in its split's order, to its split's output, with its timestamp."""
    with harness(make_manager=MANAGERS[manager], emitter=emitter()) as reader:
        reader.add_splits([Numbers("a", 0, 5), Numbers("b", 10, 11), Numbers("empty", 3, 3)])
        reader.notify_no_more_splits()
        reader.read_to_end()
        assert reader.records("a") == [SourceRecord(n, n * 10, "a") for n in range(5)]
        assert reader.values("b") == [10]
        assert len(reader.records()) == 6
        assert sorted(item.split_id for item in reader.output if isinstance(item, SplitRelease)) == ["a", "b", "empty"]


def test_a_reader_without_splits_waits_for_them():
    """NOTHING_AVAILABLE until it is told that none come; then its future is done, and it is at its end."""
    with harness() as reader:
        assert reader.poll() is InputStatus.NOTHING_AVAILABLE
        future = reader.reader.is_available()
        assert not future.done()
        reader.notify_no_more_splits()
        assert future.done()
        assert reader.poll() is InputStatus.END_OF_INPUT


def test_without_word_that_no_splits_come_there_is_no_end():
    """A reader that has read all its splits waits for further ones."""
    with harness() as reader:
        reader.add_splits([Numbers("a", 0, 1)])
        reader.read(1)
        while reader.reader.split_fetcher_manager.get_num_alive_fetchers():
            assert reader.poll() is InputStatus.NOTHING_AVAILABLE
            if reader.reader.split_fetcher_manager.get_num_alive_fetchers():
                reader.wait_until_available()
        assert reader.poll() is InputStatus.NOTHING_AVAILABLE
        reader.add_splits([Numbers("b", 5, 6)])
        reader.notify_no_more_splits()
        assert [record.value for record in reader.read_to_end()] == [5]


def test_there_is_no_end_while_a_split_has_none():
    """With no more splits to come, those that are there are still to be read."""
    split_reader = NumbersReader()
    with harness(make_reader=lambda: split_reader) as reader:
        reader.add_splits([Numbers("a", 0, 1, ends=False)])
        reader.notify_no_more_splits()
        reader.read(1)
        assert split_reader.waiting.wait(PATIENCE)
        assert reader.poll() is InputStatus.NOTHING_AVAILABLE


def test_a_fetch_that_is_begun_is_available_at_once():
    """is_available is done as long as there are records in the hand."""
    with harness() as reader:
        reader.reader.records_per_poll = 1
        reader.add_splits([Numbers("a", 0, 3, portion=3, ends=False)])
        reader.read(1)
        for _ in range(2):
            assert reader.reader.is_available().done()
            assert reader.poll() is InputStatus.MORE_AVAILABLE
        assert reader.poll() is InputStatus.NOTHING_AVAILABLE


def test_is_available_is_done_when_records_arrive():
    """Whoever waits for it need not poll."""
    with harness() as reader:
        future = reader.reader.is_available()
        reader.add_splits([Numbers("a", 0, 1)])
        future.result(PATIENCE)
        assert reader.poll() is InputStatus.MORE_AVAILABLE
        assert reader.values() == [0]


@pytest.mark.parametrize("emitter", [OneByOne, Together])
@pytest.mark.parametrize("at_a_time", [1, 2, 3, 100])
def test_a_poll_emits_so_many_records_of_one_split_at_most(emitter, at_a_time):
    """Whatever a fetch holds, and whichever way records are emitted."""
    with harness(emitter=emitter()) as reader:
        reader.reader.records_per_poll = at_a_time
        reader.add_splits([Numbers("a", 0, 7, portion=7), Numbers("b", 0, 4, portion=4)])
        reader.read(1)
        assert len(reader.values("a")) == min(at_a_time, 7)
        assert not reader.values("b")
        reader.read(10 - min(at_a_time, 7))
        reader.notify_no_more_splits()
        reader.read_to_end()
        assert reader.values() == [*range(7), *range(4)]


def test_a_snapshot_says_what_was_emitted_not_what_was_fetched():
    """After every single record the splits begin behind it."""
    with harness() as reader:
        reader.reader.records_per_poll = 1
        reader.add_splits([Numbers("a", 0, 100, portion=5)])
        for emitted in range(23):
            assert reader.splits() == [Numbers("a", emitted, 100, portion=5)]
            reader.read(1)


def test_a_snapshot_does_not_follow_the_reader():
    """What was given to a checkpoint stays as it was."""
    with harness() as reader:
        reader.add_splits([Numbers("a", 0, 10)])
        reader.read(2)
        before, kept = reader.splits(), reader.snapshot()
        reader.read(4)
        assert before == [Numbers("a", 2, 10)]
    with harness(kept) as restored:
        assert restored.splits() == before


@pytest.mark.parametrize("manager", MANAGERS)
def test_a_restored_reader_goes_on_behind_the_last_record(manager):
    """What was read ahead and not emitted is read again; nothing is read twice."""
    with harness(make_manager=MANAGERS[manager]) as reader:
        reader.add_splits([Numbers("a", 0, 20), Numbers("b", 100, 120)])
        reader.read(13)
        first, kept = reader.records(), reader.snapshot()
    with harness(kept, make_manager=MANAGERS[manager]) as reader:
        reader.notify_no_more_splits()
        reader.read_to_end()
        both = [*first, *reader.records()]
    assert [record.value for record in both if record.split_id == "a"] == list(range(20))
    assert [record.value for record in both if record.split_id == "b"] == list(range(100, 120))


def test_a_split_that_has_ended_is_released_and_reported_behind_its_last_record():
    """on_split_finished gets its last state; it is in no snapshot any more."""
    with harness() as reader:
        reader.add_splits([Numbers("a", 0, 3, portion=3), Numbers("b", 0, 9, portion=3)])
        reader.read(12)
        reader.notify_no_more_splits()
        reader.read_to_end()
        assert reader.reader.finished == [{"a": 3}, {"b": 9}]
        end_of_a = reader.output.index(SplitRelease("a"))
        assert [item.value for item in reader.output[:end_of_a]] == [0, 1, 2, 0, 1, 2]
        assert reader.splits() == []
        assert reader.reader.get_number_of_currently_assigned_splits() == 0


def test_a_split_stays_in_snapshots_until_its_end_is_seen():
    """A restored reader finds the end again."""
    with harness() as reader:
        reader.add_splits([Numbers("a", 0, 1)])
        reader.read(1)
        assert reader.splits() == [Numbers("a", 1, 1)]
        kept = reader.snapshot()
    with harness(kept) as reader:
        reader.notify_no_more_splits()
        assert reader.read_to_end() == []
        assert reader.reader.finished == [{"a": 1}]


def test_fetched_records_are_recycled_when_they_are_emitted():
    """Not before the last one was, and once."""
    recycled = []

    class Recycling(RecordsBySplits):
        def recycle(self):
            recycled.append(len(reader.records()))

    with harness(make_reader=lambda: Given(Recycling({"a": [0, 1]}), Recycling({"a": [2]}, {"a"}))) as reader:
        reader.reader.records_per_poll = 1
        reader.add_splits([Numbers("a", 0, 3)])
        reader.notify_no_more_splits()
        reader.read_to_end()
    assert recycled == [2, 3]


def test_records_that_are_made_one_by_one_will_do():
    """RecordsWithSplitIds needs only Flink's methods."""

    class Countdown(RecordsWithSplitIds):
        def __init__(self):
            self.splits, self.left = ["a"], [2, 1, 0]

        def next_split(self):
            return self.splits.pop() if self.splits else None

        def next_record_from_split(self):
            return self.left.pop() if self.left else None

        def finished_splits(self):
            return ["a"]

    with harness(make_reader=lambda: Given(Countdown())) as reader:
        reader.add_splits([Numbers("a", 0, 3)])
        reader.notify_no_more_splits()
        reader.read_to_end()
        assert reader.values("a") == [0, 1, 2]


def test_an_error_in_a_fetcher_fails_the_poll():
    """With the user's own traceback."""

    class Broken(Given):
        def fetch(self):
            if self.fetches:
                return super().fetch()
            raise ConnectionError("broker gone")

    with harness(make_reader=lambda: Broken(RecordsBySplits({"a": [0]}))) as reader:
        reader.add_splits([Numbers("a", 0, 3)])
        with pytest.raises(ConnectionError, match="broker gone") as caught:
            reader.read(2)
    assert 'raise ConnectionError("broker gone")' in "".join(traceback.format_exception(caught.value))


def test_an_error_in_the_emitter_fails_the_poll():
    """The position stays in front of the record that could not be emitted."""

    class Picky(OneByOne):
        def emit_record(self, element, output, split_state):
            if element == 2:
                raise ValueError("2 is not wanted")
            super().emit_record(element, output, split_state)

    with harness(emitter=Picky()) as reader:
        reader.add_splits([Numbers("a", 0, 5, portion=5)])
        with pytest.raises(ValueError, match="2 is not wanted"):
            reader.read(5)
        assert reader.values() == [0, 1]
        assert reader.splits()[0].position == 2


@pytest.mark.parametrize(
    ("fetched", "what"),
    [(RecordsBySplits({"x": [1]}), "records of"), (RecordsBySplits({}, {"x"}), "the end of")],
)
def test_a_split_that_the_reader_does_not_have_is_refused(fetched, what):
    """The message names it, and those that are there."""
    with harness(make_reader=lambda: Given(fetched)) as reader:
        reader.add_splits([Numbers("a", 0, 1)])
        with pytest.raises(UsageError, match=f"{what} the split 'x', which its reader does not have; it has 'a'"):
            reader.read(1)


def test_a_split_is_added_once():
    """Two splits of one id would share a state."""
    with harness() as reader:
        reader.add_splits([Numbers("a", 0, 1)])
        with pytest.raises(UsageError, match="NumbersReaderBase was given the split 'a' twice"):
            reader.add_splits([Numbers("a", 5, 6)])


def test_paused_splits_reach_the_split_reader():
    """The others are read on; resumed ones go on where they were."""
    split_reader = NumbersReader()
    with harness(make_reader=lambda: split_reader) as reader:
        reader.add_splits([Numbers("a", 0, 1000), Numbers("b", 0, 1000)])
        reader.pause_or_resume_splits(["a"], [])
        reader.read(40)
        at_pause = len(reader.values("a"))
        assert at_pause <= 4 * 2  # two fetches in the queue, one in the hand of each side
        reader.read(40)
        assert len(reader.values("a")) == at_pause
        reader.pause_or_resume_splits([], ["a"])
        while len(reader.values("a")) == at_pause:
            reader.read(1)
        assert reader.values("a") == list(range(len(reader.values("a"))))
        assert split_reader.paused == set()


def test_pausing_is_refused_where_the_split_reader_cannot():
    """At once, by the split reader's name."""

    class Plain(NumbersReader):
        pause_or_resume_splits = SplitReader.pause_or_resume_splits

    with harness(make_reader=Plain) as reader:
        reader.add_splits([Numbers("a", 0, 9)])
        with pytest.raises(NotImplementedError, match="Plain cannot pause splits"):
            reader.pause_or_resume_splits(["a"], [])


@pytest.mark.parametrize("emitter", [OneByOne, Together])
@pytest.mark.parametrize("portion", [1, 3, 4, 50])
def test_an_element_can_end_its_split(emitter, portion):
    """Neither it nor any later one is emitted; the split reader lets go of the split, and the input ends."""
    with harness(emitter=emitter(), evaluator=Until(7)) as reader:
        reader.add_splits([Numbers("a", 0, 10**6, portion), Numbers("b", 5, 10**6, portion)])
        reader.notify_no_more_splits()
        reader.read_to_end()
        assert reader.values("a") == list(range(7))
        assert reader.values("b") == [5, 6]
        assert sorted(name for finished in reader.reader.finished for name in finished) == ["a", "b"]


def test_a_split_that_an_element_has_ended_is_in_no_snapshot():
    """A restored reader does not read behind the end."""
    with harness(evaluator=Until(3)) as reader:
        reader.add_splits([Numbers("a", 0, 100, portion=5)])
        reader.read(3)
        assert reader.splits() == []
        with pytest.raises(UsageError, match="'a' twice"):
            reader.add_splits([Numbers("a", 50, 60)])


def test_without_more_splits_an_endless_split_ends_by_its_element():
    """The fetcher that still waits for more is woken and shut down."""
    with harness(evaluator=Until(3)) as reader:
        reader.add_splits([Numbers("a", 0, 4, ends=False)])
        reader.notify_no_more_splits()
        assert [record.value for record in reader.read_to_end()] == [0, 1, 2]


def test_one_split_reader_for_all_splits_in_one_thread():
    """SingleThreadMultiplexSourceReaderBase makes its fetcher manager itself, with the job's settings."""

    class Multiplexed(SingleThreadMultiplexSourceReaderBase):
        initialized_state = NumbersReaderBase.initialized_state
        to_split_type = NumbersReaderBase.to_split_type
        finished = ()

        def on_split_finished(self, finished_split_states):
            self.finished += (*finished_split_states,)

    config = Configuration().set_integer("source.reader.element.queue.capacity", 7)

    def make(context):
        return Multiplexed(NumbersReader, OneByOne(), context)

    with SourceReaderHarness(make, configuration=config) as reader:
        assert reader.reader.split_fetcher_manager.queue.remaining_capacity() == 7
        reader.add_splits([Numbers("a", 0, 3), Numbers("b", 5, 6)])
        assert reader.reader.split_fetcher_manager.get_num_alive_fetchers() == 1
        reader.notify_no_more_splits()
        reader.read_to_end()
        assert (reader.values("a"), reader.values("b")) == ([0, 1, 2], [5])
        assert set(reader.reader.finished) == {"a", "b"}
