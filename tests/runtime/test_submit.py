import pytest

from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError
from windrow.runtime.submit import SubmitSettings


def test_spark_is_the_default_runtime(monkeypatch):
    """Without a setting jobs run on Spark."""
    monkeypatch.delenv("WINDROW_RUNTIME", raising=False)
    assert SubmitSettings(Configuration()).runtime == "spark"


def test_the_configuration_counts_before_the_environment_variable(monkeypatch):
    """WINDROW_RUNTIME names the runtime of programs that do not."""
    monkeypatch.setenv("WINDROW_RUNTIME", "local")
    assert SubmitSettings(Configuration()).runtime == "local"
    assert SubmitSettings(Configuration().set_string("windrow.runtime", "spark")).runtime == "spark"


def test_an_unknown_runtime_is_refused(monkeypatch):
    """A runtime that there is not is named, with those that there are."""
    with pytest.raises(ConfigurationError, match="one of spark, local; it is 'flink'"):
        StreamExecutionEnvironment.get_execution_environment(Configuration().set_string("windrow.runtime", "flink"))
    monkeypatch.setenv("WINDROW_RUNTIME", "flink")
    env = StreamExecutionEnvironment.get_execution_environment()
    env.from_collection([1]).print()
    with pytest.raises(ConfigurationError, match="'spark' or 'local'; it is 'flink'"):
        env.execute()


def test_a_sources_channels_are_counted_once_for_each_operator(env):
    """Counters of all subtasks of an operator, and of operators of one name, are added up."""
    from windrow.common import WatermarkStrategy
    from windrow.common.watermark import Watermark
    from windrow.common.watermark_strategy import WatermarkGenerator

    class AtTheEnd(WatermarkGenerator):
        def on_event(self, event, event_timestamp, output):
            output.emit_watermark(Watermark(1_000))

        def on_periodic_emit(self, output):
            pass

    strategy = WatermarkStrategy.for_generator(AtTheEnd).with_timestamp_assigner(lambda value, _: value)
    stream = env.from_collection(range(10)).assign_timestamps_and_watermarks(strategy).key_by(lambda n: n)
    for _ in range(2):
        stream.time_window(100).sum().name("sums").print()
    assert env.execute().get_dropped() == {"sums": 18}
