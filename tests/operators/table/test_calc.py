"""Projections and filters of rows."""

import pytest

from windrow.errors import UserFunctionError
from windrow.expressions.logical_types import BIGINT, BOOLEAN
from windrow.expressions.nodes import Call, InputRef, Literal
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
