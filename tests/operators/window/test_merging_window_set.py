import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.datastream.window import EventTimeSessionWindows, TimeWindow
from windrow.errors import UsageError
from windrow.operators.window.merging_window_set import MERGING_WINDOWS, MergingWindowSet
from windrow.state.keyed import KeyedState

SESSIONS = EventTimeSessionWindows.with_gap(5)


def keyed_state():
    state = KeyedState()
    state.set_current_key("key")
    return state


def ignore(*_):
    """No merge function is needed."""


def test_state_window_of_the_earliest_stays():
    """When sessions merge, contents are kept under the earliest one's state window, so earlier elements come first."""
    windows = MergingWindowSet(SESSIONS, keyed_state())
    calls = []
    windows.add_window(TimeWindow(20, 25), ignore)
    windows.add_window(TimeWindow(10, 15), ignore)
    windows.add_window(TimeWindow(15, 20), lambda *call: calls.append(call))
    merged = TimeWindow(10, 25)
    assert calls == [(merged, [TimeWindow(10, 15), TimeWindow(20, 25)], TimeWindow(10, 15), [TimeWindow(20, 25)])]


def test_known_window_keeps_its_state_window():
    """Adding a window that is in flight already, under another state window, changes nothing."""
    windows = MergingWindowSet(SESSIONS, keyed_state())
    windows.add_window(TimeWindow(0, 5), ignore)
    windows.add_window(TimeWindow(3, 8), ignore)
    calls = []
    assert windows.add_window(TimeWindow(0, 8), lambda *call: calls.append(call)) == TimeWindow(0, 8)
    assert windows.get_state_window(TimeWindow(0, 8)) == TimeWindow(0, 5)
    assert calls == []


def test_persist_writes_changes_only():
    """The set is written when it has changed and removed when it is empty; another set of the key sees it."""
    state = keyed_state()
    windows = MergingWindowSet(SESSIONS, state)
    windows.add_window(TimeWindow(0, 5), ignore)
    assert state.entry == {}
    windows.persist()
    again = MergingWindowSet(SESSIONS, state)
    assert again.get_state_window(TimeWindow(0, 5)) == TimeWindow(0, 5)
    stored = state.entry[(MERGING_WINDOWS, None)]
    again.persist()
    assert state.entry[(MERGING_WINDOWS, None)] is stored
    windows.retire_window(TimeWindow(0, 5))
    windows.persist()
    assert state.entry == {}


def test_retiring_what_is_not_there():
    """Retiring a window that is not in flight is an error that names it."""
    with pytest.raises(UsageError, match=r"TimeWindow\(start=0, end=5\) cannot be retired"):
        MergingWindowSet(SESSIONS, keyed_state()).retire_window(TimeWindow(0, 5))


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9)), max_size=20))
def test_contents_follow_their_windows(sessions):
    """Moving contents as the merge function says always leaves each session with exactly its own elements."""
    state = keyed_state()
    contents = {}

    def move(_result, _merged, state_window, merged_state_windows):
        for window in merged_state_windows:
            contents[state_window] = contents[state_window] + contents.pop(window)

    expected = {}
    for number, (start, length) in enumerate(sessions):
        windows = MergingWindowSet(SESSIONS, state)
        window = windows.add_window(TimeWindow(start, start + length), move)
        state_window = windows.get_state_window(window)
        contents[state_window] = [*contents.get(state_window, []), number]
        windows.persist()
        touched = [known for known in expected if known.intersects(TimeWindow(start, start + length))]
        members = sorted(member for known in touched for member in expected.pop(known))
        expected[window] = [*members, number]
    final = MergingWindowSet(SESSIONS, state)
    assert {window: sorted(contents[final.get_state_window(window)]) for window in expected} == expected
    assert len(contents) == len(expected)
