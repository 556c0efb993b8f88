from threading import Event

import pytest

from windrow.common import Configuration, JobStatus
from windrow.connectors.collect import CollectSink
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, JobExecutionError
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


def test_a_job_is_cancelled_in_the_middle_of_its_batch():
    """A bounded job of the local runtime is one batch: cancelling does not wait for its end."""
    begun = Event()

    def for_ever(value):
        begun.set()
        while True:
            pass

    env = StreamExecutionEnvironment.create_local_environment(1)
    env.from_collection([1]).map(for_ever).print()
    client = env.execute_async()
    begun.wait()
    client.cancel().result()
    assert client.get_job_status().result() is JobStatus.CANCELED
    with pytest.raises(JobExecutionError, match="was cancelled"):
        client.get_job_execution_result().result()


def test_a_job_whose_elements_nobody_takes_is_stopped():
    """It waits for room in what collects them."""
    job = StreamExecutionEnvironment.create_local_environment(1)
    sink = CollectSink(buffered_elements=1)
    job.from_collection(range(30_000)).sink_to(sink)
    client = job.execute_async()
    sink.take()
    client._job.stop(60)
    assert client.get_job_status().result() is JobStatus.CANCELED
