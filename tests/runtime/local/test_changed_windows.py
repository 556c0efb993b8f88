"""A program whose window says something else than before goes on with the windows that are open."""

from functools import cache
from itertools import permutations, product
from random import Random

import pytest

from tests.runtime.local.window_programs import OTHERS, PROGRAMS, SIZE, Variant, graph, run_changed
from windrow.datastream.window import CountTrigger, GlobalWindows, TumblingProcessingTimeWindows
from windrow.runtime.local.executor import LocalExecutor
from windrow.runtime.spark.layout import differences, layout_of

PAIRS = [pytest.param(PROGRAMS[a], PROGRAMS[b], id=f"{a} to {b}") for a, b in product(PROGRAMS, PROGRAMS) if a != b]


def ordered(seed, count=24):
    """Elements in the order of their timestamps: nothing is late."""
    random = Random(seed)
    return [(random.choice("abc"), number * 2, 10**number) for number in range(count)]


def disordered(seed, count=40):
    """Elements some of which are late."""
    random = Random(seed)
    return [(random.choice("ab"), max(0, number * 2 - random.choice([0, 0, 5, 20, 40])), 1) for number in range(count)]


@cache
def unchanged(seed, variant):
    """What the program gives that never changes, of ``ordered`` elements: many others are changed into it."""
    job, out = graph(ordered(seed), variant)
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
        assert sorted(first + second) == sorted(unchanged(at, after))


@pytest.mark.parametrize("kind", OTHERS)
def test_whatever_a_window_holds_goes_on(kind):
    """Accumulators, elements, those of an evictor, sessions: last each window gives what it gives without a change."""
    for (before, after), at in product(permutations(OTHERS[kind], 2), [1, 9, 17]):
        elements = ordered(at)
        first, second = run_changed(elements, before, after, at)
        if before.fires_at_end and after.fires_at_end:
            assert sorted(first + second) == sorted(unchanged(at, after))
        elif after.fires_at_end:
            # What was over before the change has fired by the trigger that it had.
            later = [row for row in unchanged(at, after) if row[2] - 1 > elements[at - 1][1]]
            assert sorted(second) == sorted(later)


KINDS = {
    **{kind: variants[1] for kind, variants in OTHERS.items() if kind != "sliding"},
    "reduced": PROGRAMS["lateness"],
    "processing time": Variant(assigner=TumblingProcessingTimeWindows.of(10)),
    "global": Variant(assigner=GlobalWindows.create(), trigger=CountTrigger.of(2)),
}


@pytest.mark.parametrize(("before", "after"), [(KINDS[a], KINDS[b]) for a, b in permutations(KINDS, 2)])
def test_what_cannot_be_kept_is_refused(before, after):
    """Windows that hold another kind of thing, that merge or do not, of another time or of none."""
    stored, layout = (layout_of(graph([("a", 0, 1)], variant)[0], 1) for variant in (before, after))
    (said,) = differences(stored, layout)
    assert "has kept " in said
    assert "begin anew" in said


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


ENDING = Variant(assigner=GlobalWindows.create_with_end_of_stream_trigger(), holds="elements")
COUNTING = Variant(assigner=GlobalWindows.create(), trigger=CountTrigger.of(3), holds="elements")


def test_a_window_that_waits_for_the_end_gives_what_another_trigger_had_kept():
    """It has set no timer for what is there already, and is asked all the same."""
    first, second = run_changed([("a", at, 10**at) for at in range(5)], COUNTING, ENDING, 4)
    assert (first, second) == ([("a", 0, 0, 111)], [("a", 0, 0, 11111)])


def test_what_was_gathered_until_the_end_goes_to_a_window_that_does_not_wait():
    """In the order of its timestamps; nothing of it stays behind."""
    elements = [("a", 4 - at, 10 ** (4 - at)) for at in range(5)]
    first, second = run_changed(elements, ENDING, COUNTING, 3)
    assert first == []
    assert second == [("a", 0, 0, 11100)]
