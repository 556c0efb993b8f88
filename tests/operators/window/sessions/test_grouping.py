"""Groups of a sort are the sessions that elements make one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.operators.window.sessions.grouping import NOWHERE, Items, _least_reached, grouped

GAP = 5


def longs(values):
    return np.array(list(values), np.int64)


def one_by_one(items):
    """By slot: the windows, what each began with, what changed it last, and how many have merged in it."""
    sessions = []
    for item, (slot, start, end) in enumerate(
        zip(items.slots.tolist(), items.starts.tolist(), items.ends.tolist(), strict=True)
    ):
        touched = [each for each in sessions if each[0] == slot and each[1] <= end and start <= each[2]]
        sessions = [each for each in sessions if each not in touched]
        touched.sort(key=lambda each: each[1])
        begin = min(start, *[each[1] for each in touched]) if touched else start
        stop = max(end, *[each[2] for each in touched]) if touched else end
        founder = touched[0][3] if touched else item
        changed = item if item >= items.held else -1
        if len(touched) == 1 and (begin, stop) == touched[0][1:3]:
            changed = touched[0][4]
        merged = sum(each[5] for each in touched) if touched else 1
        sessions.append((slot, begin, stop, founder, changed, merged))
    return sorted(sessions)


@st.composite
def all_items(draw, *, same_gap):
    """Held sessions that are apart, and elements that come in any order."""
    held = []
    for slot in range(3):
        time = 0
        for ahead, length in draw(st.lists(st.tuples(st.integers(1, 9), st.integers(GAP, 12)), max_size=3)):
            held.append((slot, time + ahead, time + ahead + length))
            time += ahead + length
    gaps = st.just(GAP) if same_gap else st.integers(1, 9)
    times = st.lists(st.tuples(st.integers(0, 2), st.integers(-5, 40), gaps), min_size=1, max_size=25)
    elements = [(slot, time, time + gap) for slot, time, gap in draw(times)]
    slots, starts, ends = map(longs, zip(*held, *elements, strict=True))
    return Items(slots * draw(st.sampled_from([1, 10**6])), starts, ends, len(held))


@settings(max_examples=400)
@given(st.data(), st.booleans(), st.sampled_from([0, 10**6, 2**50]))
def test_groups_are_what_comes_one_by_one(data, same_gap, shift):
    """Windows, founders, last changes, and which were one session all the time."""
    items = data.draw(all_items(same_gap=same_gap))
    items = items._replace(starts=items.starts + shift, ends=items.ends + shift)
    groups = grouped(items, GAP if same_gap else None, wants_founder=True, wants_single=True)
    expected = one_by_one(items)
    founders = [founder if founder >= items.held else -1 for _, _, _, founder, _, _ in expected]
    windows = list(zip(groups.slots.tolist(), groups.starts.tolist(), groups.ends.tolist(), strict=True))
    assert windows == [each[:3] for each in expected]
    assert groups.founder.tolist() == founders
    assert groups.changed.tolist() == [each[4] for each in expected]
    assert groups.is_single.tolist() == [each[5] == 1 for each in expected]
    without = grouped(items, GAP if same_gap else None, wants_founder=False, wants_single=False)
    assert without.changed.tolist() == groups.changed.tolist()


@settings(print_blob=True)
@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 40), st.booleans()), min_size=1, max_size=60))
def test_the_least_value_that_is_reached_is_that_of_all_behind(items):
    """However many items one reaches: few are looked at one by one, the others are searched for."""
    items.sort(key=lambda item: item[0])
    values = [NOWHERE if is_held else number for number, (_, _, is_held) in enumerate(items)]
    ends = [start + length for start, length, _ in items]
    reached = [[at for at in range(place + 1, len(items)) if items[at][0] <= end] for place, end in enumerate(ends)]
    least, behind = _least_reached(longs(values), longs(start for start, _, _ in items), longs(ends))
    assert least.tolist() == [min((values[at] for at in places), default=NOWHERE) for places in reached]
    assert behind.tolist() == [place + 1 + len(places) for place, places in enumerate(reached)]


def test_the_first_held_session_of_a_group_is_named():
    """An element between two held ones makes them one group."""
    items = Items.of(longs([4]), (longs([9]), longs([14])), (longs([4, 4]), longs([14, 0]), longs([20, 9])))
    groups = grouped(items, 5, wants_founder=True, wants_single=False)
    assert (groups.starts.tolist(), groups.ends.tolist(), groups.first_held.tolist()) == ([0], [20], [1])


@pytest.mark.parametrize("times", [[-(2**59), 2**59], [0, 2**45]])
def test_times_that_are_far_apart_are_left_to_others(times):
    """Slot and time have to fit into one number."""
    items = Items(longs([0, 2**20]), longs(times), longs(times) + 1, 0)
    assert grouped(items, 1, wants_founder=False, wants_single=False) is None
