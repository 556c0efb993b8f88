"""The user functions of Nexmark's queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from windrow.common import Row
from windrow.datastream.functions import AggregateFunction, CoGroupFunction, ProcessJoinFunction, ProcessWindowFunction
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


class Hottest(ProcessWindowFunction[Counted, Counted, int, TimeWindow]):
    """The largest counts of a window, all of them if they tie."""

    def process(
        self, key: int, context: ProcessWindowFunction.Context[TimeWindow], elements: Iterable[Counted]
    ) -> Iterator[Counted]:
        counts = list(elements)
        most = max(count for _, count, _ in counts)
        return (counted for counted in counts if counted[1] == most)


class BidOfPrice(ProcessJoinFunction):
    """A bid whose price is the highest of its window."""

    def process_element(self, left: Row, right: tuple[int, int], ctx: ProcessJoinFunction.Context) -> Iterator[Bid]:
        yield left.auction, left.person, left.price, left.timestamp


class NewSeller(CoGroupFunction):
    """A person of a window who has an auction in it."""

    def co_group(self, first: Iterable[Row], second: Iterable[Row]) -> Iterator[tuple[int, int, str]]:
        if any(True for _ in second):
            for person in first:
                yield person.person, person.timestamp // 10_000 * 10_000, person.name


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
