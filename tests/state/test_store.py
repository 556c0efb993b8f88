"""The keyed state store."""

import pytest

from windrow.datastream.state import (
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    ValueStateDescriptor,
)
from windrow.errors import ConfigurationTypeError, UsageError
from windrow.state.keyed import KeyedState
from windrow.state.store import KeyedStateStoreView


@pytest.fixture
def state():
    keyed = KeyedState()
    keyed.set_current_key("k")
    return keyed


def test_users_names_never_meet_an_operators(state):
    """A user's state of an operator's own name is another state."""
    state.put("_contents", None, "operator's")
    KeyedStateStoreView(state).get_state(ValueStateDescriptor("_contents")).update("user's")
    assert state.get("_contents") == "operator's"
    assert len(state.entry) == 2


def test_each_kind_of_state(state):
    """Every method gives the state its descriptor describes; asking twice gives the same content."""
    store = KeyedStateStoreView(state, "w")
    store.get_list_state(ListStateDescriptor("l")).add(1)
    store.get_map_state(MapStateDescriptor("m"))["a"] = 1
    store.get_reducing_state(ReducingStateDescriptor("r", max)).add(3)
    assert store.get_list_state(ListStateDescriptor("l")).get() == [1]
    assert store.get_partitioned_state(MapStateDescriptor("m"))["a"] == 1
    assert {namespace for _, namespace in state.entry} == {"w"}


def test_kind_and_descriptor_must_agree(state):
    """A descriptor of another kind, or none at all, is an error that says so."""
    store = KeyedStateStoreView(state)
    with pytest.raises(ConfigurationTypeError, match=r"takes a ValueStateDescriptor; got ListStateDescriptor\('l'\)"):
        store.get_state(ListStateDescriptor("l"))
    with pytest.raises(ConfigurationTypeError, match="got 'a'"):
        store.get_aggregating_state("a")
    with pytest.raises(ConfigurationTypeError, match="with a descriptor"):
        store.get_partitioned_state("a")


def test_merging_namespaces(state):
    """Merging brings the state of other namespaces into the store's own."""
    count = ReducingStateDescriptor("count", lambda a, b: a + b)
    for window, n in (("w1", 1), ("w2", 2), ("target", 4)):
        KeyedStateStoreView(state, window).get_reducing_state(count).add(n)
    KeyedStateStoreView(state, "target").merge_partitioned_state(count, ["w1", "w2"])
    assert KeyedStateStoreView(state, "target").get_reducing_state(count).get() == 7
    assert len(state.entry) == 1


def test_values_and_maps_cannot_be_merged(state):
    """State that has no way to merge is refused by name."""
    for descriptor in (ValueStateDescriptor("v"), MapStateDescriptor("m")):
        with pytest.raises(UsageError, match=rf"'{descriptor.name}'\) cannot be merged"):
            KeyedStateStoreView(state, "t").merge_partitioned_state(descriptor, ["w"])


def test_one_name_is_one_kind_of_state(state):
    """Asking for a state under the name of another kind is an error; in another namespace it is another state."""
    store = KeyedStateStoreView(state)
    store.get_state(ValueStateDescriptor("n")).update(1)
    with pytest.raises(UsageError, match="'n' was asked for with a ValueStateDescriptor, and now with a ListState"):
        store.get_list_state(ListStateDescriptor("n"))
    assert store.get_state(ValueStateDescriptor("n")).value() == 1
    KeyedStateStoreView(state, "window").get_list_state(ListStateDescriptor("n")).add(2)
