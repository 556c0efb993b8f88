"""Expressions on columns: NULL, and what is not to be evaluated."""

import numpy as np
import pyarrow as pa
import pytest

from windrow.expressions.evaluation import Input, evaluate
from windrow.expressions.logical_types import BIGINT, BOOLEAN, INT
from windrow.expressions.nodes import Call, InputRef, Literal
from windrow.table import data_types as t

A, B, P = InputRef(0, INT), InputRef(1, INT), InputRef(2, BOOLEAN)
ROWS = Input(
    [pa.array([6, None, 3], pa.int32()), pa.array([2, 5, 0], pa.int32()), pa.array([True, None, False])],
    np.array([10, 20, 30]),
)
QUOTIENT = Call("/", (A, B), INT)
POSITIVE = Call(">", (B, Literal(0, INT)), BOOLEAN)


def test_a_division_by_zero_is_an_error():
    """As in Java, for integers and decimals."""
    with pytest.raises(ZeroDivisionError):
        evaluate(QUOTIENT, ROWS)


def test_case_evaluates_the_chosen_branch_alone():
    """What would fail elsewhere does not fail there."""
    case = Call("CASE", (POSITIVE, QUOTIENT, Literal(-1, INT)), INT)
    assert evaluate(case, ROWS).to_pylist() == [3, None, -1]


def test_and_and_or_stop_where_they_are_decided():
    """A condition guards the one behind it."""
    large = Call(">", (QUOTIENT, Literal(1, INT)), BOOLEAN)
    assert evaluate(Call("AND", (POSITIVE, large), BOOLEAN), ROWS).to_pylist() == [True, None, False]
    guard = Call("=", (B, Literal(0, INT)), BOOLEAN)
    assert evaluate(Call("OR", (guard, large), BOOLEAN), ROWS).to_pylist() == [True, None, True]


def test_logic_has_three_values():
    """FALSE AND NULL is FALSE, TRUE OR NULL is TRUE, all else with NULL is NULL."""
    null = Literal(None, BOOLEAN)
    assert evaluate(Call("AND", (P, null), BOOLEAN), ROWS).to_pylist() == [None, None, False]
    assert evaluate(Call("OR", (P, null), BOOLEAN), ROWS).to_pylist() == [True, None, None]


def test_integers_wrap_around():
    """The greatest one and one is the least."""
    greatest = Literal(2**63 - 1, BIGINT)
    one = Call("+", (greatest, Literal(1, BIGINT)), BIGINT)
    assert evaluate(one, ROWS).to_pylist() == [-(2**63)] * 3


def test_decimals_that_do_not_fit_are_null():
    """A product of more digits than its type has."""
    from decimal import Decimal

    number = Literal(Decimal(10) ** 30, t.DecimalType(38, 0))
    assert evaluate(Call("*", (number, number), t.DecimalType(38, 0)), ROWS).to_pylist() == [None] * 3


def test_no_rows_have_no_values():
    """An empty input is none for any expression."""
    empty = ROWS.filtered(pa.array([False] * 3))
    assert evaluate(Call("CASE", (POSITIVE, QUOTIENT, A), INT), empty).to_pylist() == []
