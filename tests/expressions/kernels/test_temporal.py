"""Functions of times."""

import datetime as dt

import pyarrow as pa
import pytest

from windrow.expressions.evaluation import Input, evaluate
from windrow.expressions.logical_types import TIMESTAMP_LTZ_3, arrow_of
from windrow.expressions.nodes import Call, InputRef


@pytest.mark.parametrize(
    ("name", "unit", "moment", "expected"),
    [
        ("FLOOR TO", "HOUR", "2024-11-03 06:30", "2024-11-03 06:00"),
        ("FLOOR TO", "HOUR", "2024-11-03 05:30", "2024-11-03 05:00"),
        ("CEIL TO", "HOUR", "2024-03-10 06:30", "2024-03-10 07:00"),
        ("FLOOR TO", "DAY", "2024-11-03 12:00", "2024-11-03 04:00"),
    ],
)
def test_a_moment_is_cut_off_where_clocks_change_too(name, unit, moment, expected):
    """The second of two hours of New York begins with itself, and a day at midnight."""
    column = pa.array([dt.datetime.fromisoformat(moment + "+00:00"), None]).cast(arrow_of(TIMESTAMP_LTZ_3))
    call = Call(name, (InputRef(0, TIMESTAMP_LTZ_3),), TIMESTAMP_LTZ_3, (unit, "America/New_York"))
    found = evaluate(call, Input([column], pa.array([0, 0]).to_numpy()))
    assert found.to_pylist() == [dt.datetime.fromisoformat(expected + "+00:00"), None]
