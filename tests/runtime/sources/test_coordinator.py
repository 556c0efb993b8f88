"""The coordinator: an enumerator's calls, what is written of them, and how it ends."""

import threading
import time

import pytest

from tests.runtime.sources.scripted import Say, Script, ScriptedEnumerator, ScriptedSource
from tests.runtime.sources.test_programs import wait_for
from windrow.elements.codec import loads
from windrow.errors import UserFunctionError
from windrow.runtime.sources.coordinator import SourceCoordinator
from windrow.runtime.sources.coordinator_log import FileLog, MemoryLog
from windrow.runtime.sources.messages import (
    AddSplits,
    EventToEnumerator,
    EventToReader,
    MaxWatermark,
    NoMoreSplits,
    ReaderFinished,
    ReportedWatermark,
    SplitRequest,
)
from windrow.storage.local_folder import LocalFolder

SPLITS = [Script(name, []) for name in "abcd"]


@pytest.fixture
def started():
    """Starts coordinators, and closes them."""
    running = []

    def start(source, log=None, parallelism=2):
        coordinator = SourceCoordinator(source, "scripted", parallelism, MemoryLog() if log is None else log)
        coordinator.start()
        running.append(coordinator)
        return coordinator

    yield start
    for coordinator in running:
        coordinator.close()


def sent(log, start=0):
    """What readers were sent from an entry on: (subtask, message) with splits by their names."""
    told = []
    for entry in log.entries(start, log.count()):
        for subtask, messages in sorted(entry.messages.items()):
            for message in loads(messages):
                if isinstance(message, AddSplits):
                    told += [(subtask, loads(split).name) for split in message.splits]
                else:
                    told.append((subtask, message))
    return told


def test_what_is_decided_when_readers_register_is_the_first_entry(started):
    """The enumerator's state beside it no longer has the splits."""
    coordinator = started(ScriptedSource(SPLITS))
    last = NoMoreSplits()
    assert sent(coordinator.log) == [(0, "a"), (0, "c"), (0, last), (1, "b"), (1, "d"), (1, last)]
    assert loads(coordinator.log.last().snapshot) == []


class Counting(ScriptedSource):
    """Its enumerator says how many splits it still has."""

    def create_enumerator(self, enum_context):
        class Enumerator(ScriptedEnumerator):
            def unassigned_splits(self):
                return len(self._splits)

        return Enumerator(enum_context, self, list(self.splits))


@pytest.mark.parametrize(("watched", "counts"), [(True, [4, 2]), (False, [None, None])])
def test_how_many_splits_no_reader_has_is_known_behind_each_turn(watched, counts):
    """If anybody looks at the job, and the enumerator can say it."""
    coordinator = SourceCoordinator(Counting(SPLITS, on_request=True), "counted", 2, MemoryLog(), watched=watched)
    coordinator.start()
    found = [coordinator.unassigned_splits]
    coordinator.handle(0, {0: [SplitRequest("here")], 1: [SplitRequest("there")]})
    coordinator.close()
    assert [*found, coordinator.unassigned_splits] == counts


def test_messages_of_a_batch_are_heard_once(started):
    """A batch that is run again has been heard of, also by the coordinator of a later run."""
    log = MemoryLog()
    coordinator = started(ScriptedSource(SPLITS, on_request=True), log)
    messages = {1: [SplitRequest("here"), EventToEnumerator(Say("hi"))], 0: [SplitRequest("there")]}
    coordinator.handle(0, messages)
    assert sent(log) == [(0, "a"), (1, "b"), (1, EventToReader(Say("hi, said 1")))]
    coordinator.handle(0, messages)
    coordinator.close()
    again = started(ScriptedSource(SPLITS, on_request=True), log)
    again.handle(0, messages)
    assert len(sent(log)) == 3
    again.handle(1, {0: [SplitRequest("there")]})
    assert sent(log)[3:] == [(0, "c")]


def test_splits_that_were_assigned_never_come_back(started):
    """They are in the log, whoever dies: a coordinator that starts again does not deal them anew."""
    log = MemoryLog()
    started(ScriptedSource(SPLITS), log).close()
    before = [each for each in sent(log) if isinstance(each[1], str)]
    started(ScriptedSource(SPLITS), log)
    assert [each for each in sent(log) if isinstance(each[1], str)] == before


def test_readers_that_have_ended_are_in_the_log(started):
    """Who plans batches asks them for nothing more."""
    coordinator = started(ScriptedSource(SPLITS))
    coordinator.handle(3, {0: [ReaderFinished()]})
    coordinator.handle(4, {1: [ReaderFinished()]})
    assert coordinator.log.last().finished == {0, 1}


def test_watermarks_are_not_the_enumerators_and_limits_go_to_all_readers(started):
    """A report alone decides nothing; a limit is written once, for those that have not ended."""
    coordinator = started(ScriptedSource(SPLITS))
    coordinator.handle(0, {0: [ReportedWatermark(5)], 1: [ReaderFinished()]})
    count = coordinator.log.count()
    coordinator.handle(1, {0: [ReportedWatermark(7)]})
    assert coordinator.log.count() == count
    coordinator.handle(2, {0: [ReportedWatermark(9)]}, limit=19)
    coordinator.handle(2, {0: [ReportedWatermark(9)]}, limit=19)
    assert sent(coordinator.log, count) == [(0, MaxWatermark(19))]


class Calling(ScriptedSource):
    """Its enumerator calls what the test gives, in a thread of its own."""

    def __init__(self, call, period=0):
        super().__init__([])
        self.call, self.period, self.results = call, period, []

    def create_enumerator(self, enum_context):
        return CallingEnumerator(enum_context, self, [])


class CallingEnumerator(ScriptedEnumerator):
    def start(self):
        self._context.call_async(self._source.call, self.handle, 0, self._source.period)

    def handle(self, result, error):
        self._source.results.append((result, error, threading.current_thread().name))


def test_call_async_calls_in_another_thread_and_handles_in_the_enumerators(started):
    """With a period it calls again and again; an error goes to the handler."""

    def call():
        msg = "no broker"
        raise OSError(msg)

    source = Calling(call, period=1)
    started(source)
    wait_for(lambda: len(source.results) > 2)
    result, error, thread = source.results[0]
    assert (result, str(error)) == (None, "no broker")
    assert thread.startswith("windrow-enumerator-scripted")


def test_no_thread_is_left(started):
    """When the job is over nothing calls any more."""
    before = set(threading.enumerate())
    source = Calling(lambda: 1, period=1)
    coordinator = started(source)
    wait_for(lambda: source.results)
    coordinator.close()
    assert set(threading.enumerate()) <= before
    count = len(source.results)
    time.sleep(0.05)
    assert len(source.results) == count


class FailsToStart(ScriptedSource):
    def create_enumerator(self, enum_context):
        msg = "no such topic"
        raise LookupError(msg)


def test_an_enumerator_that_cannot_be_made_leaves_nothing_behind():
    """The error is the job's, and names the source."""
    before = set(threading.enumerate())
    with pytest.raises(UserFunctionError, match="LookupError: no such topic") as caught:
        SourceCoordinator(FailsToStart([]), "scripted", 1, MemoryLog()).start()
    assert "scripted: enumerator" in str(caught.value)
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("make", [MemoryLog, FileLog])
def test_logs_are_pruned_behind_what_was_taken(started, tmp_path, make):
    """The last entry that was taken says who has ended, so it stays; counting goes on."""
    log = make(LocalFolder(tmp_path), "log") if make is FileLog else make()
    coordinator = started(ScriptedSource(SPLITS, on_request=True), log)
    for batch in range(4):
        coordinator.handle(batch, {0: [SplitRequest("here")]})
    log.prune(4)
    assert len(log.entries(3, 5)) == 2
    with pytest.raises(Exception):  # noqa: B017
        log.entries(2, 3)
    log.prune(99)
    assert (log.count(4), log.last().batch) == (5, 3)
    coordinator.handle(9, {0: [SplitRequest("here")]})
    assert (log.count(5), log.last().batch) == (6, 9)


def test_nothing_is_written_while_it_rests(started):
    """A savepoint copies the log."""
    coordinator = started(ScriptedSource(SPLITS, on_request=True))
    with coordinator.at_rest():
        handling = threading.Thread(target=coordinator.handle, args=(0, {0: [SplitRequest("here")]}))
        handling.start()
        time.sleep(0.05)
        count = coordinator.log.count()
    handling.join(10)
    assert coordinator.log.count() == count + 1
