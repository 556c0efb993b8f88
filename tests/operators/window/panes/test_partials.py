"""Partial results by pane and key."""

import numpy as np
import pytest

from windrow.operators.column_folds.choosing import NEVER
from windrow.operators.window.panes.partials import ArrivalOrder


@pytest.mark.parametrize("width", [1, 2, 5, 64, 65, 6000])
@pytest.mark.parametrize("span", [1, 50, 2**18 - 1, 2**18, 2**31, 2**40])
def test_slots_come_in_the_order_of_their_first_elements(width, span):
    """However far these lie apart, and whichever slots have none."""
    random = np.random.default_rng(width * span)
    order = ArrivalOrder()
    for share in (0, 0.3, 1):
        places = np.unique(random.integers(0, span + width, width)) + 7
        first = np.full(width, NEVER)
        there = random.permutation(width)[: int(share * places.size)]
        first[there] = random.permutation(places)[: there.size]
        expected = [slot for slot in np.argsort(first, kind="stable").tolist() if first[slot] != NEVER]
        assert order.slots(first).tolist() == expected


@pytest.mark.parametrize("bits", range(1, 14))
def test_a_place_that_just_fits_is_not_taken_for_one_that_is_not_there(bits):
    """The greatest number that fits beside a slot stands for slots without elements."""
    width = 1 << bits
    for distance in (-2, -1, 0, 1):
        first = np.full(width, NEVER)
        first[-1], first[0] = 3, 3 + (1 << (31 - bits)) + distance
        assert ArrivalOrder().slots(first).tolist() == [width - 1, 0]
        first[[0, -1]] = first[[-1, 0]]
        assert ArrivalOrder().slots(first).tolist() == [0, width - 1]
