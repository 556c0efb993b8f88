"""How errors get from workers to the program."""

import logging

import pytest

from windrow.common import Types, WatermarkStrategy
from windrow.datastream import ProcessWindowFunction
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.errors import (
    CheckpointError,
    JobExecutionError,
    MalformedInputError,
    MissingTimestampError,
    UnhashableKeyError,
    UserFunctionError,
)
from windrow.runtime.spark import failures
from windrow.runtime.spark.failures import (
    ShippedError,
    error_of,
    keep_callback_failures_quiet,
    shipping_errors,
    was_interrupted,
)

JAVA = "\n\tat org.apache.spark.Some.method(Some.scala:1)\n\tat java.base/java.lang.Thread.run(Thread.java:1)"
ERRORS = [
    UserFunctionError("my operator", "5", "Traceback\nValueError: <no> 'good'\n"),
    MissingTimestampError("window", ("a", 1)),
    UnhashableKeyError("key_by", ["a"]),
    MalformedInputError("readings", "a.csv", "x;y", line_number=3, reason="two fields"),
    CheckpointError("damaged"),
    UserFunctionError("my operator", "5", "ValueError: half a letter \udc80"),
    UserFunctionError("my operator", "5", "ValueError: <windrow-error:abc>"),
]
#: Where a user's function fails, and what its operator is called.
PLACES = {
    "map": "my operator",
    "key selector": "key_by after my operator",
    "reduce": "my operator",
    "window function": "my operator",
    "timestamp assigner": "my operator",
}


def failing(error):
    yield 1
    raise error


def as_spark_raises(error):
    """An error that a worker raises, as it comes out of Spark."""
    worker = shipping_errors(failing)(error)
    assert next(worker) == 1
    with pytest.raises(ShippedError) as raised:
        next(worker)
    return RuntimeError(f"[STREAM_FAILED] Query ended: Traceback (most recent call last):\n{raised.value}{JAVA}")


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_comes_back_as_it_was(error):
    """Its class, its text and its fields, out of the middle of Spark's message."""
    back = error_of(as_spark_raises(error))
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert vars(back) == vars(error)


def test_errors_that_are_not_ours_pass_as_they_are():
    """Only our own errors are marked in a worker."""
    worker = shipping_errors(failing)(KeyError("theirs"))
    next(worker)
    with pytest.raises(KeyError, match="theirs"):
        next(worker)


def test_another_error_of_spark_comes_without_the_java_stack(monkeypatch):
    """Its message stays, and says how to see the rest."""
    monkeypatch.setattr(failures, "keep_log", lambda: "Spark's log: /tmp/log")
    error = error_of(RuntimeError("Path does not exist" + JAVA))
    assert isinstance(error, JobExecutionError)
    assert str(error) == (
        "Spark: Path does not exist\n(Spark's log: /tmp/log; set WINDROW_JAVA_STACK=1 to see the Java stack)"
    )


def test_workers_without_windrow_are_told_as_such(monkeypatch):
    """What to do stands there, and not where Python looked; a function's own import that fails is another matter."""
    monkeypatch.setattr(failures, "keep_log", lambda: "Spark's log: /tmp/log")
    error = RuntimeError("Traceback (most recent call last):\nModuleNotFoundError: No module named 'windrow'\n")
    said = str(failures.error_of(error))
    assert said.startswith("a Python that Spark has started has no Windrow: a worker's, or the one that plans")
    assert said.endswith("\n(Spark's log: /tmp/log; set WINDROW_JAVA_STACK=1 to see the Java stack)")
    assert "windrow package" in said
    assert "No module" in str(failures.error_of(RuntimeError("No module named 'windrow.nothing'")))


def test_what_says_nothing_is_left_out():
    """Names of Java's classes, forewords, what was said before, and the dump of the query."""
    text = (
        "[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception: Job aborted: no space left\n"
        "=== Streaming Query ===\nLogical Plan:\nProject [a#1]"
    )
    assert str(error_of(RuntimeError(text))).splitlines()[0] == "Spark: Job aborted: no space left"
    text = (
        "An error occurred while calling o1.getResult.\n: org.apache.spark.SparkException: Exception thrown in "
        "awaitResult: \n\tat py4j.Gateway.invoke(Gateway.java:282)\nCaused by: java.io.IOException: no space left\n"
        "\t... 24 more\n\nDriver stacktrace:\nCaused by: java.io.IOException: no space left\n"
    )
    assert str(error_of(RuntimeError(text))).splitlines()[:-1] == ["Spark: no space left"]


def test_an_interrupt_is_seen_behind_what_it_has_made():
    """PySpark's error for the jobs that it has cancelled stands before it."""
    ours = RuntimeError("[SPARK_JOB_CANCELLED] Job 0 cancelled as part of cancellation of all jobs")
    assert not was_interrupted(ours)
    ours.__context__ = ValueError("between")
    assert not was_interrupted(ours)
    ours.__context__.__context__ = KeyboardInterrupt()
    assert was_interrupted(ours)


def test_an_error_of_ours_on_the_driver_stays():
    """It never was in a worker."""
    error = CheckpointError("damaged")
    assert error_of(error) is error


def test_the_java_stack_is_there_if_it_is_asked_for(monkeypatch):
    """With WINDROW_JAVA_STACK Spark's own error is raised."""
    monkeypatch.setenv("WINDROW_JAVA_STACK", "1")
    error = as_spark_raises(ERRORS[0])
    assert error_of(error) is error


def test_py4j_does_not_log_failed_batches(caplog):
    """Nor print them, where nobody has set up logging; other messages of it still come."""
    keep_callback_failures_quiet()
    log = logging.getLogger("py4j.clientserver")
    log.warning("There was an exception while executing the Python Proxy on the Python Side.")
    log.warning("something else")
    assert [record.getMessage() for record in caplog.records] == ["something else"]


def add_failing_operator(env, place):
    """A program one of whose functions raises for the element with 3; elements have long texts."""

    def broken(number):
        return {}[number] if number == 3 else number

    class Broken(ProcessWindowFunction):
        def process(self, key, context, elements):
            yield broken(max(number for _, number in elements))

    text = "x" * 1000
    stream = env.from_collection([(text, number) for number in range(4)])
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda element, _: element[1])
    if place == "map":
        stream.map(lambda element: broken(element[1])).name("my operator").print()
    elif place == "key selector":
        stream.map(lambda element: element).name("my operator").key_by(lambda element: broken(element[1])).sum(
            1
        ).print()
    elif place == "reduce":
        keyed = stream.key_by(lambda element: element[0])
        keyed.reduce(lambda one, two: (text, broken(two[1]))).name("my operator").print()
    elif place == "window function":
        keyed = stream.assign_timestamps_and_watermarks(times).key_by(lambda element: element[0])
        windows = keyed.window(TumblingEventTimeWindows.of(10))
        windows.process(Broken(), Types.INT()).name("my operator").print()
    else:
        assigner = WatermarkStrategy.no_watermarks().with_timestamp_assigner(lambda element, _: broken(element[1]))
        stream.assign_timestamps_and_watermarks(assigner).name("my operator").print()


@pytest.mark.spark
@pytest.mark.parametrize("query", ["batch", "streaming"])
@pytest.mark.parametrize("place", PLACES)
def test_a_failing_function_is_told_as_the_user_would_tell_it(on_spark, tmp_path, capfd, caplog, place, query):
    """The user's traceback first, then operator and element; nothing of Java, and nothing on the screen."""
    env = on_spark({"execution.checkpointing.dir": str(tmp_path / "checkpoint")} if query == "streaming" else {})
    add_failing_operator(env, place)
    with pytest.raises(UserFunctionError) as raised:
        env.execute()
    error = raised.value
    lines = str(error).splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert __file__ in lines[1]
    assert "KeyError: 3" in error.user_traceback
    assert "in broken" in error.user_traceback
    assert error.operator == PLACES[place]
    assert lines[-1] == f"in operator {PLACES[place]!r} on element {error.element}"
    assert len(error.element) <= 200
    for foreign in ("java", "py4j", "pyspark", "windrow/", "Spark"):
        assert foreign not in str(error).replace(__file__, "")
    assert error.__cause__ is None
    assert error.__suppress_context__
    assert capfd.readouterr().err == ""
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.spark
def test_sparks_own_error_is_raised_if_it_is_asked_for(on_spark, monkeypatch):
    """With WINDROW_JAVA_STACK what Spark says comes through, the user's error in the middle of it."""
    from pyspark.errors import PySparkException

    env = on_spark()
    add_failing_operator(env, "map")
    monkeypatch.setenv("WINDROW_JAVA_STACK", "1")
    with pytest.raises(PySparkException, match="KeyError: 3"):
        env.execute()
