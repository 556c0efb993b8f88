"""Counts per number."""

import pytest

from windrow.common.accumulators import Histogram


def test_a_histogram_counts_each_number():
    """Merged counts are added; the result is in the order of the numbers."""
    one, other = Histogram(), Histogram()
    for value in (7, -1, 7):
        one.add(value)
    other.add(7)
    other.add(3)
    one.merge(other)
    assert list(one.get_local_value().items()) == [(-1, 1), (3, 1), (7, 3)]


@pytest.mark.parametrize("value", [1.5, "1"])
def test_a_histogram_takes_whole_numbers(value):
    """Others are refused."""
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        Histogram().add(value)
