"""How often Python looks for reference cycles while a batch is worked on."""

import gc

from windrow.datastream import StreamExecutionEnvironment
from windrow.runtime.stage.garbage import RARELY, rarely_collected


def test_thresholds_come_back_behind_the_last_of_overlapping_blocks() -> None:
    """Blocks of several threads may end in any order."""
    before = gc.get_threshold()
    first, second = rarely_collected(), rarely_collected()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold() == RARELY
    second.__exit__(None, None, None)
    assert gc.get_threshold() == before


def test_a_job_runs_with_rare_collections_and_leaves_none_behind(env: StreamExecutionEnvironment) -> None:
    """User functions see the rare thresholds, on both runtimes; the program's own are as they were."""
    before = gc.get_threshold()
    stream = env.from_collection([1]).map(lambda _: gc.get_threshold())
    with stream.execute_and_collect() as results:
        assert list(results) == [RARELY]
    assert gc.get_threshold() == before
