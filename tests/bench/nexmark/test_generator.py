"""Nexmark's events."""

from collections import Counter

import pytest

from bench.nexmark.generator import AUCTION, BID, FIRST_ID, HOT_EVERY, PERSON, events

ALL = events(0, 100_000)


def rows(kind: int) -> list[dict[str, int]]:
    return [row for row in ALL.to_pylist() if row["kind"] == kind]


def test_any_part_of_the_stream_can_be_made_by_itself() -> None:
    """An event follows from its number."""
    assert events(70_000, 70_123).equals(ALL.slice(70_000, 123).combine_chunks())


def test_of_fifty_events_one_is_a_person_and_three_are_auctions() -> None:
    """The proportions of the specification, in every fifty."""
    assert ALL["kind"].to_pylist()[:100] == ([PERSON] + [AUCTION] * 3 + [BID] * 46) * 2


def test_people_and_auctions_have_ids_in_their_order() -> None:
    """Both are counted from the same first id."""
    assert [row["person"] for row in rows(PERSON)] == list(range(FIRST_ID, FIRST_ID + 2_000))
    assert [row["auction"] for row in rows(AUCTION)] == list(range(FIRST_ID, FIRST_ID + 6_000))
    assert {row["name"] == "" for row in rows(PERSON)} == {False}


@pytest.mark.parametrize(
    ("kind", "field", "offset", "share"),
    [(BID, "auction", 0, 1 / 2), (BID, "person", 1, 3 / 4), (AUCTION, "person", 0, 3 / 4)],
)
def test_hot_ones_get_their_share(kind: int, field: str, offset: int, share: float) -> None:
    """The first auction and seller and the second bidder of a hundred are hot."""
    drawn = Counter((row[field] - FIRST_ID) % HOT_EVERY == offset for row in rows(kind))
    # Some of those that are drawn from all that are active are hot ones, too.
    assert drawn[True] / drawn.total() == pytest.approx(share, abs=0.03)


def test_bids_are_for_auctions_and_by_people_that_are_there_or_will_be_soon() -> None:
    """Nothing is more than ten ahead, and people are among the last thousand."""
    for number, row in enumerate(ALL.to_pylist()):
        if row["kind"] == BID:
            newest = FIRST_ID + number // 50
            assert max(newest - 999, FIRST_ID) - HOT_EVERY <= row["person"] <= newest + 10
            assert FIRST_ID <= row["auction"] <= FIRST_ID + number // 50 * 3 + 2 + 10


def test_prices_are_spread_by_their_logarithm() -> None:
    """Between 100 and a hundred million, a sixth of them in each power of ten."""
    powers = Counter(len(str(row["price"])) for row in rows(BID))
    assert sum(powers[digits] for digits in range(3, 9)) >= powers.total() - 5
    assert all(powers[digits] / powers.total() == pytest.approx(1 / 6, abs=0.01) for digits in range(3, 9))
