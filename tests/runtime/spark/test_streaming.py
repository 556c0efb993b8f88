"""How a streaming query is built."""

import pytest

from windrow.common import Configuration
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.window import TumblingEventTimeWindows, TumblingProcessingTimeWindows
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.spark.stream_settings import StreamSettings
from windrow.runtime.spark.streaming import plan_source


@pytest.mark.parametrize(
    ("assigner", "bounded", "levels"),
    [
        (TumblingProcessingTimeWindows, False, [0, 1, 1]),
        (TumblingProcessingTimeWindows, True, [1, 1]),
        (TumblingEventTimeWindows, False, [0]),
        (TumblingEventTimeWindows, True, []),
    ],
)
def test_who_hears_of_ticks(assigner, bounded, levels):
    """Operators with timers of processing time, in all subtasks; and sources without end, for their watermarks."""
    env = StreamExecutionEnvironment.get_execution_environment(Configuration()).set_parallelism(2)
    stream = env.from_collection([("a", 1)]).key_by(lambda pair: pair[0])
    stream.window(assigner.of(10)).reduce(lambda one, two: one).sink_to(DiscardingSink())
    job = env._plan(env._program.sinks())
    plan = plan_source(job, ShippedJob("run", b"", 2), StreamSettings(), bounded=bounded)
    assert [level for _, _, level in plan.ticked] == levels
