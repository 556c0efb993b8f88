"""The first rows of all so far, as changes."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.operators.table.changes import DELETE, INSERT, TAKES_BACK, UPDATE_AFTER, UPDATE_BEFORE
from windrow.operators.table.top_changes import KeepLastOperator, TopChangesOperator, sort_key
from windrow.testing import OperatorHarness

BY_VALUE = [(1, False, True)]


def harness_of(operator, snapshot=None):
    return OperatorHarness(operator, lambda row: row[0], snapshot=snapshot)


def top(least, most, *, numbered, retracts):
    return TopChangesOperator(BY_VALUE, least, most, numbered=numbered, retracts=retracts)


def applied(changes, rows=None):
    """The rows that are there after changes; one that takes back what is not there is an error."""
    rows = Counter() if rows is None else rows
    for *row, kind in changes:
        if kind in TAKES_BACK:
            assert rows[tuple(row)] > 0, (row, kind)
            rows[tuple(row)] -= 1
        else:
            rows[tuple(row)] += 1
    return +rows


def test_a_row_pushes_another_one_out():
    """Without numbers the one that goes is deleted before the new one comes."""
    harness = harness_of(top(1, 2, numbered=False, retracts=False))
    for value in (5, 3, 4, 9):
        harness.process_element(("k", "a", value), 0)
    assert harness.values() == [
        ("a", 5, None, INSERT),
        ("a", 3, None, INSERT),
        ("a", 5, None, DELETE),
        ("a", 4, None, INSERT),
    ]


def test_the_number_of_a_single_row_is_one():
    """It is known without counting, so whoever asks for it gets it, behind what takes rows back as well."""
    harness = harness_of(top(1, 1, numbered=False, retracts=True))
    for value, kind in ((5, INSERT), (3, INSERT), (3, DELETE)):
        harness.process_element(("k", "a", value, kind), 0)
    assert harness.values() == [
        ("a", 5, 1, INSERT),
        ("a", 5, 1, DELETE),
        ("a", 3, 1, INSERT),
        ("a", 3, 1, DELETE),
        ("a", 5, 1, INSERT),
    ]


def test_a_number_that_gets_another_row_is_updated():
    """The old row comes with the number, then the new one; a number that is new is inserted."""
    harness = harness_of(top(1, 2, numbered=True, retracts=False))
    for value in (5, 3):
        harness.process_element(("k", "a", value), 0)
    assert harness.values() == [
        ("a", 5, 1, INSERT),
        ("a", 5, 1, UPDATE_BEFORE),
        ("a", 3, 1, UPDATE_AFTER),
        ("a", 5, 2, INSERT),
    ]


def test_a_key_without_rows_has_no_state():
    """When the last row is taken back."""
    harness = harness_of(top(1, 2, numbered=True, retracts=True))
    harness.process_element(("k", "a", 1, INSERT), 0)
    harness.process_element(("k", "a", 1, DELETE), 0)
    harness.process_element(("k", "a", 1, DELETE), 0)  # what is not there is not taken back
    assert harness.values() == [("a", 1, 1, INSERT), ("a", 1, 1, DELETE)]
    assert harness.num_state_entries() == 0


steps = st.lists(st.tuples(st.sampled_from("ab"), st.one_of(st.none(), st.integers(0, 4)), st.booleans()), max_size=30)


@given(steps, st.integers(1, 3), st.integers(0, 2), st.booleans(), st.booleans(), st.sets(st.integers(0, 30)))
def test_changes_lead_to_the_first_rows(drawn, least, more, numbered, retracts, cuts):
    """After each tuple, whatever is taken back, in the middle of which there may be a checkpoint."""
    most = least + more
    harness = harness_of(top(least, most, numbered=numbered, retracts=retracts))
    held, shown = {"a": [], "b": []}, Counter()
    for number, (key, value, takes_back) in enumerate(drawn):
        if number in cuts:
            harness = harness_of(top(least, most, numbered=numbered, retracts=retracts), harness.snapshot())
        rows = held[key]
        if retracts and takes_back and rows:
            row = rows.pop(number % len(rows))
            harness.process_element((key, *row, DELETE), 0)
        else:
            row = (key, value)
            rows.append(row)
            rows.sort(key=sort_key(BY_VALUE))
            harness.process_element((key, *row, INSERT) if retracts else (key, *row), 0)
        shown = applied(harness.values(), shown)
        harness.take_output()
        # Rows that are alike are all one, so it does not matter which of them has which number.
        numbers = numbered or least > 1 or most == 1
        expected = Counter(
            (*row, place if numbers else None)
            for rows in held.values()
            for place, row in enumerate(rows, 1)
            if least <= place <= most
        )
        assert shown == expected


@pytest.mark.parametrize("cut", [False, True])
def test_the_last_row_by_time_is_kept(cut):
    """One of the same time takes its place, an older one does not; also behind a checkpoint."""
    harness = harness_of(KeepLastOperator(1))
    harness.process_element(("k", "a", 5), 0)
    if cut:
        assert harness.values() == [("a", 5, 1, INSERT)]
        harness = harness_of(KeepLastOperator(1), harness.snapshot())
    for name, time in (("b", 4), ("c", 5)):
        harness.process_element(("k", name, time), 0)
    changes = harness.values() if cut else harness.values()[1:]
    assert changes == [("a", 5, 1, UPDATE_BEFORE), ("c", 5, 1, UPDATE_AFTER)]
