import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.datastream.window import CountWindow, EventTimeSessionWindows, GlobalWindow, MergeCallback, TimeWindow

bounds = st.tuples(st.integers(-50, 50), st.integers(0, 20)).map(lambda pair: TimeWindow(pair[0], pair[0] + pair[1]))


class Collected(MergeCallback):
    def __init__(self):
        self.merges = []

    def merge(self, to_be_merged, merge_result):
        self.merges.append((list(to_be_merged), merge_result))


def merges(*windows):
    callback = Collected()
    TimeWindow.merge_windows([TimeWindow(*window) for window in windows], callback)
    return callback.merges


def java_window_start(timestamp, offset, size):
    """Flink's formula, with Java's truncating remainder."""
    difference = timestamp - offset
    remainder = abs(difference) % size * (1 if difference >= 0 else -1)
    return timestamp - (remainder + size) if remainder < 0 else timestamp - remainder


@given(st.integers(-(2**40), 2**40), st.integers(1, 10**6), st.data())
def test_window_start_is_flinks(timestamp, size, data):
    """The start of a window is what Flink's formula gives, before and after the epoch."""
    offset = data.draw(st.integers(1 - size, size - 1))
    start = TimeWindow.get_window_start_with_offset(timestamp, offset, size)
    assert start == java_window_start(timestamp, offset, size)
    assert start <= timestamp < start + size


def test_window_start_stays_in_64_bits():
    """The window of the earliest timestamps does not begin before 64 bits do."""
    assert TimeWindow.get_window_start_with_offset(LONG_MIN + 1, 0, 10) == LONG_MIN


def test_values():
    """Windows with the same bounds are the same key of a dictionary; order is by start, then end."""
    assert {TimeWindow(0, 5): "a"}[TimeWindow(0, 5)] == "a"
    assert TimeWindow(0, 5) != TimeWindow(0, 6)
    assert TimeWindow(0, 6) < TimeWindow(1, 2) < TimeWindow(1, 3)
    assert CountWindow(3) == CountWindow(3) != CountWindow(4)
    assert GlobalWindow.get() is GlobalWindow()
    assert GlobalWindow.get() not in (TimeWindow(0, 0), CountWindow(0))


def test_max_timestamps():
    """Count windows and the global window last until the end of time."""
    assert TimeWindow(0, 5).max_timestamp() == 4
    assert CountWindow(1).max_timestamp() == GlobalWindow.get().max_timestamp() == LONG_MAX


@pytest.mark.parametrize("window", [TimeWindow(-5, 2**62), CountWindow(7), GlobalWindow.get()])
def test_pickling(window):
    """A window is the same after pickling, of the same class, and takes few bytes beside others."""
    again = pickle.loads(pickle.dumps(window))
    assert again == window
    assert type(again) is type(window)
    assert len(pickle.dumps([window] * 2 + [type(window)])) < 200


def test_touching_windows_merge():
    """Windows that share a boundary become one, windows with a millisecond between them do not."""
    assert merges((10, 20), (20, 30)) == [([TimeWindow(10, 20), TimeWindow(20, 30)], TimeWindow(10, 30))]
    assert merges((10, 20), (21, 30)) == []


def test_covered_window_does_not_shrink_the_group():
    """After a window within another the group still reaches to the end of the larger one."""
    assert merges((0, 10), (1, 2), (9, 12))[0][1] == TimeWindow(0, 12)


@given(st.lists(bounds, max_size=8))
def test_merging_leaves_windows_apart(windows):
    """After the reported merges no two windows touch, and each source lies in its result."""
    callback = Collected()
    EventTimeSessionWindows.with_gap(1).merge_windows(windows, callback)
    left = list(windows)
    for sources, result in callback.merges:
        assert len(sources) > 1
        for source in sources:
            left.remove(source)
            assert result.cover(source) == result
        left.append(result)
    for position, window in enumerate(left):
        assert not any(window.intersects(other) for other in left[position + 1 :])
