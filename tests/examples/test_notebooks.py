"""The notebooks of examples/ run in a kernel, and what Windrow shows there can be interrupted."""

import nbformat
import pytest

from tests.examples.notebooks import EXAMPLES, executed, kernel, outputs

ENDLESS = """
import time
from windrow.common import WatermarkStrategy
from windrow.datastream.connectors.datagen import DataGeneratorSource
numbers = env.from_source(DataGeneratorSource(lambda number: number), WatermarkStrategy.no_watermarks(), "numbers")
def slow(number):
    if number == 1:
        print("seen 1")
    time.sleep(0.001)
    return number
stream = numbers.map(slow)
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


def test_windows_in_sql(tmp_path):
    """The notebook asks two road sensors with each of SQL's windows, and its results are those of the data."""
    notebook = executed("windows_in_sql.ipynb", tmp_path)
    shown, printed = outputs(notebook, "text/plain"), "".join(outputs(notebook, "stdout"))
    for row in ("6005  2015-08-31        23  81.0", "t4013 2015-09-08 10:44:00 2015-09-09 04:46:00       111"):
        assert [each for each in shown if row in each], row
    assert "'t4013 from Wednesday 07:30: 45.0'" in shown[-1]
    assert printed.count("| +U |") == 5
    assert "SELECT sensor, sped FROM speeds\n                 ^" in printed


def test_an_interrupted_cell_leaves_no_job(tmp_path):
    """A stream without end that is looked at is interrupted as any cell, and its job is over."""
    with kernel(tmp_path) as cells:
        cells.run(
            "import threading\n"
            "from windrow.datastream import StreamExecutionEnvironment\n"
            f"env = StreamExecutionEnvironment.create_local_environment(1)\n{ENDLESS}"
        )
        assert cells.interrupted("stream.take(10**9, seconds=600)", "seen 1") == "KeyboardInterrupt"
        jobs = 'print([each for each in threading.enumerate() if "windrow-Flink" in each.name and each.is_alive()])'
        assert cells.run(jobs) == "[]\n"
        # What is said of a stream without end goes to standard error, which may come before or behind.
        assert "[0, 1]\n" in cells.run("print(numbers.take(2, seconds=60))")


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
