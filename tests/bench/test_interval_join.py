"""What the benchmark of interval joins says it measures is what it measures."""

import pytest
from click.testing import CliRunner

from bench import interval_join
from bench.interval_join import BATCH, JoinRun, far_bounds, far_watermark, many_keys
from windrow.state.page_store import NoPages


@pytest.mark.parametrize(("workload", "batches"), [(far_watermark, 2), (far_bounds, 4)])
def test_so_many_elements_are_buffered(workload, batches):
    """When the measurement begins, the key has as many elements buffered as was asked for, up to a few."""
    run = JoinRun(workload(8_000))
    for _ in range(batches):
        run.batch()
    assert abs(run.buffered() - 8_000) <= 4
    before = run.pairs
    run.batch()
    per_left = {far_watermark: 3, far_bounds: 2}[workload]
    assert run.pairs - before == per_left * BATCH // 2


def test_many_keys_join():
    """The elements of many keys find partners; pages and memory give the same."""
    paged, in_memory = JoinRun(many_keys()), JoinRun(many_keys(), NoPages())
    for _ in range(6):
        paged.batch()
        in_memory.batch()
    assert paged.pairs == in_memory.pairs
    assert paged.pairs == pytest.approx(6 * BATCH // 2, rel=0.01)
    assert paged.buffered(7) == in_memory.buffered(7) > 0


@pytest.mark.parametrize(("beside_long", "exit_code"), [(1.9, 0), (2.1, 1)])
def test_it_fails_above_twice_the_cost(monkeypatch, beside_long, exit_code):
    """The exit code says whether a long buffer is too expensive; both costs and their ratio are printed."""
    monkeypatch.setattr(
        interval_join, "cost_beside", lambda _, buffered, __: 1.0 if buffered == 10_000 else beside_long
    )
    monkeypatch.setattr(interval_join, "cost", lambda *_: 5.0)
    done = CliRunner().invoke(interval_join.main, [])
    assert done.exit_code == exit_code, done.output
    assert f"1.00 us an element beside 10,000 buffered ones (1.00 to 1.00), {beside_long:.2f} us" in done.output
    assert f"{beside_long:.2f} times" in done.output
    assert "10,000 keys, state in memory: 200,000 elements/s" in done.output
