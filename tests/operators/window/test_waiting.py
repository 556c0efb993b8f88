"""What operators of windows say that they wait for event time with, whichever of them does the work."""

from __future__ import annotations

import pyarrow as pa
import pytest

from tests.operators.window.panes.test_operator import Stream
from windrow.common.limits import LONG_MAX
from windrow.datastream.functions import ProcessWindowFunction
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    CountTrigger,
    EventTimeSessionWindows,
    GlobalWindows,
    PurgingTrigger,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from windrow.elements.batch import Batch
from windrow.elements.shape import TupleShape
from windrow.operators.waiting import Waiting
from windrow.operators.window.spec import WindowSpec, build
from windrow.testing import OperatorHarness

FORMS = {"columns": {}, "rows": {"columns": False}, "general": {"aligned": False}}
TUMBLING = TumblingEventTimeWindows(10)
SLIDING = SlidingEventTimeWindows(10, 5)
SESSIONS = EventTimeSessionWindows.with_gap(10)


def add(one, two):
    return one[0], one[1] + two[1]


class Count(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield len(list(elements))


def elements(*times: int, columns: bool = False) -> Batch:
    """One element of a key of its own for each time."""
    stream = Stream(TupleShape((pa.int64(), pa.int64())), pa.int64(), list(range(len(times))))
    keys, rows, at = stream.batch([(place, 1, time) for place, time in enumerate(times)], 0)
    if columns:
        keys, rows, at = stream.columns(keys, rows, at)
    return Batch(rows, at, keys)


@pytest.fixture(params=sorted(FORMS))
def form(request):
    return request.param


def operator_of(spec: WindowSpec, form: str, *batches: tuple[int, ...]) -> OperatorHarness:
    harness = OperatorHarness(build(spec, **FORMS[form]))
    for times in batches:
        harness._operator.process_batch(elements(*times, columns=form == "columns"))
    return harness


def waiting(harness: OperatorHarness) -> Waiting | None:
    return harness._operator.waiting()


@pytest.mark.parametrize(
    ("assigner", "first", "then"),
    [(TUMBLING, (20, 30), (40, 50)), (SLIDING, (20, 30), (35, 45)), (SESSIONS, (23, 33), (41, 51))],
)
@pytest.mark.parametrize("kept", ["folded", "elements"])
def test_the_first_window_that_has_not_fired(form, kept, assigner, first, then):
    """With its bounds, and when it fires; behind that the next one."""
    how = {"incremental": add} if kept == "folded" else {"function": Count()}
    harness = operator_of(WindowSpec(assigner, **how), form, (23, 41))
    if assigner is SLIDING:
        harness.process_watermark(24)
    assert waiting(harness) == Waiting(first[1] - 1, *first)
    harness.process_watermark(first[1] - 1)
    assert waiting(harness) == Waiting(then[1] - 1, *then)
    harness.process_watermark(LONG_MAX)
    assert waiting(harness) is None


def test_nothing_has_come(form):
    """Then nothing waits."""
    assert waiting(operator_of(WindowSpec(TUMBLING, incremental=add), form)) is None


@pytest.mark.parametrize("assigner", [TUMBLING, SESSIONS])
def test_what_is_asked_changes_nothing(form, assigner):
    """Results and state are those of an operator that nobody has asked."""
    spec = WindowSpec(assigner, incremental=add, allowed_lateness=20)
    asked, other = [operator_of(spec, form, (23, 27, 41)) for _ in range(2)]
    for watermark in (20, 32, 45, 60, LONG_MAX):
        waiting(asked)
        for each in (asked, other):
            each.process_watermark(watermark)
        assert asked.state_entries() == other.state_entries()
    assert asked.output == other.output


@pytest.mark.parametrize("assigner", [TUMBLING, SESSIONS])
def test_a_window_that_waits_for_late_elements_does_not_fire_again(form, assigner):
    """When it is over something is done, too; but no window is said to fire then."""
    harness = operator_of(WindowSpec(assigner, incremental=add, allowed_lateness=20), form, (23,))
    harness.process_watermark(35)
    found = waiting(harness)
    assert found is None or (found.start, found.end) == (None, None)


@pytest.mark.parametrize("form", ["columns", "rows"])
def test_an_open_window_is_told_from_one_that_waits_for_late_elements(form):
    """Where both have something to do at one time: what is in memory has not fired."""
    harness = operator_of(WindowSpec(TUMBLING, incremental=add, allowed_lateness=20), form, (23,))
    harness.process_watermark(35)
    harness._operator.process_batch(elements(41, columns=form == "columns"))
    assert waiting(harness) == Waiting(49, 40, 50)


@pytest.mark.parametrize("trigger", [CountTrigger.of(5), PurgingTrigger.of(CountTrigger.of(5))])
@pytest.mark.parametrize("assigner", [TUMBLING, GlobalWindows.create()])
def test_windows_that_count_wait_for_no_watermark(assigner, trigger):
    """At its end such a window is forgotten, and nothing comes out."""
    spec = WindowSpec(assigner, incremental=add, trigger=trigger)
    assert waiting(operator_of(spec, "rows", (23,))) is None


def test_a_trigger_that_fires_before_the_end_is_waited_for():
    """It is no end of a window."""
    spec = WindowSpec(TUMBLING, incremental=add, trigger=ContinuousEventTimeTrigger(4))
    assert waiting(operator_of(spec, "rows", (21,))) == Waiting(24)


def test_windows_of_processing_time_wait_for_the_clock(form):
    """No watermark makes them fire."""
    harness = operator_of(WindowSpec(TumblingProcessingTimeWindows(10), incremental=add), form)
    harness.set_processing_time(3)
    harness._operator.process_batch(elements(23, columns=form == "columns"))
    assert waiting(harness) is None
