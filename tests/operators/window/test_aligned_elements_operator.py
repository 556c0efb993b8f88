"""The operators for windows that keep elements mean the same as the generic one."""

from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.test_aligned_window_operator import LATE, extreme, first, histories, play
from tests.property_examples import examples
from windrow.common import Row
from windrow.datastream import OutputTag
from windrow.datastream.functions import ArrowWindowFunction, ProcessWindowFunction, WindowFunction
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window import (
    EventTimeTrigger,
    PurgingTrigger,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
)
from windrow.elements.batch import Batch
from windrow.elements.inference import columns_from
from windrow.elements.shape import LONG
from windrow.operators import results
from windrow.operators.ownership import handed_on
from windrow.operators.window import kept_elements
from windrow.operators.window.aligned_elements_operator import AlignedElementsOperator
from windrow.operators.window.listed_elements_operator import ListedElementsOperator
from windrow.operators.window.spec import WindowSpec, build
from windrow.operators.window.window_functions import UserFunctionAdapter
from windrow.testing import OperatorHarness


class Shown(ProcessWindowFunction):
    """Shows key, window and elements in their order, then spoils what it was given."""

    def process(self, key, context, elements):
        yield key, context.window(), str(elements)
        for element in elements:
            if isinstance(element[1], list):
                element[1].append("spoilt")
        elements.clear()


class Changeable(WindowFunction):
    """The same of elements that can change: it makes one of each."""

    def apply(self, key, window, inputs):
        return [(key, window, str(inputs))]


assigners = st.one_of(
    st.builds(TumblingEventTimeWindows, st.integers(5, 12), st.integers(-4, 4)),
    st.builds(SlidingEventTimeWindows, st.integers(1, 25), st.integers(5, 12), st.integers(-4, 4)),
)


@settings(print_blob=True, max_examples=examples(200))
@given(
    assigner=assigners,
    steps=histories(st.integers(-25, 25)),
    lateness=st.sampled_from([0, 0, 3, 20]),
    late_tag=st.sampled_from([None, LATE]),
    function=st.sampled_from([Shown(), Changeable()]),
    purging=st.booleans(),
    few=st.sampled_from([0, 3, 48]),
)
def test_equals_the_generic_operator(assigner, steps, lateness, late_tag, function, purging, few):
    """Random streams, with late elements and restore points, come out as from the generic operator."""
    trigger = PurgingTrigger.of(EventTimeTrigger.create()) if purging else None
    spec = WindowSpec(assigner, trigger, allowed_lateness=lateness, late_tag=late_tag, function=function)
    assert isinstance(build(spec), AlignedElementsOperator)
    with patch.object(kept_elements, "_FEW", few):
        found = play(spec, steps, aligned=True)
    assert found == play(spec, steps, aligned=False)


@settings(print_blob=True, max_examples=examples(400))
@given(
    assigner=assigners,
    steps=st.lists(
        st.one_of(
            st.lists(st.tuples(st.sampled_from("abcd"), st.integers(-25, 25)), min_size=1, max_size=9),
            st.lists(st.tuples(st.sampled_from("abcd"), extreme), min_size=1, max_size=3),
            st.integers(0, 12),  # what comes to an operator does not fall
            st.just("store"),
            st.just("restore"),
        ),
        max_size=12,
    ),
    lateness=st.sampled_from([0, 0, 3, 20]),
    purging=st.booleans(),
    changeable=st.booleans(),
    few=st.sampled_from([0, 3, 48]),
)
def test_equals_the_lists_in_order(assigner, steps, lateness, purging, changeable, few):
    """All comes out, and is stored, as if each window had a list for each key from the first element on."""
    played = []
    for kind in (AlignedElementsOperator, ListedElementsOperator):

        def harness(snapshot=None, kind=kind):
            function = UserFunctionAdapter(Shown(), single=False)
            return OperatorHarness(kind(assigner, function, lateness, LATE, purging=purging), first, snapshot=snapshot)

        current, outputs, watermark, number = harness(), [], -20, 0
        with patch.object(kept_elements, "_FEW", few):
            for step in [*steps, 200]:
                if isinstance(step, list):
                    elements = []
                    for key, time in step:
                        elements.append(((key, [number] if changeable else number), time))
                        number += 1
                    current.process_elements(elements)
                elif isinstance(step, int):
                    watermark += step
                    current.process_watermark(watermark)
                elif step == "store":
                    current._operator.store_state()
                else:
                    snapshot = current.snapshot()
                    outputs.append((current.output, current.side_output(LATE), current.counters, stored(current)))
                    current, watermark = harness(snapshot), -20
        played.append([*outputs, (current.output, current.side_output(LATE), current.counters)])
    assert played[0] == played[1]


class Tables(ArrowWindowFunction):
    """Shows key, window and table."""

    def process(self, key, context, table):
        yield key, context.window(), str(table.to_pylist())


@settings(print_blob=True, max_examples=examples(200))
@given(
    assigner=assigners,
    steps=st.lists(
        st.one_of(
            st.tuples(
                st.booleans(),
                st.lists(st.tuples(st.sampled_from("abcd"), st.integers(-25, 25)), min_size=1, max_size=9),
            ),
            st.integers(0, 12),
            st.just("restore"),
        ),
        max_size=12,
    ),
    lateness=st.sampled_from([0, 0, 3, 20]),
    of_rows=st.booleans(),
)
def test_functions_of_tables_see_the_same_of_columns(assigner, steps, lateness, of_rows):
    """Batches of columns and lists among them: windows, and what is stored, are those of lists."""
    played = []
    for kind in (AlignedElementsOperator, ListedElementsOperator):

        def harness(snapshot=None, kind=kind):
            function = UserFunctionAdapter(Tables(), single=False)
            return OperatorHarness(kind(assigner, function, lateness, LATE), first, snapshot=snapshot)

        current, outputs, watermark, number = harness(), [], -20, 0
        for step in [*steps, 200]:
            if isinstance(step, tuple):
                as_columns, drawn = step
                elements = [(key, number + place) for place, (key, _) in enumerate(drawn)]
                number += len(drawn)
                rows = [Row(f0=key, f1=n) for key, n in elements] if of_rows else elements
                columns = columns_from(rows) if as_columns and kind is AlignedElementsOperator else rows
                current._operator.process_batch(Batch(columns, [time for _, time in drawn], [key for key, _ in drawn]))
            elif isinstance(step, int):
                watermark += step
                current.process_watermark(watermark)
            else:
                snapshot = current.snapshot()
                outputs.append((current.output, current.side_output(LATE), current.counters, stored(current)))
                current, watermark = harness(snapshot), -20
        played.append([*outputs, (current.output, current.side_output(LATE), current.counters)])
    assert played[0] == played[1]


def stored(harness):
    """What is in keyed state, without the order of windows."""
    return sorted(map(str, harness.state_entries()))


@settings(print_blob=True)
@given(
    elements=st.lists(st.tuples(st.sampled_from("abc"), st.integers(-20, 40)), max_size=30),
    watermark=st.integers(-20, 40),
    assigner=assigners,
)
def test_results_come_in_the_order_of_the_generic_operator(elements, watermark, assigner):
    """By the windows' ends, and within one by the first element of each key; elements that can change, too."""
    outputs = []
    for aligned in (True, False):
        current = OperatorHarness(build(WindowSpec(assigner, function=Shown()), aligned=aligned), first)
        half = len(elements) // 2
        current.process_elements([((key, [number]), time) for number, (key, time) in enumerate(elements[:half])])
        current.process_watermark(watermark)
        current.process_elements([((key, [number]), time) for number, (key, time) in enumerate(elements[half:])])
        current.process_watermark(100)
        outputs.append((current.output, current.counters))
    assert outputs[0] == outputs[1]


def test_windows_share_an_element_that_cannot_change():
    """It is one object in all of them, so a page of state holds it once."""
    current = OperatorHarness(build(WindowSpec(SlidingEventTimeWindows(60, 5), function=Changeable())), first)
    current.process_element(("a", 1), 7)
    current.snapshot()
    held = [entry.value for entry in current.state_entries()]
    assert len(held) == 12
    assert len({id(element) for elements in held for element in elements}) == 1


def test_functions_of_tables_ask_for_columns():
    """In front of one rows become columns, and the plan says so; other functions take rows."""
    windows = TumblingEventTimeWindows(5)
    of_tables, of_rows = [build(WindowSpec(windows, function=function)) for function in (Tables(), Shown())]
    assert of_tables.takes_columns(LONG)
    assert of_tables.forecast(LONG).columns
    assert not of_rows.takes_columns(LONG)
    assert not of_rows.forecast(LONG).columns


def fired(function, elements):
    """The harness of an operator over windows of ten, whose function was called for these elements."""
    operator = AlignedElementsOperator(TumblingEventTimeWindows(10), UserFunctionAdapter(function, single=False))
    harness = OperatorHarness(operator, first)
    harness.process_elements(elements)
    harness.process_watermark(100)
    return harness


SIDE = OutputTag("side")


class Yields(ProcessWindowFunction):
    """Yields what it has made, what it keeps, and values for a side output."""

    def __init__(self):
        self.kept = []

    def process(self, key, context, elements):
        yield [key]
        yield self.kept
        self.kept.append(key)
        yield SIDE, [key]
        yield SIDE, self.kept
        yield (SIDE,)
        yield key, "a", SIDE
        yield elements
        yield None


def test_what_a_function_yields_is_handed_on():
    """What it has made is not copied, what it or its input still holds is, and a tag's values go to its output."""
    same = []

    def noting(result, holders):
        mine = handed_on(result, holders + 1)
        same.append(mine is result)
        return mine

    with patch.object(results, "handed_on", noting):
        harness = fired(Yields(), [(("a", 1), 0), (("b", 2), 0)])
    assert same == [True, False, True, False, False] * 2
    assert harness.values() == [
        *(["a"], [], (SIDE,), ("a", "a", SIDE), [("a", 1)], None),
        *(["b"], ["a"], (SIDE,), ("b", "a", SIDE), [("b", 2)], None),
    ]
    assert [record.value for record in harness.side_output(SIDE)] == [["a"], ["a"], ["b"], ["a", "b"]]


class Asks(ProcessWindowFunction):
    """Counts calls by key in state, and tells the window's and its own, from the third call on."""

    def __init__(self):
        self.calls = 0

    def process(self, key, context, elements):
        self.calls += 1
        if self.calls < 3:
            return
        for store in (context.global_state(), context.window_state()):
            state = store.get_state(ValueStateDescriptor("calls"))
            state.update((state.value() or 0) + len(elements))
            yield key, context.window().start, state.value()

    def clear(self, context):
        if self.calls >= 3:
            context.window_state().get_state(ValueStateDescriptor("calls")).clear()


def test_state_belongs_to_the_key_of_the_call():
    """Also of a function that first asks for it while windows fire."""
    elements = [((key, n), 10 * n) for n in range(3) for key in "abc"]
    harness = fired(Asks(), elements)
    assert harness.values() == [
        *(("c", 0, 1), ("c", 0, 1), ("a", 10, 1), ("a", 10, 1), ("b", 10, 1), ("b", 10, 1), ("c", 10, 2)),
        *(("c", 10, 1), ("a", 20, 2), ("a", 20, 1), ("b", 20, 2), ("b", 20, 1), ("c", 20, 3), ("c", 20, 1)),
    ]
    entries = {entry.key: entry.value for entry in harness.state_entries()}
    assert entries == {"a": 2, "b": 2, "c": 3}
