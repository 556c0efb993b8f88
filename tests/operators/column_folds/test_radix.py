"""The stable order of whole numbers."""

import numpy as np
import pytest

from windrow.operators.column_folds import radix
from windrow.operators.column_folds.radix import stable_order


@pytest.mark.parametrize("room", [63, 0], ids=["with places", "by digits"])
@pytest.mark.parametrize("bits", [1, 15, 16, 17, 31, 32, 33, 48, 49, 62])
@pytest.mark.parametrize("count", [0, 1, 2, 1000])
def test_the_order_is_that_of_a_stable_sort(bits, count, room, monkeypatch):
    """However many digits the numbers have; equal numbers, which are many among few, stay in their places."""
    monkeypatch.setattr(radix, "_BITS", room)
    random = np.random.default_rng(bits * 1000 + count)
    for distinct in (3, count + 1):
        numbers = random.integers(0, (1 << bits) - 1, distinct, endpoint=True)[random.integers(0, distinct, count)]
        expected = np.argsort(numbers, kind="stable").tolist()
        assert stable_order(numbers).tolist() == expected
        assert stable_order(numbers - (1 << bits)).tolist() == expected
