"""Finds the elements of a batch and the held sessions that are one session, by one sort."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, NamedTuple

import numpy as np

from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.column_folds.radix import stable_order
from windrow.operators.window.panes.placing import Mask

#: The start of what is behind all items.
NOWHERE = 2**63 - 1
#: Slots and times together have to fit into so many bits.
_BITS = 62
#: What an item reaches is looked at up to this many places behind it, before it is searched for.
_NEAR = 12
#: NOWHERE in 32 bits: a batch has fewer items.
_NOWHERE_SHORT = 2**32 - 1


class Items(NamedTuple):
    """Windows of sessions that are held, in front, and of elements in the order in which they came.

    An item is meant by its index. Held sessions of a key neither overlap nor touch.
    """

    slots: Longs
    starts: Longs
    ends: Longs
    #: How many of them are held.
    held: int

    @staticmethod
    def of(slots: Longs, windows: tuple[Longs, Longs], held: tuple[Longs, Longs, Longs]) -> Items:
        """Elements by slots and windows, and slots, starts and ends of what is held."""
        count = held[0].size
        if not count:
            return Items(slots, *windows, 0)
        both = [np.concatenate(pair) for pair in zip(held, (slots, *windows), strict=True)]
        return Items(both[0], both[1], both[2], count)


class Groups(NamedTuple):
    """Items by the session that they are in when all of them have come; sessions by slot, then by time."""

    #: All items, group by group, by the starts of their windows.
    order: Longs
    #: For each place in ``order`` the group.
    of: Longs
    #: For each group where it begins in ``order``.
    first: Longs
    slots: Longs
    starts: Longs
    ends: Longs
    #: The first held session in each group; -1: there is none.
    first_held: Longs
    #: The element that the group's session began with: that of the leftmost of those that have merged in it. -1: it
    #: began with the first held session.
    founder: Longs
    #: The last element that changed the session's window, if that was wanted, else the last that came; -1: none did.
    changed: Longs
    #: Whether the group was one session all the time, not several that have merged.
    is_single: Mask


def grouped(
    items: Items, gap: int | None, *, wants_founder: bool, wants_single: bool, wants_turns: bool = True
) -> Groups | None:
    """Group items; None if their slots and times are too far apart.

    Args:
        items: Held sessions and elements.
        gap: The length that windows of elements all have; None: they differ.
        wants_founder: Whether ``founder`` is needed; else it is not found out.
        wants_single: Whether ``is_single`` is needed; else it is not found out.
        wants_turns: Whether ``changed`` has to be exact; else it is the last element that no held session covers.

    Example:
        >>> slots, starts = np.array([0, 0, 0]), np.array([30, 0, 9])
        >>> items = Items(slots, starts, starts + 10, 0)
        >>> groups = grouped(items, 10, wants_founder=True, wants_single=False)
        >>> groups.starts.tolist(), groups.ends.tolist(), groups.changed.tolist()
        ([0, 30], [19, 40], [2, 0])
    """
    sorted_items = _Sorted.of(items)
    if sorted_items is None:
        return None
    order, starts, ends, reach, begins, first = sorted_items[:6]
    size, held = order.size, items.held
    behind = np.append(first[1:], size)
    group_of = np.repeat(np.arange(first.size), behind - first)
    slots = items.slots[order[first]]
    first_held_at, candidates = np.full(first.size, size), order
    if held:
        is_held = order < held
        held_at = np.flatnonzero(is_held)[::-1]
        first_held_at[group_of[held_at]] = held_at  # of several the first one is written last
        cover = _cover(ends, held_at[::-1])
        # What a held session covers changes nothing; that is true of the held ones as well.
        candidates = np.where(ends <= cover, -1, order)
    has_held = first_held_at < size
    first_held = np.where(has_held, order[np.minimum(first_held_at, size - 1)], -1)
    if wants_turns:
        changed, replayed = _last_changes(sorted_items, held, candidates, gap)
    else:
        changed, replayed = np.maximum.reduceat(candidates, first), np.zeros(first.size, np.bool_)
    founder = np.full(first.size, -1)
    if wants_founder:
        founder, is_known = _founders(sorted_items, first_held_at, same_gap=gap is not None)
        replayed |= ~is_known
    is_single = np.ones(first.size if wants_single else 0, np.bool_)
    if wants_single:
        falls = np.zeros(size, np.int64)
        falls[1:] = (order[1:] < order[:-1]) & ~begins[1:]
        held_count = np.bincount(group_of[order < held], minlength=first.size)
        is_single = (np.add.reduceat(falls, first) == 0) & (held_count <= 1)
        replayed |= ~is_single
    found = np.flatnonzero(replayed)
    if found.size:
        ranges = zip(first[found].tolist(), behind[found].tolist(), strict=True)
        replays = np.array([_replay(held, *sorted_items.part(*each)) for each in ranges], np.int64)
        founder[found], changed[found] = replays[:, 0], replays[:, 1]
        if wants_single:
            is_single[found] = replays[:, 2] == 1
    offsets = slots * sorted_items.span - sorted_items.base
    windows = starts[first] - offsets, reach[behind - 1] - offsets
    return Groups(order, group_of, first, slots, *windows, first_held, founder, changed, is_single)


class _Sorted(NamedTuple):
    """Items by slot and start; slot and time are one number each, so that slots are far apart."""

    order: Longs
    starts: Longs
    ends: Longs
    #: How far all items up to here reach.
    reach: Longs
    #: Whether a group begins here.
    begins: Mask
    #: Where groups begin.
    first: Longs
    #: For each item where it is.
    place: Longs
    base: int
    span: int

    @staticmethod
    def of(items: Items) -> _Sorted | None:
        """Sort them; None if slots and times do not fit into one number."""
        found = _offsets(items.slots, items.starts, items.ends)
        if found is None:
            return None
        offsets, base, span = found
        starts = offsets + items.starts
        order = stable_order(starts)
        starts = starts.take(order)
        ends = (offsets + items.ends).take(order)
        reach = np.maximum.accumulate(ends)
        begins = np.ones(starts.size, np.bool_)
        np.greater(starts[1:], reach[:-1], out=begins[1:])
        place = np.empty(starts.size, np.int64)
        place[order] = np.arange(starts.size)
        return _Sorted(order, starts, ends, reach, begins, np.flatnonzero(begins), place, base, span)

    def part(self, begin: int, end: int) -> tuple[list[int], list[int], list[int]]:
        """Some items, with where they start and end."""
        return self.order[begin:end].tolist(), self.starts[begin:end].tolist(), self.ends[begin:end].tolist()


def apart(slots: Longs, starts: Longs, ends: Longs) -> Longs | None:
    """Slot and start in one number each, the numbers of two slots so far apart that windows of both do not touch.

    None if they do not fit into one.

    Example:
        >>> starts = np.array([30, 0])
        >>> apart(np.array([0, 1]), starts, starts + 10).tolist()
        [30, 41]
    """
    found = _offsets(slots, starts, ends)
    return None if found is None else found[0] + starts


def _offsets(slots: Longs, starts: Longs, ends: Longs) -> tuple[Longs, int, int] | None:
    """Give what to add to times so that slots are apart, the earliest time, and how far a slot is from the next."""
    base = int(starts.min())
    span = int(ends.max()) - base + 1
    limit = (int(slots.max()) + 1) * span
    return None if limit >= 1 << _BITS else (slots * span - base, base, span)


def _last_changes(items: _Sorted, held: int, candidates: Longs, gap: int | None) -> tuple[Longs, Mask]:
    """The last element of each group that changed its window; -1: none did. And for which it takes a closer look.

    The newest element has, unless all others cover its own window.

    Args:
        items: All.
        held: How many of them are held.
        candidates: In their order, items that might; -1 for those that a held session covers.
        gap: The length that windows of elements all have; None: they differ.
    """
    starts, ends, first = items.starts, items.ends, items.first
    changed = np.maximum.reduceat(candidates, first)
    at = items.place[changed]
    left = np.where(items.begins[at], starts[at], items.reach[at - 1])
    touches = np.append(starts, NOWHERE)[at + 1] <= left
    groups = np.flatnonzero((changed >= 0) & ((left >= ends[at]) | touches))
    replayed = np.zeros(changed.size, np.bool_)
    if gap is not None and groups.size:
        begins = first[groups]
        sizes = np.append(first[1:], starts.size)[groups] - begins
        changed[groups] = _newest_alone(items, held, gap, begins, sizes)
    else:
        replayed[groups] = True
    return changed, replayed


def _newest_alone(items: _Sorted, held: int, gap: int, first: Longs, sizes: Longs) -> Longs:
    """The last element of some groups that changed the window, where windows of elements all have one length.

    At a moment that no held session covers, the first of the elements whose windows do has changed the group's window.
    So the newest of all these is the last one. The moments to look at are the group's start, and those at which a
    window ends: up to the next one there are only more elements.

    Args:
        items: All.
        held: How many of them are held.
        gap: The length.
        first: Where the groups begin.
        sizes: How many items they have.
    """
    count = int(sizes.sum())
    begins = np.cumsum(sizes) - sizes
    places = np.arange(count) + np.repeat(first - begins, sizes)
    order, starts, ends = items.order[places], items.starts[places], items.ends[places]
    # Elements that begin behind the window of this one, and no later than at its end.
    came = order
    if not held:
        earliest, _ = _least_reached(came, starts, ends)
    else:
        held_at = np.flatnonzero(order < held)
        came, reaches = order.copy(), ends.copy()
        came[held_at], reaches[held_at] = NOWHERE, -1
        earliest, behind = _least_reached(came, starts, reaches)
        held_ends = ends[held_at]
        behind[held_at] = np.searchsorted(starts, held_ends, side="right")
        earliest[held_at] = _least(came, np.searchsorted(starts, held_ends - gap, side="right"), behind[held_at])
        earliest[_cover(ends, held_at)[behind - 1] > ends] = -1
    # What begins with this one ends with it as well.
    has_twin = np.append(starts[1:] == starts[:-1], [False]) & (came != NOWHERE)
    earliest[has_twin | (earliest == NOWHERE)] = -1
    newest = np.maximum.reduceat(earliest, begins)
    at_start = order[begins]
    return np.where(at_start < held, newest, np.maximum(newest, at_start))


def _cover(ends: Longs, held_at: Longs) -> Longs:
    """For each item how far the held sessions up to it reach, which end in their order; 0: there is none."""
    return np.repeat(np.append(0, ends[held_at]), np.diff(held_at, prepend=0, append=ends.size))


def _least_reached(values: Longs, starts: Longs, ends: Longs) -> tuple[Longs, Longs]:
    """For each item the least value of those behind it that start no later than it ends, and where these are over.

    Most reach a few only, which are found by shifting all of them.

    Args:
        values: The items', NOWHERE at most.
        starts: Where they start, in ascending order.
        ends: Where they end.

    Example:
        >>> starts = np.array([0, 3, 5])
        >>> _least_reached(np.array([2, 1, 0]), starts, starts + 3)[1].tolist()
        [2, 3, 3]
    """
    # Short numbers take less of the processor's cache, and bits less time than a choice: NOWHERE has all of them.
    short = np.minimum(values, _NOWHERE_SHORT).astype(np.uint32)
    least = np.full(values.size, _NOWHERE_SHORT, np.uint32)
    counts = np.zeros(values.size, np.uint8)
    for distance in range(1, _NEAR + 1):
        reached = starts[distance:] <= ends[:-distance]
        if not reached.any():
            break
        shifted = least[:-distance]
        np.minimum(shifted, short[distance:] | (reached.astype(np.uint32) - np.uint32(1)), out=shifted)
        counts[:-distance] += reached.view(np.uint8)
    found = least.astype(np.int64)
    found[least == _NOWHERE_SHORT] = NOWHERE
    behind = np.arange(1, values.size + 1) + counts
    further = np.flatnonzero(counts == _NEAR)
    if further.size:
        begins, over = behind[further], np.searchsorted(starts, ends[further], side="right")
        found[further] = np.minimum(found[further], _least(values, begins, over))
        behind[further] = over
    return found, behind


def _least(values: Longs, begins: Longs, ends: Longs) -> Longs:
    """The least of the values from each of ``begins`` to below each of ``ends``; NOWHERE for none.

    Example:
        >>> _least(np.array([5, 3, 4]), np.array([0, 2, 1]), np.array([3, 3, 1])).tolist() == [3, 4, NOWHERE]
        True
    """
    found = np.full(begins.size, NOWHERE)
    left = np.flatnonzero(ends > begins)
    begins, ends = begins[left], ends[left]
    # Of each size that is a power of two, the least values of all ranges of this size.
    size, of_size = 1, values
    while left.size:
        is_mine = ends - begins < 2 * size
        found[left[is_mine]] = np.minimum(of_size[begins[is_mine]], of_size[ends[is_mine] - size])
        others = ~is_mine
        left, begins, ends = left[others], begins[others], ends[others]
        if left.size:
            of_size = np.minimum(of_size[:-size], of_size[size:])
            size *= 2
    return found


def _founders(items: _Sorted, first_held_at: Longs, *, same_gap: bool) -> tuple[Longs, Mask]:
    """The founder of each group, and where this is certain."""
    order, starts, first = items.order, items.starts, items.first
    oldest = np.minimum.reduceat(order, first)
    oldest_at = items.place[oldest]
    first_ends = items.ends[first]
    # Elements in front of the oldest one that touch it have begun no session.
    is_known = oldest_at == first
    if same_gap:
        is_known |= starts[oldest_at] <= first_ends
    has_held = first_held_at < order.size
    touches_held = starts[np.minimum(first_held_at, order.size - 1)] <= first_ends
    if not same_gap:
        touches_held &= first_held_at <= first + 1
    return np.where(has_held, -1, oldest), np.where(has_held, touches_held, is_known)


def _replay(held: int, order: list[int], starts: list[int], ends: list[int]) -> tuple[int, int, int]:
    """Let items come one by one."""
    windows: list[Any] = sorted(zip(order, starts, ends, strict=True))
    changed, roots = -1, 0
    begins: list[int] = []
    reaches: list[int] = []
    founders: list[int] = []
    for item, start, end in windows:
        last = first = bisect_right(begins, end)
        while first and reaches[first - 1] >= start:
            first -= 1
        if first == last:
            roots += 1
            begins.insert(first, start)
            reaches.insert(first, end)
            founders.insert(first, item)
            changed = item if item >= held else changed
            continue
        least, greatest = min(start, begins[first]), max(end, reaches[last - 1])
        if last - first > 1 or least != begins[first] or greatest != reaches[first]:
            begins[first:last], reaches[first:last], founders[first:last] = [least], [greatest], [founders[first]]
            changed = item
    return (founders[0] if founders[0] >= held else -1), changed, roots
