"""The timer service of user functions."""

import numpy as np
import pytest

from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError
from windrow.operators.base import OperatorContext, Time
from windrow.operators.runtime_context import OperatorRuntimeContext
from windrow.operators.timers import OperatorTimerService
from windrow.state.keyed import KeyedState


@pytest.fixture
def context():
    state = KeyedState()
    state.set_current_key("k")
    return OperatorContext("alarm", None, Time(watermark=5, processing_time=7), state, OperatorRuntimeContext("alarm"))


def test_times_are_the_operators(context):
    """Both times follow the operator's."""
    service = OperatorTimerService(context, keyed=False)
    assert (service.current_watermark(), service.current_processing_time()) == (5, 7)
    context.time.watermark = 9
    assert service.current_watermark() == 9


def test_timers_belong_to_the_current_key(context):
    """A timer is set for the key that is current at the time, in the service's namespace and its own domain."""
    service = OperatorTimerService(context, "ns")
    service.register_event_time_timer(10)
    service.register_processing_time_timer(20)
    context.state.set_current_key("other")
    service.register_event_time_timer(10)
    service.register_event_time_timer(10)
    assert list(context.state.event_timers) == [(10, "k", "ns"), (10, "other", "ns")]
    assert list(context.state.processing_timers) == [(20, "k", "ns")]


def test_a_time_that_only_equals_one_is_still_refused(context):
    """A float or a truth value is no time, also where there is a timer of the number that it equals."""
    service = OperatorTimerService(context)
    service.register_event_time_timer(1)
    for time in (1.0, True):
        with pytest.raises(ConfigurationTypeError, match="the time of a timer is an int"):
            service.register_event_time_timer(time)
    service.register_event_time_timer(1)
    assert list(context.state.event_timers) == [(1, "k", None)]


def test_without_a_current_key_there_is_no_timer(context):
    """A service that a function has kept cannot be used for an element that has no key, a broadcast one say."""
    service = OperatorTimerService(context)
    context.state.clear_current_key()
    with pytest.raises(UsageError, match="'alarm' set a timer for an element without a key"):
        service.register_processing_time_timer(1)


def test_timers_are_taken_back(context):
    """Deleting takes back this key's timer only, and nothing happens if there is none."""
    service = OperatorTimerService(context)
    service.register_event_time_timer(10)
    service.register_processing_time_timer(10)
    service.delete_event_time_timer(10)
    service.delete_event_time_timer(11)
    assert list(context.state.event_timers) == []
    context.state.set_current_key("other")
    service.delete_processing_time_timer(10)
    assert len(context.state.processing_timers) == 1


def test_times_of_timers_become_plain_ints(context):
    """A NumPy integer is a time, and is the same timer as the int."""
    service = OperatorTimerService(context)
    service.register_event_time_timer(np.int64(10))
    ((time, _, _),) = context.state.event_timers
    assert type(time) is int


@pytest.mark.parametrize(
    "method",
    [
        "register_event_time_timer",
        "register_processing_time_timer",
        "delete_event_time_timer",
        "delete_processing_time_timer",
    ],
)
def test_without_keys_there_are_no_timers(context, method):
    """The error names the operator and says what to do."""
    with pytest.raises(UsageError, match=r"operator 'alarm' set a timer.*keyed stream: call key_by"):
        getattr(OperatorTimerService(context, keyed=False), method)(1)


@pytest.mark.parametrize("timestamp", [None, 1.5, "10", True])
def test_times_are_whole_numbers(context, timestamp):
    """Another thing than an int is refused before it gets into the queue."""
    with pytest.raises(ConfigurationTypeError, match="'alarm'"):
        OperatorTimerService(context).register_event_time_timer(timestamp)


def test_times_fit_64_bits(context):
    """The last moment of Flink's time is a time, the next one is not."""
    service = OperatorTimerService(context)
    service.register_event_time_timer(2**63 - 1)
    with pytest.raises(ConfigurationError, match="64 bits"):
        service.register_event_time_timer(2**63)
