"""Window operations are checked when they are described, and built as the right operator."""

import pytest

from windrow.datastream.functions import (
    AllWindowFunction,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    ReduceFunction,
    WindowFunction,
)
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
    CountEvictor,
    CountTrigger,
    DeltaTrigger,
    EventTimeSessionWindows,
    EventTimeTrigger,
    NeverTrigger,
    PurgingTrigger,
    SlidingEventTimeWindows,
    TimeWindow,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.operators.window.aligned_elements_operator import AlignedElementsOperator
from windrow.operators.window.aligned_window_operator import AlignedWindowOperator
from windrow.operators.window.by_clock import ByClock
from windrow.operators.window.early_window_operator import EarlyWindowOperator
from windrow.operators.window.emit_trigger import EmitTrigger
from windrow.operators.window.evicting_elements_operator import EvictingElementsOperator
from windrow.operators.window.evicting_window_operator import EvictingWindowOperator
from windrow.operators.window.panes.operator import PanesOperator
from windrow.operators.window.spec import WindowSpec, build
from windrow.operators.window.window_operator import WindowOperator
from windrow.testing import Record, window_harness

TUMBLING = TumblingEventTimeWindows(10)
SLIDING = SlidingEventTimeWindows(10, 5)
PURGING_EARLY = PurgingTrigger.of(ContinuousEventTimeTrigger.of(3))
PURGING = PurgingTrigger.of(EventTimeTrigger.create())


class Keyed(WindowFunction):
    def apply(self, key, window, inputs):
        yield key, window, list(inputs)


class KeyedProcess(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield key, context.window(), list(elements)


class Clearing(KeyedProcess):
    def clear(self, context):
        """Something is to be done when a window is over."""


class All(AllWindowFunction):
    def apply(self, window, inputs):
        yield window, list(inputs)


class AllProcess(ProcessAllWindowFunction):
    def process(self, context, elements):
        yield context.window(), list(elements)


@pytest.mark.parametrize(
    ("parts", "error", "message"),
    [
        ({}, ConfigurationError, "'window' needs something to do.*reduce, aggregate, apply or process"),
        ({"assigner": TumblingEventTimeWindows}, ConfigurationTypeError, "make an object of the class"),
        (
            {"trigger": "event time", "incremental": max},
            ConfigurationTypeError,
            "must be of type Trigger; got 'event time'",
        ),
        ({"evictor": 3, "incremental": max}, ConfigurationTypeError, "must be of type Evictor; got 3"),
        ({"allowed_lateness": -1, "incremental": max}, ConfigurationError, "at least 0 milliseconds; got -1"),
        ({"allowed_lateness": 1.5, "incremental": max}, ConfigurationTypeError, "number of milliseconds; got 1.5"),
        ({"incremental": 7}, ConfigurationTypeError, "takes a ReduceFunction or a function of two values; got 7"),
        ({"function": All()}, ConfigurationTypeError, "must be of type WindowFunction or ProcessWindowFunction"),
        ({"function": Keyed}, ConfigurationTypeError, "make an object of the class"),
        (
            {"function": Keyed(), "all_windows": True},
            ConfigurationTypeError,
            "must be of type AllWindowFunction or ProcessAllWindowFunction",
        ),
        (
            {"assigner": EventTimeSessionWindows(10), "trigger": NeverTrigger(), "incremental": max},
            ConfigurationError,
            r"EventTimeSessionWindows\(10\) merge, but NeverTrigger\(\) cannot merge",
        ),
    ],
)
def test_wrong_parts_are_refused(parts, error, message):
    """Parts that do not go together are an error that says what came and what was expected."""
    with pytest.raises(error, match=message):
        WindowSpec(**{"assigner": TUMBLING, **parts})


def test_a_trigger_that_cannot_merge_is_fine_for_windows_that_do_not():
    """Only merging windows need a trigger that can merge."""
    trigger = DeltaTrigger.of(1, lambda old, new: new - old)
    assert WindowSpec(TUMBLING, trigger, incremental=max).get_trigger() is trigger


@pytest.mark.parametrize(
    ("parts", "operator"),
    [
        ({"incremental": max}, PanesOperator),
        ({"assigner": SlidingEventTimeWindows(10, 5), "incremental": max, "function": Keyed()}, PanesOperator),
        ({"incremental": max, "allowed_lateness": 1}, PanesOperator),
        ({"incremental": max, "trigger": PURGING}, PanesOperator),
        ({"incremental": max, "trigger": PURGING, "allowed_lateness": 1}, AlignedWindowOperator),
        ({"incremental": max, "function": Clearing()}, AlignedWindowOperator),
        ({"incremental": max, "function": Clearing(), "allowed_lateness": 1}, WindowOperator),
        ({"incremental": max, "trigger": PurgingTrigger.of(CountTrigger.of(2))}, WindowOperator),
        ({"incremental": max, "trigger": ContinuousEventTimeTrigger.of(3), "allowed_lateness": 1}, PanesOperator),
        ({"incremental": max, "trigger": ContinuousProcessingTimeTrigger.of(3)}, PanesOperator),
        ({"incremental": max, "trigger": EmitTrigger(3, None, by_clock=False)}, PanesOperator),
        ({"incremental": max, "trigger": EmitTrigger(None, None, by_clock=False)}, PanesOperator),
        ({"incremental": max, "trigger": EmitTrigger(3, 3, by_clock=False)}, WindowOperator),
        ({"incremental": max, "trigger": EmitTrigger(0, None, by_clock=False)}, WindowOperator),
        ({"incremental": max, "trigger": ContinuousEventTimeTrigger.of(2**60)}, WindowOperator),
        ({"incremental": max, "trigger": PURGING_EARLY}, PanesOperator),
        (
            {"incremental": max, "trigger": PURGING_EARLY, "assigner": SlidingEventTimeWindows(10, 5)},
            EarlyWindowOperator,
        ),
        ({"incremental": max, "trigger": PURGING_EARLY, "allowed_lateness": 1}, WindowOperator),
        (
            {"incremental": max, "trigger": ContinuousEventTimeTrigger.of(3), "function": Clearing()},
            EarlyWindowOperator,
        ),
        ({"function": Keyed()}, AlignedElementsOperator),
        ({"function": Clearing(), "allowed_lateness": 1}, WindowOperator),
        ({"assigner": TumblingProcessingTimeWindows(10), "incremental": max}, ByClock),
        ({"incremental": max, "evictor": CountEvictor.of(2)}, EvictingElementsOperator),
        ({"incremental": max, "evictor": CountEvictor.of(2), "allowed_lateness": 1}, EvictingWindowOperator),
        ({"incremental": max, "evictor": CountEvictor.of(2), "trigger": CountTrigger.of(2)}, EvictingWindowOperator),
    ],
)
def test_the_operator_follows_from_the_parts(parts, operator):
    """The operator for many elements at a time is taken where it means the same."""
    assert type(build(WindowSpec(**{"assigner": TUMBLING, **parts}))) is operator


def test_functions_with_state_are_called_one_by_one():
    """A reduce function that is opened may use keyed state, so it is called with the key set."""

    class Numbering(ReduceFunction):
        def open(self, runtime_context):
            self.calls = runtime_context.get_state(ValueStateDescriptor("calls"))

        def reduce(self, value1, value2):
            self.calls.update((self.calls.value() or 0) + 1)
            return value1[0], self.calls.value()

    harness = window_harness(TUMBLING, key=lambda value: value[0], reduce=Numbering())
    harness.process_elements([(key, 1) for key in [("a", 0), ("b", 0), ("a", 0), ("b", 0), ("a", 0)]])
    harness.process_watermark(9)
    assert harness.values() == [("a", 2), ("b", 1)]


@pytest.mark.parametrize("lateness", [0, 1])
@pytest.mark.parametrize(
    ("key", "function", "expected"),
    [
        (len, Keyed(), (1, TimeWindow(0, 10), ["b"])),
        (len, KeyedProcess(), (1, TimeWindow(0, 10), ["b"])),
        (None, All(), (TimeWindow(0, 10), ["b"])),
        (None, AllProcess(), (TimeWindow(0, 10), ["b"])),
    ],
)
def test_window_functions_after_a_reduce(key, function, expected, lateness):
    """Each kind of window function gets the reduced value as the only element."""
    harness = window_harness(TUMBLING, key=key, reduce=max, function=function, allowed_lateness=lateness)
    harness.process_elements([("a", 1), ("b", 2)])
    harness.process_watermark(9)
    assert harness.records() == [Record(expected, 9)]


@pytest.mark.parametrize("parts", [{}, {"allowed_lateness": 1}, {"evictor": CountEvictor.of(9)}])
def test_functions_are_opened_and_closed(parts):
    """Reduce and window functions are opened once with the runtime context, and closed once."""
    calls = []

    class Largest(ReduceFunction):
        def open(self, runtime_context):
            calls.append(("open reduce", runtime_context.get_task_name()))

        def reduce(self, value1, value2):
            return max(value1, value2)

        def close(self):
            calls.append("close reduce")

    class Opened(Keyed):
        def open(self, runtime_context):
            calls.append(("open function", runtime_context.get_task_name()))

        def close(self):
            calls.append("close function")

    harness = window_harness(TUMBLING, key=len, reduce=Largest(), function=Opened(), name="largest", **parts)
    harness.close()
    assert calls == [("open reduce", "largest"), ("open function", "largest"), "close reduce", "close function"]


def test_an_assigner_of_a_pyflink_program_gets_its_environment_argument():
    """PyFlink's ``get_default_trigger(self, env)`` has no default for ``env``: the argument is always passed."""

    class OneWindow(TumblingEventTimeWindows):
        def get_default_trigger(self, env):
            return CountTrigger.of(7)

    assert WindowSpec(OneWindow(10), incremental=max).get_trigger().window_size == 7


def test_an_assigner_without_a_default_trigger_needs_one():
    """What ``get_default_trigger`` returns is checked when the operation is described, unless a trigger is set."""

    class Untriggered(TumblingEventTimeWindows):
        def get_default_trigger(self, env=None):
            return None

    with pytest.raises(
        ConfigurationTypeError, match="get_default_trigger of Untriggered must return a Trigger; got None"
    ):
        WindowSpec(Untriggered(10), incremental=max)
    assert WindowSpec(Untriggered(10), NeverTrigger(), incremental=max).get_trigger() is not None
