"""What a query writes to a table of Delta is there once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.maven_artifacts import UnavailableError
from tests.connectors.delta.spark_with_delta import spark_with_delta
from tests.required import cannot_be_had
from windrow.datastream.connectors.delta import DeltaSink
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError

ROOT = Path(__file__).parents[3]


@pytest.mark.spark
@pytest.mark.slow
def test_a_batch_that_is_run_again_is_there_once(tmp_path):
    """The last commit of the checkpoint is gone: Spark gives that batch again, and Delta has its rows already."""
    try:
        delta = spark_with_delta()
    except UnavailableError as error:
        cannot_be_had("DELTA", f"no Delta Lake: {error}")
    jars = ",".join(map(str, sorted(delta.jars.glob("*.jar"))))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(delta.python), str(ROOT)]),
        "SPARK_HOME": str(delta.python / "pyspark"),
        "PYSPARK_PYTHON": sys.executable,
    }
    command = [sys.executable, "-m", "tests.connectors.delta.programs", str(tmp_path), jars]
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=400, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    assert (said["first"], said["again"]) == ([0, 1, 2], [2])
    numbers = range(30)
    assert said["pairs"] == sorted([number % 3, number] for number in numbers)
    assert said["totals"] == sorted([number % 3, sum(range(number % 3, number + 1, 3))] for number in numbers)


class Writer:
    """What Spark's writer was told."""

    def __init__(self):
        self.told = []

    def __getattr__(self, name):
        def tell(*arguments, **named):
            self.told.append((name, *arguments, *named.items()))
            return self

        return tell


class Batch:
    """A DataFrame in a thread of a query."""

    def __init__(self, query="q", run="r"):
        self.properties = {"sql.streaming.queryId": query, "spark.jobGroup.id": run}
        self.write = Writer()
        self.computed = 0

    def localCheckpoint(self):
        self.computed += 1
        return self

    @property
    def sparkSession(self):
        return self

    @property
    def sparkContext(self):
        return self

    def getLocalProperty(self, name):
        return self.properties[name]


def test_a_batch_is_written_with_the_number_that_delta_keeps():
    """The application is the query of the checkpoint, so that a new one, which counts from 0, is another."""
    batch = Batch(query="q-1")
    sink = DeltaSink.for_path("/t1").with_name("a").with_partition_columns("x", "y").with_merge_schema(True)
    sink.with_option("userMetadata", "m").build()(batch, 7)
    assert batch.write.told == [
        ("format", "delta"),
        ("mode", "append"),
        ("options", ("mergeSchema", "true"), ("userMetadata", "m")),
        ("option", "txnAppId", "q-1 a path /t1"),
        ("option", "txnVersion", 7),
        ("partitionBy", "x", "y"),
        ("save", "/t1"),
    ]


def test_a_table_has_a_name_or_a_place():
    """As Spark's catalog knows it."""
    batch = Batch()
    sink = DeltaSink.for_table("lake.sums").build()
    sink(batch, 0)
    assert batch.write.told[-1] == ("saveAsTable", "lake.sums")
    assert repr(sink) == "DeltaSink('lake.sums')"
    with pytest.raises(ConfigurationTypeError, match="path"):
        DeltaSink.for_path(Path("/t"))


def test_two_parts_of_a_batch_need_names():
    """Delta would take the second part for the first one, again, and drop it; the query that goes on is another run."""
    one, other = DeltaSink.for_path("/t2").build(), DeltaSink.for_path("/t2").build()
    one(Batch(), 0)
    with pytest.raises(UsageError, match=r"DeltaSink\('/t2'\) writes to batch 0 twice, .* with_name"):
        other(Batch(), 0)
    DeltaSink.for_path("/t2").with_name("other").build()(Batch(), 0)
    one(Batch(run="r2"), 0)
    one(Batch(run="r2"), 1)


def test_one_table_in_two_spellings_is_written_by_two():
    """Delta knows that it is one, and the sinks do not: none of their rows is taken for the other's, again."""
    batch = Batch(query="q")
    for builder in (
        DeltaSink.for_path("/lake/t5"),
        DeltaSink.for_path("/lake/t5/"),
        DeltaSink.for_table("lake.t5"),
        DeltaSink.for_table("Lake.T5"),
        DeltaSink.for_path("lake.t5"),
    ):
        builder.build()(batch, 0)
    applications = [told[2] for told in batch.write.told if told[:2] == ("option", "txnAppId")]
    assert len(set(applications)) == len(applications) == 5


def test_queries_that_write_to_one_table_know_nothing_of_each_other():
    """Neither hides the other's second sink without a name, nor has it compute its batches first."""
    one, other = DeltaSink.for_path("/t6").build(), DeltaSink.for_path("/t6").build()
    one(Batch(query="a", run="run a"), 3)
    one(Batch(query="b", run="run b"), 0)
    with pytest.raises(UsageError, match="writes to batch 3 twice"):
        other(Batch(query="a", run="run a"), 3)
    later = [Batch(query="a", run="run a"), Batch(query="b", run="run b")]
    for number, batch in enumerate(later, 4):
        one(batch, number)
    assert [batch.computed for batch in later] == [0, 0]


def test_what_has_failed_can_be_tried_again(monkeypatch):
    """It may be there all the same, so it is computed first."""
    sink = DeltaSink.for_path("/t7").build()
    sink(Batch(), 4)
    batch = Batch()
    monkeypatch.setattr(Writer, "save", fail, raising=False)
    with pytest.raises(OSError, match="no space"):
        sink(batch, 5)
    monkeypatch.undo()
    sink(batch, 5)
    assert batch.computed == 1
    assert batch.write.told[-1] == ("save", "/t7")


def fail(*_):
    msg = "no space"
    raise OSError(msg)


@pytest.mark.parametrize("key", ["txnVersion", "txnappid"])
def test_which_batch_it_is_the_sink_says(key):
    """Another number of it would let rows be there twice, or never."""
    with pytest.raises(ConfigurationError, match=f"key of with_option is '{key}', which the sink sets"):
        DeltaSink.for_path("/t8").with_option(key, "1")


def test_a_text_is_no_yes_or_no():
    """Else "false" would be a yes."""
    with pytest.raises(ConfigurationTypeError, match="merge_schema of with_merge_schema must be an object of bool"):
        DeltaSink.for_path("/t8").with_merge_schema("false")


def test_what_may_be_there_is_computed_first():
    """Delta does not look at rows that it drops, and Spark wants state stored: in the first batch of each run."""
    sink = DeltaSink.for_path("/t4").build()
    batches = [Batch(run="r1"), Batch(run="r1"), Batch(run="r2"), Batch(run="r2")]
    for number, batch in zip([4, 5, 5, 6], batches, strict=True):
        sink(batch, number)
    assert [batch.computed for batch in batches] == [1, 0, 1, 0]


def test_it_is_a_function_of_a_query():
    """Elsewhere nobody says which batch it is."""
    with pytest.raises(UsageError, match="was called outside of foreachBatch"):
        DeltaSink.for_path("/t3").build()(Batch(query=None), 0)
