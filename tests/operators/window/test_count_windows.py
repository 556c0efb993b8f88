"""Count windows mean what Flink Java's do."""

import pytest

from windrow.datastream.functions import WindowFunction
from windrow.errors import ConfigurationError
from windrow.operators.window.count_windows import count_window_parts
from windrow.testing import window_harness


class Elements(WindowFunction):
    def apply(self, key, window, inputs):
        yield list(inputs)


def windows(parts, values):
    assigner, trigger, evictor = parts
    harness = window_harness(
        assigner, trigger=trigger, evictor=evictor, key=lambda value: value // 100, function=Elements()
    )
    harness.process_elements([(value, None) for value in values])
    return harness.values()


def test_tumbling_windows_fire_when_they_are_full():
    """count_window(size) gives each size elements once; the incomplete last window is not emitted."""
    assert windows(count_window_parts(3), range(1, 9)) == [[1, 2, 3], [4, 5, 6]]


def test_sliding_windows_fire_for_every_slide():
    """count_window(size, slide) fires every slide elements on at most the last size."""
    assert windows(count_window_parts(3, 2), range(1, 9)) == [[1, 2], [2, 3, 4], [4, 5, 6], [6, 7, 8]]


def test_keys_are_counted_apart():
    """Each key has windows of its own."""
    assert windows(count_window_parts(2), [1, 101, 2, 102]) == [[1, 2], [101, 102]]


@pytest.mark.parametrize(("size", "slide", "named"), [(0, 0, "size"), (2, -1, "slide"), (2.0, 0, "size")])
def test_wrong_counts_are_refused(size, slide, named):
    """A size below 1, a negative slide, or what is no integer, is an error that names the parameter."""
    with pytest.raises(ConfigurationError, match=named):
        count_window_parts(size, slide)
