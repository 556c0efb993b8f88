"""Windows that end together give all that they hold, each key once."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.panes.test_operator import COMBINED, KEYS, TEXT, Stream, play, specs, step
from tests.property_examples import examples
from windrow.datastream.window import SlidingEventTimeWindows
from windrow.elements.shape import TupleShape
from windrow.operators.column_folds.choosing import NEVER
from windrow.operators.column_folds.field_fold import FieldFold
from windrow.operators.column_folds.fold_plan import FoldPlan
from windrow.operators.column_folds.key_index import IntKeyIndex
from windrow.operators.window.aligned_windows import AlignedWindows
from windrow.operators.window.panes import due_windows
from windrow.operators.window.panes import results as results_module
from windrow.operators.window.panes.due_windows import DueWindows
from windrow.operators.window.panes.kept_panes import Held
from windrow.operators.window.panes.pane_windows import PaneWindows
from windrow.operators.window.panes.partials import Row
from windrow.operators.window.spec import WindowSpec, build


def in_any_order(played):
    """What was played, of which the results that came between two cuts are in any order."""
    output, state, timers = played
    return [(sorted(map(repr, given)), repr(late), counters) for given, late, counters in output], repr((state, timers))


@settings(print_blob=True, max_examples=examples(200), deadline=None)
@given(
    specs, st.sampled_from(COMBINED), st.sampled_from(KEYS), st.lists(step, max_size=16), st.sampled_from([1, 3, 99])
)
def test_of_many_keys_the_order_alone_is_another_one(spec, combined, keys, steps, together):
    """Results, late elements, counters and state are those of the operator over rows."""
    shape, function = combined
    if keys[0] == TEXT and isinstance(shape, TupleShape):
        shape = TupleShape((TEXT, *shape.types[1:]))
    stream = Stream(shape, *keys)
    spec = WindowSpec(**{**vars(spec), "incremental": function})
    expected = play(lambda: build(spec, columns=False), stream, steps, columns=False)
    with patch.object(due_windows, "MOST_SORTED", 0), patch.object(results_module, "_TOGETHER", together):
        given_ones = play(lambda: build(spec), stream, steps, columns=True)
    assert in_any_order(given_ones) == in_any_order(expected)


def held(keys):
    """Windows of so many keys, whose numbers are summed."""
    index = IntKeyIndex()
    index.slots_of(np.arange(keys))
    folds = [FieldFold("key", np.dtype(np.int64)), FieldFold("sum", np.dtype(np.int64), identity=0)]
    plan = FoldPlan(TupleShape(KEYS[0][:1] * 2), folds, lambda elements: elements.fields)
    return Held(plan, index, PaneWindows(AlignedWindows(10, 10, 0), folds))


def row(*came):
    """A window of keys whose first elements came at these places; None: the key has none."""
    first = np.array([NEVER if place is None else place for place in came])
    return Row(first, first[:0], [first[:0], np.arange(len(came)) * 10])


@pytest.mark.parametrize(
    ("most_sorted", "by_arrival", "slots"), [(9, False, [2, 0]), (1, False, [0, 2]), (1, True, [2, 0])]
)
def test_the_results_of_few_keys_come_in_the_order_of_arrival(most_sorted, by_arrival, slots, monkeypatch):
    """Those of many in the order of slots, unless a function is called for each of them."""
    monkeypatch.setattr(due_windows, "MOST_SORTED", most_sorted)
    windows = DueWindows(held(3), 3, by_arrival=by_arrival)
    windows.add(10, row(7, None, 5))
    due = windows.taken()
    assert (due.slots.tolist(), due.fields[1].tolist()) == (slots, [slot * 10 for slot in slots])


@pytest.mark.parametrize("expected", [0, 2, 100])
def test_there_is_room_for_all(expected, monkeypatch):
    """However many were expected; a window in which nothing is has no part."""
    monkeypatch.setattr(due_windows, "MOST_SORTED", 2)
    windows = DueWindows(held(3), expected, by_arrival=False)
    for end, each in [(10, row(1, None, 2)), (20, row(None, None, None)), (30, row(4, 5, 3)), (40, row(9, 8, 7))]:
        windows.add(end, each)
    found = [(int(due.ends[0]), due.slots.tolist(), due.fields[1].tolist()) for due in windows.taken().each()]
    assert found == [(10, [0, 2], [0, 20]), (30, [0, 1, 2], [0, 10, 20]), (40, [0, 1, 2], [0, 10, 20])]
    assert windows.taken().fields[0] is None


def test_a_row_may_become_the_next_window():
    """What was gathered does not change with it."""
    windows, of_window = DueWindows(held(1), 1, by_arrival=False), row(1)
    windows.add(10, of_window)
    of_window.fields[1][0] = 99
    assert windows.taken().fields[1].tolist() == [0]


def test_windows_of_many_keys_are_whole(monkeypatch):
    """Sliding ones, whose rows are made out of panes of few keys."""
    monkeypatch.setattr(due_windows, "MOST_SORTED", 2)
    shape, function = COMBINED[0]
    stream = Stream(shape, KEYS[0][0], list(range(100, 160)))
    elements = [("columns", [(number * 7 % 60, 1, number) for number in range(start, start + 40)]) for start in (0, 40)]
    spec = WindowSpec(SlidingEventTimeWindows(60, 5), incremental=function)
    given_ones = play(lambda: build(spec), stream, elements, columns=True)
    assert in_any_order(given_ones) == in_any_order(
        play(lambda: build(spec, columns=False), stream, elements, columns=False)
    )
