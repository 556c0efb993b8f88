"""Results that have left memory are found again, whatever runs they are in and whatever of these is in memory."""

from decimal import Decimal
from fractions import Fraction
from itertools import count, pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property_examples import examples
from windrow.elements.shape import TupleShape
from windrow.operators.column_folds import sorted_runs
from windrow.operators.column_folds.key_index import IntKeyIndex
from windrow.operators.column_folds.result_form import FoldForm, read_form
from windrow.operators.column_folds.sorted_runs import SortedRuns
from windrow.operators.running_reduce.planning import plan_of
from windrow.state.page_store import MemoryPageStore
from windrow.state.paged import PagedKeyedState

SHAPE = TupleShape((pa.int64(), pa.int64(), pa.float64()))


def plan_by(function):
    return plan_of(function, function, SHAPE)


SUM = FoldForm(SHAPE, plan_by(lambda a, b: (a[0], a[1] + b[1], b[2])))
FORM = SUM.described(IntKeyIndex())
GREATEST = FoldForm(SHAPE, plan_by(lambda a, b: (a[0], max(a[1], b[1]), b[2])))


class Stored:
    """Runs over a store, as an operator has them."""

    def __init__(self, store=None, max_parallelism=8):
        self.store = MemoryPageStore() if store is None else store
        self.max_parallelism = max_parallelism
        self.tokens = count()
        self.restart()

    def restart(self):
        """Another worker."""
        self.state = PagedKeyedState(self.max_parallelism, lambda: b"%d" % next(self.tokens))
        self.state.attach(self.store, "op")
        self.runs = SortedRuns()
        if self.state.columns.are_stored():
            self.runs.take_up(self.state.columns.description())

    def add(self, results):
        """Write a run of results by key."""
        keys = np.array(list(results), np.int64)
        groups = self.state.columns.groups_of(keys)
        order = np.lexsort((keys, groups))
        values = np.array(list(results.values()), np.int64)[order]
        before = self.runs.names()
        fields = [keys[order], values, values / 2]
        newest = self.runs.add(FORM, groups[order], keys[order], fields, self.state.columns)
        gone = [name for name in before if name not in self.runs.names()]
        self.state.columns.write(self.runs.described(), [newest.table()], gone, sorted_runs.PAGE_KEYS)
        self.state.flush()
        self.state.attach(self.store, "op")

    def find(self, keys):
        return self.runs.results_of(keys, self.state.columns)


def result(key, value):
    """As rows keep it."""
    return key, value, value / 2


keys = st.one_of(st.integers(-20, 20), st.sampled_from([2**63 - 1, -(2**63), 10**15]))
step = st.one_of(
    st.tuples(st.just("add"), st.dictionaries(keys, st.integers(-9, 9), min_size=1, max_size=30)),
    st.tuples(st.just("find"), st.lists(keys, max_size=20)),
    st.just(("restart",)),
    st.just(("forget",)),
)


@settings(print_blob=True, max_examples=examples(200), deadline=None)
@given(st.lists(step, max_size=12), st.sampled_from([1, 2, 5, 100]), st.sampled_from([1, 3, 64]))
def test_the_newest_result_of_a_key_is_found(steps, page_keys, groups):
    """Runs that became one, pages that are not in memory and groups that go on in other pages show in no result."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorted_runs, "PAGE_KEYS", page_keys)
        stored, known = Stored(max_parallelism=groups), {}
        for each in [*steps, ("restart",), ("find", list(range(-20, 21)))]:
            match each:
                case ("add", results):
                    stored.add(results)
                    known |= results
                case ("find", asked):
                    expected = [result(key, known[key]) if key in known else None for key in asked]
                    assert stored.find(asked) == expected
                case ("restart",):
                    stored.restart()
                case ("forget",):
                    stored.runs.keep_within(0)
                    assert stored.runs.nbytes == 0
        newest = {}
        for _form, part, results in stored.runs.parts(stored.state.columns):
            for key, found in zip(part, results, strict=True):
                newest.setdefault(key, found)
        assert newest == {key: result(key, value) for key, value in known.items()}


def test_pages_are_read_that_may_have_a_key(monkeypatch):
    """One page for each key that is asked for, and none a second time."""
    monkeypatch.setattr(sorted_runs, "PAGE_KEYS", 10)
    stored = Stored(max_parallelism=2)
    stored.add({key: key for key in range(1_000)})
    stored.restart()
    asked = []
    stored.store.get = lambda name: asked.append(name) or stored.store.pages.get(name)
    for _ in range(2):
        assert stored.find([7, 500, 2_000]) == [result(7, 7), result(500, 500), None]
    assert len(asked) == len(set(asked)) == 3
    assert 0 < stored.runs.nbytes <= 30 * 4 * 8


def test_what_another_worker_has_not_changed_stays_in_memory():
    """A run is known by its token, whoever has written since."""
    stored = Stored()
    stored.add({key: key for key in range(100)})
    other = Stored(stored.store)
    other.tokens = count(1_000)
    other.restart()
    other.add({5: -5})
    stored.state.attach(stored.store, "op")
    stored.runs.take_up(stored.state.columns.description())
    asked = []
    stored.store.get = lambda name: asked.append(name) or stored.store.pages.get(name)
    assert stored.find([5, 6]) == [result(5, -5), result(6, 6)]
    assert len(asked) == 1  # a page of the new run


def test_a_run_without_a_token_is_read_anew():
    """Where nothing is known of what others have written, what is in memory does not count."""
    stored = Stored()
    stored.state = PagedKeyedState(8)
    stored.state.attach(stored.store, "op")
    stored.add({1: 1})
    stored.runs.take_up(stored.state.columns.description())
    assert stored.runs.nbytes == 0
    assert stored.find([1]) == [result(1, 1)]


def test_there_are_few_runs_however_many_were_written():
    """Each is at least twice as large as the next one, so results are written a few times only."""
    stored = Stored()
    for number in range(64):
        stored.add(dict.fromkeys(range(10 * number, 10 * number + 10), number))
    sizes = [len(run) for run in stored.runs._runs]
    assert sum(sizes) == 640
    assert all(before >= 2 * after for before, after in pairwise(sizes))
    assert {section for section, _ in stored.state.columns.names} == {"run"}
    assert len(list(stored.state.columns.names)) == len(sizes)


def test_the_largest_runs_leave_memory_first():
    """As long as there is no room for all."""
    stored = Stored()
    stored.add({key: key for key in range(100)})
    stored.add({key: key for key in range(10)})
    all_bytes = stored.runs.nbytes
    stored.runs.keep_within(all_bytes)
    assert stored.runs.nbytes == all_bytes
    stored.runs.keep_within(all_bytes - 1)
    assert [run.nbytes for run in stored.runs._runs] == [0, 10 * 4 * 8]


@pytest.mark.parametrize(
    ("key", "found"),
    [
        *[(key, True) for key in (1.0, True, np.int64(1), np.float32(1), Decimal(1), Fraction(1), 1 + 0j)],
        *[(key, False) for key in (1.5, "1", 2**64 + 1, Decimal("NaN"), 1 + 1j, None)],
    ],
)
def test_a_key_is_found_by_what_equals_it(key, found):
    """As in a dictionary: one key, if it is equal."""
    stored = Stored()
    stored.add({1: 7})
    assert stored.find([key, float("nan"), float("inf")]) == [result(1, 7) if found else None, None, None]


def test_another_plan_cannot_go_on_with_it():
    """Fields that were folded otherwise are given to rows; a key that is no longer known to be one is a field."""
    stored = Stored()
    stored.add({key: key for key in range(10)})
    columns, asked = stored.state.columns, np.arange(3)
    assert stored.runs.fields_of(GREATEST, asked, columns) is None
    [(places, fields)] = stored.runs.fields_of(SUM, asked, columns)
    assert places.tolist() == [0, 1, 2]
    assert [values.tolist() for values in fields] == [[0, 1, 2], [0, 1, 2], [0.0, 0.5, 1.0]]


def test_a_field_that_is_the_key_is_not_stored():
    """It is the key's where another plan has it as a field of its own."""
    described = (*FORM[:3], ["key", *FORM[3][1:]], FORM[4])
    stored = Stored()
    keys = np.arange(4)
    groups = stored.state.columns.groups_of(keys)
    order = np.lexsort((keys, groups))
    form, _ = read_form(described)
    fields = [np.zeros(0, np.int64), keys[order] * 10, keys[order] / 4]
    newest = stored.runs.add(described, groups[order], keys[order], fields, stored.state.columns)
    stored.state.columns.write(stored.runs.described(), [newest.table()], [])
    stored.state.flush()
    stored.restart()
    assert stored.find([3]) == [(3, 30, 0.75)]
    [(_, own)] = stored.runs.fields_of(form, np.array([2]), stored.state.columns)
    assert own[0] is None
    [(_, own)] = stored.runs.fields_of(SUM, np.array([2]), stored.state.columns)
    assert [values.tolist() for values in own] == [[2], [20], [0.5]]
