"""A key with its entry and timers comes back as it was."""

import sys
from threading import Lock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common import Row
from windrow.datastream.window import CountWindow, GlobalWindow, TimeWindow
from windrow.errors import CheckpointError
from windrow.state.items import ItemWriter, read_item
from windrow.state.keys import ComparableKey
from windrow.state.storable import NotStorableError

NAMESPACES = st.sampled_from([None, TimeWindow(0, 5), TimeWindow(-(2**63), 2**63 - 1), CountWindow(0), GlobalWindow(),
                              "left", (0, 5), (1, "a")])  # fmt: skip
ENTRIES = st.dictionaries(st.tuples(st.sampled_from("abc"), NAMESPACES), st.integers() | st.lists(st.text()))
TIMERS = st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), NAMESPACES))
KEYS = st.sampled_from(["a", 1, None, ("a", 1.5), ComparableKey([1]), Row(a=1)])


@given(st.lists(st.tuples(KEYS, ENTRIES, TIMERS, TIMERS)))
def test_items_are_read_as_they_were_written(items):
    """Values, namespaces of every kind with their types, timers, and all of them in their order."""
    writer, names = ItemWriter(), []
    written = [writer.write(names, *item) for item in items]
    for data, (key, entry, event_timers, processing_timers) in zip(written, items, strict=True):
        found, found_entry, *timers = read_item(names, data)
        assert (found, list(found_entry.items())) == (key, list(entry.items()))
        assert [type(namespace) for _, namespace in found_entry] == [type(namespace) for _, namespace in entry]
        assert list(map(list, timers)) == [event_timers, processing_timers]


def test_names_are_written_once_for_all_keys_of_a_page():
    """Names that the page knows keep their numbers; new ones come behind them."""
    writer, names = ItemWriter(), ["known"]
    data = writer.write(names, "a", {("new", None): 1, ("known", None): 2}, (), ())
    assert names == ["known", "new"]
    assert b"known" not in data
    assert read_item([*names, "later"], data)[1] == {("new", None): 1, ("known", None): 2}


def test_classes_of_the_main_program_are_written_with_their_code():
    """What no module has comes back, in a process that does not have it either."""

    class Local:
        value = 3

    names = []
    data = ItemWriter().write(names, "a", {("v", None): Local()}, (), ())
    assert read_item(names, data)[1]["v", None].value == 3


@pytest.mark.parametrize(
    ("namespace", "where"), [(None, "state 'open' of key 'a'"), ((0, 5), "state 'open' of key 'a' in (0, 5)")]
)
def test_the_state_and_the_key_of_what_cannot_be_stored_are_named(namespace, where):
    """Of many values of a key, the one that cannot be pickled; what is written next is not touched by it."""
    writer, names = ItemWriter(), []
    with pytest.raises(NotStorableError, match="which cannot be stored") as raised:
        writer.write(names, "a", {("sum", None): 1, ("open", namespace): Lock()}, (), ())
    assert str(raised.value).startswith(f"{where} holds <unlocked")
    assert read_item(names, writer.write(names, "b", {("sum", None): 1}, (), ()))[1] == {("sum", None): 1}


class Moved:
    """Was stored, and is gone."""


@pytest.mark.parametrize("how", ["gone", "named"])
def test_a_class_that_was_moved_is_found_at_its_former_place(how, monkeypatch):
    """If that is left there; else the error says so, and names the states."""
    names = []
    data = ItemWriter().write(names, "a", {("v", None): Moved()}, (), ())
    here = sys.modules[__name__]
    if how == "named":
        monkeypatch.setattr(here, "Moved", type("Renamed", (), {}))
        assert type(read_item(names, data)[1]["v", None]).__name__ == "Renamed"
        return
    monkeypatch.delattr(here, "Moved")
    with pytest.raises(CheckpointError, match=r"states v, cannot be read .* at its former place, too \(Old ="):
        read_item(names, data)
