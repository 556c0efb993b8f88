"""The slots of keys."""

import pytest

from windrow.state import key_slots
from windrow.state.key_slots import KeySlots


def test_a_key_has_one_slot():
    """It is given when the key is first asked for, one by one or among others; keys that are equal share it."""
    slots = KeySlots()
    assert [slots.slot_of("b"), *slots.slots_of(["a", "b", 1, True, "c"])] == [0, 1, 0, 2, 2, 3]
    assert slots.keys == ["b", "a", 1, "c"]
    assert len(slots) == 4


def test_a_list_has_a_place_for_each_key():
    """For those that are there when it is made, and those that come."""
    slots = KeySlots()
    assert not slots.are_used
    slots.slot_of("a")
    values = slots.new_list()
    slots.slot_of("b")
    assert values == [None, None]
    assert slots.are_used
    slots.drop_list(values)
    slots.slot_of("c")
    assert values == [None, None]
    assert not slots.are_used


@pytest.fixture
def few_are_many(monkeypatch):
    monkeypatch.setattr(key_slots, "_FEWEST_TO_FORGET", 4)


def test_keys_without_values_are_forgotten(few_are_many):
    """Where most have none the others get other slots, in their order, and lists and the finder follow."""
    slots = KeySlots()
    some, others = slots.new_list(), slots.new_list()
    for key in "abcdef":
        slots.slot_of(key)
    some[1], others[4] = 10, 20
    slots.finder = object()
    assert slots.forget_some()
    assert (slots.keys, some, others, slots.finder) == (["b", "e"], [10, None], [None, 20], None)
    assert [slots.slot_of(key) for key in "eba"] == [1, 0, 2]


def test_keys_are_not_looked_at_each_time(few_are_many):
    """Few keys are not looked at, nor are those of which most have had values, until there are twice as many."""
    slots = KeySlots()
    values = slots.new_list()
    for key in range(3):
        slots.slot_of(key)
    assert not slots.forget_some()
    for key in range(8):
        slots.slot_of(key)
    values[:6] = range(6)
    assert not slots.forget_some()
    values[:] = [None] * 8
    assert not slots.forget_some()
    for key in range(12):
        slots.slot_of(key)
    assert slots.forget_some()
    assert len(slots) == 0
