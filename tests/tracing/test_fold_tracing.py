"""Traced reduce and aggregate functions fold as Python does, field by field."""

from __future__ import annotations

import operator
from functools import reduce
from operator import itemgetter
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from tests.property_examples import examples
from windrow.common.types import Row
from windrow.datastream.functions import AggregateFunction
from windrow.elements.columns import Columns
from windrow.elements.shape import RowShape, ScalarShape, TupleShape
from windrow.tracing.fold_tracing import trace_aggregate, trace_reduce
from windrow.tracing.folds import Fold, FoldKind
from windrow.tracing.outcome import NotTraceable

TRIPLES = TupleShape((pa.int64(), pa.int64(), pa.string()))
ROWS = st.lists(st.tuples(st.integers(-9, 9), st.integers(-3, 3), st.sampled_from("abc")), min_size=1, max_size=9)
FIRST, LAST, SUM, MIN, MAX, COUNT = FoldKind
second = itemgetter(1)


def folded(fold: Fold, rows: list[Any]) -> Any:
    """What a fold makes of rows, by its definition."""
    batch = pa.record_batch([pa.array(list(each)) for each in zip(*rows, strict=True)], names=TRIPLES.names)
    given_columns = Columns(batch, TRIPLES)
    inputs = fold.inputs.columns(given_columns)
    if fold.choice is not None:
        keys = fold.choice.key.columns(given_columns).rows()
        best = (max if fold.choice.greatest else min)(keys)
        found = [index for index, key in enumerate(keys) if key == best]
        return rows[found[0 if fold.choice.first else -1]]
    values = []
    for number, kind in enumerate(fold.kinds):
        column = inputs.batch.column(number).to_pylist()
        initial = [] if fold.initial is None else [fold.initial[number]]
        match kind:
            case FoldKind.FIRST:
                values.append(column[0])
            case FoldKind.LAST:
                values.append(column[-1])
            case FoldKind.SUM:
                values.append(sum(initial + column))
            case FoldKind.COUNT:
                values.append(sum(initial) + len(column))
            case FoldKind.MIN:
                values.append(min(initial + column))
            case FoldKind.MAX:
                values.append(max(initial + column))
    made = pa.record_batch([pa.array([value]) for value in values], schema=fold.shape.schema)
    accumulators = Columns(made, fold.shape)
    return (accumulators if fold.result is None else fold.result.columns(accumulators)).rows()[0]


def traced(fold: Fold | NotTraceable) -> Fold:
    """The fold, which it has to be."""
    assert isinstance(fold, Fold), fold
    return fold


@pytest.mark.parametrize(
    ("function", "kinds"),
    [
        (lambda a, b: (a[0], a[1] + b[1], b[2]), (FIRST, SUM, LAST)),
        (lambda a, b: (b[0] + a[0], max(a[1], b[1]), min(b[2], a[2])), (SUM, MAX, MIN)),
        (lambda a, b: (a[0], b[1] if b[1] < a[1] else a[1], a[2]), (FIRST, MIN, FIRST)),
        (lambda a, b: (a[0], a[1] if a[1] >= b[1] else b[1], a[2]), (FIRST, MAX, FIRST)),
        (lambda a, b: b, (LAST, LAST, LAST)),
        (lambda a, b: a, (FIRST, FIRST, FIRST)),
    ],
)
@settings(deadline=None)
@given(rows=ROWS)
def test_reduce_functions_are_traced_by_field(function: Any, kinds: Any, rows: list[Any]) -> None:
    """First, last, sum, least and greatest are known by what the function does to the field."""
    fold = traced(trace_reduce(function, TRIPLES))
    assert fold.kinds == kinds
    assert folded(fold, rows) == reduce(function, rows)
    halves = [part for part in (rows[:4], rows[4:]) if part]
    if fold.associative:
        assert reduce(function, [folded(fold, part) for part in halves]) == reduce(function, rows)
    if fold.commutative:
        assert folded(fold, rows[::-1]) == reduce(function, rows)


@pytest.mark.parametrize("of", ["a, b", "b, a"])
@pytest.mark.parametrize("compared", ["<", "<=", ">", ">="])
@pytest.mark.parametrize("key", ["{}[1]", "{}[0] * 2", "{}[2]"])
@pytest.mark.parametrize("swapped", [False, True])
@settings(max_examples=examples(10), deadline=None)
@given(rows=ROWS)
def test_a_choice_of_one_element_keeps_its_rule_for_equals(
    of: str, compared: str, key: str, swapped: bool, rows: list[Any]
) -> None:
    """An element is kept whole, and of several with the greatest key it is the one that the function keeps."""
    one, other = of.split(", ")
    left, right = (other, one) if swapped else (one, other)
    source = f"{one} if {key.format(left)} {compared} {key.format(right)} else {other}"
    note(source)
    function = eval(f"lambda a, b: {source}")
    fold = traced(trace_reduce(function, TRIPLES))
    assert fold.choice is not None
    assert folded(fold, rows) == reduce(function, rows)


@pytest.mark.parametrize(
    "function",
    [lambda a, b: max(a, b, key=second), lambda a, b: min(a, b, key=second), lambda a, b: max(b, a, key=second)],
)
@settings(deadline=None)
@given(rows=ROWS)
def test_max_and_min_by_a_key(function: Any, rows: list[Any]) -> None:
    """The builtins keep the first of equals of their own arguments."""
    assert folded(traced(trace_reduce(function, TRIPLES)), rows) == reduce(function, rows)


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: (a[0] * b[0], a[1], a[2]),
        lambda a, b: (a[0] + 1, a[1], a[2]),
        lambda a, b: (a[0] - b[0], a[1], a[2]),
        lambda a, b: (a[0] + b[1], a[1], a[2]),
        lambda a, b: (a[1], a[0], a[2]),
        lambda a, b: (b[1], b[0], b[2]),
        lambda a, b: (a[0], a[1] + b[1]),
        lambda a, b: (a[0], a[1] / b[1], a[2]),
        lambda a, b: (a[0], a[1] + b[1] if a[0] > 0 else a[1], a[2]),
        lambda a, b: (a[0] + b[0] if b[1] > 0 else b[0], a[1], a[2]),
        lambda a, b: (a[0], a[1], a[2] + b[2]),
        lambda a, b: a if a[1] > b[0] else b,
        lambda a, b: a if a[1] > 2 else b,
        lambda a, b: (max(a[0], b[1]), a[1], a[2]),
        lambda a, b: [a[0] + b[0], a[1], a[2]],
        lambda a, b: Row(a[0], a[1], a[2]),
        lambda a, b: a[0],
    ],
)
def test_other_reduce_functions_are_not_traced(function: Any) -> None:
    """What is no fold of each field by itself is left to Python."""
    assert isinstance(trace_reduce(function, TRIPLES), NotTraceable)


def test_conditional_sums() -> None:
    """Adding on some paths only is adding 0 on the others."""
    function = lambda a, b: (a[0], a[1] + b[1] if b[1] > 0 else a[1], a[2])  # noqa: E731
    assert isinstance(trace_reduce(function, TRIPLES), NotTraceable)  # the first element would count whatever it is


def test_what_depends_on_the_order_says_so() -> None:
    """Sums of floats are exact in the order of arrival only; first and last are known by it."""
    floats = traced(trace_reduce(operator.add, ScalarShape.of(pa.float64())))
    assert (floats.associative, floats.commutative) == (False, False)
    ints = traced(trace_reduce(operator.add, ScalarShape.of(pa.int64())))
    assert (ints.associative, ints.commutative) == (True, True)
    named = RowShape((pa.int64(), pa.int64()), field_names=("a", "b"))
    rows = traced(trace_reduce(lambda a, b: Row(a=a.a, b=a["b"] + b.b), named))
    assert (rows.kinds, rows.associative, rows.commutative) == ((FIRST, SUM), True, False)


def test_sums_are_of_64_bits() -> None:
    """A narrow field that is summed is wide in the accumulator; one that is kept stays as it is."""
    fold = traced(trace_reduce(lambda a, b: (a[0], a[1] + b[1]), TupleShape((pa.int32(), pa.int32()))))
    assert fold.shape.types == (pa.int32(), pa.int64())


class Mean(AggregateFunction):
    def create_accumulator(self) -> Any:
        return 0, 0

    def add(self, value: Any, accumulator: Any) -> Any:
        return accumulator[0] + value[1], accumulator[1] + 1

    def get_result(self, accumulator: Any) -> Any:
        return accumulator[0] / accumulator[1]

    def merge(self, acc_a: Any, acc_b: Any) -> Any:
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]


class Many(Mean):
    """A Row with one field of each kind, and a condition on elements."""

    def create_accumulator(self) -> Any:
        return Row(named="m", last="", least=100, positive=5, greatest=-1)

    def add(self, value: Any, accumulator: Any) -> Any:
        least, positive = accumulator.least, accumulator.positive
        if value[0] > 0:
            positive = positive + value[0]
        return Row(
            named=accumulator.named,
            last=value[2],
            least=min(least, value[1]),
            positive=positive,
            greatest=max(value[0] * 2, accumulator.greatest),
        )

    def get_result(self, accumulator: Any) -> Any:
        return accumulator.named + accumulator.last, accumulator.least, accumulator.positive, accumulator.greatest

    def merge(self, acc_a: Any, acc_b: Any) -> Any:
        raise NotImplementedError


class Length(Mean):
    """A plain number, with a merge of its own."""

    def create_accumulator(self) -> Any:
        return 0

    def add(self, value: Any, accumulator: Any) -> Any:
        return accumulator + len(value[2])

    def get_result(self, accumulator: Any) -> Any:
        return accumulator

    def merge(self, acc_a: Any, acc_b: Any) -> Any:
        return max(acc_a, acc_b)


class Weight(Mean):
    """Begins with an int and sums floats."""

    def add(self, value: Any, accumulator: Any) -> Any:
        return accumulator[0] + value[1] * 0.5, accumulator[1] + 1


@pytest.mark.parametrize(
    ("function", "kinds", "merges"),
    [
        (Mean(), (SUM, COUNT), True),
        (Many(), (FIRST, LAST, MIN, SUM, MAX), False),
        (Length(), (SUM,), False),
        (Weight(), (SUM, COUNT), True),
    ],
)
@settings(deadline=None)
@given(rows=ROWS)
def test_aggregate_functions_are_traced_method_by_method(
    function: AggregateFunction, kinds: Any, merges: bool, rows: list[Any]
) -> None:
    """What is so far, what an element adds, and the result are traced; a merge that does something else is told."""
    fold = traced(trace_aggregate(function, TRIPLES))
    assert (fold.kinds, fold.merges) == (kinds, merges)
    accumulator = function.create_accumulator()
    for row in rows:
        accumulator = function.add(row, accumulator)
    assert repr(folded(fold, rows)) == repr(function.get_result(accumulator))


class InList(Mean):
    def create_accumulator(self) -> Any:
        return [0]

    def add(self, value: Any, accumulator: Any) -> Any:
        accumulator[0] += value[1]
        return accumulator


class FromNothing(Mean):
    def create_accumulator(self) -> Any:
        return None


class Mixed(Mean):
    """The greatest of an int and floats is one or the other."""

    def add(self, value: Any, accumulator: Any) -> Any:
        return max(accumulator[0], value[1] / 2), accumulator[1] + 1


class Growing(Mean):
    def add(self, value: Any, accumulator: Any) -> Any:
        return (*accumulator, value[0])


@pytest.mark.parametrize("function", [InList(), FromNothing(), Mixed(), Growing()])
def test_other_aggregate_functions_are_not_traced(function: AggregateFunction) -> None:
    """Lists that are changed in place, None, and types that change are left to Python."""
    assert isinstance(trace_aggregate(function, TRIPLES), NotTraceable)
