"""Interval joins of streams with several channels, idle ones among them, against an oracle that compares all pairs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.simulator.join_oracle import JoinOracle
from tests.simulator.join_program import make_join
from tests.simulator.join_runs import difference, run_batch_query, run_locally, run_on_spark
from tests.simulator.merged_order import merged
from tests.simulator.mistakes import JOIN_MISTAKES
from tests.simulator.settings import FIXED_SEED, SEED, chooser, random_chooser, simulated
from windrow.operators.interval_join import buffer


@st.composite
def joins(draw):
    return make_join(chooser(draw), 14)


@simulated(300)
@given(joins())
def test_a_join_in_one_batch(join):
    """Pairs, their order and times, late elements and what was dropped are those of the naive join."""
    program, channels = join
    oracle = JoinOracle(program).run(merged(channels, None))
    assert difference(oracle, run_locally(program, channels)) is None


@simulated(200)
@given(joins(), st.integers(1, 6), st.frozensets(st.integers(0, 8)))
def test_a_join_in_batches_with_restarts(join, batch_size, restarts):
    """Buffers, timers and the watermark are state: batches and restarts change nothing."""
    program, channels = join
    oracle = JoinOracle(program).run(merged(channels, batch_size))
    assert difference(oracle, run_locally(program, channels, batch_size, restarts)) is None


@simulated(200)
@given(joins(), st.integers(1, 6), st.frozensets(st.integers(0, 8)), st.integers(1, 4))
def test_a_join_with_small_leaves(join, batch_size, restarts, leaf_elements):
    """However a long buffer is cut into leaves, it holds the same."""
    program, channels = join
    oracle = JoinOracle(program).run(merged(channels, batch_size))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(buffer, "LEAF_ELEMENTS", leaf_elements)
        assert difference(oracle, run_locally(program, channels, batch_size, restarts)) is None


def long_joins(name, count, seed=SEED):
    """Joins of a hundred events a channel, in batches, with restarts."""
    for number in range(count):
        choose = random_chooser((name, number), seed)
        program, channels = make_join(choose, 100)
        yield number, program, channels, choose(1, 40), frozenset(choose(0, 30) for _ in range(5))


@pytest.mark.slow
def test_long_joins():
    """Five hundred long joins give what the oracle expects, with buffers long enough to be cut."""
    for number, program, channels, batch_size, restarts in long_joins("long join", 500):
        oracle = JoinOracle(program).run(merged(channels, batch_size))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(buffer, "LEAF_ELEMENTS", 1 + number % 8)
            found = difference(oracle, run_locally(program, channels, batch_size, restarts))
        assert found is None, (number, program, found)


@pytest.mark.parametrize("name", JOIN_MISTAKES)
def test_a_mistake_in_the_join_is_found(name, monkeypatch):
    """Each mistake that is planted makes some join differ from the oracle."""
    JOIN_MISTAKES[name].plant(monkeypatch)
    # Some show in one of a hundred, and only where buffers are cut into leaves, or only where they are not.
    for number, program, channels, batch_size, restarts in long_joins("mistaken join", 3000, FIXED_SEED):
        monkeypatch.setattr(buffer, "LEAF_ELEMENTS", 3 if number % 2 else 128)
        oracle = JoinOracle(program).run(merged(channels, batch_size))
        try:
            outcome = run_locally(program, channels, batch_size, restarts)
        except Exception:  # a mistake may also break the operator
            return
        if difference(oracle, outcome) is not None:
            return
    pytest.fail("no join was different")


def fruitful_join(name):
    """A join that has pairs before and behind its middle."""
    for attempt in range(1000):
        program, channels = make_join(random_chooser((name, attempt)), 60)
        oracle = JoinOracle(program).run(merged(channels, None))
        if sum(map(bool, oracle.segments)) >= 6:
            return program, channels
    raise AssertionError


@pytest.mark.spark
@pytest.mark.parametrize("number", range(3))
def test_a_join_as_a_batch_query(number, spark_session):
    """Spark gives what the oracle expects in one batch query."""
    program, channels = fruitful_join(("batch", number))
    oracle = JoinOracle(program).run(merged(channels, None))
    assert difference(oracle, run_batch_query(spark_session, program, channels)) is None


@pytest.mark.spark
@pytest.mark.parametrize("number", range(2))
def test_a_join_that_is_stopped_and_started_again(number, spark_session, tmp_path):
    """A streaming query that is stopped in the middle of a join loses and doubles nothing."""
    program, channels = fruitful_join(("streaming", number))
    size = max(1, -(-max(map(len, channels)) // 3))
    oracle = JoinOracle(program).run(merged(channels, size))
    outcome = run_on_spark(spark_session, program, channels, size, tmp_path, stop=number)
    assert difference(oracle, outcome, dropped=False) is None
