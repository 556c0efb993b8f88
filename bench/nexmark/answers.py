"""What the queries have to find, computed from the events in plain Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise

from bench.jobs.answers import Result, window_starts
from bench.jobs.events import Events
from bench.nexmark.generator import AUCTION, BID, PERSON, events

#: Kind, auction, person, price and time.
Plain = tuple[int, int, int, int, int]


def plain(count: int) -> list[Plain]:
    """The events without their names."""
    table = events(0, count).drop_columns(["name"])
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def _bids(count: int) -> Iterator[tuple[int, int, int, int]]:
    return (event[1:] for event in plain(count) if event[0] == BID)


def all_bids(events_: Events) -> Iterator[Result]:
    """Query 0."""
    return _bids(events_.count)


def bids_in_euros(events_: Events) -> Iterator[Result]:
    """Query 1, with prices in thousandths."""
    return ((auction, bidder, 908 * price, time) for auction, bidder, price, time in _bids(events_.count))


def bids_of_some_auctions(events_: Events) -> Iterator[Result]:
    """Query 2."""
    return ((auction, price) for auction, _, price, _ in _bids(events_.count) if auction % 123 == 0)


def local_items(events_: Events) -> Iterator[Result]:
    """Query 3: auctions of category 10 whose sellers live in three of six states."""
    every = plain(events_.count)
    people = {event[2] for event in every if event[0] == PERSON and event[2] % 6 in (1, 2, 3)}
    return (
        (auction,) for kind, auction, seller, *_ in every if kind == AUCTION and auction % 5 == 0 and seller in people
    )


def average_prices(events_: Events) -> Iterator[Result]:
    """Query 4: the mean of the highest prices of each category's auctions, cut off."""
    every = plain(events_.count)
    begins = {event[1]: event[4] for event in every if event[0] == AUCTION}
    highest: Counter[int] = Counter()
    for auction, _, price, time in _bids(events_.count):
        begin = begins.get(auction)
        if begin is not None and begin <= time <= begin + 20 + 20 * (auction % 7):
            highest[auction] = max(highest[auction], price)
    for category in range(10, 15):
        of_category = [price for auction, price in highest.items() if 10 + auction % 5 == category]
        yield category, sum(of_category) // len(of_category)


def hot_items(events_: Events) -> Iterator[Result]:
    """Query 5."""
    counts: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for auction, _, _, time in _bids(events_.count):
        for start in window_starts(time, 10_000, 2_000):
            counts[start][auction] += 1
    for start, by_auction in counts.items():
        most = max(by_auction.values())
        yield from ((auction, most, start + 10_000) for auction, count in by_auction.items() if count == most)


def highest_bids(events_: Events) -> Iterator[Result]:
    """Query 7."""
    by_window = defaultdict(list)
    for bid in _bids(events_.count):
        by_window[bid[3] // 10_000].append(bid)
    for bids in by_window.values():
        highest = max(price for _, _, price, _ in bids)
        yield from (bid for bid in bids if bid[2] == highest)


def new_users(events_: Events) -> Iterable[Result]:
    """Query 8."""
    seen: dict[int, set[Result]] = {PERSON: set(), AUCTION: set()}
    for kind, _, person, _, time in plain(events_.count):
        if kind in seen:
            seen[kind].add((person, time // 10_000 * 10_000))
    return seen[PERSON] & seen[AUCTION]


def user_sessions(events_: Events) -> Iterator[Result]:
    """Query 11."""
    times = defaultdict(list)
    for _, bidder, _, time in _bids(events_.count):
        times[bidder].append(time)
    for bidder, moments in times.items():
        count = 1
        for before, time in pairwise(sorted(moments)):
            if time - before > 10_000:
                yield bidder, count, before + 10_000
                count = 0
            count += 1
        yield bidder, count, max(moments) + 10_000


def bids_by_clock(events_: Events) -> Iterator[Result]:
    """Query 12: a bidder for each bid, whatever the clock has made of them."""
    return ((bidder,) for _, bidder, _, _ in _bids(events_.count))
