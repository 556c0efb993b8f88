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

from tests.runtime.spark.expected import commits, lines_in

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")

PROGRAM = Path(__file__).with_name("programs.py")
KILLS = 2
SECONDS = 300


@pytest.mark.slow
@pytest.mark.spark
def test_a_job_that_is_killed_counts_every_record_once(broker, tmp_path):
    """Kill -9 in the middle of batches and a new start on the checkpoint give the counts of an uninterrupted run."""
    seed = int(os.environ.get("WINDROW_KILL_SEED", random.randrange(10**6)))
    print(f"WINDROW_KILL_SEED={seed}")
    moments = random.Random(seed)
    topic, expected = records(broker)
    arguments = [broker.servers, topic, str(tmp_path / "checkpoint"), str(tmp_path / "out")]
    for _ in range(KILLS):
        process = start(arguments, tmp_path)
        committed = len(commits(tmp_path / "checkpoint"))
        wait_for(lambda before=committed: len(commits(tmp_path / "checkpoint")) > before + 1, process)
        time.sleep(moments.uniform(0, 1))
        assert process.poll() is None, "the job was over before it was killed"
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    process = start(arguments, tmp_path)
    assert process.wait(timeout=SECONDS) == 0, (tmp_path / "log").read_text()[-4000:]
    assert sorted(lines_in(tmp_path / "out")) == sorted(expected)


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


def start(arguments, folder):
    with (folder / "log").open("a") as log:
        return subprocess.Popen(
            [sys.executable, str(PROGRAM), *arguments], stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )


def wait_for(condition, process):
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert process.poll() is None, "the job was over before it was killed"
        assert time.monotonic() < deadline, "the job makes no progress"
        time.sleep(0.05)
