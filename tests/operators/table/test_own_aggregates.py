"""Aggregate functions of a program's own, over rows."""

import pytest

from windrow.errors import ElementError, UserFunctionError
from windrow.expressions.nodes import USER_AGGREGATE
from windrow.operators.table.changes import DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE
from windrow.operators.table.group_aggregate import GroupAggregateOperator
from windrow.operators.table.over import RunningOverOperator
from windrow.operators.table.own_aggregates import OwnAggregate
from windrow.operators.table.row_aggregates import RowAggregates, RowCall
from windrow.table import DataTypes
from windrow.table.udf import AggregateFunction, udaf
from windrow.testing import OperatorHarness

MAP, INT = DataTypes.MAP(DataTypes.STRING(), DataTypes.INT()), DataTypes.INT()


class Total(AggregateFunction):
    """A sum, that knows whether it is open."""

    opened = 0

    def open(self, function_context):
        self.opened += 1

    def create_accumulator(self):
        return [0]

    def accumulate(self, accumulator, value):
        accumulator[0] += value

    def retract(self, accumulator, value):
        accumulator[0] -= value

    def merge(self, accumulator, accumulators):
        for other in accumulators:
            accumulator[0] += other[0]

    def get_value(self, accumulator):
        return accumulator[0] * self.opened


def call_of(function, kind=INT, types=(INT,), **options):
    return RowCall(USER_AGGREGATE, (2,), kind, options=(function, types), **options)


def test_a_group_goes_on_from_a_checkpoint_with_what_was_seen():
    """Accumulators are state; the function is opened in each subtask, in a copy of its own."""
    function = Total()

    def harness_of(snapshot=None):
        operator = GroupAggregateOperator(1, [call_of(udaf(function, result_type="INT"))], retracts=True)
        return OperatorHarness(operator, lambda row: row[0], snapshot=snapshot)

    first = harness_of()
    first.process_element(("k", "a", 3, INSERT), 0)
    second = harness_of(first.snapshot())
    second.process_element(("k", "a", 4, INSERT), 0)
    second.process_element(("k", "a", 3, DELETE), 0)
    assert second.values() == [
        ("a", 3, UPDATE_BEFORE), ("a", 7, UPDATE_AFTER), ("a", 7, UPDATE_BEFORE), ("a", 4, UPDATE_AFTER),
    ]  # fmt: skip
    assert function.opened == 0


def test_aggregates_by_the_clock_are_open_as_well():
    """Each row has a result when it comes, of the rows in its frame."""
    operator = RunningOverOperator([call_of(udaf(Total(), result_type="INT"))], preceding=1)
    harness = OperatorHarness(operator, lambda row: row[0])
    for value in (1, 2, 3):
        harness.process_element(("k", "a", value), 0)
    assert [row[-1] for row in harness.values()] == [1, 3, 5]


@pytest.mark.parametrize(("distinct", "expected"), [(False, (7,)), (True, (5,))])
def test_windows_that_merge_keep_accumulators_or_values_that_differ(distinct, expected):
    """Of DISTINCT the function sees each value once."""
    call = call_of(udaf(OnceOpen(), result_type="INT"), distinct=distinct)
    sums = RowAggregates(0, [call])
    one, other = sums.create_accumulator(), sums.create_accumulator()
    for value in (2, 2):
        one = sums.add((0, 0, value), one)
    assert sums.get_result(sums.merge(one, sums.add((0, 0, 3), other))) == expected


class OnceOpen(Total):
    """The same, open from the beginning."""

    opened = 1


def test_values_are_those_of_python():
    """A MAP is a dict on both sides."""

    class Last(OnceOpen):
        def accumulate(self, accumulator, value):
            accumulator[0] = value

        def get_value(self, accumulator):
            assert isinstance(accumulator[0], dict)
            return accumulator[0]

    own = OwnAggregate(call_of(udaf(Last(), result_type=MAP), MAP, (MAP,)))
    accumulator = own.create()
    own.accumulate(accumulator, ([("a", 1)],))
    assert own.value(accumulator) == [("a", 1)]


@pytest.mark.parametrize("result", ["x", 1.5, 2**40])
def test_a_wrong_result_is_named(result):
    """With the function, what it gave, and what was said of it."""

    class Wrong(OnceOpen):
        def get_value(self, accumulator):
            return result

    own = OwnAggregate(call_of(udaf(Wrong(), result_type="INT", name="wrong")))
    with pytest.raises(ElementError, match=f"function wrong gave '?{result}'?, and its result_type is INT"):
        own.value(own.create())


def test_an_error_of_a_function_says_what_it_was_called_with():
    """And the name of the function."""
    own = OwnAggregate(call_of(udaf(OnceOpen(), result_type="INT", name="total")))
    with pytest.raises(UserFunctionError, match=r"function total' on element \(\[0\], None\)"):
        own.accumulate(own.create(), (None,))
