"""Nexmark's queries 5, 7, 8, 11 and 12 on streams of rows."""

from __future__ import annotations

from bench.jobs.events import Events
from bench.nexmark.functions import (
    AtEndOfWindowOrInput,
    BidOfPrice,
    Count,
    CountOfWindow,
    Hottest,
    NewSeller,
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

    As the query is published: bids are joined with the highest price of their window, which has the window's last
    millisecond for its time.
    """
    all_bids = bids(env, events)
    by_window = all_bids.map(lambda bid: (bid.timestamp // 10_000, bid.price)).key_by(lambda bid: bid[0])
    highest = by_window.window(TEN_SECONDS).reduce(lambda a, b: (a[0], max(a[1], b[1])))
    joined = all_bids.key_by(lambda bid: bid.price).interval_join(highest.key_by(lambda price: price[1]))
    return joined.between(Time.milliseconds(0), Time.milliseconds(9_999)).process(BidOfPrice())


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
    keyed = bids(env, events).key_by(lambda bid: bid.person)
    return keyed.window(windows).trigger(AtEndOfWindowOrInput()).aggregate(Count(), CountOfWindow())
