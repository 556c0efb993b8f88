"""Functions of points in time that are computed once a second give what they give row by row."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as st

from windrow.expressions.casts import cast
from windrow.expressions.evaluation import Input, evaluate
from windrow.expressions.kernels import temporal
from windrow.expressions.kernels.temporal import units_of
from windrow.expressions.logical_types import BIGINT, STRING, TIMESTAMP_3, TIMESTAMP_LTZ_3
from windrow.expressions.nodes import Call, InputRef, Literal
from windrow.expressions.time_patterns import time_pattern
from windrow.table.data_types import LocalZonedTimestampType, TimestampType

ZONES = st.sampled_from(["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu"])
KINDS = st.sampled_from([TIMESTAMP_3, TIMESTAMP_LTZ_3])
#: Some of one second, some with a part of a second before 1970, some around a change of clocks.
MOMENTS = st.lists(
    st.one_of(
        st.none(),
        st.integers(-3_000_000, 3_000_000),
        st.integers(1_698_541_190_000_000, 1_698_541_210_000_000),
        st.integers(-60_000_000_000_000_000, 200_000_000_000_000_000),
    ),
    max_size=8,
)


def column(ticks, kind):
    return pa.array(ticks, pa.int64()).cast(pa.timestamp("us", None if kind is TIMESTAMP_3 else "UTC"))


def one_by_one(made, ticks, kind):
    """What a function makes of each value that Python has for a row; of NULL it is not asked."""
    return [None if value is None else made(value) for value in column(ticks, kind).to_pylist()]


def evaluated(call, ticks, kind):
    return evaluate(call, Input([column(ticks, kind)], np.zeros(len(ticks), np.int64))).to_pylist()


@given(ticks=MOMENTS, kind=KINDS, zone=ZONES, unit=st.sampled_from(units_of("EXTRACT", TIMESTAMP_3)))
def test_parts_of_times(ticks, kind, zone, unit):
    """EXTRACT, of each unit."""

    def one(value):
        return temporal._PARTS[unit](temporal._local(value, "UTC" if unit == "EPOCH" else zone))

    call = Call("EXTRACT", (InputRef(0, kind),), BIGINT, (unit, zone))
    assert evaluated(call, ticks, kind) == one_by_one(one, ticks, kind)


@given(ticks=MOMENTS, unit=st.sampled_from(units_of("FLOOR", TIMESTAMP_3)), up=st.booleans())
@example(ticks=[59_999_999, 60_000_000, 60_000_001], unit="MINUTE", up=True)
def test_times_to_a_unit(ticks, unit, up):
    """FLOOR and CEIL: a part of a second is enough for the next unit."""
    one = temporal._ceil_one if up else temporal._floor_one
    call = Call("CEIL TO" if up else "FLOOR TO", (InputRef(0, TIMESTAMP_3),), TIMESTAMP_3, (unit, "UTC"))
    expected = one_by_one(lambda value: one(value, unit), ticks, TIMESTAMP_3)
    assert evaluated(call, ticks, TIMESTAMP_3) == expected


def test_the_next_unit_of_a_part_of_a_second():
    """What is at the border stays there."""
    call = Call("CEIL TO", (InputRef(0, TIMESTAMP_3),), TIMESTAMP_3, ("MINUTE", "UTC"))
    times = column([59_999_999, 60_000_000, 60_000_001], TIMESTAMP_3)
    found = evaluate(call, Input([times], np.zeros(3, np.int64))).to_pylist()
    assert found == [dt.datetime(1970, 1, 1, 0, minute) for minute in (1, 1, 2)]


@given(ticks=MOMENTS, zone=ZONES, pattern=st.sampled_from(["yyyy-MM-dd", "HH:mm:ss", "HH:mm:ss.SSS", "'S' ss"]))
def test_formats(ticks, zone, pattern):
    """DATE_FORMAT, with parts of a second and without."""
    call = Call("DATE_FORMAT", (InputRef(0, TIMESTAMP_LTZ_3), Literal(pattern, STRING)), STRING, (zone,))
    expected = one_by_one(
        lambda value: time_pattern(pattern).write(temporal._local(value, zone)), ticks, TIMESTAMP_LTZ_3
    )
    assert evaluated(call, ticks, TIMESTAMP_LTZ_3) == expected


@given(ticks=MOMENTS, zone=ZONES, precision=st.sampled_from([0, 3, 6]), zoned=st.booleans())
def test_times_as_text(ticks, zone, precision, zoned):
    """A CAST cuts what the type has no digits for, before 1970 as behind it."""
    kind = LocalZonedTimestampType(precision) if zoned else TimestampType(precision)
    times = column(ticks, TIMESTAMP_LTZ_3 if zoned else TIMESTAMP_3)
    found = cast(times, kind, STRING, options=(zone,)).to_pylist()
    finer = LocalZonedTimestampType(6) if zoned else TimestampType(6)
    digits = {0: 7, 3: 3, 6: 0}[precision]
    expected = [text and text[: len(text) - digits] for text in cast(times, finer, STRING, options=(zone,)).to_pylist()]
    assert found == expected
