"""Pages counted by their names and headers."""

import numpy as np
import pytest

from windrow.runtime.spark.stored_pages import StoredPages, count_pages
from windrow.state.column_page import Table, parts_of
from windrow.state.page_store import MemoryPageStore
from windrow.state.paged import PagedKeyedState


class NotImported:
    """A user's class: nobody who counts makes one."""

    def __setstate__(self, _):
        raise AssertionError

    def __getstate__(self):
        return {"a": 1}


def pages_of(keys, timed):
    """Keyed state with a value for each key, and timers for some."""
    store, state = MemoryPageStore(), PagedKeyedState(new_token=lambda: b"token")
    state.attach(store, "counts.0")
    for key in keys:
        state.set_current_key(key)
        state.put("value", None, NotImported())
        if key in timed:
            state.event_timers.register(100 + key, key, None)
    state.flush()
    return store.pages


def test_keys_and_timers_are_counted_without_a_value_being_made():
    """And what is read as a whole is given as it is."""
    pages = pages_of(range(50), {3, 4})
    found = list(count_pages([1] * len(pages), list(pages), list(pages.values())))
    roots, counted = [each for each in found if each.name], [each for each in found if not each.name]
    assert [(each.owner, each.name, each.data) for each in roots] == [("counts.0", "pages", pages["counts.0/pages"])]
    (keys,) = counted
    assert (keys.owner, keys.keys, keys.event_timers, keys.processing_timers) == ("counts.0", 50, 2, 0)
    assert (keys.pages, keys.size) == (len(pages) - 1, sum(map(len, pages.values())) - roots[0].size)


@pytest.mark.parametrize("owner", ["sums.0", "a/b.1", "1/2.3.0"])
def test_rows_of_tables_are_counted(owner):
    """Whatever the operator is called."""
    (part,) = parts_of(Table(np.array([1, 2, 3]), [np.array(["a", "b", "c"], object)]), np.array([1, 1, 2]), 9)
    (found,) = count_pages([0], [f"{owner}/1/pane/-5/0"], [part.data])
    assert (found.owner, found.name, found.rows, found.keys) == (owner, "", 3, 0)


def test_other_pages_are_counted_with_their_owner():
    """Elements that wait for the end of the input, and records of key groups."""
    found = list(count_pages([0, 0, 7], ["a/input/0.1", "a/input/1.0", "b/input/c.0/1f"], [b"12", b"3", b"4567"]))
    assert found == [StoredPages(0, "a", "input", 2, 3), StoredPages(7, "b/input/c.0", "", 1, 4)]
