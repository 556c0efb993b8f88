"""A fetcher's thread: changes before fetches, nothing fetched is lost, and whatever it waits in can be ended."""

import threading

import pytest

from tests.connectors.source_reader.numbers import PATIENCE, Numbers, NumbersReader
from windrow.connectors.source_reader import (
    FutureCompletingBlockingQueue,
    RecordsBySplits,
    SplitFetcher,
    SplitReader,
    SplitsAddition,
    SplitsRemoval,
)
from windrow.errors import UsageError


class Fetching:
    """A fetcher that is started, and the errors it has had."""

    def __init__(self, reader, capacity=2, **options):
        self.reader = reader
        self.queue = FutureCompletingBlockingQueue(capacity)
        self.errors = []
        self.failed = threading.Event()
        self.fetcher = SplitFetcher(3, reader, self.queue, self.on_error, **options)
        self.fetcher.start()

    def on_error(self, error):
        self.errors.append(error)
        self.failed.set()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.fetcher.shutdown()
        assert self.fetcher.join(PATIENCE)

    def next(self):
        """What comes out next, as (records by split, finished splits)."""
        while (fetched := self.queue.poll()) is None:
            self.queue.get_availability_future().result(PATIENCE)
        records = {}
        while (split_id := fetched.next_split()) is not None:
            records[split_id] = list(fetched.next_records_from_split(100))
        return records, set(fetched.finished_splits())

    def do(self, task=lambda: None):
        """Wait until the thread has called ``task``."""
        done = threading.Event()
        self.fetcher.enqueue_task(lambda: (task(), done.set()))
        assert done.wait(PATIENCE)


class CountingReader(NumbersReader):
    """Says how often it has fetched."""

    def __init__(self):
        super().__init__()
        self.fetches = 0
        self.fetched = threading.Semaphore(0)

    def fetch(self):
        self.fetches += 1
        self.fetched.release()
        return super().fetch()


class RecordingReader(SplitReader):
    """Keeps what it is told; a fetch lasts until it is woken, and brings nothing."""

    def __init__(self):
        self.told = []
        self.began = threading.Event()
        self.woken = threading.Event()

    def fetch(self):
        self.began.set()
        assert self.woken.wait(PATIENCE)
        self.woken.clear()
        return RecordsBySplits({})

    def wake_up(self):
        self.woken.set()

    def handle_splits_changes(self, splits_changes):
        self.told.append((type(splits_changes), [split.name for split in splits_changes.splits()]))

    def pause_or_resume_splits(self, splits_to_pause, splits_to_resume):
        self.told.append(([s.name for s in splits_to_pause], [s.name for s in splits_to_resume]))

    def close(self):
        self.told.append("closed")


def test_a_split_is_fetched_to_its_end():
    """Portion after portion, the last one with the split's end; then the fetcher is idle."""
    with Fetching(NumbersReader()) as fetching:
        fetching.fetcher.add_splits([Numbers("a", 0, 5)])
        assert [fetching.next() for _ in range(3)] == [
            ({"a": [0, 1]}, set()),
            ({"a": [2, 3]}, set()),
            ({"a": [4]}, {"a"}),
        ]
        fetching.do()
        assert fetching.fetcher.assigned_splits() == {}


def test_a_fetcher_without_splits_does_not_fetch():
    """Before the first split and after the last one it waits."""
    reader = CountingReader()
    with Fetching(reader) as fetching:
        fetching.do()
        assert reader.fetches == 0
        fetching.fetcher.add_splits([Numbers("a", 0, 1)])
        fetching.next()
        fetching.do()
        fetching.do()
        assert reader.fetches == 1


def test_becoming_idle_is_notified():
    """The reader that waits for the end of everything hears of it."""
    with Fetching(NumbersReader()) as fetching:
        fetching.fetcher.add_splits([Numbers("a", 0, 1)])
        assert not fetching.fetcher.is_idle()
        fetching.next()
        while not fetching.fetcher.is_idle():
            fetching.queue.get_availability_future().result(PATIENCE)
            fetching.queue.poll()


def test_no_more_is_fetched_than_the_queue_holds_and_one():
    """A reader that does not poll stops its fetchers; they keep one fetch in the hand."""
    reader = CountingReader()
    with Fetching(reader, capacity=2) as fetching:
        fetching.fetcher.add_splits([Numbers("a", 0, 100)])
        for _ in range(3):
            assert reader.fetched.acquire(timeout=PATIENCE)
        fetching.do()  # which ends the wait for room
        fetching.do()
        assert reader.fetches == 3
        assert [fetching.next()[0]["a"] for _ in range(4)] == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_splits_that_are_added_end_a_fetch_that_waits():
    """It is woken, and the split reader hears of the split."""
    reader = NumbersReader()
    with Fetching(reader) as fetching:
        fetching.fetcher.add_splits([Numbers("quiet", 0, 0, ends=False)])
        assert reader.waiting.wait(PATIENCE)
        fetching.fetcher.add_splits([Numbers("a", 7, 8)])
        assert fetching.next() == ({"quiet": [], "a": [7]}, {"a"})


def test_splits_that_are_added_while_the_queue_is_full_lose_nothing():
    """What was fetched waits while the split reader hears of the split."""
    reader = CountingReader()
    with Fetching(reader, capacity=1) as fetching:
        fetching.fetcher.add_splits([Numbers("a", 0, 6)])
        for _ in range(2):
            assert reader.fetched.acquire(timeout=PATIENCE)
        fetching.fetcher.add_splits([Numbers("b", 0, 1)])
        fetching.do()
        assert set(reader.splits) == {"a", "b"}
        assert [fetching.next()[0] for _ in range(3)] == [{"a": [0, 1]}, {"a": [2, 3]}, {"a": [4, 5], "b": [0]}]


def test_changes_come_in_the_order_they_were_made():
    """Additions, pauses and removals overtake only fetches."""
    reader = RecordingReader()
    with Fetching(reader) as fetching:
        a, b = Numbers("a", 0, 1), Numbers("b", 0, 1)
        fetching.fetcher.add_splits([a, b])
        assert reader.began.wait(PATIENCE)
        fetching.fetcher.pause_or_resume_splits(["a"], [])
        fetching.fetcher.pause_or_resume_splits(["b"], ["a", "of another fetcher"])
        fetching.fetcher.remove_splits(["a"])
        fetching.do()
    assert reader.told == [
        (SplitsAddition, ["a", "b"]),
        (["a"], []),
        (["b"], ["a"]),
        (SplitsRemoval, ["a"]),
        "closed",
    ]


def test_changes_of_other_fetchers_splits_are_passed_over():
    """Who asks need not know which fetcher has which split."""
    reader = RecordingReader()
    with Fetching(reader) as fetching:
        fetching.fetcher.pause_or_resume_splits(["a"], ["b"])
        fetching.fetcher.remove_splits(["a"])
        fetching.do()
    assert reader.told == ["closed"]


def test_a_removed_split_is_fetched_no_further():
    """The fetcher is idle when its last split is removed, and drops what it had in the hand."""
    reader = CountingReader()
    with Fetching(reader, capacity=1) as fetching:
        fetching.fetcher.add_splits([Numbers("a", 0, 100)])
        for _ in range(2):
            assert reader.fetched.acquire(timeout=PATIENCE)
        fetching.fetcher.remove_splits(["a"])
        fetching.do()
        assert fetching.next() == ({"a": [0, 1]}, set())
        fetching.do()
        assert fetching.queue.is_empty()
        assert fetching.fetcher.assigned_splits() == {}


def test_nothing_is_fetched_while_all_splits_are_paused():
    """The split reader need not wait for something that it must not give."""
    reader = CountingReader()
    with Fetching(reader, capacity=1) as fetching:
        fetching.fetcher.add_splits([Numbers("a", 0, 100)])
        for _ in range(2):
            assert reader.fetched.acquire(timeout=PATIENCE)
        fetching.fetcher.pause_or_resume_splits(["a"], [])
        fetching.do()
        assert fetching.next() == ({"a": [0, 1]}, set())
        fetching.do()
        assert reader.fetches == 2
        assert fetching.queue.is_empty()
        fetching.fetcher.pause_or_resume_splits([], ["a"])
        assert [fetching.next()[0]["a"] for _ in range(2)] == [[2, 3], [4, 5]]


def test_the_others_are_fetched_while_one_is_paused():
    """Pausing is the split reader's business as long as there is something to fetch."""
    with Fetching(NumbersReader(), capacity=1) as fetching:
        fetching.fetcher.add_splits([Numbers("a", 0, 100), Numbers("b", 0, 100)])
        fetching.fetcher.pause_or_resume_splits(["a"], [])
        fetching.do()
        before = [fetching.next()[0] for _ in range(2)]  # queued, and in the hand, perhaps from before the pause
        after = [fetching.next()[0] for _ in range(3)]
        assert [portion.keys() for portion in after] == [{"b"}] * 3
        assert [number for portion in [*before, *after] for number in portion["b"]] == list(range(10))


def test_a_fetcher_can_be_paused_as_a_whole():
    """Then the split reader is not asked."""

    class CannotPause(CountingReader):
        pause_or_resume_splits = SplitReader.pause_or_resume_splits

    reader = CannotPause()
    with Fetching(reader, capacity=1, pause_whole=True) as fetching:
        fetching.fetcher.add_splits([Numbers("a", 0, 100)])
        for _ in range(2):
            assert reader.fetched.acquire(timeout=PATIENCE)
        fetching.fetcher.pause_or_resume_splits(["a"], [])
        fetching.do()
        fetching.next()
        fetching.do()
        assert (reader.fetches, fetching.queue.is_empty()) == (2, True)
        fetching.fetcher.pause_or_resume_splits([], ["a"])
        assert fetching.next()[0] == {"a": [2, 3]}


def test_a_split_reader_that_cannot_pause_is_refused_at_once():
    """Whoever asks is told so, not the job some time later."""

    class Plain(NumbersReader):
        pause_or_resume_splits = SplitReader.pause_or_resume_splits

    with Fetching(Plain()) as fetching:
        fetching.fetcher.add_splits([Numbers("a", 0, 1)])
        with pytest.raises(NotImplementedError, match="Plain cannot pause splits"):
            fetching.fetcher.pause_or_resume_splits(["a"], [])


@pytest.mark.parametrize("busy", ["waiting for a task", "fetching", "putting"])
def test_shutting_down_ends_whatever_it_waits_in(busy):
    """The split reader is closed in the fetcher's thread, which ends."""
    reader = CountingReader()
    with Fetching(reader, capacity=1) as fetching:
        if busy == "fetching":
            fetching.fetcher.add_splits([Numbers("a", 0, 0, ends=False)])
            assert reader.waiting.wait(PATIENCE)
        if busy == "putting":
            fetching.fetcher.add_splits([Numbers("a", 0, 100)])
            for _ in range(2):
                assert reader.fetched.acquire(timeout=PATIENCE)
    assert reader.closed
    assert fetching.errors == []


def test_what_fetch_raises_ends_the_fetcher():
    """The error is handed over with a note of where; the split reader is closed."""

    class Broken(NumbersReader):
        def fetch(self):
            raise ConnectionError("no route")

    reader = Broken()
    with Fetching(reader) as fetching:
        fetching.fetcher.add_splits([Numbers("b", 0, 1), Numbers("a", 0, 1)])
        assert fetching.failed.wait(PATIENCE)
    assert [repr(error) for error in fetching.errors] == ["ConnectionError('no route')"]
    assert fetching.errors[0].__notes__ == ["in fetcher 3, which reads the splits ['a', 'b']"]
    assert reader.closed


def test_what_close_raises_is_handed_over():
    """An error while closing is not lost."""

    class Broken(NumbersReader):
        def close(self):
            raise OSError("disk")

    with Fetching(Broken()) as fetching:
        pass
    assert [repr(error) for error in fetching.errors] == ["OSError('disk')"]


def test_fetch_must_return_records():
    """None, or a list, is refused with the split reader's name."""

    class Forgetful(NumbersReader):
        def fetch(self):
            return None

    with Fetching(Forgetful()) as fetching:
        fetching.fetcher.add_splits([Numbers("a", 0, 1)])
        assert fetching.failed.wait(PATIENCE)
    (error,) = fetching.errors
    assert isinstance(error, UsageError)
    assert "fetch of Forgetful returned None (NoneType); it must return RecordsWithSplitIds" in str(error)


def test_an_empty_fetch_does_not_reach_the_reader():
    """A split reader that never waits is asked again, until it has something."""

    class Eager(NumbersReader):
        calls = 0

        def fetch(self):
            self.calls += 1
            return RecordsBySplits({}) if self.calls < 4 else super().fetch()

    with Fetching(Eager()) as fetching:
        fetching.fetcher.add_splits([Numbers("a", 0, 1)])
        assert fetching.next() == ({"a": [0]}, {"a"})


def test_a_change_that_comes_just_before_a_fetch_goes_first():
    """Between deciding to fetch and fetching there is nothing to wake: the fetch looks once more."""
    reader = CountingReader()
    fetcher = SplitFetcher(0, reader, FutureCompletingBlockingQueue(), on_error=print)  # its thread is this test
    fetcher.add_splits([Numbers("a", 0, 9)])
    fetcher._next_task()()
    fetch = fetcher._next_task()
    fetcher.add_splits([Numbers("b", 0, 9)])
    fetch()
    assert reader.fetches == 0
    fetcher._next_task()()
    fetcher._next_task()()
    assert reader.fetches == 1
    assert set(reader.splits) == {"a", "b"}
