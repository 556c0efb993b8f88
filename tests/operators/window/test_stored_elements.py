"""Elements of windows are stored once, and are the same behind a checkpoint as before it, whoever reads it."""

from dataclasses import dataclass
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.panes.test_kept_panes import Subtask
from tests.operators.window.test_aligned_window_operator import LATE
from tests.property_examples import examples
from windrow.common import Row
from windrow.common.limits import LONG_MAX, MAX_WATERMARK, NO_TIMESTAMP
from windrow.datastream.functions import ArrowWindowFunction, ProcessWindowFunction
from windrow.datastream.window import (
    CountEvictor,
    CountTrigger,
    EventTimeTrigger,
    Evictor,
    PurgingTrigger,
    SlidingEventTimeWindows,
    TimeEvictor,
    TumblingEventTimeWindows,
)
from windrow.elements.batch import Batch
from windrow.elements.inference import columns_from
from windrow.elements.stored import dumps
from windrow.errors import MissingTimestampError
from windrow.operators.tagged_union import TaggedUnion
from windrow.operators.window import aligned_elements_operator, kept_elements, stored_elements
from windrow.operators.window.evicting_elements_operator import EvictingElementsOperator
from windrow.operators.window.spec import WindowSpec, build
from windrow.state import kept_columns
from windrow.state.storable import NotStorableError


class Shown(ProcessWindowFunction):
    """Shows key, window and elements in their order, then spoils what it was given."""

    def process(self, key, context, elements):
        yield key, context.window(), str(elements)
        for element in elements:
            if isinstance(element, dict):
                element["spoilt"] = True
            elif isinstance(element, Row):
                element[0] = "spoilt"
        elements.clear()


class Silent(ProcessWindowFunction):
    """Gives nothing: what is stored is looked at, not what comes out."""

    def process(self, key, context, elements):
        return ()


class Tables(ArrowWindowFunction):
    """Shows key, window and table."""

    def process(self, key, context, table):
        yield key, context.window(), str(table.to_pylist())


@dataclass(frozen=True)
class Point:
    x: int
    y: float


#: Makes an element of a key and a number.
ELEMENTS = {
    "tuple": lambda key, number: (key, number, -0.0 if number % 2 else number / 4, number % 3 == 0),
    "number": lambda key, number: number,
    "text": lambda key, number: f"{key} {number}",
    "row": lambda key, number: Row(key=key, number=number),
    "null": lambda key, number: (number, None if number % 3 else key),
    "large": lambda key, number: (number << 70, key),
    "mixed": lambda key, number: number if number % 2 else str(number),
    "dict": lambda key, number: {"key": key, "list": [number]},
    "object": lambda key, number: Point(number, 0.5),
    "union": lambda key, number: TaggedUnion.one((key, number)) if number % 3 else TaggedUnion.two((key, -number)),
    "unions": lambda key, number: TaggedUnion.one({"number": number}),
}
KEYS = {
    "number": [7, -5, 1 << 40],
    "text": ["a", "key", "\ud800"],
    "tuple": [("a", 1), ("b", 2)],
    "mixed": [1, "1", None, 1 << 70],
}

drawn = st.tuples(st.integers(0, 3), st.integers(-25, 60))
a_batch = st.lists(drawn, min_size=1, max_size=12)
#: Elements whose windows the operator leaves to the assigner.
a_far_batch = st.lists(st.tuples(st.integers(0, 3), st.integers(LONG_MAX - 30, LONG_MAX - 1)), min_size=1, max_size=3)
step = st.one_of(
    st.tuples(st.just("batch"), a_batch),
    st.tuples(st.just("batch"), a_batch),
    st.tuples(st.just("batch"), a_far_batch),
    st.tuples(st.just("watermark"), st.integers(0, 9)),
    st.tuples(st.just("watermark"), st.integers(0, 9)),
    st.just(("cut",)),
    st.just(("cut",)),
    st.just(("restart", "columns")),
    st.tuples(st.just("restart"), st.sampled_from(["columns", "general"])),
    st.tuples(st.just("lost"), a_batch),
)
assigners = st.one_of(
    st.builds(TumblingEventTimeWindows, st.integers(5, 12), st.integers(-4, 4)),
    st.builds(SlidingEventTimeWindows, st.integers(1, 25), st.integers(5, 12), st.integers(-4, 4)),
)


def batch_of(elements, number, make, keys, *, as_columns=False):
    """Elements of drawn keys and times, numbered on from ``number``."""
    of_keys = [keys[key % len(keys)] for key, _ in elements]
    values = [make(key, number + place) for place, key in enumerate(of_keys)]
    return Batch((as_columns and columns_from(values)) or values, [time for _, time in elements], of_keys)


def play(subtask, steps, make, keys, *, as_columns=False, always=None):
    """What comes out at each step; ``always``: the form that each restart takes."""
    number, given_out = 0, []
    for step in [*steps, ("cut",), ("watermark", 30), ("cut",), ("watermark", MAX_WATERMARK), ("cut",)]:
        match step:
            case ("batch", elements):
                subtask.operator.process_batch(batch_of(elements, number, make, keys, as_columns=as_columns))
                number += len(elements)
            case ("lost", elements):  # an attempt at a batch that is not committed, here or in another worker
                subtask.cut()
                subtask.attach()
                given_out.append(subtask.taken())
                before = dict(subtask.store.pages), subtask.kept, subtask.counters.copy()
                subtask.operator.process_batch(batch_of(elements, number, make, keys))
                if len(elements) % 2:
                    subtask.cut()
                subtask.taken()
                subtask.store.pages, subtask.kept = before[:2]
                subtask.counters.clear()
                subtask.counters.update(before[2])
                if len(elements) % 2:
                    subtask.attach()
                else:
                    subtask.restart(subtask.form)
            case ("watermark", by):
                subtask.advance(min(subtask.time.watermark + by, MAX_WATERMARK))
            case ("cut",):
                subtask.cut()
                subtask.attach()
            case ("restart", form):
                subtask.cut()
                subtask.restart(always or form)
        given_out.append(subtask.taken())
    return given_out


@settings(print_blob=True, max_examples=examples(150), deadline=None)
@given(
    assigner=assigners,
    steps=st.lists(step, max_size=16),
    lateness=st.sampled_from([0, 0, 3, 20]),
    purging=st.booleans(),
    make=st.sampled_from(list(ELEMENTS.values())),
    keys=st.sampled_from(list(KEYS.values())),
    sizes=st.sampled_from([(48, 512, 32), (0, 0, 32), (3, 2, 1)]),
    most=st.sampled_from([1 << 20, 1 << 20, 9]),
    stays=st.booleans(),
)
def test_equals_the_general_operator(assigner, steps, lateness, purging, make, keys, sizes, most, stays):
    """Batches, other workers, batches that are run again and changes of the operator show in no result."""
    trigger = PurgingTrigger.of(EventTimeTrigger.create()) if purging else None
    spec = WindowSpec(assigner, trigger, allowed_lateness=lateness, late_tag=LATE, function=Shown())
    with (
        patch.object(kept_elements, "_FEW", sizes[0]),
        patch.object(stored_elements, "_FEW", sizes[1]),
        patch.object(stored_elements, "_RANGES", sizes[2]),
        patch.object(aligned_elements_operator, "_MOST_ELEMENTS", most),
        patch.object(kept_columns, "KEPT_BYTES", kept_columns.KEPT_BYTES if stays else 0),
    ):
        found = play(Subtask(spec), steps, make, keys)
    assert found == play(Subtask(spec, "general"), steps, make, keys, always="general")


class Odd(Evictor):
    """Removes elements at odd times before the function sees the others, and sees what it has left."""

    def evict_before(self, elements, size, window, evictor_context):
        assert size == len(elements)
        elements[:] = [element for element in elements if element.timestamp % 2 == 0]

    def evict_after(self, elements, size, window, evictor_context):
        assert size == len(elements)
        elements.clear()


class Cleared(Shown):
    """Is told that a window is over."""

    def clear(self, context):
        context.global_state()


@settings(print_blob=True, max_examples=examples(150), deadline=None)
@given(
    assigner=assigners,
    steps=st.lists(step, max_size=12),
    lateness=st.sampled_from([0, 0, 3]),
    purging=st.booleans(),
    make=st.sampled_from([ELEMENTS[name] for name in ("tuple", "number", "mixed", "dict")]),
    evictor=st.sampled_from([Odd(), CountEvictor.of(2), TimeEvictor.of(4), TimeEvictor.of(4, do_evict_after=True)]),
    function=st.sampled_from([Shown(), Cleared(), None]),
)
def test_evictors_see_the_same(assigner, steps, lateness, purging, make, evictor, function):
    """They are given the same elements with the same timestamps, in the same order, as by the general operator."""
    trigger = PurgingTrigger.of(EventTimeTrigger.create()) if purging else None
    incremental = None if function else lambda first, second: (first, second)
    parts = {"allowed_lateness": lateness, "late_tag": LATE, "function": function, "incremental": incremental}
    spec = WindowSpec(assigner, trigger, evictor, **parts)
    assert isinstance(build(spec), EvictingElementsOperator) == (not lateness)
    found = play(Subtask(spec), steps, make, KEYS["mixed"])
    assert found == play(Subtask(spec, "general"), steps, make, KEYS["mixed"], always="general")


def test_a_key_may_have_elements_in_entries_and_in_columns():
    """All of them are in its window: those of an entry, those of columns, and those behind them."""
    spec = WindowSpec(TumblingEventTimeWindows(10), function=Shown())
    far = [(0, LONG_MAX - 5)]
    steps = [("batch", [(0, 1)]), ("batch", far), ("cut",), ("batch", [(0, 2)]), ("cut",), ("batch", far)]
    found = play(Subtask(spec), steps, lambda key, number: number, ["key"])
    assert any("'[0, 2]'" in str(shown) for shown in found), found


def test_an_element_without_a_timestamp_is_named_behind_an_evictor():
    """The error shows the user's element."""
    subtask = Subtask(WindowSpec(TumblingEventTimeWindows(10), evictor=CountEvictor.of(2), function=Shown()))
    with pytest.raises(MissingTimestampError, match=r"\(2, 'b'\)"):
        subtask.operator.process_batch(Batch([(1, "a"), (2, "b")], [5, NO_TIMESTAMP], [1, 1]))


@settings(print_blob=True, max_examples=examples(60), deadline=None)
@given(
    assigner=assigners,
    steps=st.lists(step, max_size=12),
    lateness=st.sampled_from([0, 3]),
    make=st.sampled_from([ELEMENTS[name] for name in ("tuple", "row", "null", "text")]),
    as_columns=st.booleans(),
)
def test_functions_of_tables_see_the_same(assigner, steps, lateness, make, as_columns):
    """What came as columns is columns again; a function sees the same tables."""
    spec = WindowSpec(assigner, allowed_lateness=lateness, late_tag=LATE, function=Tables())
    found = play(Subtask(spec), steps, make, KEYS["text"][:2], as_columns=as_columns)
    assert found == play(Subtask(spec, "general"), steps, make, KEYS["text"][:2], always="general")


@settings(print_blob=True, max_examples=examples(80), deadline=None)
@given(
    assigner=assigners,
    steps=st.lists(st.one_of(st.tuples(st.just("batch"), a_batch), st.tuples(st.just("watermark"), st.integers(0, 9)))),
    cuts=st.lists(st.sampled_from(["cut", "restart", "none"]), min_size=50, max_size=50),
    make=st.sampled_from(list(ELEMENTS.values())),
)
def test_checkpoints_change_no_order(assigner, steps, cuts, make):
    """Results come in the order in which they would without a checkpoint, in this worker or in another one."""
    subtask, other = [Subtask(WindowSpec(assigner, late_tag=LATE, function=Shown())) for _ in range(2)]
    number = 0
    for step, cut in zip([*steps, ("watermark", MAX_WATERMARK)], [*cuts, *["cut"] * len(steps)], strict=False):
        for each in (subtask, other):
            if step[0] == "batch":
                each.operator.process_batch(batch_of(step[1], number, make, KEYS["mixed"]))
            else:
                each.advance(min(each.time.watermark + step[1], MAX_WATERMARK))
        number += len(step[1]) if step[0] == "batch" else 0
        if cut != "none":
            subtask.cut()
            _ = subtask.attach() if cut == "cut" else subtask.restart("columns")
    assert list(map(repr, subtask.output.items)) == list(map(repr, other.output.items))


def held_by(subtask):
    """The bytes of all pages."""
    return sum(map(len, subtask.store.pages.values()))


def run_batches(make, spec, *, batches=6, count=4_000, keys=2_000, span=20_000):
    """Batches of a stream in sliding windows; the subtask, and the elements of its open windows with their times."""
    subtask, numbers, held = Subtask(spec), np.random.default_rng(1), []
    for batch in range(batches):
        times = np.maximum(np.sort(numbers.integers(batch * span, (batch + 1) * span, count)) - 300, 0)
        of_keys = numbers.integers(0, keys, count).tolist()
        values = [make(key, number + batch * count) for number, key in enumerate(of_keys)]
        subtask.operator.process_batch(Batch(values, times.tolist(), of_keys))
        subtask.advance(int(times.max()))
        subtask.cut()
        subtask.attach()
        held += zip(times.tolist(), values, strict=True)
    over = (subtask.time.watermark + 1) // 5_000 * 5_000 - 55_000
    return subtask, [(time, value) for time, value in held if time >= over]


COPIES = 1.2


@pytest.mark.parametrize("evictor", [None, TimeEvictor.of(70_000)], ids=["all", "evictor"])
@pytest.mark.parametrize(
    "make",
    [
        lambda key, number: (key, number % 1000, number),
        lambda key, number: Row(key=key, text=f"item {number % 100}", share=number / 7),
        lambda key, number: {"key": key, "items": [number % 1000, f"item {number % 17}"], "number": number},
        lambda key, number: TaggedUnion.one((key, number % 1000, number)),
    ],
    ids=["tuple", "row", "dict", "union"],
)
def test_an_element_is_stored_once(make, evictor):
    """At most 1.2 copies of the elements of open windows are in the pages of sliding windows, 60 s by 5 s.

    A copy is what the elements take by themselves, all of them together, with a timestamp of eight bytes each: Arrow's
    buffers where they are of a plain form, one pickle for all where they are not. What is stored is every page and the
    directory, with keys and all that says which windows an element is in. Nothing is taken off for it.
    """
    spec = WindowSpec(SlidingEventTimeWindows(60_000, 5_000), evictor=evictor, function=Silent())
    subtask, held = run_batches(make, spec)
    assert held_by(subtask) <= COPIES * taken_by(held)
    subtask.restart("columns")  # by another worker, which then stores a batch
    held.append((subtask.time.watermark + 1, make(1, 1)))
    subtask.operator.process_batch(Batch([held[-1][1]], [held[-1][0]], [1]))
    subtask.cut()
    assert held_by(subtask) <= COPIES * taken_by(held)


def taken_by(held):
    """The bytes of one copy."""
    values = [value for _, value in held]
    plain = [value.value for value in values] if isinstance(values[0], TaggedUnion) else values
    columns = columns_from(plain)
    return (len(dumps(values)) if columns is None else columns.batch.nbytes) + 8 * len(held)


def test_a_batch_writes_what_it_has_brought():
    """However many elements windows hold, a batch of a few writes few, and chunks become one as they grow."""
    spec = WindowSpec(SlidingEventTimeWindows(60_000, 5_000), function=Shown())
    subtask, held = run_batches(ELEMENTS["tuple"], spec, batches=1, count=40_000, span=4_000)
    everything, put = held_by(subtask), subtask.store.put
    written = []
    subtask.store.put = lambda page, data: written.append(len(data)) or put(page, data)
    for number in range(200):
        subtask.operator.process_batch(Batch([(1, number, 0.5, True)] * 5, [3_999] * 5, [1] * 5))
        subtask.cut()
        subtask.attach()
    assert len(held) == 40_000
    assert max(written) < everything / 20
    assert len(subtask.store.pages) < 12


def test_windows_of_another_size_that_are_due_at_the_restart_fire():
    """What the program before has kept is not lost because the watermark comes before an element does."""
    subtask = Subtask(WindowSpec(TumblingEventTimeWindows(10), function=Shown()))
    subtask.operator.process_batch(Batch([1, 2], [3, 4], ["a", "b"]))
    subtask.cut()
    subtask.spec = WindowSpec(TumblingEventTimeWindows(4), function=Shown())
    subtask.restart("columns")
    subtask.advance(15)
    assert [item.value[2] for item in subtask.output.items] == ["[1]", "[2]"]


def test_elements_that_cannot_be_stored_are_named():
    """The error says which state of which key holds one."""
    subtask = Subtask(WindowSpec(TumblingEventTimeWindows(10), function=Shown()))
    subtask.operator.process_batch(Batch([(1, (each for each in ()))], [3], ["a"]))
    with pytest.raises(NotStorableError, match="of key 'a'"):
        subtask.cut()


def test_nothing_is_left_of_windows_that_are_over():
    """When the last window has fired no page is left but the directory."""
    subtask = Subtask(WindowSpec(SlidingEventTimeWindows(10, 5), function=Shown()))
    subtask.operator.process_batch(Batch([("a", 1), ("b", 2)], [3, 9], ["a", "b"]))
    subtask.cut()
    assert any("elements" in page for page in subtask.store.pages)
    subtask.attach()
    subtask.advance(100)
    subtask.cut()
    assert list(subtask.store.pages) == ["op/pages"]


@pytest.mark.parametrize("size", [10, 20])
def test_another_program_goes_on(size):
    """Windows of another size, another lateness, or with a trigger: those that are open keep what they hold."""
    windows = SlidingEventTimeWindows(10, 5)
    before = WindowSpec(windows, function=Shown())
    after = WindowSpec(
        SlidingEventTimeWindows(size, 5),
        CountTrigger.of(2) if size == 10 else None,
        allowed_lateness=0 if size == 10 else 7,
        function=Shown(),
    )
    given_out = []
    for form in ("columns", "general"):
        subtask = Subtask(before, form)
        subtask.operator.process_batch(Batch([("a", 1), ("b", 2)], [3, 9], ["a", "b"]))
        subtask.advance(4)
        subtask.cut()
        subtask.spec = after
        subtask.restart(form)
        subtask.operator.process_batch(Batch([("a", 3)], [11], ["a"]))
        subtask.advance(LONG_MAX)
        given_out.append(subtask.taken())
    assert given_out[0] == given_out[1]


def test_a_later_version_is_refused():
    """What another version has stored is not read as if it were this one's."""
    subtask = Subtask(WindowSpec(SlidingEventTimeWindows(10, 5), function=Shown()))
    subtask.operator.process_batch(Batch([("a", 1)], [3], ["a"]))
    with patch.object(stored_elements, "VERSION", 2):
        subtask.cut()
    subtask.restart("columns")
    with pytest.raises(ValueError, match="version 2, and this program reads 1"):
        subtask.advance(100)


def test_types_come_back():
    """Fields that are a truth value, a number or text are what they were; Arrow's and Python's."""
    values = [(True, 1, 1.0, "1", None), (False, 0, -0.0, "", None)]
    subtask = Subtask(WindowSpec(TumblingEventTimeWindows(10), function=Shown()))
    subtask.operator.process_batch(Batch(values, [3, 4], [1, 1]))
    subtask.cut()
    subtask.restart("columns")
    subtask.advance(100)
    assert str(values) in repr(subtask.output.items)
