"""The operator of count windows means the same as the generic one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.common import Time, Types
from windrow.common.limits import MAX_WATERMARK
from windrow.datastream.functions import AggregateFunction, ProcessWindowFunction
from windrow.datastream.state import ReducingStateDescriptor, StateTtlConfig, ValueStateDescriptor
from windrow.datastream.window import (
    CountTrigger,
    GlobalWindows,
    PurgingTrigger,
    Trigger,
    TriggerResult,
    TumblingEventTimeWindows,
)
from windrow.errors import UserFunctionError
from windrow.operators.window.count_columns import CountColumnsOperator
from windrow.operators.window.count_window_operator import CountWindowOperator, size_of_count_windows
from windrow.operators.window.spec import WindowSpec, build
from windrow.operators.window.window_operator import WindowOperator
from windrow.testing import OperatorHarness


class SomeOrNone(AggregateFunction):
    """Forgets all at an element that is divisible by five, and has no result for an even sum."""

    def create_accumulator(self):
        return 0

    def add(self, value, accumulator):
        return None if value[1] % 5 == 0 else accumulator + value[1]

    def get_result(self, accumulator):
        return None if accumulator % 2 == 0 else accumulator

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b


class Numbered(ProcessWindowFunction):
    """Numbers the windows of a key, and sorts what it is given, which is nobody else's."""

    def process(self, key, context, elements):
        number = context.global_state().get_state(ValueStateDescriptor("number"))
        number.update((number.value() or 0) + 1)
        yield key, context.window(), number.value(), context.current_watermark(), sorted(elements)


def first(value):
    return value[0]


def spec_of(size, kind):
    parts = {
        "reduce": {"incremental": lambda a, b: (a[0], a[1] + b[1])},
        "aggregate": {"incremental": SomeOrNone()},
        "elements": {"function": Numbered()},
        "both": {"incremental": max, "function": Numbered()},
    }
    return WindowSpec(GlobalWindows.create(), PurgingTrigger.of(CountTrigger.of(size)), **parts[kind])


steps = st.lists(
    st.one_of(
        st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 20)), min_size=1, max_size=12),
        st.sampled_from(["watermark", "restart", "other"]),
    ),
    max_size=8,
)


@settings(max_examples=150)
@given(st.integers(1, 5), st.sampled_from(["reduce", "aggregate", "elements", "both"]), steps)
def test_it_gives_and_keeps_what_the_generic_operator_does(size, kind, script):
    """Element by element and in batches; restarted, and going on with what the other one has left."""
    spec = spec_of(size, kind)
    harnesses = [OperatorHarness(build(spec, aligned=aligned), first) for aligned in (True, False)]
    outputs = [[], []]
    watermark = 0
    for step in script:
        if step == "watermark":
            watermark += 10
            for harness in harnesses:
                harness.process_watermark(watermark)
        elif isinstance(step, str):
            snapshots = [harness.snapshot() for harness in harnesses]
            for output, harness in zip(outputs, harnesses, strict=True):
                output.extend(harness.output)
            if step == "other":
                snapshots.reverse()
            harnesses = [
                OperatorHarness(build(spec, aligned=aligned), first, snapshot=snapshot)
                for aligned, snapshot in zip((True, False), snapshots, strict=True)
            ]
            for harness in harnesses:
                harness.process_watermark(watermark)
                harness.output.clear()
        else:
            for harness in harnesses:
                harness.process_elements([(value, 1) for value in step])
        assert harnesses[0].state_entries() == harnesses[1].state_entries()
    for output, harness in zip(outputs, harnesses, strict=True):
        harness.process_watermark(MAX_WATERMARK)
        harness.process_elements([(("a", 3), 2)])
        output.extend(harness.output)
    assert outputs[0] == outputs[1]


def test_count_windows_are_known():
    """Those of count_window(size): no other assigner, trigger or subclass of them, which may do something else."""

    class Other(CountTrigger):
        pass

    purging = PurgingTrigger.of(CountTrigger.of(2))
    assert size_of_count_windows(GlobalWindows.create(), purging) == 2
    assert size_of_count_windows(TumblingEventTimeWindows(5), purging) is None
    assert size_of_count_windows(GlobalWindows.create(), CountTrigger.of(2)) is None
    assert size_of_count_windows(GlobalWindows.create(), PurgingTrigger.of(Other(2))) is None
    assert type(build(spec_of(2, "reduce"), columns=False)) is CountWindowOperator
    assert type(build(spec_of(2, "reduce"))) is CountColumnsOperator
    assert type(build(spec_of(2, "both"))) is CountWindowOperator
    assert type(build(spec_of(2, "reduce"), aligned=False)) is WindowOperator


class Counting(Trigger):
    """Counts as CountTrigger does, with a time to live, and never fires."""

    def __init__(self):
        self._count = ReducingStateDescriptor("count", lambda a, b: a + b, Types.LONG())
        self._count.enable_time_to_live(StateTtlConfig.new_builder(Time.hours(1)).build())

    def on_element(self, element, timestamp, window, ctx):
        ctx.get_partitioned_state(self._count).add(1)
        return TriggerResult.CONTINUE

    def on_event_time(self, time, window, ctx):
        return TriggerResult.CONTINUE

    on_processing_time = on_event_time

    def on_merge(self, window, ctx):
        pass

    def clear(self, window, ctx):
        pass


@pytest.mark.parametrize("aligned", [True, False])
def test_a_count_may_have_had_a_time_to_live(aligned):
    """That of another trigger, which the program had before."""
    before = OperatorHarness(build(WindowSpec(GlobalWindows.create(), Counting(), incremental=max)), first)
    before.process_elements([(("a", 4), 0)])
    after = OperatorHarness(build(spec_of(2, "reduce"), aligned=aligned), first, snapshot=before.snapshot())
    after.process_elements([(("a", 3), 0)])
    assert after.values() == [("a", 7)]


def test_an_error_names_the_element():
    """The one at which the user's function has failed."""
    spec = WindowSpec(GlobalWindows.create(), PurgingTrigger.of(CountTrigger.of(3)), incremental=lambda a, b: a + b[2])
    harness = OperatorHarness(build(spec), first, name="pairs")
    with pytest.raises(UserFunctionError, match=r"(?s)IndexError.*'pairs'.*\('b', 7\)"):
        harness.process_elements([(("a", 1), 0), (("b", 2), 0), (("b", 7), 0)])
