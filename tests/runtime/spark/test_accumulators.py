"""Accumulators on Spark: exactly once, whatever is run again."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import KeyedProcessFunction, MapFunction
from windrow.errors import JobExecutionError
from windrow.runtime.spark.checkpoint import Checkpoint
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.spark.stream_run import StreamRun
from windrow.runtime.spark.stream_settings import StreamSettings
from windrow.storage.local_folder import LocalFolder

PROGRAM = Path(__file__).with_name("programs.py")


class Counting(MapFunction):
    """Counts what it is called with."""

    def open(self, runtime_context):
        self.context = runtime_context
        runtime_context.get_int_counter("opened").add(1)
        self.mapped = runtime_context.get_long_counter("mapped")
        self.metric = runtime_context.get_metrics_group().counter("mapped")

    def map(self, value):
        self.mapped.add(1)
        self.metric.inc()
        return value

    def close(self):
        self.context.get_int_counter("closed").add(1)


class Sums(KeyedProcessFunction):
    """Counts elements of a keyed stream under a name that the map uses, too."""

    def open(self, runtime_context):
        self.mapped = runtime_context.get_long_counter("mapped")
        self.digits = runtime_context.get_histogram("digits")

    def process_element(self, value, ctx):
        self.mapped.add(1000)
        self.digits.add(value % 2)


@pytest.mark.slow
@pytest.mark.spark
def test_a_task_that_is_run_again_counts_once(tmp_path):
    """What an attempt has added that failed later is gone, in a batch query and in a streaming one."""
    command = [sys.executable, str(PROGRAM), "retried", str(tmp_path / "checkpoint"), str(tmp_path / "failed")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    lines = [line for line in done.stdout.splitlines() if line.startswith(("batch", "streaming"))]
    counted = "True [('closed', 2), ('mapped', 100), ('opened', 2)] {'map.mapped': 100}"
    assert lines == [f"batch {counted}", f"streaming {counted}"], done.stderr[-3000:]
    # The objects of the attempts that failed are closed as well, each once.
    opened, closed = (
        {file.suffix for file in tmp_path.glob(f"failed.batch.{what}.*")} for what in ("opened", "closed")
    )
    assert opened == closed
    assert len(opened) == 3
    assert len(list(tmp_path.glob("failed.streaming.closed.*"))) >= 3


@pytest.fixture
def start(on_spark, spark_session, tmp_path):
    """Starts a program of 10 batches of 10 elements, on one checkpoint."""

    def make(on_batch=None):
        env = on_spark()
        mapped = env.from_collection(range(100)).rebalance().map(Counting()).name("map")
        mapped.key_by(lambda value: value % 7).process(Sums()).sink_to(DiscardingSink())
        job = env._plan(env._program.sinks())
        settings = StreamSettings(splits_per_batch=1, elements_per_split=10)
        kept = Checkpoint(LocalFolder(tmp_path / "checkpoint"), job, 2)
        shipped = ShippedJob.of(job, f"run{time.monotonic_ns()}", kept.partitions)
        return StreamRun(spark_session, job, shipped, kept, settings, on_batch)

    return make


@pytest.mark.slow
@pytest.mark.spark
def test_a_job_that_starts_again_goes_on_counting(start, tmp_path):
    """From its last committed batch; one whose totals were written and that was not committed counts once."""
    seen = {}

    def fail_before_commit(batch):
        seen[batch] = run.totals.accumulator_results()
        if batch == 3:
            msg = "between the totals and Spark's commit"
            raise OSError(msg)

    run = start(fail_before_commit)
    with pytest.raises(JobExecutionError, match="between the totals"):
        run.wait()
    assert [seen[batch]["mapped"] for batch in range(4)] == [10 * 1001 * (batch + 1) for batch in range(4)]
    assert seen[1]["opened"] == 2
    assert (tmp_path / "checkpoint" / "totals.3.pickle").exists()
    assert not (tmp_path / "checkpoint" / "spark" / "commits" / "3").exists()
    totals = start().wait()
    expected = {"opened": 2, "mapped": 100 * 1001, "digits": {0: 50, 1: 50}, "closed": 2}
    assert totals.accumulator_results() == expected
    assert sum(values.get("mapped", 0) for values in totals.metrics.values()) == 100
    assert len(list((tmp_path / "checkpoint").glob("totals.*"))) == 2


@pytest.mark.spark
def test_accumulators_can_be_read_while_a_streaming_query_runs(on_spark, spark_session):
    """Behind each batch; the client goes on giving them when the job was cancelled."""
    rate = spark_session.readStream.format("rate").option("rowsPerSecond", 50).load()
    env = on_spark({"pipeline.auto-watermark-interval": "0"})
    env.from_dataframe(rate).map(Counting()).name("map").sink_to(DiscardingSink())
    client = env.execute_async("rate")
    try:
        deadline = time.monotonic() + 60
        while client.get_accumulators().result().get("mapped", 0) < 20:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        read = client.get_accumulators().result()
        assert read["opened"] == 1
        assert client.get_metrics().result()["map.mapped"] >= read["mapped"]
    finally:
        client.cancel().result()
    assert client.get_accumulators().result()["mapped"] >= read["mapped"]
