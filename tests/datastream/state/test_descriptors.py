"""State descriptors."""

import pickle

import pytest

from windrow.common import Time
from windrow.common.typeinfo import Types
from windrow.datastream.functions import ReduceFunction
from windrow.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    StateTtlConfig,
    ValueStateDescriptor,
)
from windrow.errors import ConfigurationError, ConfigurationTypeError


class Add(ReduceFunction):
    def reduce(self, value1, value2):
        return value1 + value2


def test_types_may_be_left_out():
    """State of no declared type holds any Python object."""
    for descriptor in (ValueStateDescriptor("s"), ListStateDescriptor("s"), ReducingStateDescriptor("s", Add())):
        assert descriptor.get_name() == descriptor.name == "s"
        assert descriptor.type_info == Types.PICKLED_BYTE_ARRAY()
    mapping = MapStateDescriptor("m", Types.STRING(), Types.INT())
    assert (mapping.key_type_info, mapping.type_info) == (Types.STRING(), Types.INT())


@pytest.mark.parametrize("name", ["", None, 1])
def test_state_has_a_name(name):
    """State without a name is an error."""
    with pytest.raises(ConfigurationError, match="name of a ValueStateDescriptor"):
        ValueStateDescriptor(name)


def test_reduce_functions_may_be_plain():
    """A function of two values will do; a class or another thing will not."""
    add = Add()
    assert ReducingStateDescriptor("s", add).get_reduce_function() is add
    assert ReducingStateDescriptor("s", max).get_reduce_function().reduce(1, 2) == 2
    with pytest.raises(ConfigurationTypeError, match=r"state 's' takes a ReduceFunction.*make an object of the class"):
        ReducingStateDescriptor("s", Add)
    with pytest.raises(ConfigurationTypeError, match="state 's'"):
        ReducingStateDescriptor("s", 5)


def test_aggregating_state_needs_an_aggregate_function():
    """A plain function cannot aggregate."""
    with pytest.raises(ConfigurationTypeError, match="state 's' takes an AggregateFunction"):
        AggregatingStateDescriptor("s", max)


def test_descriptors_survive_pickling():
    """A descriptor that is a field of a function travels with it."""
    copy = pickle.loads(pickle.dumps(ReducingStateDescriptor("s", max, Types.INT())))
    assert copy.get_reduce_function().reduce(3, 2) == 3
    assert copy.type_info == Types.INT()


def test_a_time_to_live_is_set_on_the_descriptor():
    """Without one, state lives for good; a builder that was not built is refused, and so is a bare time."""
    descriptor = ValueStateDescriptor("s")
    assert not descriptor.get_ttl_config().is_enabled()
    builder = StateTtlConfig.new_builder(Time.seconds(1))
    descriptor.enable_time_to_live(builder.build())
    assert pickle.loads(pickle.dumps(descriptor)).get_ttl_config().get_ttl() == Time.seconds(1)
    with pytest.raises(ConfigurationTypeError, match=r"state 's' takes a StateTtlConfig.*call build\(\)"):
        descriptor.enable_time_to_live(builder)
    with pytest.raises(ConfigurationTypeError, match="takes a StateTtlConfig; got 1000"):
        descriptor.enable_time_to_live(1000)
