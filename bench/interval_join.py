"""``python -m bench.interval_join``: what an element of an interval join costs, whatever its key has buffered.

One key has 10,000 elements buffered, or 1,000,000. Batches of 8,192 elements, half of them on each side, go through the
operator as a batch of a streaming query would: state is attached, elements and a watermark processed, pages written.
The time is that of the processor, all of it divided by the elements, so other programs disturb it less.

There are two reasons for a long buffer, and both are measured: a watermark that is far behind, and bounds that are.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import click

from windrow.datastream.functions import ProcessJoinFunction
from windrow.elements.batch import Batch
from windrow.operators.base import OperatorContext, Time
from windrow.operators.interval_join import Interval, IntervalJoinOperator
from windrow.operators.runtime_context import OperatorRuntimeContext
from windrow.state.page_store import MemoryPageStore, NoPages, PageStore
from windrow.state.paged import PagedKeyedState
from windrow.testing.outputs import RecordingOutput

#: Elements of a batch; half of them are on each side, one of each side per millisecond.
BATCH = 8_192
SHORT, LONG, QUICK_LONG = 10_000, 1_000_000, 200_000
#: How many times more an element may cost beside the long buffer than beside the short one.
MOST = 2.0
KEYS = 10_000


class Pair(ProcessJoinFunction):
    """Both elements."""

    def process_element(self, left: Any, right: Any, ctx: ProcessJoinFunction.Context) -> Iterable[Any]:
        yield left, right


class _Counting(RecordingOutput):
    """Counts results and forgets them."""

    pairs = 0

    def emit(self, value: Any, timestamp: int) -> None:
        self.pairs += 1


@dataclass(frozen=True)
class Workload:
    """Elements that come in order, a watermark that is so far behind the newest, and what joins; in milliseconds."""

    title: str
    interval: Interval
    watermark_delay: int
    key_of: Callable[[int], Any] = lambda _: "key"


def far_watermark(buffered: int) -> Workload:
    """Half of the elements are kept on each side, and each joins its neighbours."""
    return Workload("watermark far behind", Interval(-1, 1), buffered // 2)


def far_bounds(buffered: int) -> Workload:
    """All are kept on the left, and each joins two that came long after it."""
    return Workload("bounds far away", Interval(buffered - 1, buffered), 0)


def many_keys() -> Workload:
    """Elements of 10,000 keys, of which each comes every 10 s on either side and finds one partner."""
    return Workload(f"{KEYS:,} keys", Interval(-5_000, 5_000), 20_000, lambda number: number * 7_919 % KEYS)


class JoinRun:
    """An operator over a page store, fed batch by batch.

    Args:
        workload: What it is fed.
        store: Where its state is between batches.
    """

    def __init__(self, workload: Workload, store: PageStore | None = None) -> None:
        self._workload = workload
        self._store = MemoryPageStore() if store is None else store
        self._in_memory = isinstance(store, NoPages)
        self._state = PagedKeyedState()
        self._state.attach(self._store, "join")
        self._output, self._time = _Counting(), Time()
        self._operator = IntervalJoinOperator(Pair(), workload.interval)
        context = OperatorRuntimeContext("join", state=self._state)
        self._operator.open(OperatorContext("join", self._output, self._time, self._state, context, Counter()))
        self._now = 0

    @property
    def pairs(self) -> int:
        """How many pairs were found."""
        return self._output.pairs

    def buffered(self, key: Any = "key") -> int:
        """How many elements a key has in its buffers."""
        if not self._in_memory:
            self._state.attach(self._store, "join")
        return sum(map(len, self._operator.buffered(key)))

    def batch(self) -> float:
        """Run a batch; the processor's time for it, in seconds."""
        end = self._now + BATCH // 2
        times = list(range(self._now, end))
        left_keys, right_keys = self._keys(times, 0), self._keys(times, 1)
        lefts, rights = list(zip(left_keys, times, strict=True)), list(zip(right_keys, times, strict=True))
        self._now = end
        began = time.process_time()
        if not self._in_memory:
            self._state.attach(self._store, "join")
        self._operator.process_batch1(Batch(lefts, times, left_keys))
        self._operator.process_batch2(Batch(rights, times, right_keys))
        self._time.watermark = end - 1 - self._workload.watermark_delay
        self._operator.process_watermark(self._time.watermark)
        if not self._in_memory:
            self._state.flush()
        return time.process_time() - began

    def _keys(self, times: Sequence[int], side: int) -> list[Any]:
        key_of = self._workload.key_of
        return [key_of(moment + 3 * side) for moment in times]


def cost(run: JoinRun, elements: int, batches: int) -> float:
    """Microseconds for an element, the median over ``batches`` batches behind the first ``elements`` elements."""
    for _ in range(-(-elements // BATCH) + 2):
        run.batch()
    return median(run.batch() for _ in range(batches)) / BATCH * 1e6


def cost_beside(workload: Callable[[int], Workload], buffered: int, batches: int) -> float:
    """The cost of an element of a key that has so many elements buffered."""
    # Either all are on one side, or half on each; on both sides together elements come twice as often.
    return cost(JoinRun(workload(buffered)), 2 * buffered, batches)


def measure(workload: Callable[[int], Workload], long: int, runs: int, batches: int) -> float:
    """Measure beside the short and the long buffer in turn, print both, and return their ratio."""
    short_costs, long_costs = [], []
    for _ in range(runs):
        short_costs.append(cost_beside(workload, SHORT, batches))
        long_costs.append(cost_beside(workload, long, batches))
    short_cost, long_cost = median(short_costs), median(long_costs)
    ratio = long_cost / short_cost
    click.echo(
        f"one key, {workload(long).title}: {short_cost:.2f} us an element beside {SHORT:,} buffered ones"
        f" ({min(short_costs):.2f} to {max(short_costs):.2f}), {long_cost:.2f} us beside {long:,}"
        f" ({min(long_costs):.2f} to {max(long_costs):.2f}): {ratio:.2f} times"
    )
    return ratio


@click.command()
@click.option("--quick", is_flag=True, help=f"One short run, with {QUICK_LONG:,} elements instead of {LONG:,}.")
@click.option("--runs", default=5, show_default=True, type=click.IntRange(min=1), help="Runs of each measurement.")
def main(quick: bool, runs: int) -> None:
    """Measure what an element of an interval join costs, beside a short and beside a long buffer of its key.

    Fails if the long buffer makes it more than twice as expensive.
    """
    long, runs, batches = (QUICK_LONG, 1, 10) if quick else (LONG, runs, 40)
    worst = max(measure(workload, long, runs, batches) for workload in (far_watermark, far_bounds))
    stores: list[tuple[str, PageStore]] = [("a page store", MemoryPageStore()), ("memory", NoPages())]
    for stored, store in stores:
        each = cost(JoinRun(many_keys(), store), 4 * many_keys().watermark_delay, batches)
        click.echo(f"{many_keys().title}, state in {stored}: {1e6 / each:,.0f} elements/s")
    if worst > MOST:
        click.echo(f"{worst:.2f} times is more than the {MOST:g} times that are allowed")
        sys.exit(1)


if __name__ == "__main__":
    main()
