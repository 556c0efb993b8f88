"""The job every peer runs, and the answer all of them must give.

Numbers 0 to n-1 become events ``(key, value, timestamp in milliseconds)``; each of 10,000 keys is summed in tumbling
event-time windows of 60 s. There is one event per millisecond of event time, in runs of 512 that come in reverse: out
of order by up to half a second, so that a watermark bound of one second makes nothing late. Making an event is kept
cheap: it is not what is to be measured, and Python would pay for it twenty times what Java pays.

Number sequence sources give each of their two readers one contiguous half. So that both readers move through the same
event time, number ``i`` becomes event number ``2 * i`` in the first half, ``2 * (i - half) + 1`` in the second: one
has the even events, one the odd.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

KEYS = 10_000
WINDOW_MS = 60_000
SLIDE_MS = 5_000
GAP_MS = 5_000
BOUND_MS = 1_000
#: A timestamp is its event's place with these bits turned over.
JITTER = 511
PARALLELISM = 2


@dataclass(frozen=True)
class Answer:
    """How many results the job has and what they add up to."""

    results: int
    total: int


def position(number: int, events: int) -> int:
    """The place in event time of a source's ``number`` among ``events`` numbers.

    >>> [position(i, 6) for i in range(6)]
    [0, 2, 4, 1, 3, 5]
    """
    half = (events + 1) // 2
    return 2 * number if number < half else 2 * number - (2 * half - 1)


def event(place: int) -> tuple[int, int, int]:
    """The event at a place in event time: its key, its value and its timestamp in milliseconds.

    >>> event(130)
    (9471, 130, 381)
    """
    return (place * 7_919 ^ place >> 7) % KEYS, place, place ^ JITTER


def answer(events: int) -> Answer:
    """The right answer for so many events, computed without any of the engines.

    >>> answer(1)
    Answer(results=1, total=0)
    """
    place = np.arange(events, dtype=np.int64)
    key = (place * 7_919 ^ place >> 7) % KEYS
    window = (place ^ JITTER) // WINDOW_MS
    results = len(np.unique(window * KEYS + key))
    return Answer(results, int(place.sum()))


def hop_answer(events: int) -> Answer:
    """The same for windows of 60 s every 5 s: each event is in twelve.

    >>> hop_answer(1)
    Answer(results=12, total=0)
    """
    slides = WINDOW_MS // SLIDE_MS
    place = np.arange(events, dtype=np.int64)
    pane = (place ^ JITTER) // SLIDE_MS
    held = np.unique(pane * KEYS + (place * 7_919 ^ place >> 7) % KEYS)
    starts, keys = np.divmod(held, KEYS)
    # A key's first window behind a pane is its own; those of the pane before it has had already.
    order = np.lexsort((starts, keys))
    before = np.diff(starts[order], prepend=0)
    before[np.diff(keys[order], prepend=-1) != 0] = slides
    return Answer(int(np.minimum(before, slides).sum()), slides * int(place.sum()))


def session_answer(events: int) -> Answer:
    """The same for sessions that end when a key has no event for 5 s.

    >>> session_answer(1)
    Answer(results=1, total=0)
    """
    place = np.arange(events, dtype=np.int64)
    key, time = (place * 7_919 ^ place >> 7) % KEYS, place ^ JITTER
    order = np.lexsort((time, key))
    begins = (np.diff(key[order], prepend=-1) != 0) | (np.diff(time[order], prepend=0) > GAP_MS)
    return Answer(int(begins.sum()), int(place.sum()))
