"""The notebooks of examples/ run in a kernel, and what Windrow shows there can be interrupted."""

import re

import nbformat
import pytest

from tests.examples.notebooks import EXAMPLES, executed, kernel, outputs

ENDLESS = """
from windrow.common import WatermarkStrategy
from windrow.datastream.connectors.datagen import DataGeneratorSource, RateLimiterStrategy
slow = DataGeneratorSource(lambda number: number, rate_limiter_strategy=RateLimiterStrategy.per_second(2))
stream = env.from_source(slow, WatermarkStrategy.no_watermarks(), "slow").map(lambda n: print("seen", n) or n)
"""


def test_windows_and_lateness(tmp_path):
    """The notebook draws its windows, shows tables and graphs, and executes its program."""
    notebook = executed("windows_and_lateness.ipynb", tmp_path)
    assert len(outputs(notebook, "image/svg+xml")) == 4
    assert "nothing to execute yet" in outputs(notebook, "text/html")[0]
    printed = "".join(outputs(notebook, "stdout"))
    assert "10 elements\n" in printed
    assert "(harbour,10,10)" in printed  # the first session
    assert "Job finished" in outputs(notebook, "text/html")[-1]


def test_joins(tmp_path):
    """The notebook joins two streams in three ways."""
    notebook = executed("joins.ipynb", tmp_path)
    assert len(outputs(notebook, "image/svg+xml")) == 2
    assert "payment 3" in outputs(notebook, "text/html")[0]


def test_an_interrupted_cell_leaves_no_job(tmp_path):
    """A stream without end that is looked at is interrupted as any cell, and its job is over."""
    with kernel(tmp_path) as cells:
        cells.run(
            "import threading\n"
            "from windrow.datastream import StreamExecutionEnvironment\n"
            f"env = StreamExecutionEnvironment.create_local_environment(1)\n{ENDLESS}"
        )
        before = cells.run("print(threading.active_count())")
        assert cells.interrupted("stream.take(10**9, seconds=600)", "seen 1") == "KeyboardInterrupt"
        assert cells.run("print(threading.active_count())") == before
        assert cells.run("print(stream.take(2, seconds=60))").endswith("[0, 1]\n")


@pytest.mark.spark
def test_an_interrupted_cell_leaves_no_query(tmp_path):
    """On Spark the query is stopped, and the session stays."""
    with kernel(tmp_path) as cells:
        cells.run(
            "from windrow.datastream import StreamExecutionEnvironment\n"
            f"env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)\n{ENDLESS}"
        )
        assert cells.interrupted("stream.take(10**9, seconds=600)", "seen 1") == "KeyboardInterrupt"
        active = "from pyspark.sql import SparkSession\nprint(SparkSession.getActiveSession().streams.active)"
        assert cells.run(active) == "[]\n"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.name)
def test_notebooks_are_stored_without_outputs(path):
    """What a notebook shows is seen where it is run; stored, it would be out of date."""
    cells = nbformat.read(path, as_version=4).cells
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
    assert not [cell for cell in cells if re.search(r"/work|/tmp", cell.source)]
