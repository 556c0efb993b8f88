"""In BATCH windows go out as they end, while elements come sorted: with the results, and in the order, of the end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common import Configuration, Time, Types, WatermarkStrategy
from windrow.datastream import (
    ProcessWindowFunction,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
    WindowFunction,
)
from windrow.datastream.window import (
    EventTimeSessionWindows,
    SlidingEventTimeWindows,
    TimeEvictor,
    TumblingEventTimeWindows,
)
from windrow.runtime.stage import sorted_runs
from windrow.runtime.stage.chain import ChainedOperator

TIMES = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda element, _: element[1])
ELEMENT = Types.TUPLE([Types.INT(), Types.LONG(), Types.LONG()])
ASSIGNERS = [
    TumblingEventTimeWindows.of(Time.milliseconds(4)),
    SlidingEventTimeWindows.of(Time.milliseconds(6), Time.milliseconds(2)),
    SlidingEventTimeWindows.of(Time.milliseconds(3), Time.milliseconds(5)),
    EventTimeSessionWindows.with_gap(Time.milliseconds(3)),
]


class Listed(WindowFunction):
    def apply(self, key, window, inputs):
        yield key, window.start, window.end, list(inputs)


class Watermarks(ProcessWindowFunction):
    """What it is told of time."""

    def process(self, key, context, elements):
        yield key, context.window().end, context.current_watermark(), len(list(elements))


def newest(one, other):
    return one if str(one) > str(other) else other


FUNCTIONS = {
    "columns": lambda windows: windows.reduce(lambda one, other: (one[0], one[1], one[2] + other[2])),
    "rows": lambda windows: windows.reduce(newest),
    "reduced": lambda windows: windows.reduce(lambda one, other: (one[0], one[1], one[2] + other[2]), Listed()),
    "lists": lambda windows: windows.apply(Listed()),
    "late": lambda windows: windows.allowed_lateness(5).reduce(newest),
    "watermarks": lambda windows: windows.process(Watermarks()),
    "evicted": lambda windows: windows.evictor(TimeEvictor.of(Time.milliseconds(2))).apply(Listed()),
}


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    monkeypatch.setattr(sorted_runs, "ELEMENTS_PER_CHUNK", 3)
    monkeypatch.setattr(sorted_runs, "COLUMN_ELEMENTS_PER_CHUNK", 3)


def results(elements, assigner, function):
    configuration = Configuration().set_string("windrow.runtime", "local")
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(1)
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    stream = env.from_collection(elements, ELEMENT).assign_timestamps_and_watermarks(TIMES)
    windows = stream.key_by(lambda element: element[0]).window(assigner)
    with FUNCTIONS[function](windows).execute_and_collect() as found:
        return list(found)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("assigner", ASSIGNERS, ids=["tumbling", "sliding", "sampling", "session"])
@given(elements=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 25), st.integers(-9, 9)), max_size=30))
def test_results_are_those_of_the_end(assigner, function, elements):
    """Whatever is in a part: sessions go on where elements of the next part touch them."""
    found = results(elements, assigner, function)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ChainedOperator, "sorted_to", lambda *_: None)
        assert found == results(elements, assigner, function)


@pytest.mark.parametrize(
    ("function", "follows"),
    [*[(name, True) for name in ("columns", "rows", "lists", "late")], ("watermarks", False), ("evicted", False)],
)
@pytest.mark.parametrize("assigner", ASSIGNERS, ids=["tumbling", "sliding", "sampling", "session"])
def test_windows_go_out_before_the_end_of_the_input(assigner, function, follows, monkeypatch):
    """Unless a function could see that the watermark has moved, which it does not before the end."""
    waiting = []
    plain = ChainedOperator.sorted_to

    def seen(self, timestamp):
        plain(self, timestamp)
        waiting.append(self.context.time.watermark)

    monkeypatch.setattr(ChainedOperator, "sorted_to", seen)
    results([(1, time, 1) for time in range(0, 100, 10)], assigner, function)
    assert len(waiting) == 4
    assert [watermark > 0 for watermark in waiting] == [follows] * 4
