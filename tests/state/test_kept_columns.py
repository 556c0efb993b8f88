"""Tables of columns are stored beside the entries of keys, and count in memory as long as nobody else writes."""

from itertools import count

import numpy as np
import pytest

from windrow.state import kept_columns
from windrow.state.column_page import Table
from windrow.state.page_store import MemoryPageStore
from windrow.state.paged import PagedKeyedState

TOKENS = count()


def attached(store, state=None):
    """The state of an operator as the next batch sees it."""
    state = state or PagedKeyedState(128, lambda: b"%d" % next(TOKENS))
    state.attach(store, "op")
    return state


def table(*numbers):
    """Keys and their doubles, in one key group."""
    keys = np.array(numbers)
    return Table(keys, [keys * 2]), np.zeros(keys.size, np.int32)


def read(state):
    """What is stored, by table."""
    return {name: (part.keys.tolist(), part.columns[0].tolist()) for name, part in state.columns.read()}


def written(store, **tables):
    """A state that has written tables of numbers."""
    state = attached(store)
    state.columns.take_up()
    state.columns.write("how", [((name, 1), *table(*numbers)) for name, numbers in tables.items()], [])
    state.flush()
    return state


def test_another_worker_reads_what_was_written():
    """Description and tables."""
    store = MemoryPageStore()
    written(store, a=[1, 2], b=[3])
    other = attached(store)
    assert not other.columns.take_up()
    assert other.columns.description() == "how"
    assert read(other) == {("a", 1): ([1, 2], [2, 4]), ("b", 1): ([3], [6])}


def test_only_what_is_named_is_written():
    """Other tables stay as they are, and those that are over are removed."""
    store = MemoryPageStore()
    state = attached(store, written(store, a=[1], b=[3], c=[4]))
    assert state.columns.take_up()
    before = dict(store.pages)
    state.columns.write("how", [(("b", 1), *table(5))], [("c", 1)])
    state.flush()
    assert before.keys() - store.pages.keys() == {"op/0/c/1/0"}
    assert {name for name in store.pages if store.pages[name] != before[name]} == {"op/0/b/1/0", "op/pages"}
    state = attached(store)
    state.columns.take_up()
    assert read(state) == {("a", 1): ([1], [2]), ("b", 1): ([5], [10])}


def test_what_is_in_memory_counts_until_another_worker_writes():
    """The token of the root says so, whoever has written what."""
    store = MemoryPageStore()
    state = written(store, a=[1])
    assert attached(store, state).columns.take_up()
    state.flush()
    other = attached(store)
    other.set_current_key("key")
    other.put("value", None, 1)
    other.flush()
    assert not attached(store, state).columns.take_up()
    assert read(state) == {("a", 1): ([1], [2])}


def test_a_batch_that_is_run_again_reads_what_was_before_it():
    """What an attempt that was not committed has left in memory does not count."""
    store = MemoryPageStore()
    state = written(store, a=[1])
    before = dict(store.pages)
    attached(store, state).columns.write("how", [(("a", 1), *table(9))], [])
    state.flush()
    store.pages = before
    assert not attached(store, state).columns.take_up()
    assert read(state) == {("a", 1): ([1], [2])}


def test_entries_and_columns_are_beside_each_other():
    """Writing either keeps the other, and nothing is left when both are gone."""
    store = MemoryPageStore()
    state = attached(store, written(store, a=[1]))
    state.set_current_key("key")
    state.put("value", None, 1)
    state.flush()
    state = attached(store)
    assert not state.is_empty()
    state.columns.clear()
    assert not state.columns.are_stored()
    state.flush()
    state = attached(store)
    state.set_current_key("key")
    assert state.get("value") == 1
    assert not state.columns.are_stored()
    state.remove("value")
    state.flush()
    assert list(store.pages) == ["op/pages"]


def test_all_operators_of_a_process_share_what_memory_holds(monkeypatch):
    """Who would keep too much drops it, and reads it again."""
    monkeypatch.setattr(kept_columns, "KEPT_BYTES", 100)
    monkeypatch.setattr(kept_columns, "_KEEPING", type(kept_columns._KEEPING)())
    store, another = MemoryPageStore(), MemoryPageStore()
    one, two = written(store, a=[1]), written(another, a=[2])
    assert one.columns.may_stay(60)
    assert not two.columns.may_stay(60)
    assert attached(store, one).columns.take_up()
    assert not attached(another, two).columns.take_up()


def test_a_page_that_is_gone_is_named():
    """State that is damaged is not taken for empty."""
    store = MemoryPageStore()
    written(store, a=[1])
    del store.pages["op/0/a/1/0"]
    state = attached(store)
    state.columns.take_up()
    with pytest.raises(RuntimeError, match="'0/a/1/0' is gone; restore an earlier checkpoint"):
        read(state)
