"""The time of rows where they are read."""

import pytest

from windrow.elements.batch import Batch
from windrow.errors import ElementError
from windrow.expressions.logical_types import BIGINT, STRING, TIMESTAMP_LTZ_3
from windrow.expressions.nodes import Call, InputRef, Literal
from windrow.operators.table.row_times import RowTimes

TIME = Call("TO_TIMESTAMP_LTZ", (InputRef(1, BIGINT), Literal(3, BIGINT)), TIMESTAMP_LTZ_3)


def test_an_expression_over_the_fields_is_the_time():
    """Of all tuples at once; one alone has the same."""
    times = RowTimes([STRING, BIGINT], TIME)
    assert times.of_batch(Batch([("a", 5), ("b", 7_000)], [0, 0])).tolist() == [5, 7_000]
    assert times(("a", 5), 0) == 5


def test_a_row_without_a_time_is_an_error():
    """It has no place in event time."""
    with pytest.raises(ElementError, match="RowTime field should not be null"):
        RowTimes([STRING, BIGINT], TIME).of_batch(Batch([("a", None)], [0]))


def test_columns_have_the_same_times():
    """As they come from a source that reads many rows at once."""
    import pyarrow as pa

    from windrow.elements.columns import Columns
    from windrow.elements.shape import TupleShape

    rows = Columns.of(TupleShape((pa.string(), pa.int64())), [pa.array(["a", "b"]), pa.array([5, 7_000])])
    assert RowTimes([STRING, BIGINT], TIME).of_batch(Batch(rows, [0, 0])).tolist() == [5, 7_000]
