"""Rows of an Arrow record batch as elements of a source."""

import datetime
import pickle
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.common import Instant, Row, Types
from windrow.elements.batch import Batch, Gathered
from windrow.elements.columns import Columns
from windrow.elements.shape import RowShape, ScalarShape, TupleShape, shape_of

COLUMNS = st.lists(
    st.tuples(
        st.none() | st.integers(-(2**63), 2**63 - 1), st.none() | st.text(), st.none() | st.floats(allow_nan=False)
    ),
    max_size=12,
)
ROW = Types.ROW_NAMED(["n", "s", "f"], [Types.LONG(), Types.STRING(), Types.DOUBLE()])
TUPLE = Types.TUPLE([Types.LONG(), Types.STRING(), Types.DOUBLE()])


def batch_of(rows: list[tuple]) -> pa.RecordBatch:
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    schema = pa.schema([("n", pa.int64()), ("s", pa.string()), ("f", pa.float64())])
    return pa.RecordBatch.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)], schema=schema
    )


def lazy(rows: list[tuple], type_info: object = TUPLE) -> Columns:
    batch = batch_of(rows)
    shape = RowShape.of_schema(batch.schema) if type_info is None else shape_of(type_info)
    return Columns(pa.RecordBatch.from_arrays(batch.columns, schema=shape.schema), shape)


def joined(*parts):
    gathered = Gathered()
    for part in parts:
        gathered.extend(Batch(part, [0] * len(part)))
    return gathered.all().elements


@settings(deadline=None)
@given(rows=COLUMNS, data=st.data())
def test_it_is_the_sequence_of_its_rows(rows, data):
    """Length, items, slices, iteration, order, membership and comparison are those of a list."""
    assert list(lazy(rows)) == rows
    assert lazy(rows) == rows
    assert len(lazy(rows)) == len(rows)
    assert list(reversed(lazy(rows))) == rows[::-1]
    start, stop = data.draw(st.none() | st.integers(-15, 15)), data.draw(st.none() | st.integers(-15, 15))
    step = data.draw(st.none() | st.sampled_from([-2, -1, 1, 2]))
    assert list(lazy(rows)[start:stop:step]) == rows[start:stop:step]
    assert list(lazy(rows)[start:stop][1:3]) == rows[start:stop][1:3]
    if rows:
        index = data.draw(st.integers(-len(rows), len(rows) - 1))
        assert lazy(rows)[index] == rows[index]
        assert rows[index] in lazy(rows)


@settings(deadline=None)
@given(rows=COLUMNS, data=st.data(), looked=st.booleans())
def test_taking_joining_and_pickling_change_nothing(rows, data, looked):
    """Whether somebody has looked at the rows before or not."""
    elements = lazy(rows)
    if looked:
        list(elements)
    indexes = data.draw(st.lists(st.integers(0, len(rows) - 1))) if rows else []
    assert list(elements.take(np.array(indexes, np.int64))) == [rows[index] for index in indexes]
    assert list(joined(elements, lazy(rows[1:]), elements[:2])) == rows + rows[1:] + rows[:2]
    assert list(pickle.loads(pickle.dumps(elements))) == rows
    assert list(pickle.loads(pickle.dumps(elements[1:3]))) == rows[1:3]


@settings(deadline=None)
@given(rows=COLUMNS)
def test_rows_are_what_conversion_to_the_type_makes(rows):
    """Rows with the type's names; without a type those with the columns' names."""
    convert = ROW.converter()
    assert list(lazy(rows, ROW)) == [convert(row) for row in rows]
    assert list(lazy(rows, None)) == [Row(n=n, s=s, f=f) for n, s, f in rows]


def test_nobody_has_looked_before_an_element_is_asked_for():
    """Counting, slicing, taking, joining and pickling look at nothing."""
    elements = lazy([(1, "a", 0.5), (2, "b", 1.5)])
    len(elements), elements[1:], elements.take(np.array([1])), joined(elements, elements), pickle.dumps(elements)
    assert elements.untouched
    assert elements[1:].untouched
    assert joined(elements, elements).untouched
    assert pickle.loads(pickle.dumps(elements)).untouched
    elements[0]
    assert not elements.untouched


def test_the_same_objects_are_seen_by_all_who_look():
    """A function may change a row, and the next one sees it."""
    elements = lazy([(1, "a", 0.5), (2, "b", 1.5)], ROW)
    next(iter(elements))["n"] = 7
    assert elements[0].n == 7
    assert [row.n for row in elements[0:2]] == [7, 2]
    assert [row.n for row in elements.take(np.array([1, 0]))] == [2, 7]
    assert [row.n for row in pickle.loads(pickle.dumps(elements))] == [7, 2]
    assert [row.n for row in joined(elements, lazy([(3, "c", 0.0)], ROW))] == [7, 2, 3]


def test_a_slice_does_not_carry_the_whole_batch():
    """What is pickled is the slice's rows."""
    elements = lazy([(number, "x" * 100, 0.0) for number in range(10_000)])
    assert len(pickle.dumps(elements[10:20])) < 4_000


TYPES = [
    (Types.BYTE(), [1, None]),
    (Types.SHORT(), [-5, None]),
    (Types.INT(), [2**31 - 1, None]),
    (Types.FLOAT(), [0.5, None]),
    (Types.BOOLEAN(), [True, None]),
    (Types.CHAR(), ["x", None]),
    (Types.BIG_INT(), [10**20, None]),
    (Types.BIG_DEC(), [Decimal("1.5"), None]),
    (Types.INSTANT(), [Instant(1, 500_000_001), None, Instant(-1, 7)]),
    (Types.SQL_DATE(), [datetime.date(2020, 2, 29), None]),
    (Types.SQL_TIME(), [datetime.time(1, 2, 3, 4), None]),
    (Types.SQL_TIMESTAMP(), [datetime.datetime(2020, 1, 1, 2, 3, 4, 5), None, datetime.datetime(1, 1, 1)]),
    (Types.LIST(Types.INSTANT()), [[Instant(1, 2)], [], None]),
    (Types.LIST(Types.BIG_INT()), [[1, None], None]),
    (Types.PRIMITIVE_ARRAY(Types.LONG()), [[1, 2]]),
    (Types.OBJECT_ARRAY(Types.STRING()), [["a", None], None]),
    (Types.MAP(Types.STRING(), Types.BIG_INT()), [{"a": 1, "b": None}, None]),
    (Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.INSTANT()]), [Row(a=1, b=Instant(3, 4)), None]),
    (Types.TUPLE([Types.INT(), Types.STRING()]), [(1, "a"), None]),
]


@pytest.mark.parametrize(("type_info", "values"), TYPES, ids=lambda value: str(value)[:40])
def test_every_type_that_can_be_written_is_read_back(type_info, values):
    """Values go through an Arrow table and come back as they were."""
    from windrow.connectors.files.arrow_rows import RowTables

    row_type = Types.ROW_NAMED(["v"], [type_info])
    (batch,) = RowTables(row_type).table([(value,) for value in values]).to_batches()
    assert [row.v for row in Columns(batch, shape_of(row_type))] == values
    assert batch.schema == shape_of(row_type).schema


def test_years_that_python_does_not_have_are_an_error():
    """Not a number in place of a time."""
    batch = pa.record_batch({"t": pa.array([2**60], pa.timestamp("us"))})
    with pytest.raises((ValueError, OverflowError)):
        list(Columns(batch, RowShape.of_schema(batch.schema)))


def test_another_taker_has_rows_of_its_own():
    """Made when it looks; tuples of plain columns cannot change and are shared."""
    rows = [(1, "a", 0.5), (2, "b", 1.5)]
    tuples, elements = lazy(rows), lazy(rows, ROW)
    assert tuples.copied() is tuples
    before, looked_at = elements.copied(), list(elements)
    assert before.untouched
    looked_at[0]["n"] = 7
    after = elements.copied()
    looked_at[1]["n"] = 8
    assert [[row.n for row in each] for each in (before, after, elements)] == [[1, 2], [7, 2], [7, 8]]


@given(st.lists(st.booleans(), max_size=70), st.data())
def test_truth_values_are_arrows_as_they_were_numpys(truths, data):
    """A bit for each, also of columns that begin in the middle of a byte."""
    columns = Columns.of(ScalarShape.of(pa.bool_()), [np.array(truths, np.bool_)])
    assert columns.batch.column(0).equals(pa.array(truths, pa.bool_()))
    start = data.draw(st.integers(0, len(truths)))
    stop = data.draw(st.integers(start, len(truths)))
    assert columns.part(start, stop).truths().tolist() == truths[start:stop]


def test_truth_values_may_stand_apart():
    """NumPy's array need not be one piece."""
    every_other = np.array([True, False, False, True, True, True])[::2]
    assert list(Columns.of(ScalarShape.of(pa.bool_()), [every_other])) == [True, False, True]


@settings(deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.booleans())),
    data=st.data(),
)
def test_what_was_computed_is_the_same_before_and_behind_its_record_batch(rows, data):
    """NumPy's arrays and Arrow's columns give the same elements, parts and choices of them, and none is null."""
    shape = TupleShape((pa.int64(), pa.float64(), pa.bool_()))
    dtypes = (np.int64, np.float64, np.bool_)
    arrays = [np.array([row[place] for row in rows], dtype) for place, dtype in enumerate(dtypes)]
    made, seen = Columns.of(shape, arrays), Columns.of(shape, arrays)
    assert seen.batch.schema == shape.schema
    start, stop = data.draw(st.integers(0, 5)), data.draw(st.integers(0, 20))
    indexes = np.array(data.draw(st.lists(st.integers(0, len(rows) - 1))) if rows else [], np.int64)
    for columns in (made, seen):
        assert list(columns.part(start, stop)) == rows[start:stop]
        assert list(columns.take(indexes)) == [rows[index] for index in indexes]
        assert [columns.null_count(field) for field in range(3)] == [0, 0, 0]
        assert columns.numbers(2) is None
        assert list(pickle.loads(pickle.dumps(columns.part(0, len(rows))))) == rows
        assert list(columns) == rows


def test_arrays_of_another_type_become_columns_of_the_shapes():
    """A number that is computed as one of 64 bits is a short one where its field is."""
    columns = Columns.of(ScalarShape.of(pa.int16()), [np.array([1, 2])])
    assert columns.fields[0].type == pa.int16()
    assert list(columns) == [1, 2]


def test_what_was_computed_stays_beside_text():
    """A record batch is made when somebody asks for one."""
    numbers, texts = np.array([1, 2, 3]), pa.array(["a", None, "c"])
    elements = Columns.of(TupleShape((pa.int64(), pa.string())), [numbers, texts])
    assert elements.fields[0] is numbers
    assert elements.take(np.array([2, 0])).fields[0].tolist() == [3, 1]
    assert elements.part(1, 9).fields[0].tolist() == [2, 3]
    assert list(elements.part(1, 9).take(np.array([1, 0]))) == [(3, "c"), (2, None)]
    assert elements.batch.to_pylist() == [{"f0": 1, "f1": "a"}, {"f0": 2, "f1": None}, {"f0": 3, "f1": "c"}]


def test_elements_of_another_shape_have_the_same_columns():
    """And rows of their own."""
    elements = lazy([(1, "a", 0.5)])
    rows = elements.rows()
    others = elements.shaped(RowShape(elements.shape.types, field_names=("n", "s", "f")))
    assert list(others) == [Row(n=1, s="a", f=0.5)]
    assert elements.rows() is rows


def test_all_elements_of_columns_are_kept_without_a_copy():
    """A batch of which nothing is left out is the same one."""
    batch = Batch(Columns.of(ScalarShape.of(pa.int64()), [np.array([1, 2])]), np.array([5, 6]))
    assert batch.kept(np.array([True, True])) is batch
    assert list(batch.kept(np.array([False, True])).elements) == [2]


def test_parts_are_joined_where_all_are_columns_of_one_shape():
    """Rows among them, another shape, or nothing at all: they are not."""
    numbers = Columns.of(ScalarShape.of(pa.int64()), [np.arange(3)])
    texts = Columns(pa.record_batch({"f0": ["a"]}), ScalarShape.of(pa.string()))
    assert Columns.joined([numbers, numbers]) == [0, 1, 2, 0, 1, 2]
    assert Columns.joined([numbers]) is numbers
    assert Columns.joined([texts, texts]) == ["a", "a"]
    for parts in ([], [numbers, [3]], [[3]], [numbers, texts]):
        assert Columns.joined(parts) is None
