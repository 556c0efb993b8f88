"""A few of the simulator's programs on Spark: what the local runtime gives, Spark gives too."""

import pytest

from tests.simulator.compare import difference, same
from tests.simulator.local_run import run_locally
from tests.simulator.merged_order import merged
from tests.simulator.oracle import Oracle
from tests.simulator.program import LONG_MIN, Watermark, make_events, make_program
from tests.simulator.settings import random_chooser
from tests.simulator.spark_run import run_batch_query, run_streaming_query

PROGRAMS = 6
#: A streaming query takes much longer than a batch query.
STREAMING_PROGRAMS = 3
MICRO_BATCHES = 3


@pytest.fixture(scope="module")
def spark():
    from windrow.runtime.spark.session import session

    return session({"spark.master": "local[2]"})


def simulation(number):
    """A program that puts something out, and the events of one to three channels."""
    for attempt in range(1000):
        choose = random_chooser(("spark", number, attempt))
        program = make_program(choose)
        channels = [
            make_events(choose, program, 60, statuses=True, first_id=100 * index) for index in range(1 + number % 3)
        ]
        if len(Oracle(program).run(merged(channels, None)).emissions) >= 5:
            return program, channels
    raise AssertionError


@pytest.mark.spark
@pytest.mark.parametrize("number", range(PROGRAMS))
def test_a_batch_query_gives_what_the_local_runtime_gives(number, spark):
    """A job as one batch query, every other one with two window operations, equals the job in one local batch."""
    program, channels = simulation(number)
    consecutive = number % 2 == 1
    outcome = run_batch_query(spark, program, channels, consecutive=consecutive)
    assert same(outcome, run_locally(program, channels, consecutive=consecutive))
    assert consecutive or difference(Oracle(program).run(merged(channels, None)), outcome) is None


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("number", range(STREAMING_PROGRAMS))
def test_a_streaming_query_that_is_restarted_gives_what_the_local_runtime_gives(number, spark, tmp_path):
    """A query of some micro-batches, stopped and started again from its checkpoint, equals the local job."""
    program, channels = simulation(number)
    # A streaming query ends all of its channels in its last batch, so none may end earlier: watermarks that do not
    # rise fill them up.
    length = max(map(len, channels))
    channels = [[*events, *[Watermark(LONG_MIN)] * (length - len(events))] for events in channels]
    batch_size = -(-length // MICRO_BATCHES)
    outcome = run_streaming_query(spark, program, channels, batch_size, tmp_path, stop=number % (MICRO_BATCHES - 1))
    assert same(outcome, run_locally(program, channels, batch_size=batch_size))
    assert difference(Oracle(program).run(merged(channels, batch_size)), outcome) is None
