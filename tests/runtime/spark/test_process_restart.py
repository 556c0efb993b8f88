"""A keyed process function whose job fails and is started again on its checkpoint."""

import pytest

from tests.datastream.streams.restarts import ListSink
from tests.datastream.streams.watermarks import Moved
from windrow.common import Configuration, Time, WatermarkStrategy
from windrow.datastream import KeyedProcessFunction, StreamExecutionEnvironment
from windrow.datastream.state import StateTtlConfig, ValueStateDescriptor
from windrow.errors import UserFunctionError

READINGS = [(f"k{n % 7}", n * 10) for n in range(60)]
MOVED = WatermarkStrategy.for_generator(Moved).with_timestamp_assigner(lambda value, _: value[1])


class Counts(KeyedProcessFunction):
    """A key's number of elements, 105 after each of them: so in every batch timers of earlier ones are pending."""

    def open(self, runtime_context):
        descriptor = ValueStateDescriptor("count")
        descriptor.enable_time_to_live(StateTtlConfig.new_builder(Time.days(1)).build())
        self.count = runtime_context.get_state(descriptor)

    def process_element(self, value, ctx):
        self.count.update((self.count.value() or 0) + 1)
        ctx.timer_service().register_event_time_timer(value[1] + 105)

    def on_timer(self, timestamp, ctx):
        yield ctx.get_current_key(), timestamp, self.count.value()


def add_counts(env, fails_at=None):
    def seen(reading):
        if reading[1] == fails_at:
            msg = "here"
            raise ValueError(msg)
        return reading

    sink = ListSink()
    stream = env.from_collection(READINGS).map(seen).assign_timestamps_and_watermarks(MOVED)
    stream.key_by(lambda reading: reading[0]).process(Counts()).sink_to(sink)
    return sink


@pytest.mark.slow
@pytest.mark.spark
def test_state_and_pending_timers_survive_a_failure(on_spark, tmp_path):
    """Each timer fires once over both runs, with the count that an unbroken run has at that time."""
    local = Configuration().set_string("windrow.runtime", "local")
    unbroken = StreamExecutionEnvironment.get_execution_environment(local).set_parallelism(2)
    expected = add_counts(unbroken)
    unbroken.execute()
    assert len(expected.elements) == 60
    settings = {
        "execution.checkpointing.dir": str(tmp_path / "checkpoint"),
        "windrow.source.elements-per-split": "20",
        "windrow.source.splits-per-batch": "1",
    }
    env = on_spark(settings)
    first = add_counts(env, fails_at=450)
    with pytest.raises(UserFunctionError, match="ValueError: here"):
        env.execute()
    env = on_spark(settings)
    second = add_counts(env)
    env.execute()
    assert 0 < len(first.elements) < 60
    assert sorted(first.elements + second.elements) == sorted(expected.elements)
