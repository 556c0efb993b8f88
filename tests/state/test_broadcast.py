import pytest

from windrow.datastream.state import MapStateDescriptor, ValueStateDescriptor
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError
from windrow.state.broadcast import BroadcastStateStore

RULES, LIMITS = MapStateDescriptor("rules"), MapStateDescriptor("limits")


@pytest.fixture
def store():
    return BroadcastStateStore([RULES, LIMITS], "op")


@pytest.mark.parametrize("side", ["writable", "read_only"])
def test_both_sides_read_alike(store, side):
    """A missing key is None; what is there can be asked for in all of a map's ways."""
    assert getattr(store, side)(RULES).is_empty()
    store.writable(RULES).put_all({"a": 1, "b": None})
    state = getattr(store, side)(RULES)
    assert (state.get("a"), state["a"], state.get("x"), state["x"]) == (1, 1, None, None)
    assert (state.contains("b"), "b" in state, "x" in state, state.is_empty()) == (True, True, False, False)
    assert (list(state.keys()), list(state), list(state.values())) == (["a", "b"], ["a", "b"], [1, None])
    assert list(state.items()) == [("a", 1), ("b", None)]
    assert getattr(store, side)(LIMITS).is_empty()


def test_the_broadcast_side_writes(store):
    """Entries are set, replaced and removed; removing what is not there does nothing."""
    state = store.writable(RULES)
    state.put("a", 1)
    state["b"] = 2
    state["a"] = 3
    state.put_all({"c": 4})
    del state["b"]
    state.remove("b")
    assert dict(state.items()) == {"a": 3, "c": 4}
    state.clear()
    assert state.is_empty()


def test_a_loop_may_change_the_state(store):
    """The broadcast side loops over what was there when the loop began."""
    state = store.writable(RULES)
    state.put_all({1: 1, 2: 2})
    for key in state:
        state.remove(key)
    assert state.is_empty()


def test_the_other_side_only_reads(store):
    """Each way to change the state is an error with the state's name; nothing has changed."""
    store.writable(RULES).put("a", 1)
    state = store.read_only(RULES)
    for change in (
        lambda: state.put("a", 2),
        lambda: state.put_all({}),
        lambda: state.remove("a"),
        state.clear,
        lambda: state.__setitem__("a", 2),
        lambda: state.__delitem__("a"),
    ):
        with pytest.raises(UsageError, match="'rules' can only be changed in process_broadcast_element"):
            change()
    assert state["a"] == 1


def test_a_view_shows_what_was_restored(store):
    """A view that a function has kept stays right; states without a snapshot are empty again."""
    state, limits = store.read_only(RULES), store.read_only(LIMITS)
    store.writable(RULES).put("a", 1)
    snapshot = store.snapshot()
    store.writable(RULES).put("a", 2)
    store.writable(LIMITS).put("a", 2)
    store.restore({"rules": snapshot["rules"]})
    assert (state["a"], limits.is_empty()) == (1, True)


def test_a_snapshot_is_a_copy(store):
    """What changes later, in the store or in one restored from it, does not change the snapshot."""
    store.writable(RULES).put("a", 1)
    snapshot = store.snapshot()
    store.writable(RULES).put("a", 2)
    store.restore(snapshot)
    store.writable(RULES).put("a", 3)
    assert snapshot["rules"] == {"a": 1}


def test_a_state_that_is_no_longer_declared_is_kept():
    """A program without it carries it along, and one that declares it again has it."""
    store = BroadcastStateStore([LIMITS], "op")
    store.restore({"rules": {"a": 1}})
    assert store.snapshot() == {"limits": {}, "rules": {"a": 1}}
    with pytest.raises(ConfigurationError, match="no broadcast state 'rules'"):
        store.read_only(RULES)


@pytest.mark.parametrize("side", ["writable", "read_only"])
def test_only_declared_states_are_there(store, side):
    """The error names the operator and the declared states; another kind of descriptor is refused too."""
    with pytest.raises(ConfigurationError, match=r"'op' has no broadcast state 'x'; .* with 'rules', 'limits'"):
        getattr(store, side)(MapStateDescriptor("x"))
    with pytest.raises(ConfigurationTypeError, match="asked for with a MapStateDescriptor"):
        getattr(store, side)(ValueStateDescriptor("rules"))


def test_what_is_put_is_a_copy(store):
    """Whoever put it may change theirs."""
    state, rule = store.writable(RULES), {"limit": 1}
    state.put("a", rule)
    state.put_all({"b": rule})
    rule["limit"] = 2
    assert list(state.values()) == [{"limit": 1}, {"limit": 1}]
