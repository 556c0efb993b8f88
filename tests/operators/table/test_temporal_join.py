"""Rows with the version that was valid at their time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.operators.two_input_harness import TwoInputHarness
from windrow.common.limits import MAX_WATERMARK
from windrow.errors import UserFunctionError
from windrow.expressions import logical_types as lt
from windrow.expressions.nodes import Call, InputRef, Literal
from windrow.operators.table.changes import DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE
from windrow.operators.table.joins import Condition
from windrow.operators.table.temporal_join import TemporalJoinOperator


def harness_of(*, outer=False, changes=False, condition=None, snapshot=None):
    """Rows are ``(key, key, value)``: the first one tells rows apart, the second one is the column that is joined."""
    types = [lt.STRING, lt.INT, lt.STRING, lt.INT]
    operator = TemporalJoinOperator([0], [0], 2, Condition(types, condition), outer=outer, changes=changes)
    return TwoInputHarness(operator, lambda row: row[0], lambda row: row[0], snapshot=snapshot)


def left(harness, key, value, time):
    harness.process_element1((str(key), key, value), time)


def version(harness, key, value, time, *kind):
    harness.process_element2((str(key), key, value, *kind), time)


def taken(harness):
    found = [tuple(record) for record in harness.records()]
    return [((row[1], row[3]), time) for row, time in found]


@pytest.mark.parametrize("cut", [False, True])
def test_rows_wait_for_the_watermark_and_meet_the_version_at_their_time(cut):
    """Whatever comes first; of two versions with one time the last one that came. A checkpoint changes nothing."""
    harness = harness_of()
    left(harness, "a", 1, 10)
    version(harness, "a", 100, 12)
    version(harness, "a", 101, 5)
    if cut:
        harness = harness_of(snapshot=harness.snapshot())
    left(harness, "a", 2, 12)
    version(harness, "a", 102, 5)
    harness.process_watermark(9)
    assert taken(harness) == []
    harness.process_watermark(12)
    assert taken(harness) == [((1, 102), 10), ((2, 100), 12)]


def test_a_row_without_a_version_goes_out_only_of_a_left_join():
    """Before a key's first version there is none; the join of both sides leaves such rows out."""
    for outer, expected in ((False, []), (True, [((1, None), 4)])):
        harness = harness_of(outer=outer)
        left(harness, "a", 1, 4)
        version(harness, "a", 100, 5)
        harness.process_watermark(10)
        assert taken(harness) == expected


def test_null_is_equal_to_nothing():
    """A row whose key is NULL has no version, also if there is one whose key is NULL."""
    harness = harness_of(outer=True)
    version(harness, None, 100, 1)
    left(harness, None, 1, 4)
    harness.process_watermark(10)
    assert taken(harness) == [((1, None), 4)]


def test_a_deleted_version_is_none():
    """From the time of a deletion on there is no version; what an update takes back is not one of its own."""
    harness = harness_of(outer=True, changes=True)
    version(harness, "a", 100, 1, INSERT)
    version(harness, "a", 100, 5, UPDATE_BEFORE)
    version(harness, "a", 101, 5, UPDATE_AFTER)
    version(harness, "a", 101, 8, DELETE)
    for number, time in enumerate((4, 5, 7, 8, 9)):
        left(harness, "a", number, time)
    harness.process_watermark(10)
    assert taken(harness) == [((0, 100), 4), ((1, 101), 5), ((2, 101), 7), ((3, None), 8), ((4, None), 9)]


def test_a_condition_is_asked_of_the_version():
    """Where it is not true a left join gives NULL, as if there were none."""
    greater = Call(">", (InputRef(3, lt.INT), Literal(100, lt.INT.not_null())), lt.BOOLEAN)
    for outer, expected in ((False, [((2, 101), 8)]), (True, [((1, None), 4), ((2, 101), 8)])):
        harness = harness_of(outer=outer, condition=greater)
        version(harness, "a", 100, 1)
        version(harness, "a", 101, 5)
        left(harness, "a", 1, 4)
        left(harness, "a", 2, 8)
        harness.process_watermark(10)
        assert taken(harness) == expected


def test_late_rows_join_what_is_still_there():
    """They go out with the next watermark; versions older than the newest one behind the watermark are forgotten."""
    harness = harness_of(outer=True)
    version(harness, "a", 100, 1)
    version(harness, "a", 101, 5)
    version(harness, "a", 102, 15)
    harness.process_watermark(10)
    left(harness, "a", 1, 4)
    left(harness, "a", 2, 6)
    assert taken(harness) == []
    harness.process_watermark(11)
    assert taken(harness) == [((1, None), 4), ((2, 101), 6)]


def test_an_error_names_a_row():
    """What the condition fails with is told with one of the rows."""
    failing = Call("/", (InputRef(1, lt.INT), InputRef(3, lt.INT)), lt.INT)
    condition = Call("=", (failing, Literal(1, lt.INT)), lt.BOOLEAN)
    harness = harness_of(condition=condition)
    version(harness, "a", 0, 1)
    left(harness, "a", 7, 4)
    with pytest.raises(UserFunctionError, match="'a', 7"):
        harness.process_watermark(10)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("left"), st.sampled_from("ab"), st.integers(0, 20)),
        st.tuples(st.just("version"), st.sampled_from("ab"), st.integers(0, 20)),
        st.tuples(st.just("watermark"), st.just(""), st.integers(0, 20)),
        st.tuples(st.just("restart"), st.just(""), st.just(0)),
    ),
    max_size=40,
)


def expected(steps):
    """By key the pairs, from the whole list: each row meets the newest version up to its time."""
    versions = [(time, number, key) for number, (kind, key, time) in enumerate(steps) if kind == "version"]
    found = {}
    watermark, waiting = -1, []
    for number, (kind, key, time) in enumerate([*steps, ("watermark", "", 99)]):
        if kind == "left":
            waiting.append((time, number, key))
        elif kind == "watermark" and time > watermark:
            watermark = time
            for row in [row for row in waiting if row[0] <= time]:
                waiting.remove(row)
                met = max((each for each in versions if each[2] == row[2] and each[0] <= row[0]), default=None)
                found.setdefault(row[2], []).append((row[1], met and met[1]))
    return found


@given(STEPS)
def test_rows_meet_the_versions_that_the_whole_list_has_for_them(steps):
    """Of rows and versions that are not late, in any order, with restarts anywhere."""
    watermark, kept = -1, []
    for kind, key, time in steps:
        if kind in ("left", "version") and time <= watermark:
            continue
        if kind == "watermark":
            watermark = max(watermark, time)
        kept.append((kind, key, time))
    harness, found = harness_of(outer=True), {}

    def gather():
        for row, _ in [tuple(record) for record in harness.records()]:
            found.setdefault(row[0], []).append((row[1], row[3]))

    watermark = -1
    for number, (kind, key, time) in enumerate(kept):
        if kind == "restart":
            gather()
            snapshot = harness.snapshot()
            harness = harness_of(outer=True, snapshot=snapshot)
        elif kind == "watermark":
            if time > watermark:
                harness.process_watermark(time)
                watermark = time
        else:
            {"left": left, "version": version}[kind](harness, key, number, time)
    harness.process_watermark(MAX_WATERMARK)
    gather()
    assert found == expected(kept)
