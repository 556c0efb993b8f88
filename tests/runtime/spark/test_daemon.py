"""Spark's daemon of Python workers."""

import subprocess
import sys

import pytest

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
