"""What groups have come to is the same behind a checkpoint as before it, whoever goes on with it."""

from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.table.test_group_columns import CALLS, TAKEN_BACK, TYPES, batch_of_elements, drawn, row_of
from tests.property_examples import examples
from windrow.expressions import logical_types as lt
from windrow.operators.base import OperatorContext, Time
from windrow.operators.column_folds import kept_results, sorted_runs, tables_by_group
from windrow.operators.stored_by_key import results_to_entries
from windrow.operators.table import group_columns
from windrow.operators.table.changes import DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE
from windrow.operators.table.group_aggregate import STATES, GroupAggregateOperator
from windrow.operators.table.group_columns import GroupColumnsOperator
from windrow.operators.table.row_aggregates import RowCall
from windrow.state import kept_columns
from windrow.state.page_store import MemoryPageStore
from windrow.state.paged import PagedKeyedState
from windrow.table.changelog_mode import ROW_KIND
from windrow.testing.outputs import RecordingOutput

SUM = [RowCall("COUNT", (), lt.BIGINT), RowCall("SUM", (4,), lt.BIGINT), RowCall("AVG", (3,), lt.INT)]
INTEGERS = [1, -2, 10**15, 3, 4, 5, 6, 7, -(2**63), 2**63 - 1, 10, 11]
#: A key that is NULL has no form on columns.
KEYS = [(lt.BIGINT, INTEGERS), (lt.STRING, [f"k{key}" for key in INTEGERS]), (lt.BIGINT, [None, *INTEGERS[1:]])]


class Worker:
    """The operator with state in pages, as a task has it: a batch, a checkpoint, the next batch."""

    def __init__(self, make, store=None, tokens=None):
        self.make = make
        self.store = MemoryPageStore() if store is None else store
        self.tokens = count() if tokens is None else tokens
        self.output = RecordingOutput()
        self.restart()

    def restart(self, *, columns=True, make=None):
        """Nothing is in memory."""
        self.operator = (make or self.make)()
        self.state = PagedKeyedState(16, lambda: b"%d" % next(self.tokens))
        self.operator.open(OperatorContext("groups", self.output, Time(), self.state, None, columns=columns))

    def play(self, batch, *, is_lost=False):
        """What a batch gives; one that is lost comes to its end, and is not committed."""
        before = dict(self.store.pages)
        self.state.attach(self.store, "op")
        self.operator.process_batch(batch)
        self.operator.store_state()
        self.state.flush()
        if is_lost:
            self.store.pages.clear()
            self.store.pages.update(before)
        given = [tuple(item.value) for item in self.output.items]
        self.output.items = []
        return given

    def sections(self):
        return {name.split("/")[2] for name in self.store.pages if name.count("/") == 4}


def entries(store):
    """What is stored of each key, as those see it who look at state from outside."""
    state = PagedKeyedState(16)
    state.attach(store, "op")
    if state.columns.are_stored():
        assert results_to_entries(state)
    state.load_all()
    of_keys = {repr(key): dict(entry) for key, entry in state.entries() if (STATES, None) in entry}
    return {key: repr(sorted(entry.items())).replace("[0, 0]", "[None, 0]") for key, entry in of_keys.items()}


SIZES = [(2**18, 4096, 4096, 2**28), (3, 2, 2, 2**28), (2, 1, 1, 1), (5, 2, 3, 700)]
row = st.tuples(st.integers(0, 11), drawn, st.sampled_from([None, None, None, 0, -1, "strange"]))
turn = st.tuples(
    st.integers(0, 1),
    st.sampled_from(["columns", "columns", "columns", "rows", "lost", "restart", "rows only"]),
    st.lists(row, min_size=1, max_size=14),
)


@pytest.mark.parametrize("retracts", [False, True])
@settings(print_blob=True, max_examples=examples(200), deadline=None)
@given(data=st.data())
def test_workers_take_turns(retracts, data):
    """Results, and what is stored, are those of one operator over rows that has had all rows."""
    (key_type, keys), sizes = data.draw(st.sampled_from(KEYS)), data.draw(st.sampled_from(SIZES))
    calls = data.draw(st.lists(st.sampled_from(TAKEN_BACK if retracts else CALLS), max_size=3))
    types = [key_type, *TYPES[1:], *[ROW_KIND] * retracts]
    with pytest.MonkeyPatch.context() as patch:
        for module, name, size in (
            (kept_results, "MOST_KEYS", sizes[0]),
            (kept_results, "MOST_TEXTS", sizes[0]),
            (tables_by_group, "_TABLE_ROWS", sizes[1]),
            (sorted_runs, "PAGE_KEYS", sizes[2]),
            (kept_columns, "KEPT_BYTES", sizes[3]),
            (kept_columns, "_KEEPING", type(kept_columns._KEEPING)()),
            (group_columns, "_FEW", 1),
        ):
            patch.setattr(module, name, size)
        one = Worker(lambda: GroupAggregateOperator(1, calls, retracts=retracts))
        first = Worker(lambda: GroupColumnsOperator(1, calls, types, retracts=retracts))
        workers = [first, Worker(first.make, first.store, first.tokens)]
        there = []
        for number, (which, form, drawn_rows) in enumerate(data.draw(st.lists(turn, max_size=12))):
            worker, left = workers[which], list(there)
            if form == "restart":
                worker.restart()
            if form == "rows only":
                worker.restart(columns=False, make=one.make if number % 2 else None)
            elements = []
            for key, of_row, back in drawn_rows:
                made = row_of(number, keys[key], of_row)
                if retracts and back is not None:
                    gone = made if back == "strange" or not left else left.pop(back % len(left))
                    elements.append((*gone, DELETE if number % 2 else UPDATE_BEFORE))
                    continue
                left.append(made)
                elements.append((*made, *[UPDATE_AFTER if key % 2 else INSERT] * retracts))
            given = worker.play(
                batch_of_elements(key_type, elements, 0, types, columns=form != "rows"), is_lost=form == "lost"
            )
            expected = one.play(batch_of_elements(key_type, elements, 0, types, columns=False), is_lost=form == "lost")
            assert repr(given) == repr(expected), number
            if form != "lost":
                there = left
            if form == "rows only":
                worker.restart()
        assert entries(first.store) == entries(one.store)


def summed(worker, numbers, kind=None):
    """Take a row of each key, which is what is summed; gives what that changes."""
    of_row = [(0, int(number), 0.5, True, -9) for number in numbers]
    rows = [
        (*row_of(0, int(key), each), *([] if kind is None else [kind]))
        for key, each in zip(numbers, of_row, strict=True)
    ]
    types = [lt.BIGINT, *TYPES[1:], *([] if kind is None else [ROW_KIND])]
    return worker.play(batch_of_elements(lt.BIGINT, rows, 0, types, columns=True))


def worker_of(*, retracts=False):
    types = [lt.BIGINT, *TYPES[1:], *[ROW_KIND] * retracts]
    return Worker(lambda: GroupColumnsOperator(1, SUM, types, retracts=retracts))


def test_groups_are_stored_as_columns():
    """Nothing is stored by key, and the next batch of the same worker reads the root only."""
    worker = worker_of()
    summed(worker, np.arange(100))
    assert worker.sections() == {"result"}
    assert worker.state.stored_keys() == 0
    asked = []
    worker.store.get = lambda name: asked.append(name) or worker.store.pages.get(name)
    given = summed(worker, np.arange(100))
    assert asked == ["op/pages"]
    assert [row[1:3] for row in given if row[-1] == UPDATE_AFTER] == [(2, 2 * key) for key in range(100)]


def test_groups_of_many_keys_leave_memory(monkeypatch):
    """And come back with their next rows."""
    monkeypatch.setattr(kept_results, "MOST_KEYS", 50)
    monkeypatch.setattr(group_columns, "_FEW", 1)
    worker = worker_of()
    summed(worker, np.arange(80))
    assert worker.sections() == {"run"}
    worker.restart()
    given = summed(worker, np.arange(70, 90))
    assert [row[1:3] for row in given if row[-1] == UPDATE_AFTER] == [(2, 2 * key) for key in range(70, 80)]
    assert worker.sections() == {"run", "result"}


@pytest.mark.parametrize("most", [5, 2**18])
def test_groups_without_rows_are_forgotten(monkeypatch, most):
    """Keys that come and go leave nothing behind, in tables and in runs."""
    monkeypatch.setattr(kept_results, "MOST_KEYS", most)
    worker = worker_of(retracts=True)
    for begin in range(0, 400, 20):
        numbers = np.arange(begin, begin + 20)
        summed(worker, numbers, kind=INSERT)
        summed(worker, numbers, kind=DELETE)
    state = PagedKeyedState(16)
    state.attach(worker.store, "op")
    stored = 0
    if state.columns.are_stored():
        stored = sum(len(keys) for _, keys, _ in kept_results.stored_results(state.columns))
    assert stored <= 40
    assert entries(worker.store) == {}


def test_groups_that_come_and_go_row_by_row_leave_nothing(monkeypatch):
    """An entry says that a key has no group only where a run has what it was."""
    monkeypatch.setattr(kept_results, "MOST_KEYS", 50)
    worker = worker_of(retracts=True)
    summed(worker, np.arange(80), kind=INSERT)
    assert worker.sections() == {"run"}
    for begin in range(100, 500, 20):  # less rows than columns are made of
        numbers = np.arange(begin, begin + 20)
        summed(worker, numbers, kind=INSERT)
        summed(worker, numbers, kind=DELETE)
    summed(worker, np.arange(5), kind=DELETE)
    worker.state.attach(worker.store, "op")
    assert worker.state.stored_keys() == 5
    assert set(entries(worker.store)) == {str(key) for key in range(5, 80)}
    stored = PagedKeyedState(16)
    stored.attach(worker.store, "op")
    assert results_to_entries(stored)
    assert len([entry for _, entry in stored.entries() if entry]) == 75


def test_long_texts_are_stored_by_key(monkeypatch):
    """Of a table a batch would write all."""
    monkeypatch.setattr(kept_results, "MOST_CHARACTERS", 1_000)
    monkeypatch.setattr(group_columns, "_FEW", 1)
    calls, types = [RowCall("LAST_VALUE", (1,), lt.STRING)], [lt.BIGINT, lt.STRING]
    worker = Worker(lambda: GroupColumnsOperator(0, calls, types, retracts=False))
    for length, in_tables in ((10, True), (100, False)):
        rows = [(key, "x" * length) for key in range(40)]
        worker.play(batch_of_elements(lt.BIGINT, rows, 0, types, columns=True))
        assert ("result" in worker.sections()) == in_tables
    assert len(entries(worker.store)) == 40


def test_another_form_finds_entries(monkeypatch):
    """What groups have kept whose rows were never taken back goes to entries, from tables and from runs."""
    monkeypatch.setattr(kept_results, "MOST_KEYS", 50)
    monkeypatch.setattr(group_columns, "_FEW", 1)
    worker = worker_of()
    summed(worker, np.arange(80))
    summed(worker, np.arange(70, 90))
    assert worker.sections() == {"run", "result"}
    before = entries(worker.store)
    worker.restart(make=worker_of(retracts=True).make)
    given = summed(worker, np.arange(2), kind=INSERT)
    assert [row[1:3] for row in given if row[-1] == UPDATE_AFTER] == [(2, 0), (2, 2)]
    assert worker.sections() == {"result"}
    after = entries(worker.store)
    assert after.keys() == before.keys()
    assert all(after[key] == group for key, group in before.items() if key not in ("0", "1"))
