"""What a fetch has brought is gone through split by split."""

import pytest

from tests.connectors.source_reader.numbers import Numbers
from windrow.connectors.source_reader import RecordsBySplits, RecordsWithSplitIds


class Countdown(RecordsWithSplitIds[int]):
    """One split, whose records are made as they are asked for."""

    def __init__(self, start):
        self.left = start
        self.splits = ["only"]

    def next_split(self):
        return self.splits.pop() if self.splits else None

    def next_record_from_split(self):
        self.left -= 1
        return self.left + 1 if self.left >= 0 else None

    def finished_splits(self):
        return ()


def test_there_is_nothing_before_the_first_split():
    """The first record is behind the first next_split."""
    fetched = RecordsBySplits({"a": [1]})
    assert fetched.next_record_from_split() is None
    assert fetched.next_split() == "a"
    assert fetched.next_record_from_split() == 1


def test_records_come_one_by_one_and_end_with_none():
    """After a split's last record comes None, as often as it is asked."""
    fetched = RecordsBySplits({"a": [1, 2], "b": [3]})
    assert fetched.next_split() == "a"
    assert [fetched.next_record_from_split() for _ in range(4)] == [1, 2, None, None]
    assert fetched.next_split() == "b"
    assert fetched.next_record_from_split() == 3
    assert fetched.next_split() is None
    assert fetched.next_record_from_split() is None


def test_the_next_split_leaves_what_is_left_of_the_last():
    """A split need not be gone through to its end."""
    fetched = RecordsBySplits({"a": [1, 2], "b": [3]})
    assert (fetched.next_split(), fetched.next_split(), fetched.next_record_from_split()) == ("a", "b", 3)


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("make", [lambda: RecordsBySplits({"only": [5, 4, 3, 2, 1]}), lambda: Countdown(5)])
def test_several_records_at_once_are_the_same_records(make, limit):
    """next_records_from_split gives portions of at most so many, and nothing at the end."""
    fetched = make()
    fetched.next_split()
    portions = []
    while len(portion := fetched.next_records_from_split(limit)):
        assert len(portion) <= limit
        portions.extend(portion)
    assert portions == [5, 4, 3, 2, 1]


def test_none_can_be_a_record_of_a_list():
    """Several at once need no mark for the end."""
    fetched = RecordsBySplits({"a": [None, 1]})
    fetched.next_split()
    assert list(fetched.next_records_from_split(10)) == [None, 1]


def test_a_builder_takes_splits_and_their_ids():
    """Records of a split keep the order in which they were added."""
    split = Numbers("a", 0, 9)
    fetched = (
        RecordsBySplits.builder()
        .add(split, 1)
        .add_all("a", [2, 3])
        .add("b", 4)
        .add_finished_split(split)
        .add_finished_splits(["c", Numbers("d", 0, 1)])
        .build()
    )
    assert fetched.next_split() == "a"
    assert list(fetched.next_records_from_split(9)) == [1, 2, 3]
    assert fetched.finished_splits() == {"a", "c", "d"}


@pytest.mark.parametrize(
    ("fetched", "empty"),
    [
        (RecordsBySplits({}), True),
        (RecordsBySplits({"a": []}), True),
        (RecordsBySplits({"a": []}, {"a"}), False),
        (RecordsBySplits({"a": [1]}), False),
        (Countdown(0), False),
    ],
)
def test_only_what_certainly_holds_nothing_is_empty(fetched, empty):
    """A finished split is something, and who does not know says no."""
    assert fetched.is_empty() is empty
