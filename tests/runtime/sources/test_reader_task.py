"""One reader over its batches: what it keeps, what it reads again."""

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.runtime.sources.running import MONOTONOUS, OneReader, splits_for
from tests.runtime.sources.scripted import Main, Nothing, Say, Script, ScriptedSource
from windrow.common.watermark import Watermark
from windrow.common.watermark_strategy import WatermarkGenerator, WatermarkStrategy
from windrow.elements.codec import loads
from windrow.errors import CheckpointError
from windrow.operators.watermarks.emitter import EMIT_EVERY
from windrow.runtime.sources.buffered_reader_output import length
from windrow.runtime.sources.messages import (
    EventToEnumerator,
    EventToReader,
    ReaderFinished,
    ReaderResting,
    SplitRequest,
)

LETTERS = [(letter, 10 * number) for number, letter in enumerate("abcdef")]
SOURCE = ScriptedSource([])


class OnEvent(WatermarkGenerator):
    def on_event(self, event, event_timestamp, output):
        output.emit_watermark(Watermark(event_timestamp))

    def on_periodic_emit(self, output):
        """Nothing."""


def letters(**changes):
    return Script("letters", LETTERS, **changes)


def values(events):
    return [event[0] for event in events if isinstance(event, tuple)]


def test_a_batch_ends_when_it_is_full_and_the_next_one_goes_on():
    """The reader lives on, and what it has given is given once."""
    reader = OneReader(SOURCE, records=4)
    assert values(reader.run(*splits_for(SOURCE, letters()))) == list("abcd")
    assert values(reader.run()) == list("ef")
    assert reader.sent == [ReaderFinished()]


def test_a_reader_that_is_remade_goes_on_where_its_snapshot_was():
    """Another process takes the splits from the state."""
    reader = OneReader(SOURCE, records=4)
    reader.run(*splits_for(SOURCE, letters()))
    reader.remake()
    events = reader.run()
    assert values(events) == list("ef")
    assert events[-1] == "end"


def test_a_reader_that_has_ended_does_nothing_more():
    """Its splits are forgotten, and later batches, in whatever process, give nothing."""
    reader = OneReader(SOURCE)
    reader.run(*splits_for(SOURCE, letters()))
    assert reader.run() == []
    reader.remake()
    assert reader.run() == []


def test_the_end_of_the_jobs_input_ends_a_reader_where_it_is():
    """Nothing more is read; the last watermark and the end come."""
    reader = OneReader(SOURCE, records=2)
    reader.run(*splits_for(SOURCE, letters()))
    assert reader.run(end=True) == [9, 2**63 - 1, "end"]
    assert reader.sent == [ReaderFinished()]


def test_events_and_requests_go_with_the_batch():
    """What a reader sends is there when its batch is over, and events reach it before it reads."""
    source = ScriptedSource([], on_request=True)
    reader = OneReader(source)
    assert reader.run() == []
    assert [type(message) for message in reader.sent] == [SplitRequest, ReaderResting]
    script = Script("talks", [Say("hello"), ("x", 1)])
    assert values(reader.run(*splits_for(source, script, more=True), EventToReader(Say("you")))) == ["you", "x"]
    assert [type(message) for message in reader.sent] == [EventToEnumerator, SplitRequest]


def test_a_batch_that_is_run_again_reads_the_same_though_more_is_there(tmp_path):
    """The first attempt had found three letters; now the reader gives more at once."""
    waits = Script("letters", [*LETTERS[:3], Nothing, *LETTERS[3:]])
    reader = OneReader(SOURCE, directory=tmp_path)
    messages = splits_for(SOURCE, waits)
    first = reader.run(*messages)
    assert values(first) == list("abc")
    greedy = replace(SOURCE, portion=5)
    assert reader.again(*splits_for(SOURCE, letters()), source=greedy) == first
    assert values(reader.run()) == list("def")


def test_what_was_read_too_much_is_kept_when_the_process_changes(tmp_path):
    """Elements beyond the record are in the state, as the reader's own position is behind them."""
    reader = OneReader(SOURCE, directory=tmp_path, records=2)
    messages = splits_for(SOURCE, letters())
    first = reader.run(*messages)
    assert reader.again(*messages, source=replace(SOURCE, portion=4)) == first
    reader.remake()
    assert values(reader.run()) == list("cd")
    assert values(reader.run()) == list("ef")


def test_a_request_sent_while_reading_too_much_is_sent_with_the_next_batch(tmp_path):
    """Reading again, the reader comes to the end of its split, where it asks for another: that is not lost."""
    source = ScriptedSource([], on_request=True)
    reader = OneReader(source, directory=tmp_path, records=2)
    messages = splits_for(source, Script("one", LETTERS[:3]), more=True)
    first = reader.run(*messages)
    assert [type(message) for message in reader.sent] == [SplitRequest]
    assert reader.again(*messages, source=replace(source, portion=9)) == first
    assert [type(message) for message in reader.sent] == [SplitRequest]
    assert values(reader.run()) == ["c"]
    assert [type(message) for message in reader.sent] == [SplitRequest]


def test_a_reader_goes_on_only_from_the_state_that_it_has_left(tmp_path):
    """Of two attempts at a batch that came to their ends one is committed: neither reader goes on from the other's."""
    reader = OneReader(SOURCE, directory=tmp_path, records=2)
    messages = splits_for(SOURCE, letters())
    first = reader.run(*messages)
    committed, one = reader.store.pages.copy(), reader.host
    assert reader.again(*messages, source=replace(SOURCE, portion=4), keep=True) == first
    left, other = reader.store.pages.copy(), reader.host
    for host, pages in ((other, committed), (one, left)):
        reader.host, reader.store.pages = host, pages.copy()
        found, reader.sent = values(first), []
        while not reader.sent:
            found += values(reader.run())
        assert found == list("abcdef")


def test_marks_that_follow_the_clock_are_read_again_from_the_record(tmp_path):
    """The reader marks its split as idle in one attempt and not in the other; the batch is the same."""
    reader = OneReader(SOURCE, directory=tmp_path, records=3)
    idles = Script("letters", [("a", 1), "idle", Watermark(5), "active", *LETTERS[1:]])
    first = reader.run(*splits_for(SOURCE, idles))
    assert "idle" in first
    does_not = Script("letters", [("a", 1), *LETTERS[1:]])
    assert reader.again(*splits_for(SOURCE, does_not)) == first
    assert values(reader.run()) == list("def")


def test_a_source_that_does_not_give_it_again_is_named(tmp_path):
    """Records are gone from where they were read: nothing is made up."""
    reader = OneReader(SOURCE, directory=tmp_path)
    reader.run(*splits_for(SOURCE, letters()))
    with pytest.raises(CheckpointError, match=r"does not give again .* split 'letters': 4 elements"):
        reader.again(*splits_for(SOURCE, Script("letters", LETTERS[:2])))


def test_splits_that_have_given_enough_are_paused_while_reading_again(tmp_path):
    """A batch in which one split gave little is not read again by buffering all that the split has."""
    slow, fast = Script("slow", [(n, n) for n in range(500)]), Script("fast", [(-n, n) for n in range(5000)])
    little = Script("fast", fast.steps[:10], ends=False)
    reader = OneReader(SOURCE, directory=tmp_path)
    first = reader.run(*splits_for(SOURCE, slow, little, more=True))
    greedy = replace(SOURCE, portion=7)
    assert reader.again(*splits_for(SOURCE, slow, fast, more=True), source=greedy) == first
    state = next(data for page, data in reader.store.pages.items() if page.endswith("/reader"))
    assert sum(length(item) for _, item in loads(state).waiting) < 2 * 7
    assert values(reader.run()) == [-n for n in range(10, 5000)]


def controls(events):
    return [event for event in events if not isinstance(event, tuple)]


def test_a_silent_split_of_a_bounded_source_becomes_idle(tmp_path):
    """The clock is that of the batches, so a batch that is run again finds the same."""
    slow = Script("slow", [(number, 10 * number) for number in range(8)])
    silent = Script("silent", [], ends=False)
    strategy = WatermarkStrategy.for_generator(OnEvent).with_idleness(100)
    reader = OneReader(SOURCE, strategy, tmp_path, records=1)
    messages, seen = splits_for(SOURCE, slow, silent), []
    for now in (0, 50, 151, 200):
        events = reader.run(*messages, now=now)
        assert reader.again(*messages, now=now) == events
        messages = []
        seen.append(controls(events))
    assert seen == [[], [], [20], [30]]


def test_a_bounded_source_without_silent_splits_moves_time_by_its_elements_alone():
    """Idleness changes nothing, however long its batches and the time between them are."""
    letters_and_more = Script("letters", [(number, number) for number in range(2 * EMIT_EVERY + 20)])
    watermarks = []
    for strategy, records in (
        (MONOTONOUS, 10**6),
        (MONOTONOUS.with_idleness(1), 10**6),
        (MONOTONOUS.with_idleness(1), 900),
    ):
        reader = OneReader(replace(SOURCE, portion=300), strategy, records=records)
        messages, seen = splits_for(SOURCE, letters_and_more), []
        for now in range(0, 5000, 50):
            seen += controls(reader.run(*messages, now=now))
            messages = []
        watermarks.append(seen)
    assert watermarks == [[EMIT_EVERY - 2, 2 * EMIT_EVERY - 2, 2**63 - 1, "end"]] * 3


STEPS = st.one_of(
    st.tuples(st.just("value"), st.integers(0, 50)),
    st.builds(Watermark, st.integers(0, 50)),
    st.sampled_from(["idle", "active", Nothing]),
    st.builds(Main, st.just("main"), st.integers(0, 50)),
)


def named(splits):
    """Scripts whose values say where they come from; records from no split come in the order of one split only."""
    scripts = []
    for number, steps in enumerate(splits):
        told = []
        for at, step in enumerate(steps):
            if isinstance(step, tuple):
                told.append(((number, at), step[1]))
            elif not isinstance(step, Main):
                told.append(step)
            elif number == 0:
                told.append(Main((number, at), step.timestamp))
        scripts.append(Script(f"split{number}", told))
    return scripts


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(STEPS, max_size=8), min_size=1, max_size=3),
    st.integers(1, 6),
    st.lists(st.tuples(st.integers(0, 2), st.integers(1, 9)), max_size=12),
)
@example(
    # The second time the reader has not come to the end of a split that the batch had released.
    splits=[[("value", 0)] * 3, [("value", 0), Watermark(0)]],
    records=2,
    accidents=[(0, 1), (1, 2), (1, 1)],
)
def test_whatever_fails_and_moves_every_batch_is_the_same(tmp_path_factory, splits, records, accidents):
    """Batches run again by greedier readers, in other processes: what counts is read once, in each split's order."""
    scripts = named(splits)
    reader = OneReader(SOURCE, directory=tmp_path_factory.mktemp("reads"), records=records)
    messages = splits_for(SOURCE, *scripts)
    seen = []
    for number in range(100):
        events = reader.run(*messages)
        for _ in range(accidents[number][0] if number < len(accidents) else 0):
            assert reader.again(*messages, source=replace(SOURCE, portion=accidents[number][1])) == events
        messages = []
        seen += values(events)
        if "end" in events:
            break
    expected = [
        step[0] if isinstance(step, tuple) else step.value
        for script in scripts
        for step in script.steps
        if isinstance(step, (tuple, Main))
    ]
    assert sorted(seen) == sorted(expected)
    for number, script in enumerate(scripts):
        mine = [step[0] for step in script.steps if isinstance(step, tuple)]
        assert [value for value in seen if value in mine] == mine, number
