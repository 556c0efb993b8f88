"""What a running reduce over columns has is the same behind a checkpoint as before it, whoever reads it."""

from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.running_reduce.test_operator import COMBINED, INT, KEYS, TRIPLES, batch_of, element
from tests.property_examples import examples
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape
from windrow.operators.base import OperatorContext, Time
from windrow.operators.column_folds import kept_results, sorted_runs, tables_by_group
from windrow.operators.reduce import ReduceOperator
from windrow.operators.running_reduce import running_reduce
from windrow.operators.stored_by_key import store_by_key
from windrow.state import kept_columns
from windrow.state.page_store import MemoryPageStore
from windrow.state.paged import PagedKeyedState
from windrow.testing.outputs import RecordingOutput

FORMS = ["columns", "rows", "plain"]
a_batch = st.lists(element, min_size=1, max_size=12)
step = st.one_of(
    st.tuples(st.just("columns"), a_batch),
    st.tuples(st.just("columns"), a_batch),
    st.tuples(st.just("columns"), a_batch),
    st.tuples(st.just("rows"), st.lists(element, min_size=1, max_size=3)),
    st.just(("cut",)),
    st.just(("cut",)),
    st.just(("restart", "columns")),
    st.just(("restart", "columns")),
    st.tuples(st.just("restart"), st.sampled_from(FORMS)),
    st.tuples(st.just("lost"), a_batch),
)


class Subtask:
    """A running reduce with state in pages, as a task has it: a batch, a checkpoint, the next batch."""

    def __init__(self, function, form="columns"):
        self.function, self.store, self._tokens = function, MemoryPageStore(), count()
        self.output = RecordingOutput()
        self.restart(form)

    def restart(self, form):
        """Another worker: nothing is in memory."""
        self.form = form
        self.operator = ReduceOperator(self.function) if form == "plain" else running_reduce(self.function)
        self.state = PagedKeyedState(128, lambda: b"%d" % next(self._tokens))
        context = OperatorContext("reduce", self.output, Time(), self.state, None, columns=form == "columns")
        self.operator.open(context)
        self.attach()

    def attach(self):
        """Begin a batch with what was stored."""
        self.state.attach(self.store, "op")

    def cut(self):
        """The end of a batch, and the begin of the next one."""
        self.store_all()
        self.attach()

    def store_all(self):
        """The end of a batch."""
        self.operator.store_state()
        self.state.flush()

    def pages_of_columns(self):
        return sorted(name for name in self.store.pages if "/result/" in name)

    def taken(self):
        """All that has come out since the last call."""
        taken, self.output.items = self.output.items, []
        return repr(taken)


def play(subtask, stream, steps, *, columns):
    """What comes out at each step."""
    number, given = 0, []
    for step in [*steps, ("cut",), ("columns", [(0, 1, False), (3, 2, False)])]:
        match step:
            case ("columns" | "rows" as form, elements):
                as_columns = columns and form == "columns"
                subtask.operator.process_batch(batch_of(*stream, elements, number, columns=as_columns))
                number += len(elements)
            case ("lost", elements):
                subtask.cut()
                before = dict(subtask.store.pages)
                given.append(subtask.taken())
                subtask.operator.process_batch(batch_of(*stream, elements, number, columns=columns))
                subtask.taken()
                if len(elements) % 2:  # the batch came to its end, and was not committed
                    subtask.store_all()
                    subtask.store.pages = before
                    subtask.attach()
                else:  # who fails is made anew
                    subtask.restart(subtask.form)
            case ("cut",):
                subtask.cut()
            case ("restart", form):
                subtask.cut()
                subtask.restart(form if columns else "plain")
        given.append(subtask.taken())
    return given


@settings(print_blob=True, max_examples=examples(400), deadline=None)
@given(
    st.sampled_from(COMBINED),
    st.sampled_from(KEYS),
    st.lists(step, max_size=16),
    st.sampled_from([(2**18, 4096, 2**14, 2**28), (4, 1, 1, 2**28), (2, 1, 1, 2**28), (2**18, 1, 2**14, 1)]),
)
def test_equals_the_operator_over_rows(combined, keys, steps, sizes):
    """Batches, other workers, batches that are run again and changes of form show in no result."""
    shape, function = combined
    stream = shape, *keys
    expected = play(Subtask(function, "plain"), stream, steps, columns=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_results, "MOST_KEYS", sizes[0])
        patch.setattr(kept_results, "MOST_TEXTS", sizes[0])
        patch.setattr(tables_by_group, "_TABLE_ROWS", sizes[1])
        patch.setattr(kept_columns, "PAGE_KEYS", sizes[2])
        patch.setattr(sorted_runs, "PAGE_KEYS", sizes[2])
        patch.setattr(kept_columns, "KEPT_BYTES", sizes[3])
        patch.setattr(kept_columns, "_KEEPING", type(kept_columns._KEEPING)())
        assert play(Subtask(function), stream, steps, columns=True) == expected


SUM = COMBINED[0][1]


def reduced(subtask, numbers):
    """Reduce an element of each key."""
    elements = Columns.of(TRIPLES, [numbers, numbers, numbers])
    subtask.operator.process_batch(Batch(elements, np.zeros(numbers.size), Columns.of(ScalarShape((INT,)), [numbers])))


def test_a_batch_writes_the_tables_that_it_has_changed(monkeypatch):
    """A table none of whose keys had an element stays as it is in the store."""
    monkeypatch.setattr(tables_by_group, "_TABLE_ROWS", 50)
    subtask = Subtask(SUM)
    reduced(subtask, np.arange(1_000))
    subtask.cut()
    before = dict(subtask.store.pages)
    assert len(before) == 17
    reduced(subtask, np.array([3, 3, 3]))
    subtask.cut()
    changed = [name for name, page in subtask.store.pages.items() if page != before.get(name)]
    assert len(changed) == 2
    assert len(subtask.store.pages) == 17


def test_more_keys_are_cut_into_more_tables(monkeypatch):
    """What was in other tables is in them no more."""
    monkeypatch.setattr(tables_by_group, "_TABLE_ROWS", 50)
    subtask = Subtask(SUM)
    for begin, end, pages in ((0, 60, 2), (100, 200, 4), (200, 500, 8)):
        reduced(subtask, np.arange(begin, end))
        subtask.cut()
        assert len(subtask.pages_of_columns()) == pages
    subtask.restart("columns")
    reduced(subtask, np.arange(500))
    values = [item.value for item in subtask.output.items[-500:]]
    assert values == [(n, n if 60 <= n < 100 else 2 * n, n) for n in range(500)]


def test_what_nobody_else_has_written_is_not_read_again():
    """The next batch of the same worker asks for the root only."""
    subtask = Subtask(SUM)
    reduced(subtask, np.arange(5))
    subtask.cut()
    asked = []
    subtask.store.get = lambda name: asked.append(name) or subtask.store.pages.get(name)
    reduced(subtask, np.arange(7))
    subtask.cut()
    assert asked == ["op/pages"]


def test_a_batch_without_elements_reads_and_writes_nothing():
    """What is stored stays."""
    subtask = Subtask(SUM)
    reduced(subtask, np.arange(5))
    subtask.cut()
    subtask.restart("columns")
    subtask.store.get = None
    subtask.cut()
    assert subtask.pages_of_columns()


def pages_of(subtask, section):
    return [name for name in subtask.store.pages if f"/{section}/" in name]


def test_results_of_many_keys_leave_memory(monkeypatch):
    """All of them become a run, from which those come back whose keys have elements; nothing is stored by key."""
    monkeypatch.setattr(kept_results, "MOST_KEYS", 20)
    subtask = Subtask(SUM)
    for keys, in_tables in ((15, True), (25, False), (5, True)):
        reduced(subtask, np.arange(keys))
        subtask.cut()
        assert bool(subtask.pages_of_columns()) == in_tables
    assert pages_of(subtask, "run")
    assert subtask.state.stored_keys() == 0
    assert [item.value[1] for item in subtask.output.items[-5:]] == [0, 3, 6, 9, 12]


def test_many_keys_of_text_are_kept_by_key(monkeypatch):
    """They are pickled one by one: a batch would write all of them."""
    monkeypatch.setattr(kept_results, "MOST_TEXTS", 2)
    subtask = Subtask(SUM)
    subtask.operator.process_batch(batch_of(TRIPLES, *KEYS[1], [(key, 1, False) for key in range(4)], 0, columns=True))
    subtask.cut()
    assert not pages_of(subtask, "result")
    assert not pages_of(subtask, "run")
    assert subtask.state.stored_keys() == 4


def test_text_comes_where_integers_have_left_memory(monkeypatch):
    """It is none of the keys that runs have."""
    monkeypatch.setattr(kept_results, "MOST_KEYS", 20)
    subtask = Subtask(SUM)
    reduced(subtask, np.arange(25))
    subtask.cut()
    subtask.operator.process_batch(batch_of(TRIPLES, *KEYS[1], [(0, 1, False)], 0, columns=True))
    assert subtask.output.items[-1].value == (1, 1, 0)
    subtask.cut()
    reduced(subtask, np.arange(3, 5))
    assert [item.value[1] for item in subtask.output.items[-2:]] == [6, 8]


def test_results_that_leave_memory_join_those_that_have_left_it(monkeypatch):
    """Whether fields are the key is what it was, so that there are few runs, whatever elements come."""
    monkeypatch.setattr(kept_results, "MOST_KEYS", 20)
    subtask = Subtask(SUM)
    for start, differs in ((0, False), (100, True), (200, False), (300, False)):
        numbers = np.arange(start, start + 30)
        elements = Columns.of(TRIPLES, [numbers + differs, numbers, numbers])
        keys = Columns.of(ScalarShape((INT,)), [numbers])
        subtask.operator.process_batch(Batch(elements, np.zeros(numbers.size), keys))
        subtask.cut()
        subtask.restart("columns")
    runs = {name.split("/")[3] for name in pages_of(subtask, "run")}
    assert len(runs) == 2
    assert all_results(subtask.store) == {
        number: number for start in (0, 100, 200, 300) for number in range(start, start + 30)
    }


def test_runs_leave_room_for_what_others_keep(monkeypatch):
    """They can be read again page by page, and take three quarters of what may stay in memory at most."""
    monkeypatch.setattr(kept_results, "MOST_KEYS", 100)
    monkeypatch.setattr(kept_columns, "KEPT_BYTES", 12_000)
    monkeypatch.setattr(kept_columns, "_KEEPING", type(kept_columns._KEEPING)())
    large, small = Subtask(SUM), Subtask(SUM)
    reduced(large, np.arange(320))
    large.cut()
    assert 0 < large.operator._kept.runs.nbytes < 9_000
    reduced(large, np.arange(1_000))
    large.cut()
    assert large.operator._kept.runs.nbytes == 0
    reduced(small, np.arange(5))
    small.cut()
    asked = []
    small.store.get = lambda name: asked.append(name) or small.store.pages.get(name)
    reduced(small, np.arange(5))
    small.cut()
    assert asked == ["op/pages"]


many = st.lists(st.integers(0, 60), min_size=1, max_size=25, unique=True)
turn = st.one_of(
    st.tuples(st.integers(0, 1), st.just("columns"), many),
    st.tuples(st.integers(0, 1), st.just("columns"), many),
    st.tuples(st.integers(0, 1), st.just("columns"), st.just(list(range(0, 60, 2)))),
    st.tuples(st.integers(0, 1), st.just("rows"), many),
    st.tuples(st.integers(0, 1), st.just("lost"), many),
    st.tuples(st.integers(0, 1), st.sampled_from(FORMS), st.just([])),
)


@settings(print_blob=True, max_examples=examples(300), deadline=None)
@given(
    st.lists(turn, min_size=4, max_size=25),
    st.sampled_from([(20, 5, 2**28), (3, 1, 2**28), (10, 3, 1), (10, 100, 900)]),
)
def test_workers_take_turns(turns, sizes):
    """Whatever a worker has in memory of batches before, results are those of one that has run all of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_results, "MOST_KEYS", sizes[0])
        patch.setattr(sorted_runs, "PAGE_KEYS", sizes[1])
        patch.setattr(kept_columns, "KEPT_BYTES", sizes[2])
        patch.setattr(kept_columns, "_KEEPING", type(kept_columns._KEEPING)())
        workers = [Subtask(SUM), Subtask(SUM)]
        workers[1].store, workers[1]._tokens = workers[0].store, workers[0]._tokens
        sums = {}
        for number, (which, form, keys) in enumerate(turns):
            worker = workers[which]
            if form in FORMS and not keys:
                worker.restart(form)
                continue
            worker.attach()
            batch = batch_of(TRIPLES, INT, range(61), [(key, key, False) for key in keys], 0, columns=form != "rows")
            worker.operator.process_batch(batch)
            given = {item.value[0]: item.value[1] for item in worker.output.items}
            worker.output.items = []
            after = sums | {key: sums.get(key, 0) + key for key in keys}
            assert given == {key: after[key] for key in keys}, number
            if form == "lost":  # its end comes, and is not committed
                before = dict(worker.store.pages)
                worker.store_all()
                worker.store.pages.clear()
                worker.store.pages.update(before)
            else:
                sums = after
                worker.store_all()
        assert all_results(workers[0].store) == sums


def all_results(store):
    """What is stored of all keys, as those see it who look at state from outside."""
    state = PagedKeyedState(128)
    state.attach(store, "op")
    store_by_key(ReduceOperator(SUM), state, 0, lambda: (state.flush(), state.attach(store, "op")))
    state.flush()
    state.attach(store, "op")
    assert not state.columns.are_stored()
    state.load_all()
    return {key: entry["_reduced", None][1] for key, entry in state.entries()}


def test_a_key_whose_result_became_none_begins_anew():
    """What a run has of it is older, and does not come back."""
    subtask = Subtask(lambda a, b: None if b[1] < 0 else (a[0], a[1] + b[1], b[2]))
    subtask.function = SUM
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_results, "MOST_KEYS", 2)
        subtask.restart("columns")
        reduced(subtask, np.arange(5))
        subtask.cut()
        assert pages_of(subtask, "run")
        subtask.function = lambda a, b: None if b[1] < 0 else (a[0], a[1] + b[1], b[2])
        for form, value, expected in (("plain", -1, None), ("columns", 7, 7), ("columns", 7, 14)):
            subtask.restart(form)
            batch = batch_of(TRIPLES, INT, range(5), [(3, value, False)], 0, columns=form == "columns")
            subtask.operator.process_batch(batch)
            given = subtask.output.items[-1].value
            assert (given if given is None else given[1]) == expected
            subtask.cut()


def test_what_earlier_versions_have_stored_by_key_becomes_columns():
    """Key by key, as elements come for them."""
    subtask = Subtask(SUM, "plain")
    reduced(subtask, np.arange(5))
    subtask.cut()
    assert not subtask.pages_of_columns()
    subtask.restart("columns")
    reduced(subtask, np.arange(3))
    subtask.cut()
    assert subtask.pages_of_columns()
    assert subtask.state.stored_keys() == 2
    reduced(subtask, np.arange(5))
    subtask.cut()
    assert subtask.state.stored_keys() == 0
    assert [item.value[1] for item in subtask.output.items[-5:]] == [0, 3, 6, 6, 8]


def test_another_function_begins_with_rows():
    """What another fold has kept is given to the operator over rows, which goes on with any function."""
    subtask = Subtask(SUM)
    reduced(subtask, np.arange(5))
    subtask.cut()
    subtask.function = lambda a, b: (a[0], max(a[1], b[1]), b[2])
    subtask.restart("columns")
    reduced(subtask, np.arange(4, 6))
    subtask.cut()
    assert [item.value for item in subtask.output.items[-2:]] == [(4, 4, 4), (5, 5, 5)]
    subtask.restart("plain")
    subtask.operator.process_batch(batch_of(TRIPLES, INT, [3, 4], [(0, -1, False), (1, 9, False)], 0, columns=False))
    assert [item.value[1] for item in subtask.output.items[-2:]] == [3, 9]


def test_a_description_of_another_version_is_refused(monkeypatch):
    """It is not read as if it were of this one."""
    subtask = Subtask(SUM)
    monkeypatch.setattr(kept_results, "VERSION", 3)
    reduced(subtask, np.arange(5))
    subtask.cut()
    monkeypatch.undo()
    subtask.restart("columns")
    with pytest.raises(ValueError, match="results of columns have version 3, and this program reads 1 and 2"):
        reduced(subtask, np.arange(5))
