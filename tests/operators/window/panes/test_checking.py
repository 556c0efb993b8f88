"""The first elements are combined on columns and by the function, and what differs is not trusted."""

from dataclasses import replace

import pyarrow as pa
import pytest

from windrow.datastream.window import EventTimeSessionWindows, TumblingEventTimeWindows
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape, TupleShape
from windrow.errors import UserFunctionError
from windrow.operators.column_folds import planning
from windrow.operators.local_aggregate import WatermarkAt
from windrow.operators.running_reduce import running_reduce
from windrow.operators.window.panes import checking
from windrow.operators.window.spec import WindowSpec, build
from windrow.testing import OperatorHarness

INT = pa.int64()


def add(a, b):
    return a[0], a[1] + b[1]


def broken(a, b):
    return a[0], a[1] + b[1] if b[1] else None + 1


def batch(*pairs):
    """Elements of (key, value), a millisecond apart."""
    columns = Columns.of(TupleShape((INT, INT)), [pa.array(values, INT) for values in zip(*pairs, strict=True)])
    keys = Columns.of(ScalarShape((INT,)), [pa.array([key for key, _ in pairs], INT)])
    return Batch(columns, pa.array(range(len(pairs))).to_numpy(), keys)


def play(operator, pairs, times=1):
    """The elements come so often, and then all windows fire."""
    for _ in range(times):
        operator._operator.process_batch(batch(*pairs))
    operator.process_watermark(1_000)


@pytest.fixture
def _wrong(monkeypatch):
    """Columns take sums for least values."""
    right = planning.field_fold

    def wrong(kind, of, initial=None):
        fold = right(kind, of, initial)
        return replace(right("min", of, initial), kind="min") if fold is not None and kind == "sum" else fold

    monkeypatch.setattr(planning, "field_fold", wrong)


WINDOWS = [TumblingEventTimeWindows(100), EventTimeSessionWindows.with_gap(100)]


@pytest.mark.usefixtures("_wrong")
@pytest.mark.parametrize("windows", WINDOWS)
def test_windows_go_on_with_the_function_and_warn_once(windows):
    """Results are those of the function from the first element on."""
    operator = OperatorHarness(build(WindowSpec(windows, incremental=add)), name="sums")
    with pytest.warns(RuntimeWarning, match=r"'sums': .* of key 7 give \(7, 2\), by its function \(7, 10\)") as seen:
        play(operator, [(7, 3), (8, 1), (7, 2)], 2)
    assert sorted(operator.values()) == [(7, 10), (8, 2)]
    assert len(seen) == 1


@pytest.mark.usefixtures("_wrong")
def test_a_running_reduce_goes_on_with_the_function():
    """From the first element on."""
    operator = OperatorHarness(running_reduce(add))
    with pytest.warns(RuntimeWarning, match="combined on columns"):
        operator._operator.process_batch(batch((7, 3), (7, 2), (7, 4)))
    assert operator.values() == [(7, 3), (7, 5), (7, 9)]


@pytest.mark.usefixtures("_wrong")
def test_nothing_is_combined_before_an_exchange():
    """Neither then nor later."""
    aggregate = build(WindowSpec(WINDOWS[0], incremental=add)).local_aggregate()
    with pytest.warns(RuntimeWarning, match="local aggregate"):
        assert aggregate.combined(batch((7, 3), (7, 2), (7, 2)), [WatermarkAt(0, 0)]) is None
    aggregate._backoff.note(success=True)
    assert aggregate.combined(batch((7, 3), (7, 3), (7, 3)), [WatermarkAt(0, 0)]) is None


def test_what_the_function_raises_comes_from_its_element():
    """And not from the look at the first ones."""
    operator = OperatorHarness(build(WindowSpec(WINDOWS[0], incremental=broken)), name="sums")
    with pytest.raises(UserFunctionError, match=r"sums.*\(7, 0\)"):
        play(operator, [(7, 3), (7, 2), (7, 0)])


def test_only_the_first_elements_are_looked_at(monkeypatch):
    """The function is called for so many, and never again."""
    called = []

    class Counted:
        def __init__(self, function):
            self.function = function

        def __call__(self, *arguments):
            called.append(arguments)
            return self.function(*arguments)

    monkeypatch.setattr(checking, "CHECKED", 3)
    operator = OperatorHarness(build(WindowSpec(WINDOWS[0], incremental=add)))._operator
    operator._check._add = Counted(add)
    for _ in range(2):
        operator.process_batch(batch((7, 1), (7, 2), (8, 2), (7, 4), (7, 5)))
        operator.store_state()
    assert called == [((7, 1), (7, 2))]


def test_sums_that_may_leave_64_bits_are_looked_at_later():
    """They are combined by the function."""
    operator = OperatorHarness(build(WindowSpec(WINDOWS[0], incremental=add)))._operator
    operator.process_batch(batch((7, 2**62), (7, 2**62)))
    assert not operator._check._is_done
    assert operator._check.agrees
