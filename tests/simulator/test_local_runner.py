"""Whole jobs of one channel on the local runtime against the oracle, cut into batches and restarted anywhere."""

from hypothesis import given
from hypothesis import strategies as st

from tests.simulator.compare import difference, same
from tests.simulator.jobs import BoundedDisorder
from tests.simulator.local_run import run_locally
from tests.simulator.oracle import Oracle
from tests.simulator.program import LONG_MAX, Element, Watermark, make_events, make_program
from tests.simulator.settings import chooser, simulated

END = Watermark(LONG_MAX)


def rising(events):
    """The events without watermarks that do not rise: in a job these do not get through to an operator."""
    kept, last = [], -(2**63)
    for event in events:
        if not isinstance(event, Watermark):
            kept.append(event)
        elif event.time > last:
            last = event.time
            kept.append(event)
    return kept


@st.composite
def simulations(draw):
    """A program, the events of one channel, a batch size, and whether a watermark shares its elements' batch."""
    choose = chooser(draw)
    program = make_program(choose)
    return program, make_events(choose, program, 40), choose(1, 12), draw(st.booleans())


@simulated(200)
@given(simulations())
def test_a_job_in_one_batch_gives_what_the_oracle_expects(simulation):
    """A job that is one batch gives the oracle's results, followed by those of the end of the input."""
    program, events, _, merged = simulation
    oracle = Oracle(program).run([*rising(events), END])
    assert difference(oracle, run_locally(program, [events], merged=merged)) is None


@simulated(200)
@given(simulations())
def test_cuts_between_batches_change_nothing(simulation):
    """A job in batches of any size gives what the oracle, which knows no batches, expects."""
    program, events, batch_size, merged = simulation
    oracle = Oracle(program).run([*rising(events), END])
    assert difference(oracle, run_locally(program, [events], batch_size=batch_size, merged=merged)) is None


@simulated(200)
@given(simulations(), st.frozensets(st.integers(0, 12)))
def test_a_restart_between_batches_changes_nothing(simulation, restarts):
    """A job whose operators are made anew from stored state gives what it gives without that."""
    program, events, batch_size, merged = simulation
    whole = run_locally(program, [events], batch_size=batch_size, merged=merged)
    assert same(run_locally(program, [events], batch_size=batch_size, merged=merged, restarts=restarts), whole)
    assert difference(Oracle(program).run([*rising(events), END]), whole) is None


@simulated(150)
@given(simulations(), st.integers(0, 10), st.integers(1, 9), st.frozensets(st.integers(0, 12)))
def test_watermarks_that_follow_so_many_elements_do_not_depend_on_batches(simulation, bound, every, restarts):
    """A generator that is asked after a number of elements is asked behind the same ones, however batches are cut."""
    program, events, batch_size, merged = simulation
    elements = [event for event in events if isinstance(event, Element) and event.timestamp is not None]
    oracle = Oracle(program).run([*rising(with_watermarks(elements, bound, every)), END])
    generator = BoundedDisorder(bound, every)
    outcome = run_locally(
        program, [elements], batch_size=batch_size, merged=merged, restarts=restarts, generator=generator
    )
    assert difference(oracle, outcome) is None
    assert same(run_locally(program, [elements], generator=generator), outcome)


def with_watermarks(elements, bound, every):
    """The elements, and behind each so many of them, and the last, a watermark below the newest by the bound."""
    events = []
    for number, element in enumerate(elements, start=1):
        events.append(element)
        if number % every == 0 or number == len(elements):
            newest = max(before.timestamp for before in elements[:number])
            events.append(Watermark(newest - bound - 1))
    return events
