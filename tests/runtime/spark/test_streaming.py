"""How a streaming query is built."""

from uuid import uuid4

import pytest
from pyspark.errors import PySparkException

from windrow.common import Configuration, WatermarkStrategy
from windrow.common.watermark_generators import AscendingTimestampsWatermarks
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.window import TumblingEventTimeWindows, TumblingProcessingTimeWindows
from windrow.errors import JobExecutionError
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.spark.source_plan import SourcePlan
from windrow.runtime.spark.stream_settings import StreamSettings
from windrow.runtime.spark.streaming import plan_source, streaming_rows


class Own(AscendingTimestampsWatermarks):
    """Nobody knows what it does."""


BY_ELEMENTS = WatermarkStrategy.for_monotonous_timestamps()


@pytest.mark.parametrize(
    ("assigner", "strategy", "bounded", "levels"),
    [
        (TumblingProcessingTimeWindows, BY_ELEMENTS, False, [1, 1]),
        (TumblingProcessingTimeWindows, BY_ELEMENTS, True, [1, 1]),
        (TumblingEventTimeWindows, BY_ELEMENTS, False, []),
        (TumblingEventTimeWindows, BY_ELEMENTS.with_idleness(1000), False, [0]),
        (TumblingEventTimeWindows, BY_ELEMENTS.with_idleness(1000), True, []),
        (TumblingEventTimeWindows, WatermarkStrategy.for_generator(AscendingTimestampsWatermarks), False, []),
        (
            TumblingEventTimeWindows,
            WatermarkStrategy.for_generator(Own),
            False,
            [0],
        ),
    ],
)
def test_who_hears_of_ticks(assigner, strategy, bounded, levels):
    """Operators with timers of processing time, in all subtasks; and endless sources whose watermarks ask a clock."""
    env = StreamExecutionEnvironment.get_execution_environment(Configuration()).set_parallelism(2)
    stream = env.from_collection([("a", 1)]).assign_timestamps_and_watermarks(strategy).key_by(lambda pair: pair[0])
    stream.window(assigner.of(10)).reduce(lambda one, two: one).sink_to(DiscardingSink())
    job = env._plan(env._program.sinks())
    plan = plan_source(job, ShippedJob("run", b"", 2), StreamSettings(), bounded=bounded)
    assert [level for _, _, level in plan.ticked] == levels


class Session:
    """One whose Pythons have no Windrow."""

    @property
    def dataSource(self):
        return self

    @property
    def readStream(self):
        return self

    def register(self, source):
        """Nothing is looked at yet."""

    def format(self, name):
        return self

    def load(self):
        raise PySparkException("ModuleNotFoundError: No module named 'windrow'")


def test_workers_without_windrow_are_told_before_the_query_starts():
    """The first Python that Spark starts for a job is one on the driver's machine, which makes the source."""
    env = StreamExecutionEnvironment.get_execution_environment(Configuration())
    env.from_collection([1]).sink_to(DiscardingSink())
    job = env._plan(env._program.sinks(), "job")
    shipped = ShippedJob.of(job, uuid4().hex, 1)
    with pytest.raises(JobExecutionError, match=r"^a Python that Spark has started has no Windrow"):
        streaming_rows(Session(), job, shipped, SourcePlan([], [], 1, 1, bounded=True))
