from hypothesis import given, settings
from hypothesis import strategies as st

from tests.connectors.hybrid.batches import BatchRun, copied
from tests.connectors.hybrid.sources import AskingSource, Greeting
from tests.connectors.source.reading import ScriptedEnumeratorContext
from windrow.connectors.hybrid.messages import (
    SourceReaderFinishedEvent,
    SplitRequestEvent,
    SwitchSourceEvent,
    UnderlyingReaderEvent,
)
from windrow.connectors.hybrid.source import HybridSource
from windrow.connectors.number_sequence import NumberSequenceSource
from windrow.connectors.source import Boundedness


def three_sources():
    """Twice 30 numbers in 3 splits each, and 10 of a planned source between them."""
    first = AskingSource(range(10), range(10, 20), range(20, 30))
    last = AskingSource(range(100, 110), range(110, 120), range(120, 130))
    return HybridSource.builder(first).add_source(NumberSequenceSource(50, 59)).add_source(last).build()


ALL = [*range(30), *range(50, 60), *range(100, 130)]


def in_order_of_sources(run):
    """Whether each reader has read the sources one after the other, and all has come once."""
    places = [[0 if value < 30 else 1 if value < 60 else 2 for value in read] for read in run.read]
    return all(place == sorted(place) for place in places) and sorted(run.all_read()) == ALL


def test_each_source_is_read_when_the_one_before_is_read():
    """Nobody reads of a source before all readers have read the one before it."""
    run = BatchRun(three_sources(), 2)
    while not all(run.finished):
        run.batch(polls=3)
        newest = [read[-1] for read in run.read if read]
        if max(newest, default=0) >= 100:
            assert set(ALL) - set(range(100, 130)) <= set(run.all_read())
    assert in_order_of_sources(run)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 3),
    st.lists(st.tuples(st.integers(0, 7), st.sampled_from(["stay", "move", "move all", "restart"]), st.integers(0, 2))),
)
def test_nothing_is_lost_or_read_twice(parallelism, script):
    """Readers move to other processes and the job starts again, at any time: every number comes once, in order."""
    run = BatchRun(three_sources(), parallelism)
    for polls, what, subtask in script:
        run.batch(polls)
        if what == "move":
            run.move(subtask % parallelism)
        elif what == "move all":
            for each in range(parallelism):
                run.move(each)
        elif what == "restart":
            run.start()
    assert in_order_of_sources(run.run())


def test_readers_that_move_all_the_time_still_come_to_the_end():
    """A reader learns all it has to know in the batch in which it reads."""
    run = BatchRun(three_sources(), 2)
    for _ in range(100):
        if all(run.finished):
            break
        run.batch()
        run.move(0)
        run.move(1)
    assert all(run.finished)
    assert in_order_of_sources(run)


CALLS = []


def from_greetings(context):
    """A source that begins with the number of greetings that the enumerator before has got."""
    previous = context.get_previous_enumerator()
    CALLS.append(previous.closed)
    return NumberSequenceSource(previous.greeted, previous.greeted + 4)


def test_a_factory_sees_the_enumerator_before_it():
    """It is called once, when the source before is read; readers and checkpoints carry what it has made."""
    CALLS.clear()
    first = AskingSource(range(10, 20))
    run = BatchRun(HybridSource.builder(first).add_source(from_greetings, Boundedness.BOUNDED).build(), 2)
    run.batch(2)
    assert CALLS == []
    while not CALLS:
        run.batch(2)
    run.start()  # from the checkpoint: what was made is not made again
    run.run()
    assert CALLS == [False]
    assert sorted(run.all_read()) == [*range(2, 7), *range(10, 20)]


def test_events_reach_the_source_that_they_belong_to():
    """A source's enumerator and readers hear each other's events, and not those of other sources."""
    run = BatchRun(HybridSource.builder(AskingSource([1])).add_source(AskingSource([2])).build(), 1)
    heard = []
    while not all(run.finished):
        run.batch()
        current = run.readers[0][0]._current
        heard.append((current.index, list(current.reader.heard)))
    assert (0, ["hello to you"]) in heard
    assert heard[-1] == (1, ["hello to you"])


def started(source, parallelism):
    context = ScriptedEnumeratorContext(parallelism)
    enumerator = source.create_enumerator(context)
    enumerator.start()
    for subtask in range(parallelism):
        enumerator.add_reader(subtask)
        context.take(subtask)
    return context, enumerator


def test_the_switch_waits_for_all_readers():
    """The old enumerator is closed and all readers are told of the new source when the last of them has finished."""
    source = HybridSource.builder(AskingSource([1])).add_source(AskingSource([2])).build()
    context, enumerator = started(source, 2)
    first = enumerator._enumerator
    enumerator.handle_source_event(0, SourceReaderFinishedEvent(0))
    enumerator.handle_source_event(0, SourceReaderFinishedEvent(0))
    assert context.sent == {0: [], 1: []}
    assert not first.closed
    enumerator.handle_source_event(1, SourceReaderFinishedEvent(0))
    assert context.sent == {0: [SwitchSourceEvent(1, None)], 1: [SwitchSourceEvent(1, None)]}
    assert first.closed
    enumerator.handle_source_event(1, UnderlyingReaderEvent(1, Greeting("to the second one")))
    enumerator.handle_source_event(1, UnderlyingReaderEvent(0, Greeting("to the first one, too late")))
    assert (first.greeted, enumerator._enumerator.greeted) == (0, 1)


def test_who_has_finished_is_in_the_checkpoint():
    """A restart asks nobody to finish a source twice."""
    source = HybridSource.builder(AskingSource([1])).add_source(AskingSource([2])).build()
    _, enumerator = started(source, 2)
    enumerator.handle_source_event(0, SourceReaderFinishedEvent(0))
    context = ScriptedEnumeratorContext(2)
    restored = source.restore_enumerator(context, copied(enumerator.snapshot_state(1)))
    restored.start()
    restored.add_reader(0)
    restored.add_reader(1)
    assert context.sent == {0: [], 1: [SwitchSourceEvent(0, None)]}
    restored.handle_source_event(1, SourceReaderFinishedEvent(0))
    assert context.take(0) == [SwitchSourceEvent(1, None)]


def test_what_a_source_does_on_the_side_ends_with_it():
    """A periodic call of a source that was read does nothing any more, and its handler hears nothing."""
    calls, heard = [], []

    class Listing(AskingSource):
        def create_enumerator(self, enum_context):
            enum_context.call_async(lambda: calls.append(1) or 7, lambda result, error: heard.append(result), 0, 10)
            return super().create_enumerator(enum_context)

    context, enumerator = started(HybridSource.builder(Listing([1])).add_source(AskingSource([2])).build(), 1)
    ((call, handler),) = context.asynchronous
    handler(call(), None)
    enumerator.handle_source_event(0, SourceReaderFinishedEvent(0))
    handler(call(), None)
    assert (calls, heard) == ([1], [7])


def test_splits_that_come_back_go_to_their_source():
    """Unwrapped, to the enumerator that has assigned them; their reader has not finished any more."""
    context, enumerator = started(HybridSource.builder(AskingSource([1, 2])).add_source(AskingSource([3])).build(), 1)
    enumerator.handle_source_event(0, SplitRequestEvent(0, ""))
    (splits,) = context.take(0)
    enumerator.add_splits_back(splits, 0)
    enumerator.handle_source_event(0, SplitRequestEvent(0, ""))
    assert [split.split_id() for split in context.take(0)[0]] == ["split 0"]
