"""A buffer is a sorted list for each key, however it is cut into leaves and batches."""

from bisect import insort

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.operators.interval_join import buffer
from windrow.operators.interval_join.buffer import LEAF_ELEMENTS, ElementBuffer, LeafKey
from windrow.state.keyed import KeyedState
from windrow.state.page_store import MemoryPageStore
from windrow.state.paged import PagedKeyedState

KEYS = ["a", ("b", "side", 0)]


class CountingStore(MemoryPageStore):
    """Counts the bytes that are read and written."""

    moved = 0

    def get(self, page):
        data = super().get(page)
        self.moved += len(data or b"")
        return data

    def put(self, page, data):
        self.moved += len(data)
        super().put(page, data)


def filled(count, state=None):
    state = KeyedState() if state is None else state
    state.set_current_key("k")
    held = ElementBuffer(state, "left", 10)
    for number in range(count):
        held.add(number, f"v{number}")
    return state, held


def adds(times):
    return st.tuples(st.just("add"), st.sampled_from(KEYS), times)


SMALL = st.integers(-20, 20)
ACTIONS = st.lists(
    adds(SMALL)
    | st.tuples(st.just("between"), st.sampled_from(KEYS), SMALL, SMALL)
    | st.tuples(st.just("watermark"), st.integers(0, 3))
    | st.tuples(st.just("batch")),
    max_size=80,
)


@settings(max_examples=300, deadline=None)
@given(ACTIONS, st.integers(1, 4), st.integers(0, 5))
def test_a_buffer_is_a_sorted_list(actions, leaf_elements, retention):
    """Adding, looking and expiring give what a sorted list gives; elements of one time keep their order."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(buffer, "LEAF_ELEMENTS", leaf_elements)
        store, state = MemoryPageStore(), PagedKeyedState()
        state.attach(store, "op")
        held = ElementBuffer(state, "left", retention)
        model = {key: [] for key in KEYS}
        watermark = -30
        for number, (kind, *arguments) in enumerate(actions):
            if kind == "add":
                key, time = arguments
                state.set_current_key(key)
                held.add(time, number)
                insort(model[key], (time, number))
            elif kind == "between":
                key, lower, upper = arguments
                state.set_current_key(key)
                times, values = held.between(lower, upper)
                wanted = [pair for pair in model[key] if lower <= pair[0] <= upper]
                assert list(zip(times, values, strict=True)) == wanted
            elif kind == "watermark":
                watermark += arguments[0]
                state.fire_event_timers(watermark, lambda _time, _side: held.expire(watermark))  # noqa: B023
                for key in KEYS:
                    model[key] = [pair for pair in model[key] if pair[0] + retention > watermark]
            else:
                state.flush()
                state.attach(store, "op")
        for key in KEYS:
            state.set_current_key(key)
            assert held.timestamps() == [time for time, _ in model[key]]
        state.load_all()
        earliest = {(min(pairs)[0] + retention, key, "left") for key, pairs in model.items() if pairs}
        assert set(state.event_timers) == earliest


def test_nothing_is_left_behind():
    """When all has expired there is neither state nor a timer, of leaves either, and no page holds anything."""
    store, state = MemoryPageStore(), PagedKeyedState()
    state.attach(store, "op")
    _, held = filled(50 * LEAF_ELEMENTS, state)
    state.flush()
    assert len(store.pages) > 2
    state.attach(store, "op")
    state.fire_event_timers(LONG_MAX, lambda _time, _side: held.expire(LONG_MAX))
    assert list(state.entries()) == []
    state.flush()
    assert list(store.pages) == ["op/pages"]


def test_a_short_buffer_is_in_the_entry_of_its_key():
    """Up to LEAF_ELEMENTS elements need no state key of their own; more do."""
    state, held = filled(LEAF_ELEMENTS)
    assert [key for key, _ in state.entries()] == ["k"]
    held.add(0, "one more")
    assert {type(key) for key, _ in state.entries()} == {str, LeafKey}


def test_a_batch_reads_and_writes_the_leaves_it_touches():
    """An element more costs a small part of a long buffer's bytes, wherever it goes."""
    store, state = CountingStore(), PagedKeyedState()
    state.attach(store, "op")
    filled(20_000, state)
    state.flush()
    whole = sum(map(len, store.pages.values()))
    for time in (0, 10_000, 20_000):
        store.moved = 0
        state.attach(store, "op")
        held = ElementBuffer(state, "left", 10)
        state.set_current_key("k")
        held.add(time, "new")
        assert held.between(time, time)[1][-1] == "new"
        state.flush()
        assert store.moved < whole / 10


def test_leaves_and_their_index_grow_together():
    """Neither the index nor a leaf is longer than about twice the square root of the number of elements."""
    state, _ = filled(40_000)
    index = state.entry["left", None]
    lengths = [len(state.entry_of(LeafKey("k", "left", leaf))["elements", None][0]) for leaf in index.leaves]
    assert len(index.leaves) < 400
    assert max(lengths) <= max(LEAF_ELEMENTS, 4 * len(index.leaves))
    assert sum(lengths) == 40_000


def test_times_near_the_limits():
    """The time of removal is at most 2^63-1, and only the last watermark removes what is kept until then."""
    state = KeyedState()
    state.set_current_key("k")
    held = ElementBuffer(state, "left", LONG_MAX)
    held.add(5, "a")
    held.add(LONG_MIN + 1, "b")
    assert list(state.event_timers) == [(0, "k", "left")]
    for watermark, expected in [(-1, [LONG_MIN + 1, 5]), (LONG_MAX - 1, [5]), (LONG_MAX, [])]:
        state.fire_event_timers(watermark, lambda _time, _side: held.expire(watermark))  # noqa: B023
        assert held.timestamps() == expected
