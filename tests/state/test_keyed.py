"""Keyed state in memory."""

import pytest

from windrow.datastream.state import ValueStateDescriptor
from windrow.errors import UsageError
from windrow.state.keyed import KeyedState
from windrow.state.store import KeyedStateStoreView


def test_each_key_has_an_entry_of_its_own():
    """What is put for one key is not seen under another; a key with nothing is not listed."""
    state = KeyedState()
    for key in "ab":
        state.set_current_key(key)
        state.put("n", None, key.upper())
    state.set_current_key("c")
    assert state.get("n") is None
    state.set_current_key("a")
    assert state.get("n") == "A"
    state.remove("n")
    assert dict(state.entries()) == {"b": {("n", None): "B"}}
    assert not state.is_empty()


def test_without_a_current_key_there_is_no_state():
    """Neither to read nor to change."""
    state = KeyedState()
    state.set_current_key("a")
    state.clear_current_key()
    for touch in (lambda: state.get("n"), lambda: state.put("n", None, 1), lambda: state.remove("n")):
        with pytest.raises(UsageError, match="there is no current key"):
            touch()


def test_timers_fire_with_their_key_and_those_that_become_due_as_well():
    """A timer that is registered for a time that has come fires in the same call, behind those of earlier times."""
    state = KeyedState()
    for key, time in (("a", 5), ("b", 3), ("c", 9)):
        state.event_timers.register(time, key, "ns")
    fired = []

    def fire(time, namespace):
        fired.append((time, state.current_key, namespace))
        if state.current_key == "b":
            state.event_timers.register(4, "a", None)
            state.event_timers.register(3, "d", None)

    state.fire_event_timers(6, fire)
    assert fired == [(3, "b", "ns"), (3, "d", None), (4, "a", None), (5, "a", "ns")]
    assert state.next_event_time() == 9


def test_a_loop_over_keys_needs_no_entries_until_a_function_has_state():
    """What stands for the entry of each key is that of the key which is current when it is asked."""
    state = KeyedState()
    waiting = state.entry_of_each()
    for key in "ab":
        state.current_key, state.current_slot, state.entry = key, None, waiting
    assert not state.entries_in_memory
    state.put("n", None, 1)
    assert dict(state.entries()) == {"b": {("n", None): 1}}
    KeyedStateStoreView(state).get_state(ValueStateDescriptor("n"))
    assert state.entry_of_each() is state.entry_when_asked()
