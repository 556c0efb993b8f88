"""Programs that go on with another parallelism give what they would have given without."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.simulator.compare import difference, same
from tests.simulator.local_run import run_locally, run_with_other_parallelisms_locally
from tests.simulator.merged_order import merged
from tests.simulator.oracle import Oracle
from tests.simulator.program import LONG_MIN, Watermark, make_events, make_program
from tests.simulator.settings import chooser, simulated
from tests.simulator.spark_run import run_with_other_parallelisms
from tests.simulator.test_spark import simulation, spark  # noqa: F401

PARALLELISMS = (1, 4, 2, 7)


@st.composite
def simulations(draw):
    """A program, the events of some channels with their statuses, a batch size, and parallelisms."""
    choose = chooser(draw)
    program = make_program(choose)
    count = choose(1, 3)
    channels = [make_events(choose, program, 40, statuses=True, first_id=100 * number) for number in range(count)]
    return program, channels, choose(1, 12), draw(st.lists(st.integers(1, 8), min_size=2, max_size=4))


@simulated(150)
@given(simulations())
def test_another_parallelism_behind_each_batch_changes_nothing(simulation):
    """Channels that end, or are idle, are so in the tasks that go on, too."""
    program, channels, batch_size, parallelisms = simulation
    outcome = run_with_other_parallelisms_locally(program, channels, batch_size, parallelisms)
    assert same(outcome, run_locally(program, channels, batch_size=batch_size))
    assert difference(Oracle(program).run(merged(channels, batch_size)), outcome) is None


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("number", range(2))
def test_a_query_that_goes_on_with_other_parallelisms_gives_what_it_would_have_given(number, spark, tmp_path):  # noqa: F811
    """From one subtask to four, to two, to seven, one of two with two window operations."""
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
