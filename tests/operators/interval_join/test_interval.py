import pytest

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.operators.interval_join import Interval


@pytest.mark.parametrize(
    ("lower_inclusive", "upper_inclusive", "expected"),
    [
        (True, True, Interval(-2, 3)),
        (False, True, Interval(-1, 3)),
        (True, False, Interval(-2, 2)),
        (False, False, Interval(-1, 2)),
    ],
)
def test_exclusive_bounds_move_inward_by_one(lower_inclusive, upper_inclusive, expected):
    """An exclusive bound is the inclusive one a millisecond further in."""
    assert Interval.of(-2, 3, lower_inclusive=lower_inclusive, upper_inclusive=upper_inclusive) == expected


def test_an_exclusive_bound_at_the_end_of_time_does_not_overflow():
    """Bounds of 64 bits stay numbers of their sign when they move."""
    assert Interval.of(LONG_MAX, LONG_MAX, lower_inclusive=False) == Interval(2**63, LONG_MAX)
    assert Interval.of(LONG_MIN, LONG_MIN, upper_inclusive=False) == Interval(LONG_MIN, -(2**63) - 1)


@pytest.mark.parametrize(
    ("interval", "left", "right"),
    [(Interval(-5, 2), 2, 5), (Interval(1, 2), 2, 0), (Interval(-2, -1), 0, 2), (Interval(0, 0), 0, 0)],
)
def test_retention(interval, left, right):
    """Left elements are kept for max(0, upper), right ones for max(0, -lower)."""
    assert (interval.retention, interval.mirrored.retention) == (left, right)
