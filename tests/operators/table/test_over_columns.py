"""Aggregates over the rows up to each row, on columns: all that comes out and is stored is what it is of rows."""

import datetime as dt
from functools import partial
from unittest.mock import patch
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.table.played import KEYS, batch_of, play, steps_of
from tests.property_examples import examples
from windrow.expressions import logical_types as lt
from windrow.operators.table import over_columns
from windrow.operators.table.over import OverOperator
from windrow.operators.table.over_columns import OverColumnsOperator
from windrow.operators.table.over_frames import RunTimes
from windrow.operators.table.row_aggregates import RowCall
from windrow.table import data_types as t
from windrow.testing import OperatorHarness
from windrow.testing.outputs import Record

TINY, DOUBLE, DAY, TIME = t.TinyIntType(), t.DoubleType(), t.DateType(), t.TimeType(3)
#: Key, what the row is called, and what is aggregated.
TYPES = [
    lt.BIGINT,
    lt.STRING,
    TINY,
    lt.INT,
    lt.BIGINT,
    DOUBLE,
    lt.TIMESTAMP_3,
    lt.TIMESTAMP_LTZ_3,
    DAY,
    TIME,
    lt.STRING,
]
CALLS = [
    RowCall("COUNT", (), lt.BIGINT),
    RowCall("COUNT", (3, 5), lt.BIGINT),
    *[RowCall(name, (place,), TYPES[place]) for name in ("SUM", "AVG") for place in (2, 3, 4, 5)],
    *[RowCall(name, (place,), TYPES[place]) for name in ("MIN", "MAX") for place in (2, 3, 4, 6, 7, 8, 9)],
    *[RowCall(name, (place,), TYPES[place]) for name in ("FIRST_VALUE", "LAST_VALUE") for place in (2, 5, 7, 9, 10)],
]
#: Those that have no bounded frame.
LAGS = [
    *[RowCall("LAG", (place,), TYPES[place], options=(1, None)) for place in (2, 5, 7, 8, 10)],
    *[RowCall("LAG", (4,), lt.BIGINT, options=(offset, 7)) for offset in (0, 1, 2, 5)],
    RowCall("LAG", (10,), lt.STRING, options=(3, "none")),
]
FRAMES = [(True, None), (False, None), (True, 0), (True, 2), (True, 7), (False, 0), (False, 3), (False, 11)]
NOON = dt.datetime(1969, 12, 31, 12)


def row_of(key, number, drawn):
    """A tuple: whole numbers at the ends of their types, fractions that are none, and NULL."""
    tiny, whole, fraction, is_null = drawn
    moment = NOON + dt.timedelta(milliseconds=whole % 100_000_007)
    values = [
        *(tiny, whole % 2**32 - 2**31, whole, fraction),
        *(moment, moment.replace(tzinfo=ZoneInfo("UTC")), moment.date(), moment.time(), f"{tiny}\u00e9"),
    ]
    return (key, f"{key} {number}", *[None if is_null == place else value for place, value in enumerate(values)])


drawn = st.tuples(
    st.sampled_from([-128, 127, 0, 5]),
    st.integers(-9, 9) | st.sampled_from([2**63 - 1, -(2**63), 2**62, 2**31, -(2**31)]),
    st.sampled_from([0.1, -0.0, 0.0, 1e300, -1e300, float("inf"), 2.5]),
    st.integers(-6, 8),
)


def compared(seen, *, in_range):
    """What is compared: in a range timers are those that do something, and keys of one time are in any order."""
    if not in_range:
        return repr(seen)
    made = []
    for output, counters, stored, timers in seen:
        values = {(entry.key, entry.name): entry.value for entry in stored}
        kept = [
            (time, key)
            for time, key, _ in timers
            if time == values.get((key, "clean")) or time in values.get((key, "rows"), {})
        ]
        parts, of_watermark = [], []
        for item in [*output, None]:
            if isinstance(item, Record):
                of_watermark.append(item)
            else:
                assert [each.timestamp for each in of_watermark] == sorted(each.timestamp for each in of_watermark)
                parts += [*sorted(of_watermark, key=lambda each: (each.timestamp, each.value[0].split()[0])), item]
                of_watermark = []
        made.append((parts, counters, stored, kept))
    return repr(made)


@pytest.mark.parametrize(("by_rows", "preceding"), FRAMES)
@settings(print_blob=True, max_examples=examples(40), deadline=None)
@given(
    keys=st.sampled_from(KEYS),
    steps=steps_of(drawn, most=8),
    numbers=st.lists(st.integers(0, len(CALLS) + len(LAGS) - 1), max_size=4),
    most_stored=st.sampled_from([100, 100, 0]),
    forgotten=st.sampled_from([0, 1 << 16]),
)
def test_equals_the_operator_over_rows(by_rows, preceding, keys, steps, numbers, most_stored, forgotten):
    """Results and their order, what is late, state and timers, through cuts, restores and changes of form."""
    types, several = [keys[0], *TYPES[1:]], CALLS if preceding is not None else [*CALLS, *LAGS]
    calls = [several[number % len(several)] for number in numbers]
    given, frame = (types, keys[1], row_of, steps), {"by_rows": by_rows, "preceding": preceding}
    expected = play(lambda: OverOperator(calls, **frame), *given, columns=False)
    with patch.object(over_columns, "_FORGOTTEN", forgotten):
        make = partial(OverColumnsOperator, types, calls, **frame)
        found = play(make, *given, columns=True, most_stored=most_stored)
    in_range = not by_rows and preceding is not None
    assert compared(found, in_range=in_range) == compared(expected, in_range=in_range)


@pytest.mark.parametrize(
    ("by_rows", "preceding", "call"),
    [
        *[(*frame, call) for call in CALLS for frame in ((True, 3), (False, 8), (True, None))],
        *[(*frame, call) for call in LAGS for frame in ((True, None), (False, None))],
    ],
    ids=lambda each: f"{each.name} of {each.arguments}" if isinstance(each, RowCall) else str(each),
)
@settings(print_blob=True, max_examples=examples(5), deadline=None)
@given(drawn_rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 30), drawn), min_size=33, max_size=80))
def test_each_aggregate_equals_that_over_rows(call, by_rows, preceding, drawn_rows):
    """In batches of columns alone, with what is stored of one for the next."""
    steps = [(kind, *given) for _ in range(3) for kind, *given in (("columns", drawn_rows), ("watermark", 9), ("cut",))]
    given, frame = (TYPES, KEYS[0][1], row_of, steps), {"by_rows": by_rows, "preceding": preceding}
    expected = play(partial(OverOperator, [call], **frame), *given, columns=False)
    found = play(partial(OverColumnsOperator, TYPES, [call], **frame), *given, columns=True)
    in_range = not by_rows and preceding is not None
    assert compared(found, in_range=in_range) == compared(expected, in_range=in_range)


def operator_of(calls, **frame):
    """An operator of rows with a name and a number, and the batches that come out."""
    operator = OperatorHarness(OverColumnsOperator([lt.BIGINT, lt.STRING, lt.BIGINT], calls, **frame))._operator
    made = []
    operator.context.output.emit_batch = made.append
    return operator, made


def some_rows(times, *, keys=2):
    """Three hundred rows of some keys, each with its number."""
    types = [lt.BIGINT, lt.STRING, lt.BIGINT]
    rows = [(number % keys, f"{number}", number) for number in range(300)]
    return batch_of(types, rows, [times(number) for number in range(300)], columns=True)


@pytest.mark.parametrize(("by_rows", "preceding"), FRAMES)
def test_columns_stay_columns(by_rows, preceding):
    """Rows are not looked at, and what comes out is as the forecast says."""
    operator, made = operator_of([RowCall("MAX", (2,), lt.BIGINT)], by_rows=by_rows, preceding=preceding)
    batch = some_rows(lambda number: 1_000 - number)
    operator.process_batch(batch)
    assert operator.waiting().watermark == 701
    operator.process_watermark(703)
    assert batch.elements.untouched
    assert made[0].columns.shape == operator.forecast(batch.columns.shape).shape
    assert [row[:2] for row in made[0].elements] == [("299", 299), ("298", 298), ("297", 297)]
    assert made[0].timestamp_list() == [701, 702, 703]


@pytest.mark.parametrize(("by_rows", "preceding"), [(True, None), (True, 2), (False, 2)])
def test_rows_that_nothing_needs_are_forgotten(monkeypatch, by_rows, preceding):
    """Those that have gone out and are in no frame."""
    monkeypatch.setattr(over_columns, "_FORGOTTEN", 0)
    operator, made = operator_of([RowCall("SUM", (2,), lt.BIGINT)], by_rows=by_rows, preceding=preceding)
    for turn in range(4):
        operator.process_batch(some_rows(lambda number, turn=turn: 1_000 * turn + number))
        operator.process_watermark(1_000 * turn + 299)
        assert operator._held.count <= 6
    assert sum(map(len, made)) == 1_200


@pytest.mark.parametrize("far", [-(2**62), 2**62])
def test_ranges_at_the_ends_of_time_are_found_row_by_row(far):
    """Where times and ranges together may be more than 64 bits."""
    operator, _ = operator_of([RowCall("COUNT", (), lt.BIGINT)], by_rows=False, preceding=5)
    operator.process_batch(some_rows(lambda number: far + number))
    assert operator._index is None
    operator.process_watermark(far + 300)
    assert len(operator.context.output.items) == 300


def test_ranges_of_many_keys_may_be_far_apart():
    """Times and keys together are more than 64 bits, so that times are numbered."""
    operator, made = operator_of([RowCall("COUNT", (), lt.BIGINT)], by_rows=False, preceding=2**60)
    operator.process_batch(some_rows(lambda number: (number % 3 - 1) * (2**60), keys=1))
    operator.process_watermark(2**60)
    assert [row[-1] for row in made[0].elements] == [100] * 100 + [200] * 200
    times = RunTimes(np.array([-(2**62), 5, 2**62]), np.array([0, 0, 1]))
    assert times.first(np.array([0, 0, 1]), np.array([4, 6, 2**62])).tolist() == [1, 2, 2]


def test_what_has_no_form_on_columns():
    """Distinct values, least text, the first of what is no number."""
    types = [lt.BIGINT, lt.STRING, lt.BIGINT, t.BooleanType()]
    calls = {
        "distinct": RowCall("MAX", (2,), lt.BIGINT, distinct=True),
        "text": RowCall("MAX", (1,), lt.STRING),
        "first": RowCall("FIRST_VALUE", (3,), t.BooleanType()),
    }
    assert [name for name, call in calls.items() if OverColumnsOperator.takes(types, [call], None)] == ["distinct"]
    assert [name for name, call in calls.items() if OverColumnsOperator.takes(types, [call], 2)] == []
    lags = {
        "far": RowCall("LAG", (2,), lt.BIGINT, options=(65, None)),
        "near": RowCall("LAG", (2,), lt.BIGINT, options=(64, None)),
    }
    assert [name for name, call in lags.items() if OverColumnsOperator.takes(types, [call], None)] == ["near"]
