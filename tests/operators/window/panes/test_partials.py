"""Partial results by pane and key."""

import numpy as np
import pytest

from windrow.operators.column_folds.choosing import NEVER
from windrow.operators.window.panes.partials import in_order_of_arrival


@pytest.mark.parametrize("width", [1, 2, 5, 64, 65, 6000])
@pytest.mark.parametrize("span", [1, 50, 2**18 - 1, 2**18, 2**31, 2**40])
def test_slots_come_in_the_order_of_their_first_elements(width, span):
    """However far these lie apart, and whichever slots have none."""
    random = np.random.default_rng(width * span)
    for share in (0, 0.3, 1):
        places = np.unique(random.integers(0, span + width, width)) + 7
        first = np.full(width, NEVER)
        there = random.permutation(width)[: int(share * places.size)]
        first[there] = random.permutation(places)[: there.size]
        expected = [slot for slot in np.argsort(first, kind="stable").tolist() if first[slot] != NEVER]
        assert in_order_of_arrival(first).tolist() == expected


@pytest.mark.parametrize("bits", [8, 16, 32, 48])
def test_places_are_apart_where_the_digits_end_that_they_are_sorted_by(bits):
    """A place just below or above some sixteen bits is behind the others, and slots without elements are not there."""
    for distance in (-2, -1, 0, 1):
        first = np.full(64, NEVER)
        first[-1], first[0] = 3, 3 + (1 << bits) + distance
        assert in_order_of_arrival(first).tolist() == [63, 0]
        first[[0, -1]] = first[[-1, 0]]
        assert in_order_of_arrival(first).tolist() == [0, 63]


@pytest.mark.parametrize("span", [0, 1, 2**16 - 2, 2**16 - 1, 2**16])
@pytest.mark.parametrize("least", [0, 2**16 - 3, 2**40 + 5, NEVER - 2**17])
def test_the_order_is_the_same_where_it_is_known_what_places_are_before(least, span):
    """Slots without elements are not there, also where they are sorted with the others."""
    first = np.array([least + span, NEVER, least, NEVER])
    for beyond in (least + span + 1, least + span + 2, NEVER):
        assert in_order_of_arrival(first, beyond).tolist() == ([2, 0] if span else [0, 2])
    assert in_order_of_arrival(first[[1, 3]], least).tolist() == []
