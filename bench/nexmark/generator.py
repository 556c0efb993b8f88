"""Nexmark's events, made as its specification says.

Of 50 events one is a new person, three are new auctions and 46 are bids, 10,000 of them per second of event time and in
order. Half of the bids are for the hot auction, the first of the last hundred; three quarters of the auctions have a
hot seller, three quarters of the bids a hot bidder, and the others are drawn from 100 auctions and 1,000 people that
are active, with a lead of ten that are not there yet. Prices are spread evenly by their logarithm.

An event's draws follow from its number alone (SplitMix64), so any part of the stream can be made by itself. The texts
that no query here looks at (addresses, descriptions, channels, the padding) are left out; people have names.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

PERSON, AUCTION, BID = 0, 1, 2
#: Of 50 events: the first is a person, the next three are auctions.
PROPORTIONS = 1, 3, 46
TOTAL = sum(PROPORTIONS)
EVENTS_PER_MS = 10
FIRST_ID = 1_000
#: The hot ones change with every hundredth person and auction.
HOT_EVERY = 100
HOT_AUCTIONS, HOT_SELLERS, HOT_BIDDERS = 2, 4, 4
ACTIVE_PEOPLE, AUCTIONS_IN_FLIGHT, LEAD = 1_000, 100, 10
FIRST_NAMES = ("Peter", "Paul", "Luke", "John", "Saul", "Vicky", "Kate", "Julie", "Sarah", "Deiter", "Walter")
LAST_NAMES = ("Shultz", "Abrams", "Spencer", "White", "Bartels", "Walton", "Smith", "Jones", "Noris")

SCHEMA = pa.schema(
    [(name, pa.int64()) for name in ("kind", "auction", "person", "price", "timestamp")] + [("name", pa.string())]
)

_Longs = npt.NDArray[np.int64]


def events(start: int, stop: int) -> pa.Table:
    """The events with these numbers.

    A bid has its auction, its bidder as ``person`` and its price; an auction its own number as ``auction``, its seller
    as ``person`` and its first price; a person its own number and a name. What an event does not have is 0 or empty.
    """
    number = np.arange(start, stop, dtype=np.int64)
    offset = number % TOTAL
    kind = np.where(offset < PROPORTIONS[0], PERSON, np.where(offset < sum(PROPORTIONS[:2]), AUCTION, BID))
    newest_person, newest_auction = last_person(number), last_auction(number)
    hot = newest_person // HOT_EVERY * HOT_EVERY
    person = np.choose(
        kind,
        [
            newest_person,
            np.where(_below(number, 0, HOT_SELLERS) > 0, hot, _some_person(number, newest_person)),
            np.where(_below(number, 0, HOT_BIDDERS) > 0, hot + 1, _some_person(number, newest_person)),
        ],
    )
    hot_auction = newest_auction // HOT_EVERY * HOT_EVERY
    auction_of_bid = np.where(_below(number, 2, HOT_AUCTIONS) > 0, hot_auction, _some_auction(number, newest_auction))
    auction = np.choose(kind, [-FIRST_ID, newest_auction, auction_of_bid])
    price = np.where(kind == PERSON, 0, np.rint(10 ** (6 * _fraction(number, 4)) * 100).astype(np.int64))
    first, last = _below(number, 5, len(FIRST_NAMES)), _below(number, 6, len(LAST_NAMES))
    names = [
        f"{FIRST_NAMES[i]} {LAST_NAMES[j]}" if one == PERSON else ""
        for one, i, j in zip(kind, first, last, strict=True)
    ]
    columns = [kind, auction + FIRST_ID, person + FIRST_ID, price, number // EVENTS_PER_MS, names]
    return pa.table(columns, schema=SCHEMA)


def last_person(number: _Longs) -> _Longs:
    """The newest person when an event is made, counted from 0; an event's own if it is a person."""
    return number // TOTAL


def last_auction(number: _Longs) -> _Longs:
    """The newest auction when an event is made, counted from 0; an event's own if it is an auction.

    >>> last_auction(np.array([1, 3, 4, 49, 50, 51])).tolist()
    [0, 2, 2, 2, 2, 3]
    """
    people, auctions, _ = PROPORTIONS
    # Before an auction of its own round, an event knows those of the round before.
    return number // TOTAL * auctions + np.minimum(number % TOTAL - people, auctions - 1)


def _some_person(number: _Longs, newest: _Longs) -> _Longs:
    active = np.minimum(newest + 1, ACTIVE_PEOPLE)
    return newest + 1 - active + _below(number, 1, active + LEAD)


def _some_auction(number: _Longs, newest: _Longs) -> _Longs:
    oldest = np.maximum(newest - AUCTIONS_IN_FLIGHT, 0)
    return oldest + _below(number, 3, newest - oldest + 1 + LEAD)


def _bits(number: _Longs, draw: int) -> npt.NDArray[np.uint64]:
    """The bits of one of an event's eight draws."""
    mixed = (number.astype(np.uint64) * np.uint64(8) + np.uint64(draw + 1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return mixed ^ mixed >> np.uint64(31)


def _below(number: _Longs, draw: int, limit: int | _Longs) -> _Longs:
    """A draw from the integers below a limit of at most 2^31."""
    limits = np.asarray(limit, dtype=np.uint64)
    return ((_bits(number, draw) >> np.uint64(32)) * limits >> np.uint64(32)).astype(np.int64)


def _fraction(number: _Longs, draw: int) -> npt.NDArray[np.float64]:
    """A draw from 0 to 1."""
    return (_bits(number, draw) >> np.uint64(11)).astype(np.float64) / 2**53
