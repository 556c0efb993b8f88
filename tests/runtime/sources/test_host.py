"""The chains behind the sources that run in one process."""

import dataclasses
from typing import ClassVar

import pytest

from tests.simulator.jobs import BoundedDisorder, ScriptedSplit, make_job
from tests.simulator.program import LONG_MAX, Program, Sliding
from windrow.common import Configuration, WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.connectors.iterator_source import SourceBatch
from windrow.connectors.number_sequence import NumberSequenceSource
from windrow.datastream import MapFunction, StreamExecutionEnvironment
from windrow.errors import UserFunctionError
from windrow.runtime.sources.host import SourceHost
from windrow.runtime.stage import task
from windrow.runtime.stage.chunk import EPOCHS_PER_SEQUENCE, ChunkRow
from windrow.runtime.stage.host import LevelHost
from windrow.runtime.stage.totals import Totals
from windrow.state.page_store import MemoryPageStore

TUMBLING = Program(Sliding(10, 10, 0), function="reduce")


def value(number, key="k"):
    return key, (number,), 0


def graph(channels=1):
    return make_job(TUMBLING, [[ScriptedSplit([])] for _ in range(channels)], parallelism=1).graph


def read(host, number, *batches, store=None, end=False):
    return list(host.run(number, [ScriptedSplit(list(batches))], store or MemoryPageStore(), 0, end=end))


def test_a_source_gives_its_elements_and_watermarks_for_the_next_level():
    """A split's batches become a chunk: elements, and the watermark in its place."""
    batches = [SourceBatch([value(1)], [3], watermark=5), SourceBatch([value(2)], [7])]
    (row,) = read(SourceHost(graph()), 0, *batches)
    assert (row.level, row.channel, list(row.chunk.batch.elements)) == (1, 0, [value(1), value(2)])
    assert (row.chunk.controls, row.chunk.cuts) == ([5], [1])


def test_each_channel_of_a_source_has_its_own_number_and_control_events():
    """A channel's watermarks go out, whichever channel it is."""
    host = SourceHost(graph(2))
    (row,) = read(host, 1, SourceBatch((), (), watermark=5))
    assert (row.channel, row.producer, row.chunk.controls) == (1, 0, [5])


def test_elements_without_timestamps_are_marked_so():
    """A source that gives no timestamps gives the marker for none."""
    (row,) = read(SourceHost(graph()), 0, SourceBatch([value(1)]))
    assert list(row.chunk.batch.timestamps) == [-(2**63)]


def test_the_end_of_a_source_is_the_last_watermark_and_the_end():
    """A bounded source ends with watermark 2^63-1."""
    (row,) = read(SourceHost(graph()), 0, end=True)
    assert row.chunk.controls == [LONG_MAX, "end"]


def test_a_long_batch_becomes_several_chunks(monkeypatch):
    """After so many elements a chunk goes out, numbered in order."""
    monkeypatch.setattr(task, "ELEMENTS_PER_CHUNK", 2)
    rows = read(SourceHost(graph()), 0, *[SourceBatch([value(number)], [number]) for number in range(5)])
    numbers = [row.first_epoch // EPOCHS_PER_SEQUENCE for row in rows]
    assert (numbers, [len(row.chunk.batch.elements) for row in rows]) == ([0, 1, 2], [2, 2, 1])


def test_a_watermark_that_does_not_rise_goes_no_further():
    """What a source's channel has reached is remembered from batch to batch."""
    host, store = SourceHost(graph()), MemoryPageStore()
    read(host, 0, SourceBatch((), (), watermark=5), store=store)
    assert read(host, 0, SourceBatch((), (), watermark=5), store=store) == []


@pytest.mark.parametrize(("unbounded", "expected"), [(True, [{6}, set(), {8}]), (False, [set(), set(), set()])])
def test_in_a_job_without_end_watermarks_follow_each_batch_with_elements(unbounded, expected):
    """Where the input ends, batches must not be seen: there the count of elements decides, which is far away here."""
    job = make_job(TUMBLING, [[]], generator=BoundedDisorder(0, 8192)).graph
    host = SourceHost(dataclasses.replace(job, unbounded=unbounded))
    store = MemoryPageStore()
    batches = [[SourceBatch([value(1), value(2)], [7, 5])], [], [SourceBatch([value(3)], [9])]]
    rows = [read(host, 0, *batch, store=store) for batch in batches]
    assert [{control for row in of_batch for control in row.chunk.controls} for of_batch in rows] == expected


def test_counters_are_taken_once():
    """What was counted is handed over and counted from nothing again."""
    job = graph()
    source, level, store = SourceHost(job), LevelHost(job, 1), MemoryPageStore()
    rows = read(source, 0, SourceBatch([value(1)], [3], watermark=20), SourceBatch([value(2)], [4]))
    list(level.run(0, sorted(rows, key=ChunkRow.order), store, 0))
    assert level.take_totals().counters == {"4-OneInputTransformation": {"num_late_records_dropped": 1}}
    assert level.take_totals() == Totals()


def test_a_task_that_has_ended_is_let_go():
    """With the state that it holds; what was counted in it is told once, and it begins no second time."""
    job = graph()
    source, level, store = SourceHost(job), LevelHost(job, 1), MemoryPageStore()
    batches = SourceBatch([value(1)], [3], watermark=20), SourceBatch([value(2)], [4])
    rows = read(source, 0, *batches, end=True)
    list(level.run(0, sorted(rows, key=ChunkRow.order), store, 0))
    assert level._tasks == {}
    expected = {"4-OneInputTransformation": {"num_late_records_dropped": 1}}
    assert level.read_totals().counters == expected
    assert level.take_totals().counters == expected
    assert level.take_totals() == Totals()
    assert list(level.run(0, [], store, 0, tick=True)) == []
    assert level._tasks == {}


class Closing(MapFunction):
    """Notes its opening and closing; the latter may fail."""

    calls: ClassVar[list[str]] = []

    def __init__(self, fails=False):
        self.fails = fails

    def open(self, runtime_context):
        self.calls.append("open")

    def map(self, value):
        return value

    def close(self):
        self.calls.append("close")
        if self.fails:
            msg = "in close"
            raise ValueError(msg)


def closing_graph(fails=False):
    Closing.calls.clear()
    env = StreamExecutionEnvironment.get_execution_environment(Configuration()).set_parallelism(2)
    env.from_source(NumberSequenceSource(0, 9), WatermarkStrategy.no_watermarks(), "numbers").map(
        Closing(fails)
    ).sink_to(DiscardingSink())
    return env._plan(env._program.sinks())


def test_functions_are_closed_when_their_channel_ends():
    """A batch that is run again, as it was not committed, opens new ones; behind the end nothing is opened."""
    host, before, after = SourceHost(closing_graph()), MemoryPageStore(), MemoryPageStore()
    read(host, 0, SourceBatch([1]), store=before)
    after.pages.update(before.pages)
    read(host, 0, store=after, end=True)
    assert Closing.calls == ["open", "close"]
    read(host, 0, store=before, end=True)
    assert Closing.calls == ["open", "close"] * 2
    assert read(host, 0, SourceBatch([1]), store=after) == []
    assert Closing.calls == ["open", "close"] * 2


def test_a_host_closes_all_functions_that_are_open():
    """Though one fails, and once."""
    with SourceHost(closing_graph()) as host:
        for channel in (0, 1):
            read(host, channel, SourceBatch([1]))
        read(host, 0, end=True)
    assert Closing.calls == ["open", "open", "close", "close"]
    host = SourceHost(closing_graph(fails=True))
    for channel in (0, 1):
        read(host, channel, SourceBatch([1]))
    with pytest.raises(UserFunctionError, match="in close"):
        host.close()
    assert Closing.calls == ["open", "open", "close", "close"]


def test_a_host_that_failed_is_closed_and_says_why_it_failed():
    """What goes wrong in closing is a note."""

    def fail():
        with SourceHost(closing_graph(fails=True)) as host:
            read(host, 0, SourceBatch([1]))
            msg = "first"
            raise KeyError(msg)

    with pytest.raises(KeyError, match="first") as raised:
        fail()
    assert "in close" in raised.value.__notes__[0]
    assert Closing.calls == ["open", "close"]
