"""Projections and filters of rows."""

import datetime as dt

import pytest

from windrow.errors import UserFunctionError
from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import BIGINT, BOOLEAN
from windrow.expressions.nodes import Call, InputRef, Literal, Timestamp
from windrow.operators.table.calc import CalcOperator
from windrow.testing import OperatorHarness

N = InputRef(0, BIGINT)


@pytest.mark.parametrize("places", [[0], [1], [57], [99], [57, 80]])
def test_the_first_row_that_fails_is_named(places):
    """With what is wrong with it, and without lines of this library."""
    harness = OperatorHarness(CalcOperator([BIGINT, BIGINT], [Call("/", (InputRef(1, BIGINT), N), BIGINT)]))
    rows = [((0 if place in places else 1, place), 0) for place in range(100)]
    with pytest.raises(UserFunctionError) as caught:
        harness.process_elements(rows)
    assert str(caught.value) == f"ZeroDivisionError: / by zero\nin operator 'operator' on element (0, {places[0]})"


def test_what_a_condition_keeps_out_is_not_computed():
    """A row that would fail is no row any more."""
    positive = Call(">", (N, Literal(0, BIGINT)), BOOLEAN)
    operator = CalcOperator([BIGINT], [Call("/", (Literal(10, BIGINT), N), BIGINT)], positive)
    harness = OperatorHarness(operator)
    harness.process_elements([((5,), 0), ((0,), 0)])
    assert harness.values() == [(2,)]


@pytest.mark.parametrize("kind", [lt.TIMESTAMP_3, lt.TIMESTAMP_LTZ_3])
def test_the_watermark_is_that_of_the_rows_that_came_before(kind):
    """NULL while there is none, and in a condition as well: then a row is neither late nor on time."""
    watermark = Call("CURRENT_WATERMARK", (), kind)
    harness = OperatorHarness(CalcOperator([BIGINT], [N, watermark]))
    late = Call("<=", (Timestamp(kind), watermark), BOOLEAN)
    filtering = OperatorHarness(CalcOperator([BIGINT], [N], late))
    for each in (harness, filtering):
        each.process_elements([((1,), 5)])
        each.process_watermark(7)
        each.process_elements([((2,), 8), ((3,), 7)])
    filtering.process_watermark(2**63 - 1)  # later than any time that there is
    filtering.process_elements([((4,), 9)])
    moments = [moment and moment.replace(tzinfo=None) for _, moment in harness.values()]
    assert moments == [None, *[dt.datetime(1970, 1, 1, 0, 0, 0, 7_000)] * 2]
    assert filtering.values() == [(3,), (4,)]
