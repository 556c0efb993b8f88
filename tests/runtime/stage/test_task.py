"""One subtask of a chain, batch after batch, with all it knows in a store."""

from typing import ClassVar

import pytest

from tests.simulator.jobs import ScriptedSplit, make_job
from tests.simulator.program import Program, Sliding
from windrow.common import Configuration, Time, WatermarkStrategy
from windrow.common.limits import MAX_WATERMARK
from windrow.common.watermark import Watermark
from windrow.common.watermark_generators import WatermarkGenerator
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import (
    KeyedProcessFunction,
    MapFunction,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
)
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.elements.batch import Batch
from windrow.errors import UserFunctionError
from windrow.runtime.stage import record_writer
from windrow.runtime.stage import task as task_module
from windrow.runtime.stage.chunk import PARTS_PER_EPOCH, Chunk, ChunkRow
from windrow.runtime.stage.task import StageTask, has_ended
from windrow.runtime.stage.totals import Totals
from windrow.state.page_store import MemoryPageStore, NoPages

TUMBLING = Program(Sliding(10, 10, 0), function="reduce")


def make_task(channels=1):
    """The window operator of a job with so many source channels."""
    graph = make_job(TUMBLING, [[ScriptedSplit([])] for _ in range(channels)]).graph
    return StageTask(graph.levels[1][0], graph, 0)


def element(number, timestamp, key="k"):
    return (key, (number,), 0), timestamp


def row(task, elements=(), controls=(), *, channel=0, first=0):
    """Elements, then control events, of one channel."""
    values = [value for value, _ in elements]
    chunk = Chunk(Batch(values, [timestamp for _, timestamp in elements], [v[0] for v in values]), None, list(controls))
    return ChunkRow(1, 0, 0, first * PARTS_PER_EPOCH, task.entry.edges[0].id, channel, 0, 0, chunk)


def run(task, store, *rows, now=0):
    """What the main output gives: ids of firings, and control events."""
    found = list(task.run(sorted(rows, key=ChunkRow.order), store, now))
    main = task.chain.writers[0].edge.id
    ids = [value[1] for out in found if out.edge == main for value in out.chunk.batch.elements]
    return ids, [control for out in found if out.edge == main for control in out.chunk.controls]


def test_state_is_in_the_store_between_two_runs():
    """Another task with the same store goes on where the first one stopped, watermark included."""
    store = MemoryPageStore()
    first = make_task()
    assert run(first, store, row(first, [element(1, 3)], [5])) == ([], [5])
    second = make_task()
    assert run(second, store, row(second, [element(2, 9)], [9])) == ([(1, 2)], [9])
    assert run(second, store, row(second, [element(3, 4)], [12])) == ([], [12])
    assert second.take_totals().counters["4-OneInputTransformation"] == {"num_late_records_dropped": 1}


def test_a_task_with_an_empty_store_knows_nothing():
    """One task may be shown one store after the other: nothing of one is left when another is shown."""
    task = make_task()
    run(task, MemoryPageStore(), row(task, [element(1, 3)], [50]))
    assert run(task, MemoryPageStore(), row(task, [element(2, 3)], [9])) == ([(2,)], [9])


def test_a_watermark_is_the_minimum_over_the_channels():
    """Windows fire when all channels have passed their end."""
    task, store = make_task(2), MemoryPageStore()
    assert run(task, store, row(task, [element(1, 3)], [20], channel=0)) == ([], [])
    assert run(task, store, row(task, [], [15], channel=1)) == ([(1,)], [15])


def test_an_idle_channel_holds_nothing_back():
    """An idle channel is left out of the minimum."""
    task, store = make_task(2), MemoryPageStore()
    run(task, store, row(task, [element(1, 3)], [20], channel=0))
    assert run(task, store, row(task, [], ["idle"], channel=1)) == ([(1,)], [20])


def test_the_input_ends_with_its_last_channel():
    """A channel that has ended holds nothing back; behind the last one come the last watermark and the end."""
    task, store = make_task(2), MemoryPageStore()
    assert run(task, store, row(task, [element(1, 3)], [MAX_WATERMARK, "end"], channel=0)) == ([], [])
    assert run(task, store, row(task, [], [8], channel=1)) == ([], [8])
    assert run(task, store, row(task, [element(2, 9)], ["end"], channel=1)) == ([(1, 2)], [MAX_WATERMARK, "end"])


def test_nothing_is_stored_in_a_job_of_one_batch():
    """A store that keeps nothing is not written to, and the task still gives its results."""
    task = make_task()
    assert run(task, NoPages(), row(task, [element(1, 3)], ["end"])) == ([(1,)], [MAX_WATERMARK, "end"])


def test_chunks_of_all_channels_are_merged_by_watermark():
    """Elements of a channel that is ahead wait for those of the others within a batch."""
    task = make_task(2)
    ahead = row(task, [element(1, 30)], [30], channel=0)
    behind = row(task, [element(2, 3)], [5], channel=1)
    later = row(task, [element(3, 4)], [9], channel=1, first=1)
    assert run(task, MemoryPageStore(), ahead, behind, later) == ([(2, 3)], [5, 9])


def test_many_control_events_go_out_in_several_chunks(monkeypatch):
    """After so many control events a chunk goes out: what a task has made is not held until the batch ends."""
    monkeypatch.setattr(task_module, "CONTROLS_PER_CHUNK", 2)
    task = make_task()
    rows = [row(task, [], [1, 2, 3, 4, 5])]
    main = task.chain.writers[0].edge.id
    out = [made for made in task.run(rows, MemoryPageStore(), 0) if made.edge == main]
    assert [(made.first_epoch, made.chunk.controls) for made in out] == [(0, [1, 2]), (2, [3, 4]), (4, [5])]


def test_what_is_much_goes_out_before_more_is_read(monkeypatch):
    """A task holds no more results than a chunk can have, whether control events stand between them or not."""
    monkeypatch.setattr(record_writer, "ELEMENTS_PER_PART", 2)
    task = make_task()
    read = []

    def arriving():
        for first in range(10):
            read.append(first)
            elements = [element(10 * first + number, 10 * first, f"k{number}") for number in range(4)]
            yield row(task, elements, [10 * first + 9], first=first)

    main = task.chain.writers[0].edge.id
    made = (out for out in task.run(arriving(), MemoryPageStore(), 0) if out.edge == main)
    assert [len(next(made).chunk.batch) for _ in range(2)] == [2, 2]
    assert len(read) <= 3
    assert sum(len(out.chunk.batch) for out in made) == 36


class Late(KeyedProcessFunction):
    """Gives each result of a window, and says whether the watermark was there before it."""

    def process_element(self, value, ctx):
        yield value, ctx.timestamp() <= ctx.timer_service().current_watermark()


@pytest.mark.parametrize("mode", [RuntimeExecutionMode.STREAMING, RuntimeExecutionMode.BATCH])
@pytest.mark.parametrize(("controls", "elements"), [(256, 1), (256, 7), (5, 1 << 20), (5, 1), (5, 3), (1, 2)])
def test_subtasks_with_more_and_with_less_cut_alike(monkeypatch, controls, elements, mode):
    """However unlike their amounts are, what comes behind an exchange stands where it was emitted."""
    expected = results(mode)
    monkeypatch.setattr(task_module, "CONTROLS_PER_CHUNK", controls)
    monkeypatch.setattr(record_writer, "ELEMENTS_PER_PART", elements)
    found = results(mode)
    assert not any(late for _, late in found)
    assert sorted(found) == sorted(expected)
    assert len(found) > 100


def results(mode):
    """Of windows in three subtasks, of which one has most of the keys, as a keyed function behind them sees them."""
    local = Configuration.from_dict({"windrow.runtime": "local"})
    env = StreamExecutionEnvironment.get_execution_environment(local)
    env.set_parallelism(3).set_runtime_mode(mode)
    strategy = WatermarkStrategy.for_generator(EachWatermark).with_timestamp_assigner(lambda value, _: value)
    numbers = env.from_sequence(0, 299).assign_timestamps_and_watermarks(strategy)
    by_key = numbers.key_by(lambda value: value % 5 if value % 7 else value)
    sums = by_key.window(TumblingEventTimeWindows.of(Time.milliseconds(9))).reduce(lambda one, other: one + other)
    with sums.key_by(lambda value: value % 4).process(Late()).execute_and_collect() as collected:
        return list(collected)


class EachWatermark(WatermarkGenerator):
    """Each element is followed by its watermark."""

    def on_event(self, event, event_timestamp, output):
        output.emit_watermark(Watermark(event_timestamp))

    def on_periodic_emit(self, output):
        pass


@pytest.mark.parametrize("controls", [["end"], [MAX_WATERMARK, "end"]])
def test_the_last_watermark_goes_out_once(controls):
    """Whether or not the input had it, the maximum watermark comes out once before the end."""
    task = make_task()
    assert run(task, MemoryPageStore(), row(task, [], controls)) == ([], [MAX_WATERMARK, "end"])


class Lifecycle(MapFunction):
    """Counts what it is called with, and notes what its objects are called with."""

    calls: ClassVar[list[str]] = []

    def open(self, runtime_context):
        self.context = runtime_context
        self.calls.append("open")
        runtime_context.get_int_counter("opened").add(1)

    def map(self, value):
        self.context.get_int_counter("mapped").add(1)
        if value == "fails":
            raise ValueError(value)
        return value

    def close(self):
        self.calls.append("close")
        self.context.get_int_counter("closed").add(1)


@pytest.fixture
def lifecycle():
    """Makes tasks of one subtask of a counting map behind an exchange."""
    Lifecycle.calls.clear()
    env = StreamExecutionEnvironment.get_execution_environment(Configuration()).set_parallelism(1)
    env.from_collection([1]).rebalance().map(Lifecycle()).sink_to(DiscardingSink())
    graph = env._plan(env._program.sinks())
    return lambda: StageTask(graph.levels[1][0], graph, 0)


def counted(task, store, values, controls=()):
    """What a run counts."""
    chunk = Chunk(Batch(list(values), [0] * len(values)), None, list(controls))
    rows = [ChunkRow(1, 0, 0, 0, task.entry.edges[0].id, 0, 0, 0, chunk)]
    assert len(list(task.run(rows, store, 0))) <= 1
    return task.take_totals().accumulator_results()


def test_open_counts_in_the_run_that_begins_the_subtask(lifecycle):
    """Not when another process opens it again later, and each element in its run only."""
    store = MemoryPageStore()
    first, second = lifecycle(), lifecycle()
    assert counted(first, store, "ab") == {"opened": 1, "mapped": 2}
    assert counted(second, store, "c") == {"opened": 0, "mapped": 1}
    assert counted(first, store, "d") == {"opened": 0, "mapped": 1}


def test_close_counts_in_the_run_that_ends_the_input(lifecycle):
    """Other objects of the subtask are closed when they next hear of it, and count nothing then."""
    store = MemoryPageStore()
    first, second = lifecycle(), lifecycle()
    counted(first, store, "ab")
    assert not has_ended(first.entry, store)
    assert counted(second, store, "c", [MAX_WATERMARK, "end"]) == {"opened": 0, "mapped": 1, "closed": 1}
    assert has_ended(first.entry, store)
    assert (first.closed, second.closed) == (False, True)
    assert list(first.run((), store, 5)) == []
    assert (first.closed, first.take_totals()) == (True, Totals())
    second.close()
    assert Lifecycle.calls.count("close") == 2


def test_a_failed_run_leaves_no_count(lifecycle):
    """The next run of the same task counts from nothing, opening included if nothing was stored."""
    task, store = lifecycle(), MemoryPageStore()
    with pytest.raises(UserFunctionError):
        counted(task, store, ["a", "fails"])
    assert counted(task, store, "a") == {"opened": 1, "mapped": 1}
    with pytest.raises(UserFunctionError):
        counted(task, store, ["b", "fails"])
    assert counted(task, store, "b") == {"opened": 0, "mapped": 1}


def test_counts_can_be_read_in_the_middle_of_a_run(lifecycle):
    """What was counted by then; reading takes nothing away."""
    task = lifecycle()
    task.attach(MemoryPageStore())
    task.step(0, Batch(["a"], [0]), None)
    for _ in range(2):
        assert task.read_totals().accumulator_results() == {"opened": 1, "mapped": 1}


def counting(*, sink_in_front):
    """The first operator of a job that deals what it makes in turn; a sink in front of that may have come since."""
    env = StreamExecutionEnvironment.get_execution_environment(Configuration()).set_parallelism(2)
    sums = env.from_collection([1]).uid("in").key_by(lambda number: 0).reduce(lambda a, b: a + b).uid("sums")
    if sink_in_front:
        sums.print()
    sums.rebalance().map(lambda number: number).uid("map").sink_to(DiscardingSink())
    graph = env._plan(env._program.sinks())
    return StageTask(graph.levels[1][0], graph, 0)


@pytest.mark.parametrize("first", [True, False])
def test_writers_go_on_when_sinks_come_and_go(first):
    """What they have counted is kept by their edges: elements go on to the subtask whose turn it is."""
    store = MemoryPageStore()
    subtasks = []
    for sink_in_front in (first, not first):
        task = counting(sink_in_front=sink_in_front)
        chunk = Chunk(Batch([1], [0], [0]))
        found = list(task.run([ChunkRow(1, 0, 0, 0, task.entry.edges[0].id, 0, 0, 0, chunk)], store, 0))
        subtasks += [out.subtask for out in found if out.level == 2 and len(out.chunk.batch.elements)]
    assert subtasks == [0, 1]
