"""A program whose window says something else than before goes on with the windows that are open."""

from itertools import product
from random import Random

import pytest

from tests.runtime.local.window_programs import PROGRAMS, SIZE, Variant, graph, run_changed
from windrow.runtime.local.executor import LocalExecutor

PAIRS = [pytest.param(PROGRAMS[a], PROGRAMS[b], id=f"{a} to {b}") for a, b in product(PROGRAMS, PROGRAMS) if a != b]


def ordered(seed, count=24):
    """Elements in the order of their timestamps: nothing is late."""
    random = Random(seed)
    return [(random.choice("abc"), number * 2, 10**number) for number in range(count)]


def disordered(seed, count=40):
    """Elements some of which are late."""
    random = Random(seed)
    return [(random.choice("ab"), max(0, number * 2 - random.choice([0, 0, 5, 20, 40])), 1) for number in range(count)]


def unchanged(elements, variant):
    job, out = graph(elements, variant)
    LocalExecutor(job, 1, clock=lambda: 0).run()
    return out.elements


@pytest.mark.parametrize(("before", "after"), PAIRS)
@pytest.mark.parametrize("at", [1, 5, 12, 18])
def test_every_open_window_goes_on(before, after, at):
    """Each window gives, once at its end or its last element, the sum of all its elements, earlier ones too."""
    elements = ordered(at)
    expected = {}
    for key, time, value in elements:
        window = (key, time // SIZE * SIZE)
        expected[window] = expected.get(window, 0) + value
    first, second = run_changed(elements, before, after, at)
    last = {(key, start): value for key, start, _, value in [*first, *second]}
    later = {(key, time // SIZE * SIZE) for key, time, _ in elements[at:]}
    watermark = elements[at - 1][1]
    for window, value in expected.items():
        ended = window[1] + SIZE - 1 <= watermark
        if (after if not ended else before).fires_at_end or window in later or ended:
            assert last[window] == value, window
    if before.fires_at_end and after.fires_at_end:
        assert sorted(first + second) == sorted(unchanged(elements, after))


def model(elements, before, after, at):
    """What windows of two programs with a default trigger and an allowed lateness give, computed one by one."""
    held, watermark, results = {}, -1, []
    for number, (key, time, value) in enumerate(elements):
        lateness = (before if number < at else after).lateness
        if number == at:
            held = {w: s for w, s in held.items() if w[1] + SIZE - 1 + lateness > watermark}
        window = (key, time // SIZE * SIZE)
        end = window[1] + SIZE - 1
        if end + lateness > watermark:
            held[window] = held.get(window, 0) + value
            if end <= watermark:
                results.append((*window, held[window]))
        new = max(watermark, time)
        due = [w for w in held if watermark < w[1] + SIZE - 1 <= new]
        results += [(*w, held[w]) for w in due]
        held = {w: s for w, s in held.items() if w[1] + SIZE - 1 + lateness > new}
        watermark = new
    return sorted(results + [(*w, s) for w, s in held.items() if w[1] + SIZE - 1 > watermark])


@pytest.mark.parametrize("after", [0, 6, 15, 40])
@pytest.mark.parametrize("before", [0, 6, 15, 40])
def test_late_elements_are_taken_as_the_program_says_that_runs(before, after):
    """A window that has fired is held as long as the new lateness says, and no longer; nothing fires twice."""
    for seed in range(12):
        elements, at = disordered(seed), 5 + seed * 2
        first, second = run_changed(elements, Variant(before), Variant(after), at)
        got = sorted((key, start, value) for key, start, _, value in [*first, *second])
        assert got == model(elements, Variant(before), Variant(after), at), f"seed {seed}"


@pytest.mark.parametrize("kind", [Variant(), Variant(15), Variant(rich=True)], ids=["plain", "lateness", "rich"])
def test_windows_of_another_size_stand_beside_those_that_are_open(kind):
    """What was open fires at its own end with what it has; elements that come now are in windows of the new size."""
    elements = [("a", 0, 1), ("a", 12, 10), ("a", 13, 100), ("a", 39, 1000)]
    larger = Variant(kind.lateness, rich=kind.rich, size=20)
    first, second = run_changed(elements, kind, larger, 2)
    assert sorted(first + second) == [("a", 0, 10, 1), ("a", 0, 20, 100), ("a", 10, 20, 10), ("a", 20, 40, 1000)]
