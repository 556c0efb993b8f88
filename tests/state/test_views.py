"""Views of keyed state."""

import copy

import pytest

from windrow.common import Time
from windrow.datastream.functions import AggregateFunction
from windrow.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    StateTtlConfig,
    ValueStateDescriptor,
)
from windrow.errors import ConfigurationTypeError
from windrow.operators.base import Time as OperatorTime
from windrow.state.keyed import KeyedState
from windrow.state.view_of import view_of


class Mean(AggregateFunction):
    def create_accumulator(self):
        return [0, 0]

    def add(self, value, accumulator):
        accumulator[0] += value
        accumulator[1] += 1
        return accumulator

    def get_result(self, accumulator):
        return accumulator[0] / accumulator[1]

    def merge(self, acc_a, acc_b):
        return [acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]]


class CopyingEntry(dict):
    """An entry over a store that gives and takes copies."""

    def get(self, key, default=None):
        return copy.deepcopy(super().get(key, default))

    def pop(self, key, *default):
        return copy.deepcopy(super().pop(key, *default))

    def __setitem__(self, key, value):
        super().__setitem__(key, copy.deepcopy(value))


class CopyingState(KeyedState):
    def _bring_in(self, key):
        return self.entries_in_memory.setdefault(key, CopyingEntry())


VALUE = ValueStateDescriptor("v")
LIST = ListStateDescriptor("l")
MAP = MapStateDescriptor("m")
SUM = ReducingStateDescriptor("r", lambda a, b: a + b)
MEAN = AggregatingStateDescriptor("a", Mean())


@pytest.fixture(params=[KeyedState, CopyingState])
def state(request):
    keyed = request.param()
    keyed.set_current_key("k")
    return keyed


def view(state, descriptor, namespace=None):
    return view_of(state, descriptor, descriptor.name, namespace)


def test_value_state(state):
    """A value is None, set, replaced, and gone with None or clear."""
    value = view(state, VALUE)
    assert value.value() is None
    value.update(0)
    assert value.value() == 0
    value.update(None)
    assert state.entry == {}
    value.update(2)
    value.clear()
    value.clear()
    assert state.entry == {}


def test_list_state(state):
    """Elements are kept in order; reading gives a copy."""
    elements = view(state, LIST)
    assert elements.get() == []
    elements.add(1)
    elements.add_all([2, None])
    for element in elements:
        if element is not None and len(elements.get()) < 6:
            elements.add(element)
    assert elements.get() == [1, 2, None, 1, 2]
    elements.get().append(9)
    elements.update([7])
    assert list(elements) == [7]


def test_an_updated_list_is_not_the_callers(state):
    """Changing the list that was given afterwards changes nothing."""
    given = [1]
    elements = view(state, LIST)
    elements.update(given)
    given.append(2)
    assert elements.get() == [1]


def test_empty_lists_and_maps_leave_the_entry(state):
    """State that holds nothing takes no room."""
    elements, mapping = view(state, LIST), view(state, MAP)
    elements.add_all([])
    elements.update([])
    mapping.put_all({})
    mapping.remove("a")
    assert state.entry == {}
    elements.add(1)
    elements.update([])
    mapping["a"] = 1
    del mapping["a"]
    assert state.entry == {}


def test_map_state(state):
    """A map state reads and writes like a dictionary, but a missing entry is None."""
    mapping = view(state, MAP)
    assert mapping.is_empty()
    mapping.put("a", 1)
    mapping["b"] = 2
    mapping.put_all({"c": 3, "ab": 4})
    assert dict(mapping.items()) == {"a": 1, "b": 2, "c": 3, "ab": 4}
    assert (mapping.get("a"), mapping["b"], mapping.get("x"), mapping["x"]) == (1, 2, None, None)
    assert "c" in mapping
    assert not mapping.contains("x")
    mapping.remove("x")
    del mapping["c"]
    assert list(mapping) == list(mapping.keys()) == ["a", "b", "ab"]
    assert list(mapping.values()) == [1, 2, 4]
    for key in mapping.keys():  # noqa: SIM118
        mapping.remove(key)
    assert mapping.is_empty()


def test_reducing_state(state):
    """Elements are reduced as they come; None clears, as in Flink."""
    total = view(state, SUM)
    assert total.get() is None
    total.add(1)
    total.add(2)
    assert total.get() == 3
    total.add(None)
    assert state.entry == {}


def test_a_reduce_function_may_return_none(state):
    """A result of None is no state."""
    nothing = view(state, ReducingStateDescriptor("r", lambda _a, _b: None))
    nothing.add(1)
    nothing.add(2)
    assert state.entry == {}
    nothing.add(3)
    assert nothing.get() == 3


def test_aggregating_state(state):
    """Reading gives the result; nothing was added, nothing is read; accumulators may change in place."""
    mean = view(state, MEAN)
    assert mean.get() is None
    mean.add(1)
    mean.add(4)
    assert mean.get() == 2.5
    mean.clear()
    assert mean.get() is None
    assert state.entry == {}


def test_views_follow_the_current_key(state):
    """One view shows each key its own state."""
    value, elements = view(state, VALUE), view(state, LIST)
    value.update(1)
    elements.add("k")
    state.set_current_key("other")
    assert value.value() is None
    assert elements.get() == []
    value.update(2)
    state.set_current_key("k")
    assert (value.value(), elements.get()) == (1, ["k"])


def test_namespaces_are_apart(state):
    """State of one name in two namespaces is two states."""
    view(state, LIST, "w1").add(1)
    assert view(state, LIST, "w2").get() == []


@pytest.mark.parametrize(
    ("descriptor", "expected"), [(LIST, [10, 20, 1, 2, 3]), (SUM, 36), (MEAN, 36 / 5)], ids=["list", "sum", "mean"]
)
def test_merging_moves_everything_to_the_target(state, descriptor, expected):
    """The target's content comes first, then the sources' in order; the sources are empty afterwards."""
    for namespace, values in {"a": [1, 2], "b": [3], "t": [10, 20]}.items():
        for value in values:
            view(state, descriptor, namespace).add(value)
    view(state, descriptor).merge_namespaces("t", ["a", "empty", "b"])
    assert view(state, descriptor, "t").get() == expected
    assert set(state.entry) == {(descriptor.name, "t")}


def test_merging_into_an_empty_target(state):
    """A target without content takes that of the sources; a source that is the target is left alone."""
    view(state, LIST, "a").add(1)
    view(state, LIST).merge_namespaces("t", ["a", "t"])
    assert view(state, LIST, "t").get() == [1]
    view(state, LIST).merge_namespaces("t", ["t", "empty"])
    assert view(state, LIST, "t").get() == [1]


def test_merging_nothing_leaves_nothing(state):
    """Merging empty namespaces makes no entry."""
    view(state, SUM).merge_namespaces("t", ["a", "b"])
    assert state.entry == {}


def test_other_descriptors_are_refused(state):
    """Only descriptors of keyed state make views."""
    with pytest.raises(ConfigurationTypeError, match="got 'v'"):
        view_of(state, "v", "v")


class Longest(AggregateFunction):
    """Keeps the longest list, and gives it out as it is."""

    def create_accumulator(self):
        return []

    def add(self, value, accumulator):
        return max(value, accumulator, key=len)

    def get_result(self, accumulator):
        return accumulator

    def merge(self, acc_a, acc_b):
        return max(acc_a, acc_b, key=len)


TTL = StateTtlConfig.new_builder(Time.hours(1)).build()
KINDS = {
    "value": (ValueStateDescriptor("s"), lambda view, value: view.update(value), lambda view: view.value()),
    "list": (ListStateDescriptor("s"), lambda view, value: view.add(value), lambda view: view.get()[0]),
    "map": (MapStateDescriptor("s"), lambda view, value: view.put("k", value), lambda view: view.get("k")),
    "items": (MapStateDescriptor("s"), lambda view, value: view.put("k", value), lambda view: dict(view.items())["k"]),
    "reducing": (
        ReducingStateDescriptor("s", lambda a, b: a + b, None),
        lambda view, value: view.add(value),
        lambda view: view.get(),
    ),
    "aggregating": (
        AggregatingStateDescriptor("s", Longest(), None),
        lambda view, value: view.add(value),
        lambda view: view.get(),
    ),
}


@pytest.mark.parametrize("ttl", [False, True], ids=["plain", "ttl"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("object_reuse", [False, True])
def test_what_is_stored_belongs_to_the_state(kind, ttl, object_reuse):
    """Neither who put it there nor who has read it changes it; with object reuse both do."""
    descriptor, put, get = KINDS[kind]
    descriptor = copy.copy(descriptor)
    if ttl:
        descriptor.enable_time_to_live(TTL)
    state = KeyedState()
    state.object_reuse = object_reuse
    state.expiry.clock = OperatorTime()
    state.set_current_key("a")
    view, given = view_of(state, descriptor, "s"), [1]
    put(view, given)
    given.append(2)
    get(view).append(3)
    assert get(view) == ([1, 2, 3] if object_reuse else [1])
