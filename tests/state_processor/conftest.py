"""A savepoint that the tests of this folder look into."""

import pytest

from tests.runtime.sources.running import Shown
from tests.runtime.sources.scripted import Script, ScriptedSource
from tests.runtime.sources.test_programs import wait_for
from windrow.common import Configuration, Time, WatermarkStrategy
from windrow.datastream import KeyedProcessFunction, StreamExecutionEnvironment
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window import TumblingEventTimeWindows

TIMES = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda element, _: element)
FAR = 10**15


class Counts(KeyedProcessFunction):
    """Counts the elements of each key, and registers a timer for some keys."""

    def open(self, runtime_context):
        self.count = runtime_context.get_state(ValueStateDescriptor("count"))

    def process_element(self, value, ctx):
        self.count.update((self.count.value() or 0) + 1)
        if ctx.get_current_key() < 10:
            ctx.timer_service().register_event_time_timer(FAR + ctx.get_current_key())
            ctx.timer_service().register_processing_time_timer(2 * FAR)
        yield value


def environment(spark, checkpoint, **settings):
    settings = {"windrow.runtime": "spark", "execution.checkpointing.dir": str(checkpoint), **settings}
    return StreamExecutionEnvironment.get_execution_environment(
        Configuration.from_dict(settings), spark
    ).set_parallelism(2)


@pytest.fixture(scope="package")
def savepoint(spark_session, tmp_path_factory):
    """Of a job that has counted 1,000 elements of 37 keys and has one window of 3 keys open."""
    folder = tmp_path_factory.mktemp("state")
    env = environment(spark_session, folder / "checkpoint")
    shown = Shown()
    splits = [Script(name, [(at, at) for at in range(k, 1000, 2)], ends=False) for k, name in enumerate("ab")]
    numbers = env.from_source(ScriptedSource(splits, is_bounded=False), TIMES, "numbers").uid("numbers")
    counted = numbers.key_by(lambda n: n % 37).process(Counts()).uid("counts").name("Counts")
    counted.sink_to(shown)
    windows = counted.key_by(lambda n: n % 3).window(TumblingEventTimeWindows.of(Time.milliseconds(3000)))
    windows.reduce(lambda a, b: a + b).uid("sums").sink_to(Shown())
    client = env.execute_async()
    wait_for(lambda: len(shown.values) == 1000)
    return client.stop_with_savepoint(False, str(folder / "savepoints")).result()
