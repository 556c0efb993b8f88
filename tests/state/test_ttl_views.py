"""Views of state with a time to live: Flink's rules for each kind of state."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.datastream.functions import AggregateFunction
from windrow.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    StateTtlConfig,
    ValueStateDescriptor,
)
from windrow.state.keyed import KeyedState
from windrow.state.view_of import view_of

TTL = 100


class Joined(AggregateFunction):
    """Its accumulator is a list, which it changes in place."""

    def create_accumulator(self):
        return []

    def add(self, value, accumulator):
        accumulator.append(value)
        return accumulator

    def get_result(self, accumulator):
        return "".join(accumulator)

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b


def config(*calls):
    builder = StateTtlConfig.new_builder(TTL)
    for call in calls:
        getattr(builder, call)()
    return builder.build()


WRITES = config()
READS = config("update_ttl_on_read_and_write")
EXPIRED_TOO = config("return_expired_if_not_cleaned_up")

DESCRIPTORS = {
    "value": lambda: ValueStateDescriptor("s"),
    "list": lambda: ListStateDescriptor("s"),
    "map": lambda: MapStateDescriptor("s"),
    "reducing": lambda: ReducingStateDescriptor("s", lambda a, b: a + b),
    "aggregating": lambda: AggregatingStateDescriptor("s", Joined()),
}
WRITE = {
    "value": lambda view, what: view.update(what),
    "list": lambda view, what: view.add(what),
    "map": lambda view, what: view.put(what, what),
    "reducing": lambda view, what: view.add(what),
    "aggregating": lambda view, what: view.add(what),
}
READ = {
    "value": lambda view: view.value(),
    "list": lambda view: "".join(view) or None,
    "map": lambda view: "".join(view.values()) or None,
    "reducing": lambda view: view.get(),
    "aggregating": lambda view: view.get(),
}
ALL = pytest.mark.parametrize("kind", DESCRIPTORS)
WHOLE = pytest.mark.parametrize("kind", ["value", "reducing", "aggregating"])


class Keyed:
    """Keyed state with a current key and a clock that stands still until it is moved."""

    def __init__(self):
        self.state = KeyedState()
        self.state.set_current_key("k")

    def at(self, now):
        self.state.expiry.clock.processing_time = now

    def view(self, kind, ttl=None, namespace=None):
        descriptor = DESCRIPTORS[kind]()
        if ttl is not None:
            descriptor.enable_time_to_live(ttl)
        return view_of(self.state, descriptor, "s", namespace)


@pytest.fixture
def keyed():
    return Keyed()


@ALL
def test_a_value_expires_after_its_last_write(keyed, kind):
    """Reading it does not prolong its life; what was read as expired has left the store."""
    view = keyed.view(kind, WRITES)
    WRITE[kind](view, "a")
    keyed.at(99)
    assert READ[kind](view) == "a"
    keyed.at(100)
    assert READ[kind](view) is None
    assert keyed.state.entry == {}


@ALL
def test_a_read_prolongs_life_where_it_should(keyed, kind):
    """With OnReadAndWrite a value lives on from its last read."""
    view = keyed.view(kind, READS)
    WRITE[kind](view, "a")
    for now in (99, 198):
        keyed.at(now)
        assert READ[kind](view) == "a"
    keyed.at(298)
    assert READ[kind](view) is None


@ALL
def test_an_expired_value_is_returned_once(keyed, kind):
    """With ReturnExpiredIfNotCleanedUp the read that finds it expired still gets it, and removes it."""
    view = keyed.view(kind, EXPIRED_TOO)
    WRITE[kind](view, "a")
    keyed.at(100)
    assert READ[kind](view) == "a"
    assert READ[kind](view) is None
    assert keyed.state.entry == {}


@ALL
def test_clear_and_a_new_start(keyed, kind):
    """What is written after the old value expired or was cleared is all there is."""
    view = keyed.view(kind, WRITES)
    WRITE[kind](view, "a")
    keyed.at(100)
    WRITE[kind](view, "b")
    assert READ[kind](view) == "b"
    view.clear()
    assert READ[kind](view) is None
    keyed.at(250)
    WRITE[kind](view, "c")
    keyed.at(349)
    assert READ[kind](view) == "c"


@pytest.mark.parametrize(("kind", "expected"), [("reducing", "ab"), ("aggregating", "ab")])
def test_an_expired_value_that_may_be_seen_is_added_to(keyed, kind, expected):
    """With ReturnExpiredIfNotCleanedUp what is added goes on from an expired value, as in TtlReduceFunction."""
    view = keyed.view(kind, EXPIRED_TOO)
    WRITE[kind](view, "a")
    keyed.at(150)
    WRITE[kind](view, "b")
    keyed.at(249)
    assert READ[kind](view) == expected


def test_list_elements_expire_one_by_one(keyed):
    """Each element has a life of its own; with ReturnExpiredIfNotCleanedUp all show until none is alive."""
    for ttl, at_120, at_160 in [(WRITES, ["b", "c"], []), (EXPIRED_TOO, ["a", "b", "c"], ["a", "b", "c"])]:
        keyed.at(0)
        view = keyed.view("list", ttl)
        view.update(["a"])
        keyed.at(50)
        view.add_all(["b", "c"])
        keyed.at(120)
        assert view.get() == at_120
        keyed.at(160)
        assert view.get() == at_160
        assert view.get() == []


def test_reading_a_list_prolongs_what_is_alive(keyed):
    """Only living elements live on; the expired ones are gone."""
    view = keyed.view("list", READS)
    view.add("a")
    keyed.at(50)
    view.add("b")
    keyed.at(120)
    assert view.get() == ["b"]
    keyed.at(219)
    assert view.get() == ["b"]


def test_map_entries_expire_one_by_one(keyed):
    """Every way of looking at a map leaves out expired entries, and only those."""
    view = keyed.view("map", WRITES)
    view["a"] = 1
    view["n"] = None
    keyed.at(50)
    view.put_all({"b": 2, "c": None})
    keyed.at(100)
    assert (view["a"], view.get("b"), "a" in view, "b" in view, "c" in view, "n" in view) == (
        *(None, 2),
        *(False, True, True, False),
    )
    assert list(view) == list(view.keys()) == ["b", "c"]
    assert dict(view.items()) == {"b": 2, "c": None}
    assert list(view.values()) == [2, None]
    assert not view.is_empty()
    del view["b"]
    keyed.at(150)
    assert view.is_empty()
    assert list(view.items()) == []
    assert keyed.state.entry == {}


def test_reading_one_map_entry_prolongs_that_one(keyed):
    """With OnReadAndWrite get and contains prolong the entry they are asked for."""
    view = keyed.view("map", READS)
    view.put_all({"a": 1, "b": 2, "c": 3})
    keyed.at(60)
    assert view["a"] == 1
    assert "b" in view
    keyed.at(159)
    assert dict(view.items()) == {"a": 1, "b": 2}


@pytest.mark.parametrize(("kind", "merged"), [("list", "tab"), ("reducing", "tab"), ("aggregating", "tab")])
def test_merging_keeps_what_is_alive(keyed, kind, merged):
    """A merged value is new; list elements keep their own ages; what has expired is left out."""
    for namespace, value in (("old", "x"), ("t", "t"), ("1", "a"), ("2", "b")):
        keyed.at(0 if namespace == "old" else 50)
        WRITE[kind](keyed.view(kind, WRITES, namespace), value)
    keyed.at(100)
    keyed.view(kind, WRITES).merge_namespaces("t", ["old", "1", "2", "none"])
    target = keyed.view(kind, WRITES, "t")
    assert READ[kind](target) == merged
    keyed.at(150)
    assert READ[kind](target) == (None if kind == "list" else merged)
    assert set(keyed.state.entry) <= {("s", "t")}


@pytest.mark.parametrize("kind", ["reducing", "aggregating"])
def test_merging_only_expired_values_leaves_nothing(keyed, kind):
    """Two expired values merge to none."""
    for namespace in ("t", "1", "2"):
        WRITE[kind](keyed.view(kind, WRITES, namespace), "a")
    keyed.at(100)
    keyed.view(kind, WRITES).merge_namespaces("t", ["1", "2"])
    assert READ[kind](keyed.view(kind, WRITES, "t")) is None


@ALL
def test_time_to_live_can_be_switched_on(keyed, kind):
    """What was written without it lives from its first access with it."""
    plain = keyed.view(kind)
    WRITE[kind](plain, "a")
    keyed.at(1000)
    view = keyed.view(kind, WRITES)
    assert READ[kind](view) == "a"
    if kind != "map":
        WRITE[kind](view, "b")
    keyed.at(1099)
    assert READ[kind](view) == {"value": "b", "map": "a"}.get(kind, "ab")
    keyed.at(1100)
    assert READ[kind](view) is None


@ALL
def test_time_to_live_can_be_switched_off(keyed, kind):
    """What was written with it stays for good, and can be written on."""
    WRITE[kind](keyed.view(kind, WRITES), "a")
    keyed.at(1000)
    plain = keyed.view(kind)
    assert READ[kind](plain) == "a"
    WRITE[kind](plain, "b")
    keyed.at(2000)
    assert READ[kind](plain) == ("b" if kind == "value" else "ab")
    plain.clear()
    assert READ[kind](plain) is None


@WHOLE
def test_none_clears(keyed, kind):
    """A value of None is no value, with a time to live as without."""
    view = keyed.view(kind, WRITES)
    if kind == "aggregating":
        view._function.add = lambda value, accumulator: None
    else:
        WRITE[kind](view, "a")
    WRITE[kind](view, None)
    assert keyed.state.entry == {}


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("wait"), st.integers(0, 120)),
        st.tuples(st.just("put"), st.sampled_from("abc"), st.integers(0, 9)),
        st.tuples(st.just("get"), st.sampled_from("abc")),
        st.tuples(st.just("remove"), st.sampled_from("abc")),
        st.tuples(st.just("items")),
    ),
    max_size=30,
)


@given(STEPS, st.booleans())
def test_maps_agree_with_their_definition(steps, on_read):
    """A map shows what was written, or with OnReadAndWrite read, less than a time to live ago."""
    keyed, now, ends = Keyed(), 0, {}
    view = keyed.view("map", READS if on_read else WRITES)
    for step, *arguments in steps:
        alive = {key: value for key, (value, end) in ends.items() if end > now}
        match step:
            case "wait":
                now += arguments[0]
                keyed.at(now)
            case "put":
                view.put(*arguments)
                ends[arguments[0]] = (arguments[1], now + TTL)
            case "get":
                assert view.get(arguments[0]) == alive.get(arguments[0])
                if on_read and arguments[0] in alive:
                    ends[arguments[0]] = (alive[arguments[0]], now + TTL)
            case "remove":
                view.remove(arguments[0])
                ends.pop(arguments[0], None)
            case "items":
                assert dict(view.items()) == alive
                if on_read:
                    ends.update((key, (value, now + TTL)) for key, value in alive.items())
