"""Groups that change with each row, on columns: all that comes out and is stored is what it is of rows."""

import datetime as dt
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property_examples import examples
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape
from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import arrow_of
from windrow.operators.table import group_columns
from windrow.operators.table.calc import tuples_of
from windrow.operators.table.column_accumulators import column_accumulator
from windrow.operators.table.group_aggregate import GroupAggregateOperator
from windrow.operators.table.group_columns import GroupColumnsOperator
from windrow.operators.table.row_aggregates import RowCall
from windrow.table import data_types as t
from windrow.table.changelog_mode import ROW_KIND
from windrow.testing import OperatorHarness

TINY, TRUTH, DOUBLE = t.TinyIntType(), t.BooleanType(), t.DoubleType()
DAY, TIME = t.DateType(), t.TimeType(3)
#: Key, what the group is called, and what is aggregated.
TYPES = [
    *(lt.BIGINT, lt.STRING, TINY, lt.INT, lt.BIGINT, DOUBLE, TRUTH),
    *(lt.TIMESTAMP_3, lt.TIMESTAMP_LTZ_3, DAY, TIME),
]
CALLS = [
    RowCall("COUNT", (), lt.BIGINT),
    RowCall("COUNT", (3, 5), lt.BIGINT),
    RowCall("COUNT", (3,), lt.BIGINT, filter=6),
    *[RowCall(name, (place,), TYPES[place]) for name in ("SUM", "AVG") for place in (2, 3, 4, 5)],
    RowCall("SUM0", (3,), lt.INT),
    RowCall("AVG", (3,), lt.INT, filter=6),
    RowCall("SUM", (5,), DOUBLE, filter=6),
    *[RowCall(name, (place,), TYPES[place]) for name in ("MIN", "MAX") for place in (2, 3, 4, 7, 8, 9, 10)],
    RowCall("MAX", (4,), lt.BIGINT, distinct=True),
    *[RowCall(name, (place,), TYPES[place]) for name in ("FIRST_VALUE", "LAST_VALUE") for place in (1, 2, 5, 8, 10)],
    RowCall("LAST_VALUE", (5,), DOUBLE, filter=6),
    RowCall("FIRST_VALUE", (3,), lt.INT, filter=6),
]
NOON = dt.datetime(1969, 12, 31, 12)


def row_of(number, key, drawn):
    """A tuple: whole numbers at the ends of their types, fractions that are none, and NULL."""
    tiny, whole, fraction, flag, is_null = drawn
    moment = NOON + dt.timedelta(milliseconds=whole % 100_000_007)
    values = [
        *(tiny, whole % 2**32 - 2**31, whole, fraction, flag),
        *(moment, moment.replace(tzinfo=ZoneInfo("UTC")), moment.date(), moment.time()),
    ]
    return (key, f"{key}!", *[None if is_null == place else value for place, value in enumerate(values)])


drawn = st.tuples(
    st.sampled_from([-128, 127, 0, 5]),
    st.integers(-9, 9) | st.sampled_from([2**63 - 1, -(2**63), 2**62, 2**31, -(2**31)]),
    st.sampled_from([0.1, -0.0, 0.0, 1e300, -1e300, float("inf"), 2.5]),
    st.booleans() | st.none(),
    st.integers(-8, 8),
)
rows = st.lists(st.tuples(st.integers(0, 3), drawn), min_size=1, max_size=12)
many = st.lists(st.tuples(st.integers(0, 3), drawn), min_size=33, max_size=80)
step = st.tuples(st.sampled_from(["columns", "columns", "rows"]), rows | many) | st.sampled_from(
    [("cut",), ("restore",)]
)
KEYS = [(lt.BIGINT, [1, -2, 10**15, 3]), (lt.STRING, ["a", "b", "", "\u00e9"]), (lt.BIGINT, [1, None, 2, 3])]


def batch_of(key_type, keys, drawn_rows, number, *, columns):
    return batch_of_elements(
        key_type, [row_of(number, keys[key], each) for key, each in drawn_rows], number, TYPES, columns=columns
    )


def batch_of_elements(key_type, elements, number, of_types, *, columns):
    times = np.arange(number, number + len(elements))
    of_keys = [element[0] for element in elements]
    if not columns:
        return Batch(elements, times.tolist(), of_keys)
    types = [key_type, *of_types[1:]]
    arrays = [pa.array(values, arrow_of(kind)) for values, kind in zip(zip(*elements, strict=True), types, strict=True)]
    made = Columns.of(tuples_of(types), arrays)
    return Batch(made, times, Columns.of(ScalarShape((arrow_of(key_type),)), [arrays[0]]))


def play(operator_of, keys, steps, *, columns):
    """All that comes out, and what is stored at the end."""
    current = OperatorHarness(operator_of())
    output, number = [], 0
    for each in [*steps, ("restore",)]:
        if each[0] in ("columns", "rows"):
            as_columns = columns and each[0] == "columns"
            current._operator.process_batch(batch_of(*keys, each[1], number, columns=as_columns))
            number += len(each[1])
        elif each[0] == "cut":
            current.snapshot()
        else:
            snapshot = current.snapshot()
            output.append(current.take_output())
            current = OperatorHarness(operator_of(), snapshot=snapshot)
    return output, sorted(current.state_entries(), key=repr)


@settings(print_blob=True, max_examples=examples(60), deadline=None)
@given(st.sampled_from(KEYS), st.lists(step, max_size=8), st.lists(st.sampled_from(CALLS), max_size=4))
def test_equals_the_operator_over_rows(keys, steps, calls):
    """Changes, their types and order, and state are the same through cuts, restores and changes of form."""
    types = [keys[0], *TYPES[1:]]
    expected = play(lambda: GroupAggregateOperator(1, calls, retracts=False), keys, steps, columns=False)
    assert repr(play(lambda: GroupColumnsOperator(1, calls, types, retracts=False), keys, steps, columns=True)) == repr(
        expected
    )


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.name} of {call.arguments}")
@settings(print_blob=True, max_examples=examples(12, fewest=5), deadline=None)
@given(steps=st.lists(st.tuples(st.just("columns"), many), min_size=1, max_size=3))
def test_each_aggregate_equals_that_over_rows(call, steps):
    """By itself, so that it alone says whether a row changes."""
    expected = play(lambda: GroupAggregateOperator(1, [call], retracts=False), KEYS[0], steps, columns=False)
    assert repr(
        play(lambda: GroupColumnsOperator(1, [call], TYPES, retracts=False), KEYS[0], steps, columns=True)
    ) == repr(expected)


def test_a_first_value_that_is_no_number_stays():
    """NaN equals nothing, and is still the same value; so it is not said to have changed."""
    calls, types = [RowCall("FIRST_VALUE", (5,), DOUBLE)], TYPES
    rows = [row_of(0, 1, (0, 0, float("nan"), True, -9))] * 40
    harness = OperatorHarness(GroupColumnsOperator(1, calls, types, retracts=False))
    harness._operator.process_batch(batch_of_elements(lt.BIGINT, rows, 0, types, columns=True))
    assert len(harness.values()) == 1


#: What may be taken back, and what makes way for what is no worse.
TAKEN_BACK = [
    RowCall("COUNT", (), lt.BIGINT),
    RowCall("COUNT", (3, 5), lt.BIGINT),
    RowCall("COUNT", (3,), lt.BIGINT, filter=6),
    *[RowCall(name, (place,), TYPES[place]) for name in ("SUM", "AVG") for place in (2, 3, 4)],
    RowCall("SUM0", (3,), lt.INT),
    RowCall("AVG", (3,), lt.INT, filter=6),
    *[RowCall(name, (place,), TYPES[place], grows=True) for name in ("MIN", "MAX") for place in (3, 8)],
]
#: For each row, which one of those that are there is taken back before it, or which one was never there.
taken = st.sampled_from([None, None, None, 0, 0, -1, 1]) | st.just("strange")
retracting = st.tuples(
    st.sampled_from(["columns", "columns", "rows"]),
    st.lists(st.tuples(st.integers(0, 3), drawn, taken), min_size=1, max_size=80),
) | st.sampled_from([("cut",), ("restore",)])


def play_changes(operator_of, keys, steps, *, columns):
    """All that comes out of rows some of which are taken back, and what it goes on with."""
    current = OperatorHarness(operator_of())
    output, number, there = [], 0, []
    for each in [*steps, ("restore",)]:
        if each[0] in ("columns", "rows"):
            elements = []
            for key, of_row, back in each[1]:
                row = row_of(number, keys[1][key], of_row)
                if back == "strange":
                    elements.append((*row, 3))
                    continue
                if back is not None and there:
                    elements.append((*there.pop(back % len(there)), 3 if key % 2 else 1))
                there.append(row)
                elements.append((*row, 0 if key % 2 else 2))
            as_columns = columns and each[0] == "columns"
            types = [*TYPES, ROW_KIND]
            current._operator.process_batch(batch_of_elements(keys[0], elements, number, types, columns=as_columns))
            number += len(elements)
        elif each[0] == "cut":
            current.snapshot()
        else:
            snapshot = current.snapshot()
            output.append(current.take_output())
            current = OperatorHarness(operator_of(), snapshot=snapshot)
    # A sum of nothing is kept as none or as 0.
    return output, sorted(repr(entry).replace("[0, 0]", "[None, 0]") for entry in current.state_entries())


@settings(print_blob=True, max_examples=examples(120), deadline=None)
@given(st.sampled_from(KEYS), st.lists(retracting, max_size=8), st.lists(st.sampled_from(TAKEN_BACK), max_size=4))
def test_equals_the_operator_over_rows_that_are_taken_back(keys, steps, calls):
    """Groups end and begin anew, within a batch as well, and what is not there cannot be taken back."""
    types = [keys[0], *TYPES[1:], ROW_KIND]
    expected = play_changes(lambda: GroupAggregateOperator(1, calls, retracts=True), keys, steps, columns=False)
    found = play_changes(lambda: GroupColumnsOperator(1, calls, types, retracts=True), keys, steps, columns=True)
    assert repr(found) == repr(expected)


def test_what_is_taken_back_has_no_form_on_columns():
    """Where a value that is taken back leaves something else: the next least value, what is left of a float's sum."""
    for call in (
        RowCall("MIN", (3,), lt.INT),
        RowCall("MAX", (3,), lt.INT, distinct=True, grows=True),
        RowCall("SUM", (5,), DOUBLE),
    ):
        assert column_accumulator(call, TYPES, retracts=True) is None
        assert column_accumulator(call, TYPES, retracts=False) is not None


def test_columns_stay_columns(monkeypatch):
    """Rows are not looked at, and the next batch goes on; a batch of rows gives what has been folded to rows."""
    monkeypatch.setattr(group_columns, "_FEW", 1)
    operator = OperatorHarness(GroupColumnsOperator(1, CALLS, TYPES, retracts=False))._operator
    made = []
    operator.context.output.emit_batch = made.append
    drawn_rows = [(key, (1, 5, 0.5, True, -1)) for key in (0, 1, 0)]
    for number in (0, 3):
        batch = batch_of(*KEYS[0], drawn_rows, number, columns=True)
        operator.process_batch(batch)
        assert batch.elements.untouched
    assert [len(each.columns) for each in made] == [4, 6]
    assert made[0].columns.shape == operator.forecast(batch.columns.shape).shape
    operator.process_batch(batch_of(*KEYS[0], drawn_rows, 6, columns=False))
    assert made[2].elements[0][1] == 4


def test_what_has_no_form_on_columns():
    """Distinct values, text, and numbers whose sums are rounded."""
    types = [lt.BIGINT, lt.STRING, t.FloatType(), t.DecimalType(10, 2)]
    for call in (
        RowCall("COUNT", (0,), lt.BIGINT, distinct=True),
        RowCall("MIN", (1,), lt.STRING),
        RowCall("SUM", (2,), t.FloatType()),
        RowCall("MAX", (3,), t.DecimalType(10, 2)),
        RowCall("FIRST_VALUE", (2,), t.FloatType()),
    ):
        assert column_accumulator(call, types, retracts=False) is None
