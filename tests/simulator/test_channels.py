"""Jobs with several channels, idle ones among them, against the oracle that is fed in the order of the gate."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.simulator.compare import difference, same
from tests.simulator.jobs import SECOND_SIZE, second_key
from tests.simulator.local_run import run_locally
from tests.simulator.merged_order import merged
from tests.simulator.oracle import Oracle
from tests.simulator.program import Element, Program, Sliding, Watermark, make_events, make_program
from tests.simulator.settings import chooser, random_chooser, simulated
from tests.simulator.translate import Shown
from windrow.connectors.iterator_source import reader
from windrow.runtime.stage import record_writer, task


@st.composite
def simulations(draw):
    """A program, and events of two to four channels with the same range of times."""
    choose = chooser(draw)
    program = make_program(choose)
    channels = [
        make_events(choose, program, 16, statuses=True, first_id=100 * number) for number in range(choose(2, 4))
    ]
    return program, channels


@simulated(250)
@given(simulations())
def test_channels_in_one_batch_are_merged_by_watermark(simulation):
    """A job in one batch sees its channels in the gate's order and the valve's watermarks, and gives what follows."""
    program, channels = simulation
    oracle = Oracle(program).run(merged(channels, None))
    assert difference(oracle, run_locally(program, channels)) is None


@simulated(250)
@given(simulations(), st.integers(1, 6))
def test_channels_in_batches_are_merged_batch_by_batch(simulation, batch_size):
    """What a batch holds of the channels is merged by the watermarks that they have reached by then."""
    program, channels = simulation
    oracle = Oracle(program).run(merged(channels, batch_size))
    assert difference(oracle, run_locally(program, channels, batch_size=batch_size)) is None


@simulated(150)
@given(simulations(), st.integers(1, 6), st.frozensets(st.integers(0, 8)))
def test_a_restart_changes_nothing_with_several_channels(simulation, batch_size, restarts):
    """Where each channel stands is part of the stored state."""
    program, channels = simulation
    whole = run_locally(program, channels, batch_size=batch_size)
    assert same(run_locally(program, channels, batch_size=batch_size, restarts=restarts), whole)


@simulated(100)
@given(simulations(), st.integers(1, 6), st.integers(1, 3))
def test_the_size_of_chunks_changes_nothing(simulation, batch_size, chunk_size):
    """However many elements and control events go into a chunk, operators see the same."""
    program, channels = simulation
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(task, "CONTROLS_PER_CHUNK", chunk_size)
        patch.setattr(task, "ELEMENTS_PER_CHUNK", chunk_size)
        patch.setattr(task, "COLUMN_ELEMENTS_PER_CHUNK", chunk_size)
        patch.setattr(record_writer, "ELEMENTS_PER_PART", chunk_size)
        patch.setattr(reader, "ELEMENTS_PER_POLL", chunk_size)
        in_small_chunks = run_locally(program, channels, batch_size=batch_size, consecutive=True)
    assert same(in_small_chunks, run_locally(program, channels, batch_size=batch_size, consecutive=True))


@simulated(150)
@given(simulations(), st.integers(1, 6), st.frozensets(st.integers(0, 8)))
def test_windows_of_the_results_of_windows(simulation, batch_size, restarts):
    """A second window operation gets the first one's results in their places between the watermarks."""
    program, channels = simulation
    program = replace(program, function="process")
    first = Oracle(program).run(merged(channels, batch_size))
    outcome = run_locally(program, channels, batch_size=batch_size, restarts=restarts, consecutive=True)
    assert [Counter(segment) for segment in outcome.segments] == windows_of_results(first)


def windows_of_results(first):
    """What the oracle expects of the second operation, between every two watermarks of the first."""
    watermarks = [event.time for event in first.seen if isinstance(event, Watermark)]
    results, events = [], []
    for segment in range(first.segments + 1):
        for emission in first.emissions:
            if emission.segment == segment:
                results.append(("shown", emission.key, emission.start, emission.end, emission.ids, None))
                events.append(Element(second_key(results[-1]), len(results) - 1, 0, emission.timestamp))
        events += [Watermark(time) for time in watermarks[segment : segment + 1]]
    second = Oracle(Program(Sliding(SECOND_SIZE, SECOND_SIZE, 0))).run(events)
    segments = [Counter() for _ in range(second.segments + 1)]
    for emission in second.emissions:
        gathered = tuple(sorted([results[number] for number in emission.ids], key=repr))
        segments[emission.segment][Shown(emission.key, None, None, gathered, None, emission.timestamp)] += 1
    return segments


@pytest.mark.slow
def test_long_jobs_give_what_the_oracle_expects():
    """Four hundred jobs of one to five channels with a hundred events each, in batches, with restarts."""
    for number in range(400):
        choose = random_chooser(("long job", number))
        program = make_program(choose)
        channels = [
            make_events(choose, program, 100, statuses=True, first_id=1000 * index) for index in range(choose(1, 5))
        ]
        batch_size = choose(1, 40)
        restarts = frozenset(choose(0, 30) for _ in range(5))
        oracle = Oracle(program).run(merged(channels, batch_size))
        found = difference(oracle, run_locally(program, channels, batch_size=batch_size, restarts=restarts))
        assert found is None, (number, program, found)
