"""Slots of keys: whatever keys come as, equal ones have one slot."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from windrow.elements.columns import Columns
from windrow.elements.shape import LONG, ScalarShape
from windrow.operators.window.key_slots import KeySlots

TEXT = ScalarShape.of(pa.string())
numbers = st.lists(st.integers(-5, 5) | st.sampled_from([10**15, -(2**63)]), min_size=1, max_size=8)
texts = st.lists(st.sampled_from(["", "a", "é"]), min_size=1, max_size=8)
batches = st.one_of(
    st.tuples(st.sampled_from(["columns", "array", "objects"]), numbers),
    st.tuples(st.just("texts"), texts),
    st.tuples(st.just("objects"), st.lists(st.sampled_from([1, 1.0, True, "a", None, 2.5, 2**70]), max_size=8)),
)


def as_given(form, keys):
    match form:
        case "columns":
            return Columns.of(LONG, [np.array(keys, np.int64)])
        case "array":
            return np.array(keys, np.int64)
        case "texts":
            return Columns.of(TEXT, [pa.array(keys)])
    return keys


@given(st.lists(batches, max_size=6), st.data())
def test_equal_keys_have_one_slot(steps, data):
    """Columns, numbers and objects in any order, and keys that are forgotten in between."""
    slots, expected = KeySlots(), {}
    for form, keys in steps:
        found = slots.of(as_given(form, keys)).tolist()
        for key, slot in zip(keys, found, strict=True):
            assert expected.setdefault(key, slot) == slot
        assert sorted(expected.values()) == list(range(len(slots)))
        assert {key: slot for slot, key in enumerate(slots.by_slot)} == expected
        kept = sorted(data.draw(st.sets(st.sampled_from(range(len(slots)))))) if expected else []
        if data.draw(st.booleans()):
            by_slot = [slots.by_slot[slot] for slot in kept]
            slots = slots.only(np.array(kept, np.int64))
            expected = {key: slot for slot, key in enumerate(by_slot)}
            assert slots.by_slot == by_slot


def test_no_object_is_made_of_a_key_that_nobody_asks_for():
    """Neither of numbers nor of the columns' rows."""
    slots, keys = KeySlots(), Columns.of(LONG, [np.array([3, 4, 3])])
    assert len(set(slots.of(keys).tolist())) == 2
    assert keys.untouched
    assert slots._listed == []


def test_the_list_of_keys_grows():
    """Who has it sees the keys that come later; it is another list when slots are other keys'."""
    slots = KeySlots()
    slots.of(np.array([7]))
    known = slots.by_slot
    slots.of(np.array([9, 8]))
    assert slots.by_slot is known
    assert known == [7, 8, 9]
    left = slots.only(np.array([1]))
    assert left.by_slot == [8]
    assert left.by_slot is not known
