"""A job that reads from a broker, killed and started again."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.connectors.kafka.building import numbers
from tests.runtime.spark.expected import commits, lines_in

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")

PROGRAM = Path(__file__).with_name("programs.py")
TRANSACTIONAL = Path(__file__).with_name("transactional_programs.py")
KILLS = 2
#: In each partition: batches of a hundred.
RECORDS = 1500
SECONDS = 300


@pytest.mark.slow
@pytest.mark.spark
def test_a_job_that_is_killed_counts_every_record_once(broker, tmp_path):
    """Kill -9 in the middle of batches and a new start on the checkpoint give the counts of an uninterrupted run."""
    moments = drawn_moments()
    topic, expected = records(broker)
    arguments = [PROGRAM, broker.servers, topic, tmp_path / "checkpoint", tmp_path / "out"]
    for _ in range(KILLS):
        kill_in_a_batch(arguments, tmp_path, moments)
    assert finish(arguments, tmp_path) == 0, (tmp_path / "log").read_text()[-4000:]
    assert sorted(lines_in(tmp_path / "out")) == sorted(expected)


@pytest.mark.slow
@pytest.mark.spark
def test_a_job_that_is_killed_writes_every_record_once(own_broker, tmp_path):
    """Killed where Kafka has committed and Spark has not, then in a batch, and the broker behind it."""
    moments = drawn_moments()
    read, written = own_broker.topic(partitions=2), own_broker.topic(partitions=2)
    for partition in (0, 1):
        own_broker.produce(read, partition, numbers(partition * RECORDS, partition * RECORDS + RECORDS))
    arguments = [TRANSACTIONAL, own_broker.servers, read, written, tmp_path / "checkpoint"]
    dies_in = moments.randrange(3)
    assert finish(arguments, tmp_path, dies_in) == -signal.SIGKILL, (tmp_path / "log").read_text()[-4000:]
    assert len(commits(tmp_path / "checkpoint")) == dies_in
    kill_in_a_batch(arguments, tmp_path, moments)
    process = start(arguments, tmp_path)
    committed = len(commits(tmp_path / "checkpoint"))
    wait_for(lambda: len(commits(tmp_path / "checkpoint")) > committed, process)
    time.sleep(moments.uniform(0, 1))
    assert process.poll() is None, "the job was over before its broker was killed"
    own_broker.kill()
    own_broker.start()
    assert process.wait(timeout=SECONDS) == 0, (tmp_path / "log").read_text()[-4000:]
    found = own_broker.read(written, 2, 2 * RECORDS, **{"isolation.level": "read_committed"})
    assert sorted(int(message.value()) for message in found) == list(range(2 * RECORDS))


def drawn_moments():
    """Draws when to kill; the seed is printed."""
    seed = int(os.environ.get("WINDROW_KILL_SEED", random.randrange(10**6)))
    print(f"WINDROW_KILL_SEED={seed}")
    return random.Random(seed)


def kill_in_a_batch(arguments, folder, moments):
    """Run the program until it has committed two batches, and a bit longer."""
    process = start(arguments, folder)
    committed = len(commits(folder / "checkpoint"))
    wait_for(lambda: len(commits(folder / "checkpoint")) > committed + 1, process)
    time.sleep(moments.uniform(0, 1))
    assert process.poll() is None, "the job was over before it was killed"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def finish(arguments, folder, dies_in=-1):
    """Run the program to its end; its exit code."""
    return start(arguments, folder, dies_in).wait(timeout=SECONDS)


def records(broker):
    """Three partitions, the second with a tenth of the records; their topic, and the lines that come of them."""
    topic = broker.topic(partitions=3)
    found = Counter()
    for partition, count in enumerate((5000, 500, 5000)):
        values = [f"{partition}{place % 7}" for place in range(count)]
        times = [1000 + place * 10_000 // count for place in range(count)]
        broker.produce(topic, partition, [value.encode() for value in values], times)
        found.update((value, at // 1000 * 1000) for value, at in zip(values, times, strict=True))
    return topic, [f"{value} {start} {count}" for (value, start), count in found.items()]


def start(arguments, folder, dies_in=-1):
    with (folder / "log").open("a") as log:
        return subprocess.Popen(
            [sys.executable, *map(str, arguments)],
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, "WINDROW_DIES_IN": str(dies_in)},
        )


def wait_for(condition, process):
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert process.poll() is None, "the job was over before it was killed"
        assert time.monotonic() < deadline, "the job makes no progress"
        time.sleep(0.05)
