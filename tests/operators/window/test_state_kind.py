"""What a window operation keeps, in words."""

from itertools import permutations

import pytest

from windrow.datastream import AggregateFunction, ProcessWindowFunction
from windrow.datastream.window import (
    CountEvictor,
    CountTrigger,
    EventTimeSessionWindows,
    GlobalWindows,
    SlidingEventTimeWindows,
    TimeEvictor,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from windrow.operators.window.spec import WindowSpec
from windrow.operators.window.state_kind import state_kind


class Nothing(ProcessWindowFunction):
    def process(self, key, context, elements):
        return []


class Last(AggregateFunction):
    def create_accumulator(self):
        return None

    def add(self, value, accumulator):
        return value

    def get_result(self, accumulator):
        return accumulator

    def merge(self, acc_a, acc_b):
        return acc_b


TUMBLING = TumblingEventTimeWindows.of(10)
KINDS = {
    "reduced values in TimeWindows of event time": [
        WindowSpec(TUMBLING, incremental=max),
        WindowSpec(TUMBLING, incremental=min, function=Nothing(), allowed_lateness=3, late_tag="late"),
        WindowSpec(SlidingEventTimeWindows.of(10, 5), trigger=CountTrigger.of(3), incremental=max),
    ],
    "accumulators in TimeWindows of event time": [WindowSpec(TUMBLING, incremental=Last())],
    "elements in TimeWindows of event time": [WindowSpec(TUMBLING, function=Nothing())],
    "elements with timestamps in TimeWindows of event time": [
        WindowSpec(TUMBLING, evictor=CountEvictor.of(3), function=Nothing()),
        WindowSpec(TUMBLING, evictor=TimeEvictor.of(3), incremental=max),
    ],
    "reduced values in TimeWindows of processing time": [
        WindowSpec(TumblingProcessingTimeWindows.of(10), incremental=max)
    ],
    "reduced values in TimeWindows of event time that merge": [
        WindowSpec(EventTimeSessionWindows.with_gap(10), incremental=max)
    ],
    "reduced values in GlobalWindows": [WindowSpec(GlobalWindows.create(), incremental=max)],
}


@pytest.mark.parametrize(("kind", "specs"), KINDS.items(), ids=KINDS)
def test_the_kind_names_what_is_kept_and_where(kind, specs):
    """Trigger, lateness, side output, sizes and functions are no part of it."""
    assert {state_kind(spec) for spec in specs} == {kind}


def test_kinds_that_do_not_fit_each_other_differ():
    """An evictor, another way to combine, merging, or another time."""
    assert all(state_kind(a[0]) != state_kind(b[0]) for a, b in permutations(KINDS.values(), 2))
