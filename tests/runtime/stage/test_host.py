"""The chains of a level that run in one process."""

import pytest

from tests.simulator.jobs import ScriptedSplit, make_job
from tests.simulator.program import Program, Sliding
from windrow.common import Types
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import KeyedProcessFunction
from windrow.runtime.stage.host import LevelHost
from windrow.state.page_store import MemoryPageStore
from windrow.state.paged import PagedKeyedState


@pytest.mark.parametrize("ticked", [False, True])
def test_only_a_tick_reaches_operators_without_rows(ticked):
    """Without rows a level's operators are shown processing time when they are told to, and write their state."""
    job = make_job(Program(Sliding(10, 10, 0), function="reduce"), [[ScriptedSplit([])]], parallelism=1).graph
    store = MemoryPageStore()
    assert list(LevelHost(job, 1).run(0, [], store, 77, tick=ticked)) == []
    assert bool(store.pages) is ticked


class Timers(KeyedProcessFunction):
    """Sets a timer ten milliseconds behind one that fires, once."""

    def process_element(self, value, ctx):
        yield value

    def on_timer(self, timestamp, ctx):
        if timestamp < 105:
            ctx.timer_service().register_processing_time_timer(timestamp + 10)
        yield timestamp


@pytest.mark.parametrize("runtime", ["local"], indirect=True)
def test_it_is_said_when_the_next_timers_are_due(env):
    """Of each subtask that has run; of one that may have none, nothing."""
    numbers = env.set_parallelism(1).from_collection([1], Types.INT())
    timers = numbers.key_by(lambda n: n).process(Timers(), Types.INT()).uid("timers")
    timers.key_by(lambda n: n).reduce(lambda a, b: b).sink_to(DiscardingSink())
    job = env._plan(env._program.sinks())
    store, state = MemoryPageStore(), PagedKeyedState()
    state.attach(store, "timers.0")
    state.set_current_key(1)
    state.processing_timers.register(100, 1, None)
    state.flush()
    host = LevelHost(job, 1)
    due = []
    for now in (50, 100, 120):
        list(host.run(0, [], store, now, tick=True))
        due.append(host.take_due())
    assert due == [{(1, 0, 0): 100}, {(1, 0, 0): 110}, {(1, 0, 0): None}]
    assert host.take_due() == {}
    behind = LevelHost(job, 2)
    list(behind.run(0, [], store, 50, tick=True))
    assert behind.take_due() == {}
    host.close()
    behind.close()
