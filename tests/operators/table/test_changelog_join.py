"""Joins of rows that come and go: what is left of the results is the join of what is left of both sides."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.operators.two_input_harness import TwoInputHarness
from windrow.expressions import logical_types as lt
from windrow.expressions.nodes import Call, InputRef
from windrow.operators.table.changelog_join import ChangelogJoinOperator
from windrow.operators.table.changes import DELETE, INSERT
from windrow.operators.table.joins import Condition

KINDS = ["INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI"]
TYPES = [lt.STRING, lt.INT, lt.STRING, lt.INT]
LESS = Call("<", (InputRef(1, lt.INT), InputRef(3, lt.INT)), lt.BOOLEAN)


def harness_of(kind, condition=None, ttl=1000, snapshot=None):
    """Rows are ``(key, key, value, kind)``: the first one tells rows apart, the second one is the column joined."""
    operator = ChangelogJoinOperator(
        kind, ([0], [0]), (2, 2), Condition(TYPES, condition), changes=(True, True), kinds=True, ttl=ttl
    )
    return TwoInputHarness(operator, lambda row: row[0], lambda row: row[0], snapshot=snapshot)


def put(harness, side, key, value, kind=INSERT):
    process = harness.process_element1 if side == 0 else harness.process_element2
    process((str(key), key, value, kind), 0)


def left_of(harness):
    """What is left of all changes; nothing is taken back that is not there."""
    rows = Counter()
    for record in harness.records():
        *fields, kind = record.value
        rows[tuple(fields)] += 1 if kind in (0, 2) else -1
        assert rows[tuple(fields)] >= 0
    return sorted(rows.elements(), key=repr)


def joined(kind, lefts, rights, fits):
    """The same by the definition of a join."""
    pairs = [(a, b) for a in range(len(lefts)) for b in range(len(rights)) if fits(lefts[a], rights[b])]
    met = {a for a, _ in pairs}, {b for _, b in pairs}
    if kind in ("SEMI", "ANTI"):
        return sorted([row for a, row in enumerate(lefts) if (a in met[0]) is (kind == "SEMI")], key=repr)
    made = [lefts[a] + rights[b] for a, b in pairs]
    if kind in ("LEFT", "FULL"):
        made += [(*row, None, None) for a, row in enumerate(lefts) if a not in met[0]]
    if kind in ("RIGHT", "FULL"):
        made += [(None, None, *row) for b, row in enumerate(rights) if b not in met[1]]
    return sorted(made, key=repr)


@given(
    st.sampled_from(KINDS),
    st.booleans(),
    st.lists(st.tuples(st.integers(0, 1), st.sampled_from(["a", "b", None]), st.sampled_from([1, 2, None]))),
    st.data(),
)
def test_what_is_left_is_the_join_of_what_is_left(kind, has_condition, steps, data):
    """Of all kinds, with rows that are alike, NULL, deletions, and a checkpoint anywhere."""
    condition = LESS if has_condition else None
    harness, sides = harness_of(kind, condition), ([], [])
    records = []
    for side, key, value in steps:
        there = sides[side]
        if there and data.draw(st.booleans()):
            row = there.pop(data.draw(st.integers(0, len(there) - 1)))
            put(harness, side, *row, DELETE)
        else:
            there.append((key, value))
            put(harness, side, key, value)
        if data.draw(st.booleans()):
            records += harness.records()
            harness = harness_of(kind, condition, snapshot=harness.snapshot())

    def fits(one, other):
        less = not has_condition or (None not in (one[1], other[1]) and one[1] < other[1])
        return one[0] is not None and one[0] == other[0] and less

    records += harness.records()
    harness.records = lambda: records
    assert left_of(harness) == joined(kind, *sides, fits)


def test_what_was_never_there_is_not_taken_back():
    """A deletion of a row that is not kept, because it has lived long enough, changes nothing."""
    harness = harness_of("LEFT")
    put(harness, 0, "a", 1, DELETE)
    put(harness, 1, "a", 1, DELETE)
    assert harness.records() == []


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_forgotten(kind):
    """They have lived for their time since they were last written; then nothing meets them, and nothing is kept."""
    harness = harness_of(kind, ttl=100)
    put(harness, 0, "a", 1)
    harness.set_processing_time(60)
    put(harness, 0, "a", 2)
    harness.set_processing_time(100)
    put(harness, 1, "a", 5)
    values = {value for _, value, *other, _ in map(tuple, harness.values()) if other == ["a", 5]}
    assert values == (set() if kind in ("SEMI", "ANTI") else {2})
    harness.set_processing_time(1000)
    assert harness.num_processing_timers() == 0
    assert harness.num_state_entries() == 0


def test_values_that_python_cannot_hash_are_rows_as_well():
    """NaN is like NaN, and lists and maps are values."""
    harness = harness_of("INNER")
    for value in (float("nan"), [1], {"k": [1]}):
        put(harness, 0, "a", value)
    for value in (float("nan"), [1], {"k": [1]}):
        put(harness, 0, "a", value, DELETE)
    put(harness, 1, "a", 1)
    assert harness.records() == []
