"""Window operators in their harness against the oracle: any stream, any program, any cuts, any restarts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.simulator.compare import difference, same
from tests.simulator.operator_run import OperatorRun
from tests.simulator.oracle import Oracle
from tests.simulator.program import LONG_MAX, Global, Sliding, Watermark, make_events, make_program
from tests.simulator.settings import chooser, random_chooser, simulated

END = Watermark(LONG_MAX)


@st.composite
def simulations(draw, *, restarts=False):
    """A program, events, and positions at which batches of elements are cut."""
    choose = chooser(draw)
    program = make_program(choose)
    events = make_events(choose, program, 40, restarts=restarts)
    return program, events, draw(st.frozensets(st.integers(1, 40)))


@simulated(500)
@given(simulations())
def test_an_operator_gives_what_the_oracle_expects(simulation):
    """Firings, their contents, order and times, late elements and counts of dropped ones are the oracle's."""
    program, events, cuts = simulation
    events = [*events, END]
    assert difference(Oracle(program).run(events), OperatorRun(program).run(events, cuts).outcome) is None


@simulated(300)
@given(simulations(restarts=True))
def test_a_restored_operator_goes_on_where_the_old_one_stopped(simulation):
    """An operator made from a snapshot gives what the oracle, which forgets its watermark only, expects."""
    program, events, cuts = simulation
    events = [*events, END]
    assert difference(Oracle(program).run(events), OperatorRun(program).run(events, cuts).outcome) is None


@simulated(300)
@given(simulations(restarts=True))
def test_the_operator_for_aligned_windows_means_what_the_generic_one_means(simulation):
    """Both operators give the same, key by key between two watermarks; overlapping windows fire early in any order."""
    program, events, cuts = simulation
    oracle = Oracle(program).run([*events, END])
    generic = OperatorRun(program, aligned=False).run([*events, END]).outcome
    aligned = OperatorRun(program).run([*events, END], cuts).outcome
    assert difference(oracle, generic) is None
    if program.trigger.kind == "continuous" and isinstance(program.windows, Sliding):
        assert difference(oracle, aligned) is None
    else:
        assert same(aligned, generic)


@simulated(300)
@given(simulations())
def test_every_element_in_every_window_has_one_fate(simulation):
    """It is emitted, evicted, purged, late, forgotten with its window, or held still, and the state says so too."""
    program, events, cuts = simulation
    oracle = Oracle(program).run(events)
    run = OperatorRun(program).run(events, cuts)
    held = oracle.holding()
    ends = [(fate.id, fate.window) for fate in oracle.fates | held if fate.what != "emitted"]
    assert len(ends) == len(set(ends))
    assert {(fate.id, fate.window) for fate in oracle.fates} <= set(ends)
    assert run.held_ids() == sorted(fate.id for fate in held)


@simulated(200)
@given(simulations(restarts=True))
def test_nothing_is_left_of_windows_that_are_over(simulation):
    """Behind the last watermark of event-time windows there are no contents, trigger states and timers."""
    program, events, cuts = simulation
    run = OperatorRun(program).run([*events, END], cuts)
    if not isinstance(program.windows, Global) and not any(Oracle(program).run([*events, END]).held.values()):
        assert run.harness.state_entries() == []
        assert run.harness.event_timers() == []


@pytest.mark.slow
def test_long_streams_give_what_the_oracle_expects():
    """Thousands of streams of some hundred events each."""
    for number in range(3000):
        choose = random_chooser(("long", number))
        program = make_program(choose)
        events = [*make_events(choose, program, 300, restarts=choose(0, 1) == 1), END]
        cuts = frozenset(choose(0, 300) for _ in range(20))
        found = difference(Oracle(program).run(events), OperatorRun(program).run(events, cuts).outcome)
        assert found is None, (number, program, found)
