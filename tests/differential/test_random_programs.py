"""Random programs give on columns what they give on rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tests.datastream.streams.restarts import ListSink
from tests.differential.random_programs import RandomProgram, Step, Windows, float_sums, random_programs
from tests.property_examples import examples
from tests.runtime.spark.state_assignment.locally import rescaled
from windrow.common import Configuration
from windrow.connectors import collection
from windrow.datastream import StreamExecutionEnvironment
from windrow.elements import inference
from windrow.errors import WindrowError
from windrow.graph.job_graph import JobGraph
from windrow.operators import column_slots
from windrow.operators.column_folds.field_fold import FieldFold
from windrow.operators.window import slotted_windows
from windrow.operators.window.panes import window_aggregate
from windrow.operators.window.panes.pane_windows import Grid
from windrow.runtime.local.executor import LocalExecutor
from windrow.tracing.kernels import KERNELS

ANY_ORDER = "windrow.columns.float-sums-in-any-order"


def run(
    program: RandomProgram,
    *,
    columns: bool | tuple[bool, ...],
    batch_size: int | None = None,
    any_order: tuple[bool, ...] = (False,),
) -> list[str] | str:
    """What the program gives, or what it raises.

    In batches all operators are made anew behind each, and ``columns`` and ``any_order`` say in turn how they compute.
    """
    sink, turns = ListSink(), cycle(any_order)
    forms = cycle((columns,) if isinstance(columns, bool) else columns)

    def graph() -> JobGraph:
        given = {"windrow.runtime": "local", "windrow.columns.enabled": str(next(forms)).lower()}
        configuration = Configuration.from_dict(given | {ANY_ORDER: str(next(turns)).lower()})
        env = StreamExecutionEnvironment.get_execution_environment(configuration)
        program.results(env).sink_to(sink)
        return env._take_job(None)

    executor = LocalExecutor(graph(), batch_size, clock=lambda: 0)
    try:
        while executor.run_batch():
            executor = rescaled(executor, graph(), batch_size)
    except WindrowError as error:
        return type(error).__name__
    finally:
        executor.close()
    return [repr(each) for each in sink.elements]


def of_few(patch: pytest.MonkeyPatch) -> None:
    """Have a few elements become columns."""
    patch.setattr(collection, "FEWEST_COLUMNS", 1)
    for module in (inference, column_slots, slotted_windows):
        patch.setattr(module, "FEWEST", 1)
    # What is combined before an exchange need not be worth it.
    patch.setattr(window_aggregate, "_WORTH", 1)
    patch.setattr(window_aggregate, "_MOST_FAILURES", 0)


@contextmanager
def on_columns() -> Iterator[None]:
    """Compute few elements on columns, too.

    All of them are computed both ways then, and Python's results are taken where these differ: the warning of that is
    an error here.
    """
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.filterwarnings("error", ".* on columns .*Results are right; please report this")
        of_few(patch)
        yield


@pytest.mark.property
@settings(max_examples=examples(400), deadline=None)
@given(random_programs())
def test_random_programs_give_on_columns_what_they_give_on_rows(program: RandomProgram) -> None:
    """The same results, of the same types, in the same order; or the same kind of error.

    Of windows that fire early at one time any key may come first.
    """
    with on_columns():
        expected, found = run(program, columns=False), run(program, columns=True)
    event("raises" if isinstance(expected, str) else f"{program.windows.kind}, {program.windows.fold}")
    if program.windows.early:
        found, expected = sorted(found), sorted(expected)
    assert found == expected


@pytest.mark.property
@settings(max_examples=examples(400), deadline=None)
@given(random_programs(), st.integers(3, 40))
def test_random_programs_in_batches_give_the_same_results(program: RandomProgram, batch_size: int) -> None:
    """In another order: rows of a window are in that in which their keys were fetched again."""
    with on_columns():
        expected = run(program, columns=False, batch_size=batch_size)
        found = run(program, columns=True, batch_size=batch_size)
    assert sorted(found) == sorted(expected)


@pytest.mark.property
@settings(max_examples=examples(400), deadline=None)
@given(float_sums(), st.integers(3, 40), st.sampled_from([(True,), (True, False)]))
def test_sums_of_floats_may_be_made_in_any_order(
    program: RandomProgram, batch_size: int, any_order: tuple[bool, ...]
) -> None:
    """Of floats whose sums are exact all results are the same; a job may go on with the other setting."""
    with on_columns():
        expected = run(program, columns=False, batch_size=batch_size)
        found = run(program, columns=True, batch_size=batch_size, any_order=any_order)
    assert sorted(found) == sorted(expected)


def test_panes_are_added_up_if_any_order_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of arrival a one is lost in a large number, and another is not; of two panes both are."""
    of_few(monkeypatch)
    windows = Windows("e[0]", "sliding", (20, 10, 0), False, "sum", "1")
    elements = ((0, 1e16, 1), (0, 1.0, 2), (0, -1e16, 11), (0, 1.0, 12))
    program = RandomProgram(elements, (), windows, 0, 1)
    in_order, in_any = (run(program, columns=True, any_order=(any_order,)) for any_order in (False, True))
    assert (in_order[1], in_any[1]) == ("(0, 1.0, 1)", "(0, 0.0, 1)")
    assert run(program, columns=False, any_order=(True,)) == in_order


@pytest.mark.property
@settings(max_examples=examples(200), deadline=None)
@given(random_programs() | float_sums(), st.integers(3, 40))
def test_columns_may_be_switched_off_and_on_behind_each_batch(program: RandomProgram, batch_size: int) -> None:
    """What a job has stored as columns goes on as rows, and becomes columns again."""
    with on_columns():
        expected = run(program, columns=False, batch_size=batch_size)
        found = run(program, columns=(True, False), batch_size=batch_size)
    assert sorted(found) == sorted(expected)


def test_a_mistake_on_columns_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs do run on columns: what is done wrong there alone is a difference."""
    of_few(monkeypatch)
    windows = Windows("e[0]", "tumbling", (10, 0, 0), False, "reduce", "(a[0], a[1] + b[1], b[2])")
    program = RandomProgram(tuple((n % 2, n, n) for n in range(30)), (), windows, 0, 1)
    assert run(program, columns=True) == run(program, columns=False)
    right = Grid.panes_of
    monkeypatch.setattr(Grid, "panes_of", lambda grid, times: right(grid, times + 1))
    assert run(program, columns=True) != run(program, columns=False)


def added_twice(fold: FieldFold, values: Any, places: Any, added: Any) -> None:
    """Combine elements once more than they come."""
    for _ in range(2):
        ADD(fold, values, places, added)


ADD = FieldFold.add


@pytest.mark.parametrize(
    "mistake",
    [
        lambda patch: patch.setitem(KERNELS, "add", KERNELS["multiply"]),
        lambda patch: patch.setattr(FieldFold, "add", added_twice),
    ],
    ids=["of a function", "of windows"],
)
def test_a_wrong_kernel_is_seen(monkeypatch: pytest.MonkeyPatch, mistake: Callable[[pytest.MonkeyPatch], None]) -> None:
    """Where few elements are computed both ways, and Python's results are taken, the warning says that they differ."""
    windows = Windows("e[0]", "tumbling", (10, 0, 0), False, "reduce", "(a[0], a[1] + b[1], b[2])")
    steps = (Step("map", "(e[0], e[1] + 1, e[2])"),)
    program = RandomProgram(tuple((n % 2, n, n) for n in range(30)), steps, windows, 0, 1)
    mistake(monkeypatch)
    with on_columns(), pytest.raises(RuntimeWarning, match="Results are right; please report this"):
        run(program, columns=True)
