"""What the doctor says of what Spark needs."""

import pytest

from windrow.doctor import spark
from windrow.doctor.finding import State


def test_a_sound_machine():
    """Where tests run, Spark starts."""
    assert {check().state for check in (spark.java, spark.spark_home, spark.worker_python)} == {State.OK}


@pytest.mark.parametrize(
    ("variable", "check", "words"),
    [
        ("JAVA_HOME", spark.java, "Spark needs Java 17 or newer, and none was found: JAVA_HOME is '/nowhere'"),
        ("SPARK_HOME", spark.spark_home, "SPARK_HOME is '/nowhere', and there is no bin/spark-submit in it"),
        ("PYSPARK_PYTHON", spark.worker_python, "PYSPARK_PYTHON is '/nowhere', and there is no such program"),
    ],
)
def test_a_variable_that_leads_nowhere(monkeypatch, variable, check, words):
    """The same words as when a job starts."""
    monkeypatch.setenv(variable, "/nowhere")
    finding = check()
    assert finding.state is State.FAIL
    assert finding.text.startswith(words)


def test_variables_that_are_set_are_told(monkeypatch):
    """Those that decide about Spark; one with a value that cannot be is missed."""
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--master local pyspark-shell")
    monkeypatch.setenv("WINDROW_RUNTIME", "local")
    assert [(finding.state, finding.what) for finding in spark.variables()] == [
        (State.OK, "WINDROW_RUNTIME"),
        (State.OK, "PYSPARK_SUBMIT_ARGS"),
    ]
    monkeypatch.setenv("WINDROW_RUNTIME", "flink")
    assert spark.variables()[0].text == "it is 'flink', and must be 'spark' or 'local'"


@pytest.mark.spark
def test_a_small_job_is_run(spark_session):
    """On the active session, or on one that is started."""
    finding = spark.small_job()
    assert finding.state is State.OK
    assert finding.text.startswith("Spark has started and run one, in ")
