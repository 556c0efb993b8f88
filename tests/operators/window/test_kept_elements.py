"""Elements that windows keep: each once, and windows as if each had its own."""

from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from windrow.operators.window import kept_elements
from windrow.operators.window.kept_elements import KeptElements

SLIDE = 5
ends = st.integers(-4, 8).map(lambda number: number * SLIDE)
elements = st.lists(st.tuples(st.sampled_from("abcdef"), ends, st.integers(0, 3)), max_size=12)


def windows_of(model, end):
    found = {}
    for key, element, first, last in model:
        if first <= end <= last:
            found.setdefault(key, []).append(element)
    return list(found.items())


@given(batches=st.lists(elements, max_size=6), few=st.sampled_from([0, 4, 48]), short=st.sampled_from([2, 1 << 16]))
def test_windows_hold_what_was_added_in_its_order(batches, few, short):
    """By key in the order of their first elements, those of a key in the order in which they came."""
    with patch.multiple(kept_elements, _FEW=few, _SHORT=short, _MANY_KEYS=1):
        kept, model, limit = KeptElements(SLIDE), [], -6 * SLIDE
        for number, drawn in enumerate(batches):
            spans = [(key, max(first, limit + SLIDE), first + more * SLIDE) for key, first, more in drawn]
            batch = [each for each in spans if each[1] <= each[2]]
            keys, first, last = [list(column) for column in zip(*batch, strict=True)] or ([], [], [])
            names = [(number, place) for place in range(len(batch))]
            place = kept.add(keys, names, np.array(first, np.int64), np.array(last, np.int64))
            assert kept.next_place == place + len(batch)
            model += [(key, name, *ends) for (key, *ends), name in zip(batch, names, strict=True)]
            due = kept.ends(limit + 2 * SLIDE)
            assert due == sorted(
                {end for end in range(limit + SLIDE, limit + 3 * SLIDE, SLIDE) if windows_of(model, end)}
            )
            for end in due:
                assert list(kept.window(end).items()) == windows_of(model, end)
                kept.release(end)
            limit += 2 * SLIDE
        for end in kept.ends(1000):
            assert list(kept.window(end).items()) == windows_of(model, end)


def test_keys_without_elements_are_forgotten():
    """What is remembered of keys follows the elements that are there."""
    kept = KeptElements(10)
    for number in range(20):
        keys = list(range(number * 1000, number * 1000 + 1000))
        end = np.full(1000, 10 * number)
        kept.add(keys, keys, end, end)
        assert [key for key, _ in kept.window(10 * number).items()] == keys
        kept.release(10 * number)
    assert len(kept._slots) <= 2000
    assert not kept


def test_each_element_is_held_once():
    """However many windows it is in, it is the same object."""
    element = ("a", [])
    kept = KeptElements(5)
    kept.add(["a"], [element], np.array([5]), np.array([60]))
    assert kept.ends(60) == list(range(5, 61, 5))
    assert all(kept.window(end).elements[0] is element for end in kept.ends(60))
