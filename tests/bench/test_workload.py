"""The benchmark's job and its answer."""

from collections import defaultdict
from itertools import pairwise

from bench.workload import (
    BOUND_MS,
    GAP_MS,
    KEYS,
    SLIDE_MS,
    WINDOW_MS,
    Answer,
    answer,
    event,
    hop_answer,
    position,
    session_answer,
)


def test_answer_is_that_of_a_plain_loop() -> None:
    """The answer counts one result per key and window that has an event, and adds up all values."""
    sums: dict[tuple[int, int], int] = defaultdict(int)
    for place in range(130_000):
        key, value, timestamp = event(place)
        sums[key, timestamp // WINDOW_MS] += value
    assert answer(130_000) == Answer(len(sums), sum(sums.values()))


def test_answer_of_sliding_windows_is_that_of_a_plain_loop() -> None:
    """One result for each key and window that has an event, also for windows that begin before the first one."""
    sums: dict[tuple[int, int], int] = defaultdict(int)
    for place in range(130_000):
        key, value, timestamp = event(place)
        for start in range(timestamp - timestamp % SLIDE_MS, timestamp - WINDOW_MS, -SLIDE_MS):
            sums[key, start] += value
    assert hop_answer(130_000) == Answer(len(sums), sum(sums.values()))


def test_answer_of_sessions_is_that_of_a_plain_loop() -> None:
    """A session goes on as long as an event of its key comes within the gap."""
    times: dict[int, list[int]] = defaultdict(list)
    for place in range(130_000):
        times[event(place)[0]].append(event(place)[2])
    sessions = 0
    for of_key in map(sorted, times.values()):
        sessions += 1 + sum(later - earlier > GAP_MS for earlier, later in pairwise(of_key))
    assert session_answer(130_000) == Answer(sessions, sum(range(130_000)))


def test_positions_are_a_permutation() -> None:
    """Every event is made exactly once, also when the two halves are not equally long."""
    for events in (1, 2, 7, 8):
        assert sorted(position(number, events) for number in range(events)) == list(range(events))


def test_both_halves_of_the_numbers_move_through_the_same_event_time() -> None:
    """Two readers at the same place of their halves are one event apart."""
    assert all(position(number + 500, 1_000) - position(number, 1_000) == 1 for number in range(500))


def test_nothing_is_late() -> None:
    """No reader sees an event that is behind the newest one before it by more than the watermark's bound."""
    for half in (range(500_000), range(500_000, 1_000_000)):
        newest = 0
        for number in half:
            timestamp = event(position(number, 1_000_000))[2]
            assert timestamp > newest - BOUND_MS
            newest = max(newest, timestamp)


def test_keys_are_used_alike() -> None:
    """Each of the 10,000 keys has its share of the events."""
    counts = [0] * KEYS
    for place in range(1_000_000):
        counts[event(place)[0]] += 1
    assert min(counts) > 50
    assert max(counts) < 150
