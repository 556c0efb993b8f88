"""A job that reads from a broker, stopped with a savepoint and started again from it."""

from collections import Counter

import pytest

from tests.connectors.kafka.building import builder
from tests.runtime.sources.test_programs import count_windows, wait_for
from windrow.common import Configuration, JobStatus
from windrow.datastream import StreamExecutionEnvironment

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")

PARTITIONS = 2
#: Milliseconds between records; windows are of 100.
STEP = 10


@pytest.mark.spark
def test_counts_are_exact_across_savepoints(broker, spark_session, tmp_path):
    """Stopped in the middle of windows and partitions, it goes on in another directory; drained, all windows fire.

    What is written while no job runs is read, too.
    """
    topic, savepoints = broker.topic(PARTITIONS), str(tmp_path / "savepoints")
    write(broker, topic, 0, 1000)
    client, first = start(broker, topic, spark_session, tmp_path / "first")
    wait_for(lambda: first.values)
    savepoint = client.stop_with_savepoint(False, savepoints).result()
    assert client.get_job_status().result() is JobStatus.FINISHED
    assert 0 < sum(count for _, _, count in first.values) < PARTITIONS * 1000
    (tmp_path / "first").rename(tmp_path / "gone")
    write(broker, topic, 1000, 1505)
    client, second = start(broker, topic, spark_session, tmp_path / "second", savepoint)
    wait_for(lambda: client.get_metrics().result().get("Source: scripted.num_records_in") == PARTITIONS * 1505)
    client.stop_with_savepoint(True, savepoints).result()
    assert client.get_job_status().result() is JobStatus.FINISHED
    windows = Counter(at * STEP // 100 * 100 for at in range(1, 1506))
    expected = [(f"{partition}", at, count) for partition in range(PARTITIONS) for at, count in windows.items()]
    assert sorted(first.values + second.values) == expected


def write(broker, topic, start, stop):
    """Records with these numbers for each partition; a timestamp of 0 would be the broker's own time."""
    for partition in range(PARTITIONS):
        times = [(number + 1) * STEP for number in range(start, stop)]
        broker.produce(topic, partition, [b"%d" % partition] * (stop - start), times)


def start(broker, topic, spark_session, checkpoint, savepoint=None):
    """The job, which counts each partition's records by window, in many small batches; what it shows."""
    settings = {"windrow.runtime": "spark", "windrow.source.records-per-batch": "200"}
    settings["execution.checkpointing.dir"] = str(checkpoint)
    if savepoint is not None:
        settings["execution.savepoint.path"] = savepoint
    configuration = Configuration.from_dict(settings)
    env = StreamExecutionEnvironment.get_execution_environment(configuration, spark_session).set_parallelism(2)
    shown = count_windows(env, builder(broker.servers, topic, max_poll_records="100").build())
    return env.execute_async(), shown
