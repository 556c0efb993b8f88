"""Spark's daemon of Python workers."""

import gc
import subprocess
import sys

import pytest

from windrow.runtime.spark.daemon import RarelyCollected

LISTED = "import sys; from windrow.runtime.spark import daemon; daemon.preload(sys.argv[1]); print(*sys.modules)"


@pytest.mark.parametrize(
    ("kind", "needed", "left_out"),
    [
        ("pyspark.worker", "windrow.runtime.spark.level_work", "pyspark.sql.worker.plan_data_source_read"),
        ("pyspark.sql.worker.plan_data_source_read", "windrow.runtime.spark.job_source", "pandas"),
    ],
)
def test_a_daemon_imports_what_its_kind_of_workers_needs(kind, needed, left_out):
    """The workers' own module, ours behind it, and nothing that only other kinds need."""
    done = subprocess.run([sys.executable, "-c", LISTED, kind], capture_output=True, text=True, check=True)
    modules = done.stdout.split()
    assert kind in modules
    assert needed in modules
    assert left_out not in modules


def test_garbage_is_collected_rarely_where_that_takes_long():
    """What a worker keeps is looked through again when 50 times as long as that took has passed."""
    now, collected = [100.0], []

    def collect():
        collected.append(now[0])
        now[0] += 0.2
        return 7

    rarely = RarelyCollected(collect, lambda: now[0])
    assert [rarely.collect(), rarely.collect()] == [7, 0]
    now[0] += 9.9
    assert rarely.collect() == 0
    now[0] += 0.2
    assert rarely.collect() == 7
    assert len(collected) == 2
    assert rarely.get_threshold() == gc.get_threshold()
