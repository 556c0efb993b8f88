"""Aggregates over the rows up to each row, on columns: all that comes out and is stored is what it is of rows."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.table.played import KEYS, batch_of, play, steps_of
from windrow.expressions import logical_types as lt
from windrow.operators.table import over_columns
from windrow.operators.table.over import OverOperator
from windrow.operators.table.over_columns import OverColumnsOperator
from windrow.operators.table.row_aggregates import RowCall
from windrow.table import data_types as t
from windrow.testing import OperatorHarness
from windrow.testing.outputs import Record

TINY, DOUBLE, DAY, TIME = t.TinyIntType(), t.DoubleType(), t.DateType(), t.TimeType(3)
#: Key, what the row is called, and what is aggregated.
TYPES = [lt.BIGINT, lt.STRING, TINY, lt.INT, lt.BIGINT, DOUBLE, lt.TIMESTAMP_3, lt.TIMESTAMP_LTZ_3, DAY, TIME]
CALLS = [
    RowCall("COUNT", (), lt.BIGINT),
    RowCall("COUNT", (3, 5), lt.BIGINT),
    *[RowCall(name, (place,), TYPES[place]) for name in ("SUM", "AVG") for place in (2, 3, 4, 5)],
    *[RowCall(name, (place,), TYPES[place]) for name in ("MIN", "MAX") for place in (2, 3, 4, 6, 7, 8, 9)],
]
FRAMES = [(True, None), (False, None), (True, 0), (True, 2), (True, 7), (False, 0), (False, 3), (False, 11)]
NOON = dt.datetime(1969, 12, 31, 12)


def row_of(key, number, drawn):
    """A tuple: whole numbers at the ends of their types, fractions that are none, and NULL."""
    tiny, whole, fraction, is_null = drawn
    moment = NOON + dt.timedelta(milliseconds=whole % 100_000_007)
    values = [
        *(tiny, whole % 2**32 - 2**31, whole, fraction),
        *(moment, moment.replace(tzinfo=ZoneInfo("UTC")), moment.date(), moment.time()),
    ]
    return (key, f"{key} {number}", *[None if is_null == place else value for place, value in enumerate(values)])


drawn = st.tuples(
    st.sampled_from([-128, 127, 0, 5]),
    st.integers(-9, 9) | st.sampled_from([2**63 - 1, -(2**63), 2**62, 2**31, -(2**31)]),
    st.sampled_from([0.1, -0.0, 0.0, 1e300, -1e300, float("inf"), 2.5]),
    st.integers(-6, 7),
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
@settings(print_blob=True, max_examples=60, deadline=None)
@given(keys=st.sampled_from(KEYS), steps=steps_of(drawn), calls=st.lists(st.sampled_from(CALLS), max_size=4))
def test_equals_the_operator_over_rows(by_rows, preceding, keys, steps, calls):
    """Results and their order, what is late, state and timers, through cuts, restores and changes of form."""
    types = [keys[0], *TYPES[1:]]
    given, frame = (types, keys[1], row_of, steps), {"by_rows": by_rows, "preceding": preceding}
    expected = play(lambda: OverOperator(calls, **frame), *given, columns=False)
    found = play(lambda: OverColumnsOperator(types, calls, **frame), *given, columns=True)
    in_range = not by_rows and preceding is not None
    assert compared(found, in_range=in_range) == compared(expected, in_range=in_range)
