"""A hybrid source in a job that is stopped while it reads one of its sources, and started again."""

import time

import pytest

from windrow.common import Configuration, JobStatus, Types, WatermarkStrategy
from windrow.common.serialization import Encoder
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.datagen import DataGeneratorSource, RateLimiterStrategy
from windrow.datastream.connectors.file_system import FileSink
from windrow.datastream.connectors.hybrid_source import HybridSource


def lines(folder):
    return [line for file in folder.rglob("part-*") for line in file.read_text().split()]


@pytest.mark.spark
def test_every_element_comes_once_over_a_restart(spark_session, tmp_path):
    """The second run goes on in the source, and at the element, to which the first one has come."""
    few = RateLimiterStrategy.per_checkpoint(200)

    def job():
        settings = {"windrow.runtime": "spark", "execution.checkpointing.dir": str(tmp_path / "checkpoint")}
        env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings), spark_session)
        first = DataGeneratorSource(lambda number: f"old {number}", 600, few)
        second = DataGeneratorSource(lambda number: f"new {number}", 1000, few)
        source = HybridSource.builder(first).add_source(second).build()
        words = env.set_parallelism(2).from_source(source, WatermarkStrategy.no_watermarks(), "words")
        sink = FileSink.for_row_format(str(tmp_path / "out"), Encoder.simple_string_encoder()).build()
        words.map(lambda word: word.replace(" ", "-"), Types.STRING()).sink_to(sink)
        return env

    client = job().execute_async("hybrid")
    deadline = time.monotonic() + 120
    while not any(line.startswith("new") for line in lines(tmp_path / "out")):
        assert client.get_job_status().result() is JobStatus.RUNNING
        assert time.monotonic() < deadline
        time.sleep(0.05)
    client.cancel().result()
    assert len(lines(tmp_path / "out")) < 1600
    job().execute("hybrid")
    expected = [f"old-{number}" for number in range(600)] + [f"new-{number}" for number in range(1000)]
    assert sorted(lines(tmp_path / "out")) == sorted(expected)
