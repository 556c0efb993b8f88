"""Nexmark's queries 5, 7, 8, 11 and 12 on streams of rows."""

from __future__ import annotations

from bench.jobs.events import Events
from bench.nexmark.functions import (
    AtEndOfWindowOrInput,
    Count,
    CountOfWindow,
    Highest,
    Hottest,
    NewSeller,
    SumOfWindow,
    highest_of_windows,
)
from bench.nexmark.generator import AUCTION, BID, PERSON
from windrow.common import Duration, Row, Time, Types, WatermarkStrategy
from windrow.common.watermark_strategy import TimestampAssigner
from windrow.datastream import DataStream, StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileSource
from windrow.datastream.formats.parquet import ParquetColumnarRowInputFormat
from windrow.datastream.window import (
    EventTimeSessionWindows,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)

ROWS = Types.ROW_NAMED(
    ["kind", "auction", "person", "price", "timestamp", "name"], [Types.LONG()] * 5 + [Types.STRING()]
)
BIDS = Types.TUPLE([Types.LONG()] * 4)
TEN_SECONDS = TumblingEventTimeWindows.of(Time.seconds(10))


class RowTime(TimestampAssigner):
    """A row carries its own timestamp."""

    def extract_timestamp(self, value: Row, record_timestamp: int) -> int:
        return int(value.timestamp)


def rows(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """All events of the files."""
    folder = str(events.files / str(events.count)) if events.files else ""
    source = FileSource.for_bulk_file_format(ParquetColumnarRowInputFormat(ROWS), folder).build()
    watermarks = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_seconds(4))
    return env.from_source(source, watermarks.with_timestamp_assigner(RowTime()), "nexmark")


def bids(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """The bids alone."""
    return rows(env, events).filter(lambda event: event.kind == BID)


def hot_items(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """Query 5: the auctions with the most bids in the last 10 s, every 2 s: (auction, bids, end of the window)."""
    windows = SlidingEventTimeWindows.of(Time.seconds(10), Time.seconds(2))
    counts = bids(env, events).key_by(lambda bid: bid.auction).window(windows).aggregate(Count(), CountOfWindow())
    by_window = counts.key_by(lambda count: count[2])
    return by_window.window(TumblingEventTimeWindows.of(Time.seconds(2))).process(Hottest())


def highest_bids(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """Query 7: the bids with the highest price of each 10 s, all if they tie: (auction, bidder, price, time).

    A bid that others of its window surpass, among those that come together, does not cross the exchange.
    """
    all_bids = bids(env, events).map(lambda bid: (bid.auction, bid.person, bid.price, bid.timestamp))
    some = all_bids.map_batch(highest_of_windows, BIDS, timestamps="time")
    by_window = some.key_by(lambda bid: bid[3] // 10_000).window(TEN_SECONDS)
    return by_window.process(Highest())


def new_users(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """Query 8: people who have come and put something up for auction in the same 10 s: (person, window, name)."""
    all_rows = rows(env, events)
    people = all_rows.filter(lambda event: event.kind == PERSON)
    auctions = all_rows.filter(lambda event: event.kind == AUCTION)
    joined = people.co_group(auctions).where(lambda row: row.person).equal_to(lambda row: row.person)
    return joined.window(TEN_SECONDS).apply(NewSeller())


def user_sessions(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """Query 11: how many bids a user made in each session: (bidder, bids, end of the session)."""
    windows = EventTimeSessionWindows.with_gap(Time.seconds(10))
    return bids(env, events).key_by(lambda bid: bid.person).window(windows).aggregate(Count(), CountOfWindow())


def bids_by_clock(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """Query 12: how many bids a user made in each 10 s of processing time: (bidder, bids, end of the window)."""
    windows = TumblingProcessingTimeWindows.of(Time.seconds(10))
    ones = bids(env, events).map(lambda bid: (bid.person, 1)).key_by(lambda one: one[0])
    windowed = ones.window(windows).trigger(AtEndOfWindowOrInput())
    return windowed.reduce(lambda a, b: (a[0], a[1] + b[1]), SumOfWindow())
