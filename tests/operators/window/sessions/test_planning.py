"""Which sessions can be made of columns, and why not."""

import pyarrow as pa
import pytest

from windrow.datastream.functions import AggregateFunction
from windrow.datastream.window import (
    DynamicEventTimeSessionWindows,
    EventTimeSessionWindows,
    SessionWindowTimeGapExtractor,
)
from windrow.elements.columns import Columns
from windrow.elements.shape import TupleShape
from windrow.operators.window.sessions.planning import Gaps
from windrow.operators.window.spec import WindowSpec, build

PAIR = TupleShape((pa.int64(), pa.int64()))


class Count(AggregateFunction):
    def create_accumulator(self):
        return 0

    def add(self, value, accumulator):
        return accumulator + 1

    def get_result(self, accumulator):
        return accumulator

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b


class Greatest(Count):
    def merge(self, acc_a, acc_b):
        return max(acc_a, acc_b)


class Patience(SessionWindowTimeGapExtractor):
    def extract(self, element):
        return element[1] + 1


def untraceable(element):
    return int(f"{element[1]}")


def last(_, b):
    return b


STATIC = EventTimeSessionWindows.with_gap(10)


@pytest.mark.parametrize(
    ("assigner", "incremental", "reason"),
    [
        (STATIC, last, ""),
        (STATIC, Count(), ""),
        (STATIC, Greatest(), "merges accumulators in another way than it adds elements"),
        (STATIC, lambda a, b: (a[0], a[1] * b[1]), "no first, last, sum, least or greatest value"),
        (DynamicEventTimeSessionWindows.with_dynamic_gap(Patience()), last, ""),
        (
            DynamicEventTimeSessionWindows.with_dynamic_gap(untraceable),
            last,
            "function for the gap contains an f-string",
        ),
    ],
)
def test_the_forecast_says_why(assigner, incremental, reason):
    """An operator says before the job runs whether it works on columns; then rows cross the exchange as columns."""
    operator = build(WindowSpec(assigner, incremental=incremental))
    forecast = operator.forecast(PAIR)
    assert forecast.columns is not bool(reason)
    assert reason in forecast.reason
    assert operator.takes_columns(PAIR) is forecast.columns
    assert not operator.forecast(None).columns


def test_gaps_are_computed_or_left_to_python():
    """What the function would refuse is refused by itself."""
    elements = Columns.of(PAIR, [pa.array([1, 2]), pa.array([3, 4])])
    assigner = DynamicEventTimeSessionWindows.with_dynamic_gap(Patience())
    gaps = Gaps("sessions", assigner, columns=True)
    assert gaps.after(elements).tolist() == [4, 5]
    assert gaps.after(Columns.of(PAIR, [pa.array([1]), pa.array([-1])])) is None
    assert Gaps("sessions", assigner, columns=False).after(elements) is None
    assert (Gaps("sessions", STATIC, columns=True).after(elements), gaps.only) == (10, None)
    assert Gaps("sessions", EventTimeSessionWindows.with_gap(2**60), columns=True).after(elements) is None
