"""How many planned splits a batch reads."""

from __future__ import annotations

from itertools import accumulate

from windrow.runtime.spark.batch_size import BatchSize


def sizes(fixed, *seconds):
    """Of batches that took so many seconds, and of the one behind them."""
    times = list(accumulate((0.0, *seconds)))
    size = BatchSize(fixed, iter(times).__next__)
    return [size.next() for _ in times]


def test_behind_a_short_batch_the_next_one_is_twice_as_large():
    """Up to a limit: what a batch costs whatever it reads weighs less then."""
    assert sizes(0, *[0.4] * 6) == [4, 8, 16, 32, 64, 128, 128]


def test_behind_a_long_batch_the_next_one_is_half_as_large():
    """Down to the first one's size; between the two limits batches stay as they are."""
    assert sizes(0, 0.4, 0.4, 1.0, 2.1, 3.0, 4.0) == [4, 8, 16, 16, 8, 4, 4]


def test_a_size_that_was_asked_for_stays():
    """However long batches take."""
    assert sizes(3, 0.1, 0.1, 9.0) == [3, 3, 3, 3]
