"""Means."""

from windrow.common.accumulators import AverageAccumulator


def test_a_mean_weighs_each_number_alike():
    """Merging two means counts the numbers behind them; without any number the mean is 0.0."""
    one, other = AverageAccumulator(), AverageAccumulator()
    assert one.get_local_value() == 0.0
    for value in (1, 2, 3):
        one.add(value)
    other.add(10.0)
    one.merge(other)
    assert one.get_local_value() == 4.0
