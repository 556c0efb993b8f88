"""Rows as columns, by what they are."""

import enum

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.common import Row
from windrow.common.types import RowKind
from windrow.elements import inference
from windrow.elements.columns import Columns
from windrow.elements.inference import Inferring, columns_from
from windrow.elements.shape import ScalarShape
from windrow.operators.column_function import same

VALUES = [
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.text(),
    st.booleans(),
    st.none() | st.integers(-5, 5),
    st.none() | st.text(max_size=3),
    st.integers(-(2**70), 2**70),
    st.text(st.characters(codec=None), max_size=2),
    st.one_of(st.integers(0, 1), st.booleans(), st.floats(0, 1)),
    st.lists(st.integers(), max_size=2),
    st.tuples(st.integers(0, 1)),
]
FIELDS = st.lists(st.sampled_from(VALUES), min_size=0, max_size=3)
FORMS = [lambda *values: values, Row, lambda *values: values[0] if values else None]


@settings(deadline=None)
@given(data=st.data(), fields=FIELDS, form=st.sampled_from(FORMS))
def test_rows_come_back_as_they_were(data, fields, form):
    """Whatever they hold: if they become columns, values and types are the same."""
    rows = [form(*values) for values in data.draw(st.lists(st.tuples(*fields), max_size=8))]
    columns = columns_from(rows)
    assert columns is None or same(list(columns), rows)


@pytest.mark.parametrize(
    "rows",
    [
        [1, 2],
        [-(2**63), 2**63 - 1],
        [None, 1],
        [1, None],
        [0.5, None],
        ["a"],
        [True],
        [(1, "a"), (2, None)],
        [Row(1, 2.0)],
        [Row(n=1), Row(n=2)],
    ],
)
def test_plain_rows_become_columns(rows):
    """And the same rows again."""
    columns = columns_from(rows)
    assert columns is not None
    assert same(list(columns), rows)


class Colour(enum.IntEnum):
    """An int, and more."""

    RED = 1


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [None],
        [1, 1.0],
        [1, True],
        [2**63],
        [1, 2**63],
        [(1,), (2**63,)],
        ["\ud800"],
        [Colour.RED],
        [np.int64(1)],
        [(1,), (1, 2)],
        [()],
        [(1,), [1]],
        [((1,),)],
        [Row(n=1), Row(m=1)],
        [Row(n=1), (1,)],
        [Row.of_kind(RowKind.DELETE, 1)],
        [Row()],
        [{"a": 1}],
    ],
    ids=repr,
)
def test_others_stay_rows(rows):
    """Mixed types, other classes, numbers of more than 64 bits: they would come back as something else."""
    assert columns_from(rows) is None


def test_batches_that_fail_make_it_look_at_fewer(monkeypatch):
    """One of two, one of four, ...: until a batch becomes columns."""
    monkeypatch.setattr(inference, "FEWEST", 0)
    inferring = Inferring()
    looked_at = [type(inferring.of(rows)) is not list for rows in [[[1]], [1], [1], [[1]], [1], [[1]], *4 * [[1]]]]
    assert looked_at == [False, False, True, False, False, False, *3 * [False], True]


def test_columns_that_serve_nobody_stay_rows(monkeypatch):
    """Whoever is behind them is asked once for each shape."""
    asked = []

    def takes(shape):
        asked.append(shape)
        return shape == ScalarShape.of(pa.int64())

    monkeypatch.setattr(inference, "FEWEST", 0)
    inferring = Inferring(takes)
    assert isinstance(inferring.of([1]), Columns)
    assert isinstance(inferring.of([2]), Columns)
    assert inferring.of(["a"]) == ["a"]
    assert asked == [ScalarShape.of(pa.int64()), ScalarShape.of(pa.string())]


def test_few_rows_stay_rows_until_there_were_many():
    """A small job needs no Arrow."""
    inferring = Inferring()
    assert [isinstance(inferring.of([1] * count), Columns) for count in (3, 1000, 3)] == [False, True, True]
