"""The simulator finds mistakes: each one that is planted makes it fail."""

import pytest

from tests.simulator.compare import difference
from tests.simulator.local_run import run_locally
from tests.simulator.merged_order import merged
from tests.simulator.mistakes import OPERATOR_MISTAKES, RUNTIME_MISTAKES
from tests.simulator.operator_run import OperatorRun
from tests.simulator.oracle import Oracle
from tests.simulator.program import LONG_MAX, Watermark, make_events, make_program
from tests.simulator.settings import FIXED_SEED, random_chooser

STREAMS = 1000


def operator_fault(number):
    """What is wrong with the operator on the stream of this number; None if nothing is."""
    choose = random_chooser(number, FIXED_SEED)
    program = make_program(choose)
    events = make_events(choose, program, 60, restarts=choose(0, 1) == 1)
    if choose(0, 1):
        events.append(Watermark(LONG_MAX))
    cuts = frozenset(choose(0, 60) for _ in range(8))
    oracle = Oracle(program).run(events)
    try:
        run = OperatorRun(program).run(events, cuts)
    except Exception as error:
        return repr(error)
    if run.held_ids() != sorted(fate.id for fate in oracle.holding()):
        return "the state holds other elements"
    if not any(oracle.held.values()) and run.harness.state_entries():
        return "state is left of windows that are over"
    return difference(oracle, run.outcome)


def test_the_operators_have_no_fault():
    """Without a mistake none of the streams shows one."""
    assert [number for number in range(STREAMS // 4) if operator_fault(number)] == []


@pytest.mark.parametrize("mistake", OPERATOR_MISTAKES.values(), ids=OPERATOR_MISTAKES)
def test_a_mistake_in_an_operator_is_found(mistake, monkeypatch):
    """One of the streams shows it."""
    mistake.plant(monkeypatch)
    assert any(operator_fault(number) for number in range(STREAMS))


def runtime_fault(number):
    """The same for a job of one to three channels in batches, with restarts."""
    choose = random_chooser(number, FIXED_SEED)
    program = make_program(choose)
    channels = [make_events(choose, program, 24, statuses=True, first_id=100 * index) for index in range(choose(1, 3))]
    batch_size = choose(1, 8)
    restarts = frozenset(choose(0, 12) for _ in range(3))
    oracle = Oracle(program).run(merged(channels, batch_size))
    try:
        outcome = run_locally(program, channels, batch_size=batch_size, restarts=restarts)
    except Exception as error:
        return repr(error)
    return difference(oracle, outcome)


def test_the_runtime_has_no_fault():
    """Without a mistake none of the jobs shows one."""
    assert [number for number in range(150) if runtime_fault(number)] == []


@pytest.mark.parametrize("mistake", RUNTIME_MISTAKES.values(), ids=RUNTIME_MISTAKES)
def test_a_mistake_in_the_runtime_is_found(mistake, monkeypatch):
    """One of the jobs shows it."""
    mistake.plant(monkeypatch)
    assert any(runtime_fault(number) for number in range(STREAMS))
