"""Jobs with several channels, idle ones among them, against the oracle that is fed in the order of the gate."""

from hypothesis import given
from hypothesis import strategies as st

from tests.simulator.compare import difference, same
from tests.simulator.local_run import run_locally
from tests.simulator.merged_order import merged
from tests.simulator.oracle import Oracle
from tests.simulator.program import make_events, make_program
from tests.simulator.settings import chooser, simulated


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
