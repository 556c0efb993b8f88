"""The user functions of Nexmark's queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa

from windrow.common import Row
from windrow.datastream.functions import AggregateFunction, CoGroupFunction, ProcessWindowFunction
from windrow.datastream.window import TimeWindow, Trigger, TriggerResult

#: An auction, or a bidder; a number of bids; the end of a window.
Counted = tuple[int, int, int]
#: Auction, bidder, price and time.
Bid = tuple[int, int, int, int]


class Count(AggregateFunction):
    """How many elements there are."""

    def create_accumulator(self) -> int:
        return 0

    def add(self, value: Row, accumulator: int) -> int:
        return accumulator + 1

    def get_result(self, accumulator: int) -> int:
        return accumulator

    def merge(self, a: int, b: int) -> int:
        return a + b


class CountOfWindow(ProcessWindowFunction[int, Counted, int, TimeWindow]):
    """A count with its key and the end of its window."""

    def process(
        self, key: int, context: ProcessWindowFunction.Context[TimeWindow], elements: Iterable[int]
    ) -> Iterator[Counted]:
        for count in elements:
            yield key, count, context.window().end


class SumOfWindow(ProcessWindowFunction[tuple[int, int], Counted, int, TimeWindow]):
    """The same of a count that is summed from ones."""

    def process(
        self, key: int, context: ProcessWindowFunction.Context[TimeWindow], elements: Iterable[tuple[int, int]]
    ) -> Iterator[Counted]:
        for summed in elements:
            yield key, summed[1], context.window().end


class Hottest(ProcessWindowFunction[Counted, Counted, int, TimeWindow]):
    """The largest counts of a window, all of them if they tie."""

    def process(
        self, key: int, context: ProcessWindowFunction.Context[TimeWindow], elements: Iterable[Counted]
    ) -> Iterator[Counted]:
        counts = list(elements)
        most = max(count for _, count, _ in counts)
        return (counted for counted in counts if counted[1] == most)


def highest_of_windows(bids: pa.Table) -> pa.Table:
    """The bids with the highest price of each 10 s among those of a table: auction, bidder, price, time; ``time``."""
    windows, prices = bids["f3"].to_numpy() // 10_000, bids["f2"].to_numpy()
    # They came together, so they are of few windows that follow each other.
    windows -= windows.min()
    highest = np.zeros(windows.max() + 1, np.int64)
    np.maximum.at(highest, windows, prices)
    return bids.take(np.flatnonzero(prices == highest[windows]))


class Highest(ProcessWindowFunction[Bid, Bid, int, TimeWindow]):
    """The bids with the highest price of a window, all of them if they tie."""

    def process(
        self, key: int, context: ProcessWindowFunction.Context[TimeWindow], elements: Iterable[Bid]
    ) -> Iterator[Bid]:
        bids = list(elements)
        highest = max(price for _, _, price, _ in bids)
        return (bid for bid in bids if bid[2] == highest)


class NewSeller(CoGroupFunction):
    """A person of a window who has an auction in it."""

    def co_group(self, first: Iterable[Row], second: Iterable[Row]) -> Iterator[tuple[int, int, str]]:
        for _ in second:
            for person in first:
                yield person.person, person.timestamp // 10_000 * 10_000, person.name
            return


class AtEndOfWindowOrInput(Trigger[Row, TimeWindow]):
    """Fires a window of processing time at its end, and what is still open when the input ends.

    A clock stands still for who has no more input, and its timers are dropped, as in Flink. The watermark does pass
    every time then, the window's end on the clock as well.
    """

    def on_element(
        self, element: Row, timestamp: int, window: TimeWindow, ctx: Trigger.TriggerContext
    ) -> TriggerResult:
        ctx.register_processing_time_timer(window.max_timestamp())
        ctx.register_event_time_timer(window.max_timestamp())
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        return TriggerResult.FIRE_AND_PURGE

    def on_event_time(self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        return TriggerResult.FIRE_AND_PURGE

    def on_merge(self, window: TimeWindow, ctx: Trigger.OnMergeContext) -> None:
        """Windows of a clock do not merge."""

    def clear(self, window: TimeWindow, ctx: Trigger.TriggerContext) -> None:
        ctx.delete_processing_time_timer(window.max_timestamp())
        ctx.delete_event_time_timer(window.max_timestamp())
