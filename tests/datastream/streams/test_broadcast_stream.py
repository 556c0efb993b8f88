import pytest

from tests.datastream.streams.restarts import local_env
from windrow.common import Types
from windrow.datastream.state import MapStateDescriptor, ValueStateDescriptor
from windrow.datastream.streams.broadcast_stream import BroadcastStream
from windrow.datastream.streams.data_stream import DataStream
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError

RULES, LIMITS = MapStateDescriptor("rules"), MapStateDescriptor("limits")


def test_with_descriptors_broadcast_gives_a_broadcast_stream():
    """It knows its states; without descriptors it is a stream like any other."""
    numbers = local_env().from_collection([1])
    broadcast = numbers.broadcast(RULES, LIMITS)
    assert isinstance(broadcast, BroadcastStream)
    assert broadcast.broadcast_state_descriptors == (RULES, LIMITS)
    assert isinstance(broadcast.input_stream, DataStream)
    assert isinstance(numbers.broadcast(), DataStream)


@pytest.mark.parametrize("wrong", [ValueStateDescriptor("rules"), "rules", None, MapStateDescriptor])
def test_states_are_described_by_map_state_descriptors(wrong):
    """What else is given is refused at the call."""
    with pytest.raises(ConfigurationTypeError, match="broadcast is given must be an object of MapStateDescriptor"):
        local_env().from_collection([1]).broadcast(RULES, wrong)


def test_two_states_of_one_name_are_refused():
    """A name stands for one state."""
    with pytest.raises(ConfigurationError, match="two states named 'rules'"):
        local_env().from_collection([1]).broadcast(RULES, MapStateDescriptor("rules"))


def test_a_keyed_stream_cannot_be_broadcast():
    """Its elements have a place already, with descriptors as without."""
    keyed = local_env().from_collection([1]).key_by(lambda n: n)
    with pytest.raises(UsageError, match="Cannot override partitioning"):
        keyed.broadcast(RULES)


def test_only_streams_of_one_environment_can_be_connected():
    """A broadcast stream of another environment is refused."""
    with pytest.raises(ConfigurationError, match="connect takes streams of one environment"):
        local_env().from_collection([1]).connect(local_env().from_collection([1]).broadcast(RULES))


@pytest.mark.parametrize("runtime", ["local"])
def test_it_tells_what_it_is_made_of(env):
    """Its environment, its elements' type and its states can be asked for."""
    rules = MapStateDescriptor("rules")
    stream = env.from_collection([1], Types.INT()).broadcast(rules)
    assert stream.get_environment() is env
    assert stream.get_type() == Types.INT()
    assert stream.get_broadcast_state_descriptors() == [rules]
