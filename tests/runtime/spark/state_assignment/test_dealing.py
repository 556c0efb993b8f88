"""Jobs that go on with another parallelism behind every batch, on the local runtime."""

from collections import Counter
from functools import partial
from itertools import count, cycle

import pytest

from tests.connectors.hybrid.test_enumerator import three_sources
from tests.datastream.streams.restarts import ListSink, local_env
from tests.golden.programs import PROGRAMS, job_of
from tests.runtime.sources.scripted import Script, ScriptedSource
from tests.runtime.sources.test_programs import TIMES
from tests.runtime.spark.state_assignment.locally import rescaled
from windrow.errors import CheckpointError
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


def read_changing(source, parallelisms):
    """What is read of a source whose readers are others behind each batch, unless an event is on its way to one."""
    sink, turns = ListSink(), cycle(parallelisms)

    def graph():
        env = local_env(next(turns))
        env.from_source(source(), TIMES, "read").uid("read").key_by(lambda value: value).sink_to(sink)
        return env._take_job(None)

    executor, changes = LocalExecutor(graph(), 3, clock=lambda: 0), 0
    try:
        while executor.run_batch():
            try:
                executor = rescaled(executor, graph(), 3)
                changes += 1
            except CheckpointError as error:
                assert "is on its way" in str(error)  # noqa: PT017  (it is no other one, if there is one)
    finally:
        executor.close()
    return sorted(map(repr, sink.elements)), changes


def scripts(*, on_request):
    splits = [Script(f"s{number}", [((number, at), at) for at in range(9)]) for number in range(5)]
    return ScriptedSource(splits, on_request=on_request)


@pytest.mark.parametrize(
    "source",
    [partial(scripts, on_request=True), partial(scripts, on_request=False), three_sources],
    ids=["splits that are asked for", "splits that are assigned", "one source behind the other"],
)
@pytest.mark.parametrize("parallelisms", [(1, 4), (4, 1), (2, 3, 1), (3, 2, 5, 5)], ids=str)
def test_readers_that_become_more_and_fewer_read_everything_once(source, parallelisms):
    """Whatever splits they have, had asked for, or were about to get."""
    found, changes = read_changing(source, parallelisms)
    expected, _ = read_changing(source, (2,))
    assert found == expected
    assert len(set(found)) == len(found) > 40
    assert changes >= 3
