"""Jobs that go on with another parallelism behind every batch, on the local runtime."""

from collections import Counter
from itertools import count, cycle

import pytest

from tests.golden.programs import PROGRAMS, job_of
from tests.runtime.spark.rescaling.locally import rescaled
from windrow.runtime.local.executor import LocalExecutor

SIZE = 40
PARALLELISMS = (1, 4, 2, 7)


def started(program, parallelism, sink=None):
    """An executor of the program, and where its results go; processing time moves by 10 a batch."""
    job, sink = job_of(program, parallelism, sink)
    times = count(0, 10)
    return LocalExecutor(job, SIZE, clock=lambda: next(times)), sink


def whole(program):
    executor, sink = started(program, 2)
    with executor:
        while executor.run_batch():
            pass
    return Counter(map(repr, sink.elements))


def changing(program):
    turns = cycle(PARALLELISMS)
    executor, sink = started(program, next(turns))
    try:
        while executor.run_batch():
            executor = rescaled(executor, job_of(program, next(turns), sink)[0], SIZE)
    finally:
        executor.close()
    return Counter(map(repr, sink.elements))


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_job_that_changes_its_parallelism_gives_what_one_gives_that_never_does(program):
    """From one subtask to four, to two, to seven and back: windows, state, joins, broadcast, readers, columns."""
    assert changing(program) == whole(program)
