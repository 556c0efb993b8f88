"""The operator for windows that keep elements means the same as the generic one."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.test_aligned_window_operator import LATE, first, histories, play
from windrow.datastream.functions import ProcessWindowFunction, WindowFunction
from windrow.datastream.window import (
    EventTimeTrigger,
    PurgingTrigger,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
)
from windrow.operators.window.aligned_elements_operator import AlignedElementsOperator
from windrow.operators.window.spec import WindowSpec, build
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


@settings(print_blob=True, max_examples=200)
@given(
    assigner=assigners,
    steps=histories(st.integers(-25, 25)),
    lateness=st.sampled_from([0, 0, 3, 20]),
    late_tag=st.sampled_from([None, LATE]),
    function=st.sampled_from([Shown(), Changeable()]),
    purging=st.booleans(),
)
def test_equals_the_generic_operator(assigner, steps, lateness, late_tag, function, purging):
    """Random streams, with late elements and restore points, come out as from the generic operator."""
    trigger = PurgingTrigger.of(EventTimeTrigger.create()) if purging else None
    spec = WindowSpec(assigner, trigger, allowed_lateness=lateness, late_tag=late_tag, function=function)
    assert isinstance(build(spec), AlignedElementsOperator)
    assert play(spec, steps, aligned=True) == play(spec, steps, aligned=False)


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
