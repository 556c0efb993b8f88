"""What a trigger is handed."""

import numpy as np
import pytest

from windrow.common import Types
from windrow.datastream.state import ReducingStateDescriptor, ValueStateDescriptor
from windrow.datastream.window import TimeWindow
from windrow.errors import ConfigurationTypeError, UsageError
from windrow.operators.base import OperatorContext, Time
from windrow.operators.runtime_context import OperatorRuntimeContext
from windrow.operators.window.trigger_context import OperatorTriggerContext
from windrow.state.keyed import KeyedState

SEEN = ValueStateDescriptor("seen", Types.LONG())
SUM = ReducingStateDescriptor("sum", lambda a, b: a + b, Types.LONG())


@pytest.fixture
def context():
    state = KeyedState()
    state.set_current_key("a")
    runtime_context = OperatorRuntimeContext("windows")
    return OperatorTriggerContext(OperatorContext("windows", None, Time(), state, runtime_context))


def test_state_is_that_of_the_key_and_the_window(context):
    """However often it was asked for, and whatever key and window were current then."""
    state = context._operator.state
    windows = [TimeWindow(start, start + 10) for start in range(0, 4000, 10)]
    for round_ in range(2):
        for key in "ab":
            state.set_current_key(key)
            for number, window in enumerate(windows):
                context.window = window
                seen, total = context.get_partitioned_state(SEEN), context.get_partitioned_state(SUM)
                assert seen.value() == (None if round_ == 0 else number if key == "a" else -number)
                seen.update(number if key == "a" else -number)
                total.add(1)
                assert total.get() == round_ + 1
    assert len(state.entry) == 2 * len(windows)


def test_descriptors_that_are_made_anew_mean_the_same_state(context):
    """A trigger may make one for each call; one of another kind under the same name is refused."""
    context.window = TimeWindow(0, 10)
    for expected in (None, 1, 2):
        state = context.get_partitioned_state(ValueStateDescriptor("n", Types.LONG()))
        assert state.value() == expected
        state.update((expected or 0) + 1)
    with pytest.raises(UsageError, match="one name stands for one state"):
        context.get_partitioned_state(ReducingStateDescriptor("n", lambda a, b: a, Types.LONG()))


def test_the_time_of_a_timer_is_an_int(context):
    """NumPy's integers become Python's; a float or a truth value is refused, as it is by process functions' timers."""
    context.window = TimeWindow(0, 10)
    state = context._operator.state
    for register, timers in (
        (context.register_event_time_timer, state.event_timers),
        (context.register_processing_time_timer, state.processing_timers),
    ):
        register(np.int64(10))
        ((time, key, window),) = timers
        assert (type(time), time, key, window) == (int, 10, "a", context.window)
        for wrong in (10.0, True, None):
            with pytest.raises(ConfigurationTypeError, match=r"'windows' set a timer .*: the time .* is an int"):
                register(wrong)
