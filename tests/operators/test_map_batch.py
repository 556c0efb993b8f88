import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common import Row, Types
from windrow.common.limits import NO_TIMESTAMP
from windrow.datastream.functions import MapBatchFunction
from windrow.elements.batch import Batch
from windrow.elements.inference import columns_from
from windrow.elements.shape import LONG
from windrow.errors import UsageError, UserFunctionError
from windrow.operators.map_batch import MapBatchOperator
from windrow.testing.harness import OperatorHarness

ANY = Types.PICKLED_BYTE_ARRAY()
PAIRS = [((1, "a"), 10), ((2, "b"), None), ((3, "c"), 30)]


def harness(function, output_type=ANY, timestamps=None, input_type=ANY):
    return OperatorHarness(MapBatchOperator(function, input_type, output_type, timestamps), name="op")


def records(elements, *arguments, **named):
    made = harness(*arguments, **named)
    made.process_elements(elements)
    return [tuple(record) for record in made.records()]


def test_each_row_keeps_the_timestamp_of_its_place():
    """A result with as many rows has the timestamps of the elements."""
    found = records(PAIRS, lambda table: table.rename_columns(["n", "s"]).drop_columns(["s"]))

    assert found == [(Row(n=1), 10), (Row(n=2), NO_TIMESTAMP), (Row(n=3), 30)]


def test_another_number_of_rows_needs_timestamps():
    """A result with other rows is an error that names operator and elements, and says what to do."""
    with pytest.raises(UserFunctionError, match=r"a table of 3 rows and returned one of 2.*timestamps=") as raised:
        records(PAIRS, lambda table: table.slice(1))
    assert raised.value.operator == "op"
    assert raised.value.element == "(a table of 3 elements, the first of them (1, 'a'))"


def test_timestamps_as_a_column():
    """With a column of timestamps rows may be left out, repeated and made; null is none."""

    def twice_where_odd(table):
        odd = table.filter(pc.equal(pc.bit_wise_and(table["f0"], 1), 1))
        more = odd.set_column(2, "time", pa.array([None, 99], pa.int64()))
        return pa.concat_tables([odd, more])

    found = records(PAIRS, twice_where_odd, Types.TUPLE([Types.LONG(), Types.STRING()]), "time")

    assert found == [((1, "a"), 10), ((3, "c"), 30), ((1, "a"), NO_TIMESTAMP), ((3, "c"), 99)]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda table: table.drop_columns(["time"]), "with the column 'time' of timestamps"),
        (lambda table: {"n": [1], "time": ["a"]}, "must be whole milliseconds; the function returned string"),
        (lambda table: {"n": [1], "time": [0.5]}, "must be whole milliseconds: "),
    ],
)
def test_wrong_timestamps(function, message):
    """A result without timestamps, or with what is none, is an error."""
    with pytest.raises(UserFunctionError, match=message):
        records(PAIRS, function, timestamps="time")


def test_a_field_with_the_name_of_the_timestamps():
    """Elements that have a field of that name are an error that names it."""
    with pytest.raises(UsageError, match="'op' is to show timestamps as column 'f0'"):
        records(PAIRS, lambda table: table, timestamps="f0")


def test_what_a_function_raises_is_named():
    """An error in the function names the operator and the elements."""
    with pytest.raises(UserFunctionError, match="no_such_column") as raised:
        records([(5, 0)], lambda table: table["no_such_column"])
    assert (raised.value.operator, raised.value.element) == ("op", "(a table of 5)")


def test_elements_that_are_no_columns():
    """Elements of several types are an error that names the operator and one of them."""
    with pytest.raises(UserFunctionError, match=r"'f0' has int and, in 'a', str.*\n.*'op'"):
        records([(1, 0), ("a", 0)], lambda table: table)


def test_a_function_object_is_opened_and_closed():
    """A MapBatchFunction is opened with the runtime context, called through map_batch, and closed."""

    class Counting(MapBatchFunction):
        def open(self, runtime_context):
            self.calls = [runtime_context.get_task_name()]

        def map_batch(self, table):
            self.calls.append(table.num_rows)
            return table

        def close(self):
            self.calls.append("closed")

    function = Counting()
    made = harness(function)
    made.process_elements([(1, 0), (2, 0)])
    made.process_elements([])
    made.close()

    assert function.calls[1:] == [2, "closed"]


def test_columns_go_through():
    """Columns become a table, and the result goes on as columns."""
    made = harness(lambda table: {"n": pc.add(table["f0"], 1)}, Types.LONG())
    given = []
    made._operator.context.output.emit_batch = given.append
    made._operator.process_batch(Batch(columns_from(list(range(5))), np.arange(5)))

    (batch,) = given
    assert batch.columns is not None
    assert list(batch.elements) == [1, 2, 3, 4, 5]


def test_the_forecast_is_columns():
    """It takes columns of any shape, and says of which its results are, where their type does."""
    operator = MapBatchOperator(lambda table: table, ANY, Types.LONG(), None)

    assert operator.takes_columns(LONG)
    assert operator.forecast(None).columns
    assert operator.forecast(LONG).shape == LONG


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.sampled_from("abc"), st.integers(0, 99))),
    st.lists(st.integers(1, 5)),
    st.booleans(),
)
def test_results_depend_neither_on_batches_nor_on_columns(elements, sizes, as_columns):
    """However elements are cut into batches, as rows or as columns, a function of rows gives the same."""
    made = harness(
        lambda table: table.filter(pc.greater(table["f0"], 0)),
        Types.TUPLE([Types.LONG(), Types.STRING(), Types.LONG()]),
        "time",
    )
    rest = list(elements)
    for size in [*sizes, len(elements)]:
        cut, rest = rest[:size], rest[size:]
        if cut:
            rows = columns_from(cut) if as_columns else cut
            made._operator.process_batch(Batch(rows, [element[2] for element in cut]))

    assert [tuple(record) for record in made.records()] == [(each, each[2]) for each in elements if each[0] > 0]
