"""Rows in windows."""

import numpy as np
import pytest

from windrow.operators.table.window_table import windows_of


@pytest.mark.parametrize(
    ("kind", "size", "step", "offset", "expected"),
    [
        ("TUMBLE", 10, 0, 0, [(20, 30)]),
        ("TUMBLE", 10, 0, 3, [(23, 33)]),
        ("TUMBLE", 10, 0, -4, [(16, 26)]),
        ("HOP", 10, 5, 0, [(20, 30), (25, 35)]),
        ("HOP", 5, 5, 0, [(25, 30)]),
        ("CUMULATE", 12, 4, 0, [(24, 28), (24, 32), (24, 36)]),
    ],
)
def test_a_time_is_in_these_windows(kind, size, step, offset, expected):
    """The time 25, which is not in a window that ends with it."""
    rows, starts, ends = windows_of(np.array([25]), kind, size, step, offset)
    assert sorted(zip(starts.tolist(), ends.tolist(), strict=True)) == expected
    assert set(rows.tolist()) == {0}


def test_times_before_1970_have_windows():
    """They begin at or before them."""
    _, starts, ends = windows_of(np.array([-1, -10]), "TUMBLE", 10, 0, 0)
    assert starts.tolist() == [-10, -10]
    assert ends.tolist() == [0, 0]
