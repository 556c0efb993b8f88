"""A running reduce of columns gives what one of rows gives: the same results in the same order, whatever happens."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property_examples import examples
from windrow.common.types import Row
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import DataclassShape, RowShape, ScalarShape, TupleShape
from windrow.operators.aggregations import ComparableAggregator, SumAggregator
from windrow.operators.reduce import ReduceOperator
from windrow.operators.running_reduce import running_reduce
from windrow.testing import OperatorHarness

INT, SHORT, FLOAT, TEXT = pa.int64(), pa.int16(), pa.float64(), pa.string()


@dataclass
class Reading:
    sensor: int
    value: int


def smaller(a, b):
    return b if b < a else a


PAIRS, TRIPLES = TupleShape((INT, INT)), TupleShape((INT, INT, INT))
ROWS = RowShape((INT, INT), field_names=("k", "n"))
READINGS = DataclassShape((INT, INT), None, Reading, ("sensor", "value"))
#: Functions that keep one of their elements whole.
CHOSEN = [
    (TRIPLES, lambda a, b: a if a[1] >= b[1] else b),
    (TRIPLES, lambda a, b: b if b[2] <= a[2] else a),
    (TupleShape((INT, FLOAT, TEXT)), lambda a, b: b if b[1] >= a[1] else a),
    (TRIPLES, lambda a, b: a if a[1] % 3 <= b[1] % 3 else b),
    (ROWS, lambda a, b: a if a.n <= b.n else b),
    (READINGS, lambda a, b: b if a.value < b.value else a),
    (TRIPLES, ComparableAggregator(1, greatest=True, whole_element=True)),
    (TupleShape((INT, FLOAT, TEXT)), ComparableAggregator(1, greatest=False, whole_element=True, first=False)),
]
#: Shapes of (key, number, ...), and how such elements are combined.
COMBINED = [
    (TRIPLES, lambda a, b: (a[0], a[1] + b[1], b[2])),
    (TRIPLES, lambda a, b: (b[0], smaller(a[1], b[1]), max(a[2], b[2]))),
    (TupleShape((INT, FLOAT, TEXT)), lambda a, b: (a[0], a[1] + b[1], b[2])),
    (TupleShape((INT, FLOAT, TEXT)), lambda a, b: (a[0], max(a[1], b[1]), a[2])),
    (TupleShape((INT, INT, TEXT)), lambda a, _: a),
    (TupleShape((INT, pa.bool_())), lambda _, b: b),
    (ScalarShape((INT,)), lambda a, b: a + b),
    (ScalarShape((TEXT,)), lambda a, _: a),
    (ROWS, lambda a, b: Row(k=a.k, n=a.n + b.n)),
    (READINGS, lambda a, b: Reading(a.sensor, a.value + b.value)),
    (TRIPLES, SumAggregator(1)),
    (TupleShape((INT, SHORT)), SumAggregator(1)),
    (TupleShape((INT, FLOAT)), SumAggregator(1)),
    (ScalarShape((INT,)), SumAggregator()),
    (ROWS, SumAggregator("n")),
    (READINGS, SumAggregator("value")),
    (TRIPLES, ComparableAggregator(1, greatest=False)),
    (TupleShape((INT, FLOAT, TEXT)), ComparableAggregator(1, greatest=True)),
    *CHOSEN,
]
KEYS = [(INT, [1, -2, 10**15, 3]), (TEXT, ["a", "b", "", "é"])]

numbers = st.one_of(st.integers(-9, 9), st.integers(-9, 9), st.sampled_from([2**62, -(2**62), 2**63 - 1, -(2**63)]))
element = st.tuples(st.sampled_from([0, 0, 1, 2, 3]), numbers, st.booleans())
step = st.one_of(
    st.tuples(st.just("columns"), st.lists(element, min_size=1, max_size=12)),
    st.tuples(st.just("columns"), st.lists(element, min_size=1, max_size=80)),
    st.tuples(st.just("rows"), st.lists(element, min_size=1, max_size=4)),
    st.just(("cut",)),
    st.just(("restore",)),
)


def value_of(kind, number, other, place, null):
    """A value of a field: of the key's or another one."""
    if kind == TEXT:
        return None if null else f"{place}:{other if place else number}"
    if kind == pa.bool_():
        return number % 2 == 0
    if kind == SHORT:
        return number % 2**15
    return number / 3 if kind == FLOAT else number


def batch_of(shape, key_type, keys, elements, number, *, columns):
    """A batch as columns or as rows: the first field is the key or has to do with it."""
    values = [keys[key] for key, _, _ in elements]
    fields = []
    for place, kind in enumerate(shape.types):
        plain = [hash_of(keys[key]) if place == 0 and len(shape.types) > 1 else value for key, value, _ in elements]
        whole = [number + at if place == 2 else each for at, each in enumerate(plain)]
        nulls = [null and value == 9 for _, value, null in elements]
        zipped = zip(whole, plain, nulls, strict=True)
        fields.append([value_of(kind, each, other, place, null) for each, other, null in zipped])
    times = np.arange(number, number + len(elements))
    if not columns:
        return Batch(shape.elements(fields, len(elements)), times.tolist(), values)
    arrays = [pa.array(each, kind) for each, kind in zip(fields, shape.types, strict=True)]
    key_columns = Columns.of(ScalarShape((key_type,)), [pa.array(values, key_type)])
    return Batch(Columns.of(shape, arrays), times, key_columns)


def hash_of(key):
    return key if isinstance(key, int) else len(key)


def play(operator_of, stream, steps, *, columns):
    """All that comes out, and what is stored at the end."""
    current = OperatorHarness(operator_of())
    output, number = [], 0
    for each in [*steps, ("restore",)]:
        if each[0] in ("columns", "rows"):
            as_columns = columns and each[0] == "columns"
            current._operator.process_batch(batch_of(*stream, each[1], number, columns=as_columns))
            number += len(each[1])
        elif each[0] == "cut":
            current.snapshot()
        else:
            snapshot = current.snapshot()
            output.append(current.take_output())
            current = OperatorHarness(operator_of(), snapshot=snapshot)
    return output, sorted(current.state_entries(), key=repr)


@settings(print_blob=True, max_examples=examples(300), deadline=None)
@given(st.sampled_from(COMBINED), st.sampled_from(KEYS), st.lists(step, max_size=12))
def test_equals_the_operator_over_rows(combined, keys, steps):
    """Results, their types and order, and state are the same through cuts, restores and changes of form."""
    shape, function = combined
    stream = shape, *keys
    expected = play(lambda: ReduceOperator(function), stream, steps, columns=False)
    given = play(lambda: running_reduce(function), stream, steps, columns=True)
    assert repr(given) == repr(expected)


few = st.tuples(st.integers(0, 1), st.sampled_from([-1, 0, 0, 1, 9, 2**63 - 1, -(2**63)]), st.booleans())
step_of_few = st.one_of(
    st.tuples(st.just("columns"), st.lists(few, min_size=1, max_size=12)),
    st.tuples(st.just("columns"), st.lists(few, min_size=1, max_size=80)),
    st.sampled_from([("cut",), ("restore",), ("rows", [(0, 0, False)])]),
)


@pytest.mark.parametrize(("shape", "function"), CHOSEN)
@settings(print_blob=True, max_examples=examples(60), deadline=None)
@given(st.sampled_from(KEYS), st.lists(step_of_few, max_size=8))
def test_one_element_is_kept_whole(shape, function, keys, steps):
    """Behind each element the one with the greatest or the least key, and of equals the first or the last to come."""
    stream = shape, *keys
    expected = play(lambda: ReduceOperator(function), stream, steps, columns=False)
    assert repr(play(lambda: running_reduce(function), stream, steps, columns=True)) == repr(expected)


@pytest.mark.parametrize(("shape", "function"), COMBINED)
def test_columns_stay_columns(shape, function):
    """Elements whose function folds are reduced without a look at one of them, and the next batch goes on."""
    operator = OperatorHarness(running_reduce(function))._operator
    assert operator.takes_columns(shape)
    assert operator.forecast(shape).columns
    given = []
    operator.context.output.emit_batch = given.append
    for number in (1, 4):
        batch = batch_of(shape, *KEYS[0], [(0, 5, False), (1, 6, False), (0, 2, False)], number, columns=True)
        operator.process_batch(batch)
        assert batch.elements.untouched
    assert [len(batch.columns) for batch in given] == [3, 3]
    assert given[0].columns.shape == operator.forecast(shape).shape


@pytest.mark.parametrize(
    ("shape", "function"),
    [
        (TupleShape((INT, TEXT)), ComparableAggregator(1, greatest=True, whole_element=True)),
        (ScalarShape((INT,)), ComparableAggregator(0, greatest=True, whole_element=True)),
        (PAIRS, SumAggregator(2)),
        (PAIRS, SumAggregator("n")),
        (TupleShape((INT, TEXT)), SumAggregator(1)),
        (TupleShape((INT, pa.float32())), lambda a, b: (a[0], b[1])),
        (PAIRS, lambda a, b: (a[0], a[1] * b[1])),
    ],
)
def test_what_is_no_fold_is_left_to_rows(shape, function):
    """The forecast says why."""
    operator = running_reduce(function)
    assert not operator.takes_columns(shape)
    assert operator.forecast(shape).reason.startswith("its function ")


def test_many_elements_of_few_keys_and_many_keys():
    """Runs of any length, and more keys than NumPy sorts by radix."""
    random = np.random.default_rng(7)
    shape = TupleShape((INT, FLOAT))
    for keys in (1, 3, 200_000):
        rows = OperatorHarness(ReduceOperator(lambda a, b: (a[0], a[1] + b[1])))
        columns = OperatorHarness(running_reduce(lambda a, b: (a[0], a[1] + b[1])))
        for size in (100_000, 5_000, 33):
            owners, values = random.integers(0, keys, size), random.random(size)
            times = np.zeros(size, np.int64)
            elements = list(zip(owners.tolist(), values.tolist(), strict=True))
            rows._operator.process_batch(Batch(elements, times, owners.tolist()))
            key_columns = Columns.of(ScalarShape((INT,)), [owners])
            columns._operator.process_batch(Batch(Columns.of(shape, [owners, values]), times, key_columns))
        assert columns.output == rows.output


def test_batches_that_columns_cannot_do_are_tried_ever_less_often():
    """Sums that leave 64 bits in each batch cost a try in the first ones only; results are right."""
    operator = running_reduce(SumAggregator(1))
    harness = OperatorHarness(operator)
    tries = []
    reduced = operator._reduced
    operator._reduced = lambda *columns: tries.append(0) or reduced(*columns)
    for number in range(40):
        operator.process_batch(batch_of(PAIRS, *KEYS[0], [(0, 2**63 - 1, False)], number, columns=True))
    assert len(tries) == 6
    assert harness.values()[-1] == (1, 40 * (2**63 - 1))
