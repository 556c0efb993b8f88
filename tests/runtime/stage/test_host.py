"""The chains of a level that run in one process."""

import pytest

from tests.simulator.jobs import ScriptedSplit, make_job
from tests.simulator.program import Program, Sliding
from windrow.runtime.stage.host import LevelHost
from windrow.state.page_store import MemoryPageStore


@pytest.mark.parametrize("ticked", [False, True])
def test_only_a_tick_reaches_operators_without_rows(ticked):
    """Without rows a level's operators are shown processing time when they are told to, and write their state."""
    job = make_job(Program(Sliding(10, 10, 0), function="reduce"), [[ScriptedSplit([])]], parallelism=1).graph
    store = MemoryPageStore()
    assert list(LevelHost(job, 1).run(0, [], store, 77, tick=ticked)) == []
    assert bool(store.pages) is ticked
