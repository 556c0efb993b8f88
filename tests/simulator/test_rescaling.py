"""Programs that go on with another parallelism give what they would have given without."""

import pytest

from tests.simulator.compare import difference, same
from tests.simulator.local_run import run_locally
from tests.simulator.merged_order import merged
from tests.simulator.oracle import Oracle
from tests.simulator.program import LONG_MIN, Watermark
from tests.simulator.spark_run import run_with_other_parallelisms
from tests.simulator.test_spark import simulation, spark  # noqa: F401

PROGRAMS = 3
PARALLELISMS = (1, 4, 2, 7)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("number", range(PROGRAMS))
def test_a_query_that_goes_on_with_other_parallelisms_gives_what_it_would_have_given(number, spark, tmp_path):  # noqa: F811
    """From one subtask to four, to two, to seven, every other one with two window operations."""
    program, channels = simulation(number)
    length = max(map(len, channels))
    channels = [[*events, *[Watermark(LONG_MIN)] * (length - len(events))] for events in channels]
    batch_size = -(-length // (len(PARALLELISMS) + 1))
    consecutive = number % 2 == 1
    outcome = run_with_other_parallelisms(
        spark, program, channels, batch_size, tmp_path, PARALLELISMS, consecutive=consecutive
    )
    assert same(outcome, run_locally(program, channels, batch_size=batch_size, consecutive=consecutive))
    assert consecutive or difference(Oracle(program).run(merged(channels, batch_size)), outcome) is None
