"""The streaming source behind every job."""

from copy import copy
from dataclasses import replace

import pytest

from windrow.runtime.sources.coordinator_log import FileLog, LogEntry
from windrow.runtime.spark.job_source import JobSourceReader
from windrow.runtime.spark.rows import END_EDGE, ROW_SCHEMA, TICK_EDGE
from windrow.runtime.spark.source_plan import ChannelPlan, ReaderPlan, SourcePlan
from windrow.storage.local_folder import LocalFolder


def offset(split, tick=0, end=0, read=0, **decided):
    """An offset as Spark keeps it."""
    return {"split": split, "tick": tick, "end": end, "read": read, **decided}


START = offset(0)


class Files(LocalFolder):
    """Those of a checkpoint, with what is known of readers."""

    at_rest = False

    def rests(self, seconds):
        assert seconds < 1
        return self.at_rest


#: A channel with three splits and one with one.
PLAN = SourcePlan(
    [ChannelPlan(0, 10, [b"a", b"b", b"c"], ends=True), ChannelPlan(1, 11, [b"x"], ends=True)], [], 2, 100, True
)


@pytest.fixture
def clock(monkeypatch):
    """The time of ticks, in milliseconds."""
    from windrow.runtime.spark import job_source

    class Clock:
        now = 1000
        slept = 0.0

        def monotonic_ns(self):
            return self.now * 1_000_000

        def sleep(self, seconds):
            self.slept += seconds

    clock = Clock()
    monkeypatch.setattr(job_source, "time", clock)
    return clock


def reader(files=None, **changes):
    return JobSourceReader(replace(PLAN, **changes), files)


def latest(reader, start):
    """The next offset; the rows up to it are those that a batch would get that is run again."""
    batches, end = reader.read(start)
    assert list(batches) == list(reader.readBetweenOffsets(start, end))
    return end


def read(reader, start, end):
    """The rows between two offsets: (channel, payload or what else the row is)."""
    rows = [row for batch in reader.readBetweenOffsets(start, end) for row in batch.to_pylist()]
    kinds = {END_EDGE: "end", TICK_EDGE: "tick"}
    return [(row["subtask"], kinds.get(row["edge"], row["payload"])) for row in rows]


def test_offsets_advance_by_so_many_splits_until_the_input_ends():
    """The end is said with the last splits, and nothing changes afterwards."""
    plan = reader()
    first = latest(plan, plan.initialOffset())
    second = latest(plan, first)
    assert first == offset(2)
    assert second == offset(3, end=1)
    assert latest(plan, second) == second


def test_a_channel_ends_behind_its_own_last_split():
    """Others may have more to give."""
    middle, end = offset(2), offset(3, end=1)
    assert read(reader(), START, middle) == [(0, b"a"), (0, b"b"), (1, b"x"), (1, "end")]
    assert read(reader(), middle, end) == [(0, b"c"), (0, "end")]


def test_the_same_offsets_give_the_same_rows():
    """A batch that is run again reads the same, in another process too."""
    end = offset(2, tick=1)
    once, again = (list(reader(ticked=[(10, 0, 1)]).readBetweenOffsets(START, end)) for _ in range(2))
    assert once == again
    assert once


def test_a_channel_that_does_not_end_by_itself_ends_with_the_jobs_input():
    """So do a DataFrame's channels, of which only Spark knows what they give."""
    plan = reader(channels=[ChannelPlan(0, 10, [b"a"], ends=True), ChannelPlan(1, 11, [], ends=False)])
    assert read(plan, START, offset(1)) == [(0, b"a"), (0, "end")]
    assert read(plan, offset(1), offset(1, end=1)) == [(1, "end")]


def test_without_an_end_the_input_waits():
    """Splits are read, and then nothing moves."""
    plan = reader(bounded=False)
    end = latest(plan, latest(plan, START))
    assert end == offset(3)
    assert latest(plan, end) == end


def test_an_offset_beyond_the_plan_stays():
    """A restart with fewer splits than were read does not go back."""
    assert latest(reader(bounded=False), offset(9, tick=4)) == offset(9, tick=4)


def test_ticks_come_with_splits_and_then_by_the_clock(clock):
    """Every batch with splits ticks; behind them there is a tick per interval, to each that wants one."""
    plan = reader(ticked=[(10, 0, 1), (11, 1, 1)], bounded=False)
    first = latest(plan, START)
    assert first["tick"] == 1
    assert read(plan, START, first)[-2:] == [(0, "tick"), (1, "tick")]
    behind = latest(plan, latest(plan, first))
    assert behind["tick"] == 3
    assert latest(plan, behind) == behind
    clock.now += 99
    assert latest(plan, behind) == behind
    clock.now += 1
    assert latest(plan, behind)["tick"] == 4


def test_nothing_ticks_behind_the_end(clock):
    """A job that has ended starts no further batch."""
    plan = reader(ticked=[(10, 0, 1)])
    end = offset(3, tick=2, end=1)
    clock.now += 10_000
    assert latest(plan, end) == end


def test_an_available_now_query_ends(clock):
    """Without ticks its offsets come to rest, which is how Spark knows that it has read everything."""
    plan = reader(ticked=[(10, 0, 1)], bounded=False)
    plan.prepareForTriggerAvailableNow()
    end = latest(plan, latest(plan, START))
    clock.now += 10_000
    assert latest(plan, end) == end == offset(3)


def test_rows_come_without_the_time():
    """The batch's time is Spark's to say: the source's columns are all others."""
    batches, _ = reader().read(START)
    batch = next(batches)
    wanted = [column.split()[0] for column in ROW_SCHEMA.split(", ")]
    assert batch.schema.names == [name for name in wanted if name != "now"]
    assert batch.column("payload").to_pylist() == [b"a", b"b", b"x", b""]


def test_nothing_moves_without_rows_and_no_rows_come_where_nothing_moves():
    """Spark takes rows without a new offset for an error."""
    plan = reader(bounded=False)
    end = offset(3)
    batches, same = plan.read(end)
    assert same == end
    assert list(batches) == []


def test_what_was_read_can_be_copied_and_read_again():
    """Spark keeps it until the batch is committed."""
    batches, _ = reader().read(START)
    assert list(copy(batches)) == list(batches) != []


@pytest.fixture
def decided(tmp_path):
    """A source's log with three decisions, behind the last of which one of two readers has ended; the plan to it."""
    files = Files(tmp_path)
    log = FileLog(files, "source")
    log.append(LogEntry({0: b"a", 1: b"x"}))
    log.append(LogEntry({0: b"b"}))
    log.append(LogEntry({}, finished=frozenset({1})))
    readers = ReaderPlan("source", [(4, 40), (5, 50)])
    return log, {"files": files, "channels": [], "readers": [readers], "tick_interval": 0}


def test_readers_read_what_was_decided_and_then_on_their_own(decided):
    """A row with what each was sent, then one that says read; a reader that has ended gets none."""
    _, plan = decided
    source = reader(**plan)
    start, middle = source.initialOffset(), offset(0, read=1, **{"decided source": 2})
    assert read(source, start, middle) == [(4, b"a"), (4, b"b"), (4, b""), (5, b"x"), (5, b"")]
    end = latest(source, middle)
    assert end == offset(0, read=2, **{"decided source": 3})
    assert read(source, middle, end) == [(4, b"")]


def test_readers_that_have_nothing_are_not_told_to_read(decided, clock):
    """Unless something was decided for them, or the input is to end."""
    log, plan = decided
    files = plan["files"]
    source = reader(**plan)
    before = offset(0, read=2, **{"decided source": 3})
    files.at_rest = True
    assert latest(source, before) == before
    log.append(LogEntry({0: b"c"}, finished=frozenset({1})))
    told = latest(source, before)
    assert told == offset(0, read=3, **{"decided source": 4})
    assert latest(source, told) == told
    files.at_rest = False
    assert latest(source, told)["read"] == 4
    files.at_rest = True
    files.write("drain", b"")
    assert latest(source, told) == offset(0, end=1, read=4, **{"decided source": 4})


def test_what_an_enumerator_keeps_for_itself_wakes_nobody(decided):
    """It goes with the next decision that says something to a reader."""
    log, plan = decided
    plan["files"].at_rest = True
    source = reader(**plan)
    before = offset(0, read=2, **{"decided source": 3})
    log.append(LogEntry({}, finished=frozenset({1})))
    assert [latest(source, before) for _ in range(2)] == [before, before]
    log.append(LogEntry({0: b"c"}, finished=frozenset({1})))
    told = latest(source, before)
    assert told == offset(0, read=3, **{"decided source": 5})
    assert read(source, before, told) == [(4, b"c"), (4, b"")]


def test_the_input_ends_when_all_readers_have_ended(decided):
    """Not before."""
    log, plan = decided
    source = reader(**plan)
    before = offset(0, read=2, **{"decided source": 3})
    assert latest(source, before)["end"] == 0
    log.append(LogEntry({}, finished=frozenset({0, 1})))
    assert latest(source, before) == offset(0, end=1, read=2, **{"decided source": 3})


def test_what_was_taken_by_a_committed_batch_is_removed(decided, tmp_path):
    """The last decision that was taken stays: it says who has ended."""
    _, plan = decided
    source = reader(**plan)
    source.commit(offset(0, read=1, **{"decided source": 2}))
    assert sorted(file.name for file in (tmp_path / "decisions" / "source").iterdir()) == ["1", "2"]
    assert latest(source, offset(0, read=1, **{"decided source": 2}))["decided source"] == 3


def test_a_drained_input_ends_where_it_is(decided, tmp_path):
    """Readers and planned channels that are not at their ends are told the end, once."""
    _, plan = decided
    source = reader(**{**plan, "channels": PLAN.channels}, bounded=False)
    start = offset(1, read=1, **{"decided source": 3})
    (tmp_path / "drain").touch()
    end = latest(source, start)
    assert end == offset(1, end=1, read=2, **{"decided source": 3})
    assert read(source, start, end) == [(0, "end"), (4, b""), (4, "end")]
    assert latest(source, end) == end


def test_nothing_ticks_while_there_is_nothing_to_do(clock, tmp_path):
    """No timer is due; splits, and the end of the rest, tick all the same."""
    files = Files(tmp_path)
    plan = reader(files, ticked=[(10, 0, 1)], bounded=False)
    files.at_rest = True
    behind = latest(plan, latest(plan, START))
    assert behind == offset(3, tick=2)
    clock.now += 1000
    assert latest(plan, behind) == behind
    files.at_rest = False
    assert latest(plan, behind) == offset(3, tick=3)


class NeverAsked(Files):
    def rests(self, seconds):
        raise AssertionError


def test_who_has_neither_readers_nor_ticks_waits_a_moment(clock, tmp_path):
    """Other sources of the query wait as well; and not at all where there is something, or a batch ends the input."""
    plan = reader(NeverAsked(tmp_path), bounded=False)
    behind = latest(plan, latest(plan, START))
    assert clock.slept == 0
    assert latest(plan, behind) == behind
    assert clock.slept == 0.02
    ending = reader(NeverAsked(tmp_path), ticked=[(10, 0, 1)])
    assert latest(ending, offset(3))["end"] == 1
    assert clock.slept == 0.02
