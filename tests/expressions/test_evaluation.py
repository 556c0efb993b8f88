"""Expressions on columns: NULL, and what is not to be evaluated."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from windrow.expressions.evaluation import Input, evaluate, may_fail
from windrow.expressions.kernels import KERNELS
from windrow.expressions.logical_types import BIGINT, BOOLEAN, DOUBLE, INT, STRING
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


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([True, True, True], [True, None, False], [6, None, 3]),
        ([False, None, False], [True, True, True], [2, 5, 0]),
        ([False, None, False], [False, None, False], [-1, -1, -1]),
        ([None, True, False], [True, True, None], [2, None, -1]),
        ([True, False, False], [True, True, True], [6, 5, 0]),
    ],
)
def test_case_takes_the_first_value_whose_condition_is_true(first, second, expected):
    """Whether that is so of all rows, of none or of some; NULL is not true."""
    rows = Input([*ROWS.columns[:2], pa.array(first), pa.array(second)], ROWS.timestamps)
    case = Call("CASE", (InputRef(2, BOOLEAN), A, InputRef(3, BOOLEAN), B, Literal(-1, INT)), INT)
    assert evaluate(case, rows).to_pylist() == expected


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


def test_arithmetic_of_decimals_is_exact_where_its_digits_have_room_and_where_not():
    """Arrow's arithmetic and Python's give the same: a sum of 37 digits is Arrow's, one of 38 Python's."""
    from decimal import Decimal

    for whole in (36, 37):
        kind = t.DecimalType(whole + 1, 2)
        numbers = [Decimal("9" * (whole - 2) + ".99"), Decimal("-0.01"), None]
        columns = [pa.array(numbers, pa.decimal128(whole, 2)), pa.array([Decimal("0.01")] * 3, pa.decimal128(whole, 2))]
        given = Input(columns, np.zeros(3, np.int64))
        operands = (InputRef(0, t.DecimalType(whole, 2)), InputRef(1, t.DecimalType(whole, 2)))
        total = Decimal(10) ** (whole - 2)
        assert evaluate(Call("+", operands, kind), given).to_pylist() == [total, Decimal(0), None]
        assert evaluate(Call("-", operands, kind), given).to_pylist()[1] == Decimal("-0.02")


def test_a_whole_number_by_a_decimal():
    """As ``price * 0.908`` is: a product has as many digits behind the point as both have."""
    from decimal import Decimal

    given = Input([pa.array([2**63 - 1, -5, None]), pa.array([Decimal("0.908")] * 3)], np.zeros(3, np.int64))
    product = Call("*", (InputRef(0, BIGINT), InputRef(1, t.DecimalType(3, 3))), t.DecimalType(22, 3))
    made = evaluate(product, given)
    assert made.to_pylist() == [(2**63 - 1) * Decimal("0.908"), Decimal("-4.540"), None]
    assert made.type == pa.decimal128(22, 3)


@pytest.mark.parametrize("precision", [None, 0, 3])
def test_numbers_are_moments_of_years_of_four_digits(precision):
    """Of seconds (0) or milliseconds (3, the default); NULL and what is beyond give NULL (``DateTimeUtils``)."""
    import datetime as dt

    from windrow.expressions.logical_types import TIMESTAMP_LTZ_3

    unit = 1 if precision == 0 else 1000
    last = 253_402_300_800 * unit - 1
    numbers = [0, 1_700_000_000 * unit, last, last + 1, -62_135_596_800 * unit, -62_135_596_800 * unit - 1, 2**62, None]
    operands = (InputRef(0, BIGINT), Literal(precision, INT))[: 1 if precision is None else 2]
    given = Input([pa.array(numbers)], np.zeros(len(numbers), np.int64))
    made = evaluate(Call("TO_TIMESTAMP_LTZ", operands, TIMESTAMP_LTZ_3), given).to_pylist()
    end = dt.datetime(9999, 12, 31, 23, 59, 59, 0 if precision == 0 else 999_000, dt.UTC)
    begin = dt.datetime(1, 1, 1, tzinfo=dt.UTC)
    moment = dt.datetime(2023, 11, 14, 22, 13, 20, tzinfo=dt.UTC)
    assert made == [dt.datetime(1970, 1, 1, tzinfo=dt.UTC), moment, end, None, begin, None, None, None]


def test_what_stands_twice_is_computed_once(monkeypatch):
    """Of the rows that there are; what a filter has left is computed anew."""
    from windrow.expressions import kernels
    from windrow.expressions.nodes import shared

    counted = []
    plus = kernels.KERNELS["+"]
    monkeypatch.setitem(kernels.KERNELS, "+", lambda *given: counted.append(given[2]) or plus(*given))
    total = Call("+", (A, Literal(1, INT)), INT)
    (first, second), repeated = shared([total, Call(">", (Call("+", (A, Literal(1, INT)), INT), B), BOOLEAN)])
    given = Input(ROWS.columns, ROWS.timestamps, shared=repeated)
    assert (evaluate(first, given).to_pylist(), evaluate(second, given).to_pylist()) == (
        [7, None, 4],
        [True, None, True],
    )
    assert counted == [3]
    assert evaluate(first, given.filtered(pa.array([True, False, False]))).to_pylist() == [7]
    assert counted == [3, 1]


def test_what_differs_each_time_is_not_shared():
    """Two calls of RAND are two numbers."""
    from windrow.expressions.logical_types import DOUBLE
    from windrow.expressions.nodes import shared

    assert shared([Call("RAND", (), DOUBLE), Call("RAND", (), DOUBLE)])[1] == frozenset()


def test_what_costs_much_is_asked_of_the_rows_that_are_left(monkeypatch):
    """Where few are, whatever the order of three values says; of many, or of what costs little, all rows are asked."""
    seen = []
    monkeypatch.setitem(KERNELS, "ABS", lambda call, values, count: seen.append(count) or pc.abs(values[0]))
    numbers = pa.array([None, 1, *range(2, 40)], pa.int64())
    nested = Call("=", (Call("ABS", (InputRef(0, BIGINT),), BIGINT), Literal(1, BIGINT)), BOOLEAN)
    for name, first, expected in (
        ("AND", Call("<", (InputRef(0, BIGINT), Literal(3, BIGINT)), BOOLEAN), [None, True, *[False] * 38]),
        ("OR", Call(">", (InputRef(0, BIGINT), Literal(2, BIGINT)), BOOLEAN), [None, True, False, *[True] * 37]),
    ):
        made = evaluate(Call(name, (first, nested), BOOLEAN), Input([numbers], np.zeros(40, np.int64)))
        assert made.to_pylist() == expected
    assert seen == [3, 3]


def test_a_number_that_is_not_zero_divides_whatever_it_gets():
    """And so does a cast that has room; the branches of CASE need not be chosen before they are computed then."""
    by = [Literal(value, kind) for value, kind in ((6, INT), (0, INT), (None, INT), (2.0, DOUBLE))]
    assert [may_fail(Call("/", (InputRef(0, INT), each), INT)) for each in by] == [False, True, True, True]
    casts = [(INT, BIGINT), (BIGINT, INT), (STRING, BIGINT), (INT, STRING)]
    assert [may_fail(Call("CAST", (InputRef(0, of),), to)) for of, to in casts] == [False, True, True, True]
