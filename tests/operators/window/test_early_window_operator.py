"""The operator for windows that fire early, many elements at a time, means the same as the generic one."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.test_aligned_window_operator import (
    LATE,
    Concatenate,
    Looking,
    Numbered,
    assigners,
    extreme,
    histories,
    ordinary,
    play,
)
from tests.property_examples import examples
from windrow.common.limits import LONG_MAX
from windrow.datastream.functions import ProcessWindowFunction
from windrow.datastream.window import ContinuousEventTimeTrigger, PurgingTrigger, TumblingEventTimeWindows
from windrow.operators.window.early_window_operator import EarlyWindowOperator
from windrow.operators.window.spec import WindowSpec, build


class Seeing(ProcessWindowFunction):
    """Gives what it sees, with the watermark."""

    def process(self, key, context, elements):
        yield (key, context.window(), context.current_watermark(), *elements)


continuous = st.builds(ContinuousEventTimeTrigger, st.integers(1, 14))
triggers = st.one_of(continuous, continuous, continuous.map(PurgingTrigger.of))
tumbling = st.builds(TumblingEventTimeWindows, st.integers(5, 12), st.integers(-4, 4))
#: Overlapping windows may fire at one time, in any order, which a function that numbers them would see.
specs = st.sampled_from([(tumbling, Looking()), (assigners, Seeing()), (assigners, None)]).flatmap(
    lambda chosen: st.builds(
        WindowSpec,
        chosen[0],
        trigger=triggers,
        allowed_lateness=st.sampled_from([0, 0, 1, 3, 8, 20, LONG_MAX]),
        late_tag=st.sampled_from([None, LATE]),
        incremental=st.sampled_from([Concatenate(), lambda a, b: (b[0], f"{a[1]} {b[1]}")]),
        function=st.just(chosen[1]),
    )
)


@settings(print_blob=True, max_examples=examples(500))
@given(specs, st.one_of(histories(ordinary), histories(ordinary), histories(extreme)))
def test_equals_the_generic_operator(spec, steps):
    """Random streams, with late elements and restore points, come out as from the generic operator."""
    is_early = not (isinstance(spec.trigger, PurgingTrigger) and spec.allowed_lateness)
    assert isinstance(build(spec, columns=False), EarlyWindowOperator) == is_early
    assert play(spec, steps, aligned=True) == play(spec, steps, aligned=False)


@settings(print_blob=True, max_examples=examples(200))
@given(tumbling, continuous, histories(ordinary), st.sampled_from([None, LATE]))
def test_tells_functions_that_windows_are_over(assigner, trigger, steps, late_tag):
    """A function that clears what it keeps per window is told behind the last firing, and no earlier one."""
    spec = WindowSpec(assigner, trigger, late_tag=late_tag, incremental=Concatenate(), function=Numbered())
    assert isinstance(build(spec, columns=False), EarlyWindowOperator)
    assert play(spec, steps, aligned=True) == play(spec, steps, aligned=False)


@settings(print_blob=True, max_examples=examples(300))
@given(specs, histories(ordinary), st.booleans())
def test_either_operator_goes_on_where_the_other_stopped(spec, steps, begins):
    """The operators may change places at every restore."""
    assert play(spec, steps, aligned=begins, alternates=True) == play(spec, steps, aligned=False)
