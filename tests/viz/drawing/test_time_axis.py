"""The axis of time names round moments, in words that fit their size."""

import pytest

from windrow.viz.drawing.time_axis import DAY, HOUR, MINUTE, SECOND, TimeAxis

EPOCH = 1_700_000_000_000


@pytest.mark.parametrize(
    ("first", "last", "names"),
    [
        (0, 40, ["0", "5", "10", "15", "20", "25", "30", "35", "40"]),
        (0, 3 * MINUTE, ["0 s", "30 s", "60 s", "90 s", "120 s", "150 s", "180 s"]),
        (0, 6 * HOUR, ["0 h", "1 h", "2 h", "3 h", "4 h", "5 h", "6 h"]),
        (EPOCH, EPOCH + 20 * SECOND, ["22:13:20", "22:13:25", "22:13:30", "22:13:35", "22:13:40"]),
        (EPOCH, EPOCH + 3 * DAY, ["11-15 00:00", "11-15 12:00", "11-16 00:00"]),
        (EPOCH, EPOCH + 6 * DAY, ["2023-11-15", "2023-11-16", "2023-11-17"]),
    ],
)
def test_names(first, last, names):
    """Small numbers are milliseconds or spans, large ones are dates."""
    shown = [name for _, name in TimeAxis(first, last, 0.0, 100.0).ticks()]
    assert [name for name in names if name not in shown] == []
    assert len(shown) <= 10


def test_moments_beyond_the_ends():
    """The first and the last watermark there can be are at the ends."""
    axis = TimeAxis(0, 100, 10.0, 110.0)
    assert (axis.place(-(2**63)), axis.place(2**63 - 1)) == (10.0, 110.0)


def test_a_single_moment():
    """One moment has room on both sides."""
    axis = TimeAxis.over([5], 0.0, 100.0)
    assert 0 < axis.place(5) < 100
