"""The harness shows what an enumerator decides, and runs its asynchronous calls when the test says so."""

from dataclasses import dataclass

import pytest

from windrow.connectors.source import (
    Boundedness,
    ReaderInfo,
    SimpleVersionedSerializer,
    Source,
    SourceEvent,
    SourceSplit,
    SplitEnumerator,
)
from windrow.errors import ConfigurationError, UsageError
from windrow.testing import EnumeratorHarness


@dataclass
class Page(SourceSplit):
    number: int

    def split_id(self):
        return f"page {self.number}"


class Ask(SourceEvent):
    pass


class Pages(SplitEnumerator):
    """Finds a page at each look, and gives it to the reader that asks."""

    def __init__(self, context, found=0):
        self.context = context
        self.found = found
        self.calls = []

    def start(self):
        self.calls.append("start")

    def look(self, delay=0, period=0, fail=False):
        def find():
            if fail:
                raise OSError("no such shelf")
            return self.found + 1

        self.context.call_async(find, self.on_found, delay, period)

    def on_found(self, found, error):
        self.calls.append((found, repr(error)))
        self.found = found or self.found

    def handle_split_request(self, subtask_id, requester_hostname):
        self.calls.append((subtask_id, requester_hostname))
        self.context.assign_split(Page(self.found), subtask_id)

    def add_splits_back(self, splits, subtask_id):
        self.calls.append((splits, subtask_id))

    def add_reader(self, subtask_id):
        self.calls.append(self.context.registered_readers()[subtask_id])

    def handle_source_event(self, subtask_id, source_event):
        self.context.send_event_to_source_reader(subtask_id, source_event)

    def notify_checkpoint_complete(self, checkpoint_id):
        self.calls.append(checkpoint_id)

    def snapshot_state(self, checkpoint_id):
        return self.found

    def close(self):
        self.calls.append("close")


class Decimal(SimpleVersionedSerializer):
    def get_version(self):
        return 2

    def serialize(self, obj):
        return str(obj).encode()

    def deserialize(self, version, serialized):
        assert version == 2
        return int(serialized)


class Book(Source):
    def get_boundedness(self):
        return Boundedness.BOUNDED

    def create_enumerator(self, enum_context):
        return Pages(enum_context)

    def restore_enumerator(self, enum_context, checkpoint):
        return Pages(enum_context, checkpoint)

    def create_reader(self, reader_context):
        raise NotImplementedError

    def get_enumerator_checkpoint_serializer(self):
        return Decimal()


def test_requests_are_answered_with_assignments():
    """In order, by subtask; also what several calls assign."""
    harness = EnumeratorHarness(Book(), parallelism=2)
    harness.add_reader(1, "north")
    harness.request_split(1, "north")
    harness.enumerator.found = 5
    harness.request_split(1)
    assert harness.assignments == {1: [Page(0), Page(5)]}
    assert (harness.assigned_ids(1), harness.assigned_ids(0)) == (["page 0", "page 5"], [])
    assert harness.enumerator.calls == ["start", ReaderInfo(1, "north"), (1, "north"), (1, None)]
    assert harness.enumerator.context.current_parallelism() == 2


def test_a_dead_reader_gives_its_splits_back():
    """It is not registered any more."""
    harness = EnumeratorHarness(Book())
    harness.add_reader(0)
    harness.remove_reader(0, [Page(3)])
    assert harness.enumerator.calls[-1] == ([Page(3)], 0)
    assert harness.enumerator.context.registered_readers() == {}
    with pytest.raises(UsageError, match="assigned splits to reader 0, which is not registered; registered are: none"):
        harness.request_split(0)


def test_who_was_told_that_there_is_no_more_gets_no_more():
    """As the runtime refuses it."""
    harness = EnumeratorHarness(Book())
    harness.add_reader(0)
    harness.enumerator.context.signal_no_more_splits(0)
    assert harness.no_more_splits == {0}
    with pytest.raises(UsageError, match="reader 0, which it told that no more splits come"):
        harness.request_split(0)


def test_events_go_both_ways():
    """What a reader sends, and what the enumerator sends."""
    harness = EnumeratorHarness(Book())
    harness.add_reader(0)
    ask = Ask()
    harness.send_event(0, ask)
    assert harness.sent_events == [(0, ask)]


def test_an_asynchronous_call_runs_when_the_test_says_so():
    """Once, and its handler gets the result."""
    harness = EnumeratorHarness(Book())
    harness.enumerator.look()
    assert (harness.enumerator.found, harness.pending_calls) == (0, 1)
    assert harness.run_async() == 1
    assert (harness.enumerator.found, harness.pending_calls) == (1, 0)
    assert harness.run_async(1000) == 0


def test_a_failed_call_goes_to_the_handler():
    """With the error instead of a result."""
    harness = EnumeratorHarness(Book())
    harness.enumerator.look(fail=True)
    harness.run_async()
    assert harness.enumerator.calls[-1] == (None, "OSError('no such shelf')")


def test_a_periodic_call_runs_as_often_as_its_time_comes():
    """After the initial delay, then behind each period."""
    harness = EnumeratorHarness(Book())
    harness.enumerator.look(delay=100, period=50)
    assert [harness.run_async(after) for after in (99, 1, 49, 1, 120)] == [0, 1, 0, 1, 2]
    assert harness.enumerator.found == 4
    assert harness.pending_calls == 1


def test_calls_run_in_the_order_of_their_times():
    """Those of one time in the order in which they were asked for."""
    harness = EnumeratorHarness(Book())
    context, ran = harness.enumerator.context, []
    context.call_async(lambda: ran.append("late"), lambda *_: None, 20)
    context.call_async(lambda: ran.append("early"), lambda *_: None, 10)
    context.run_in_coordinator_thread(lambda: ran.append("now"))
    context.run_in_coordinator_thread(lambda: ran.append("next"))
    harness.run_async(20)
    assert ran == ["now", "next", "early", "late"]


def test_a_snapshot_is_restored_by_the_source():
    """Through its serializer."""
    with EnumeratorHarness(Book()) as harness:
        harness.enumerator.look()
        harness.run_async()
        harness.notify_checkpoint_complete(9)
    assert harness.enumerator.calls[-2:] == [9, "close"]
    assert EnumeratorHarness(Book(), snapshot=harness.snapshot()).enumerator.found == 1


def test_a_snapshot_needs_a_source():
    """A function that makes an enumerator cannot restore one."""
    snapshot = EnumeratorHarness(Pages).snapshot()
    with pytest.raises(UsageError, match=r"restored by Source.restore_enumerator"):
        EnumeratorHarness(Pages, snapshot=snapshot)


def test_there_is_a_reader_at_least():
    """A parallelism of 0 is refused by name."""
    with pytest.raises(ConfigurationError, match="parallelism must be at least 1; got 0"):
        EnumeratorHarness(Book(), parallelism=0)
