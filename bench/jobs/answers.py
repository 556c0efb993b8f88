"""What the jobs have to find, computed from the events in plain Python: no engine, no windows, no state.

Each answer is an iterable of results, reduced to the fields that do not depend on the order in which events arrive.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from itertools import pairwise

from bench.jobs.events import Events

Result = tuple[int, ...]
Answer = Callable[[Events], Iterable[Result]]


def filtered(events: Events) -> list[Result]:
    """Even values, doubled."""
    return [(key, value * 2) for key, value, _ in events.plain() if value % 2 == 0]


def window_starts(time: int, size: int, slide: int) -> range:
    """Where the windows begin that a time is in.

    >>> list(window_starts(7, 10, 5))
    [5, 0]
    """
    last = time - time % slide
    return range(last, time - size, -slide)


class Windows:
    """What ``fold`` makes of the values of a key in a window.

    Args:
        fold: Of two values.
        size: Of a window, in milliseconds.
        slide: Between the beginnings of windows, in milliseconds.
        with_key: Whether a result has the key in front of its value.
    """

    def __init__(self, fold: Callable[[int, int], int], size: int, slide: int, *, with_key: bool = True) -> None:
        self._fold, self._size, self._slide, self._with_key = fold, size, slide, with_key

    def __call__(self, events: Events) -> list[Result]:
        held: dict[tuple[int, int], int] = {}
        for key, value, time in events.plain():
            for start in window_starts(time, self._size, self._slide):
                place = key, start
                held[place] = self._fold(held[place], value) if place in held else value
        return [(key, value) if self._with_key else (value,) for (key, _), value in held.items()]


def _by_key(events: Events) -> dict[int, list[tuple[int, int]]]:
    """The times and values of each key, in the order of their times."""
    by_key = defaultdict(list)
    for key, value, time in events.plain():
        by_key[key].append((time, value))
    for moments in by_key.values():
        moments.sort()
    return by_key


def sessions(events: Events) -> list[Result]:
    """Sums of what has no more than five seconds between one and the next."""
    results: list[Result] = []
    for key, moments in _by_key(events).items():
        total = moments[0][1]
        for (before, _), (time, value) in pairwise(moments):
            if time - before > 5_000:
                results.append((key, total))
                total = 0
            total += value
        results.append((key, total))
    return results


def interval(events: Events) -> list[Result]:
    """Sums of two values of a key with at most five seconds between them: the same events on both sides."""
    results: list[Result] = []
    for moments in _by_key(events).values():
        times = [time for time, _ in moments]
        for time, value in moments:
            partners = moments[bisect_left(times, time - 5_000) : bisect_right(times, time + 5_000)]
            results.extend((value + other,) for _, other in partners)
    return results


def running(events: Events) -> list[Result]:
    """Running sums of values that are all alike."""
    sums: Counter[int] = Counter()
    results: list[Result] = []
    for key, value, _ in events.plain():
        sums[key] += value
        results.append((key, sums[key]))
    return results


def count(events: Events) -> list[Result]:
    """Sums of twenty values that are all alike, for each twenty events of a key."""
    values: dict[int, list[int]] = {}
    for key, value, _ in events.plain():
        values.setdefault(key, []).append(value)
    return [(key, sum(held[i : i + 20])) for key, held in values.items() for i in range(0, len(held) - 19, 20)]


def timers(events: Events) -> list[Result]:
    """A key for each minute in which it has an event."""
    return [(key,) for key, _ in {(key, time // 60_000) for key, _, time in events.plain()}]


def due_timers(events: Events) -> list[Result]:
    """A key for each period of 200 s in which it has an event."""
    return [(key,) for key, _ in {(time % 2_000_000, time // 200_000) for _, _, time in events.plain()}]
