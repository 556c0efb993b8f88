"""A recording of an interval join says which elements met, which were late, and when each was forgotten."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.datastream.functions import ProcessJoinFunction
from windrow.operators.interval_join import Interval, interval_join_operator
from windrow.testing import TwoInputOperatorHarness
from windrow.viz import Recording
from windrow.viz.events import Arrived, Expired, Matched, Skipped


class Pair(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        yield left, right


class WithState(Pair):
    """Has an ``open``, and so is joined over rows."""

    def open(self, runtime_context):
        pass


def joining(function, interval, recording=None):
    operator = interval_join_operator(function, interval)
    if recording is not None:
        operator = recording.observed(operator, interval, "join")
    return TwoInputOperatorHarness(operator, lambda pair: pair[0], lambda pair: pair[0])


def play(harness, steps):
    for step in steps:
        if isinstance(step, int):
            harness.process_watermark(step)
        else:
            which, key, number, timestamp = step
            take = harness.process_element1 if which == 1 else harness.process_element2
            take((key, number), timestamp)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from([1, 2]), st.sampled_from("ab"), st.integers(0, 5), st.integers(0, 30)),
        st.integers(0, 35),
    ),
    max_size=20,
)


@pytest.mark.parametrize("function", [Pair, WithState])
@settings(max_examples=60)
@given(steps=STEPS, bounds=st.tuples(st.integers(-4, 4), st.integers(0, 6)))
def test_a_recorded_join_does_what_it_did(function, steps, bounds):
    """Under observation a join gives the same, and the matches of the recording are what it gives."""
    interval = Interval(bounds[0], bounds[0] + bounds[1])
    plain, recording = joining(function(), interval), Recording()
    play(plain, steps)
    observed = joining(function(), interval, recording)
    play(observed, steps)
    assert observed.output == plain.output
    events = recording.trace().events if steps else ()
    values = {event.element: event.value for event in events if isinstance(event, Arrived)}
    matches = [(values[event.left], values[event.right]) for event in events if isinstance(event, Matched)]
    assert matches == observed.values()
    assert sum(isinstance(event, Skipped) for event in events) == observed.counters["num_late_records_dropped"]


def test_when_elements_are_forgotten():
    """An element is forgotten when the watermark comes to the last moment at which partners lie."""
    recording = Recording()
    play(joining(Pair(), Interval(0, 5), recording), [(1, "a", 1, 10), (2, "a", 2, 12), 13, 14, 15])
    expired = [(event.step, event.element) for event in recording.trace().events if isinstance(event, Expired)]
    assert expired == [(2, 1), (4, 0)]
