"""What the runtimes and their environment say when something is wrong."""

import ctypes
import os
import signal
import subprocess
import sys
import threading

import pytest

from tests.trials.trial import Trial, play, rows
from windrow.common import Configuration
from windrow.datastream import MapFunction, StreamExecutionEnvironment
from windrow.errors import JobExecutionError, UsageError, UserFunctionError

LOCK = threading.Lock()


class Client:
    """What somebody else's library gives."""

    def __init__(self):
        self.lock = threading.Lock()


class Asks(MapFunction):
    """A function that has its client before it is opened."""

    def __init__(self):
        self.client = Client()

    def map(self, value):
        return value


class HasLockError(Exception):
    """An error that cannot be pickled."""

    def __init__(self):
        super().__init__(threading.Lock())
        self.lock = threading.Lock()

    def __str__(self):
        return "the server hung up"


def _holds_a_lock(env, folder):
    lock = threading.Lock()
    return env.from_collection([1]).map(lambda value: (lock, value)[1]).name("locks").execute_and_collect(limit=1)


def _has_a_client(env, folder):
    return env.from_collection([1]).map(Asks()).name("asks").execute_and_collect(limit=1)


def _sees_a_session(env, folder):
    spark = env._spark_session
    numbers = spark.range(3)
    return env.from_collection([1]).map(lambda value: numbers.count()).execute_and_collect(limit=1)


def _raises_what_cannot_be_pickled(env, folder):
    def ask(value):
        raise HasLockError

    return env.from_collection([1]).map(ask).name("ask").execute_and_collect(limit=1)


def _raises_in_a_sink(env, folder):
    env.from_collection([0]).add_sink(lambda value: 1 / value)
    env.execute()


def _ends_its_process(env, folder):
    function = lambda value: os._exit(3) if value == 5 else value  # noqa: E731
    numbers = env.from_collection(range(10)).key_by(lambda value: value % 2)
    return list(numbers.map(function).name("exits").map(str).name("to text").execute_and_collect())


def _is_killed(env, folder):
    env = with_checkpoint(env, folder)
    function = lambda value: os.kill(os.getpid(), signal.SIGKILL) if value == 5 else value  # noqa: E731
    return list(env.from_collection(range(10)).map(function).name("is killed").execute_and_collect())


def _crashes(env, folder):
    def crash(value):
        return ctypes.string_at(0)

    return env.from_collection([1]).map(crash).name("crashes").execute_and_collect(limit=1)


def _in_a_program_with(**variables):
    """What a program of its own says at its end: it starts Spark, if that can be started."""

    def run(env, folder):
        code = "from tests.trials.test_runtime_errors import start; start()"
        environment = {**os.environ, "TMPDIR": str(folder), **variables}
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        raise JobExecutionError(done.stderr.splitlines()[-1] if done.returncode == 1 else done.stdout)

    return run


def start():
    """Run a small job on a Spark of its own."""
    StreamExecutionEnvironment.get_execution_environment().from_collection([1]).execute_and_collect(limit=1)


def with_checkpoint(env, folder):
    """The environment for a streaming query on the same session."""
    configuration = Configuration.from_dict({"execution.checkpointing.dir": str(folder / "checkpoint")})
    return StreamExecutionEnvironment.get_execution_environment(configuration, env._spark_session).set_parallelism(2)


KILLED = (
    "Python worker exited unexpectedly (crashed): a process that ends like that was killed, mostly for its memory "
    "(kill -9), has called os._exit, or has crashed in native code"
)
TRIALS = [
    Trial(
        "a lock in a closure",
        _holds_a_lock,
        error=UsageError,
        says="operator 'locks' cannot go to Spark's workers: its closure variable 'lock' is a _thread.lock (cannot "
        "pickle '_thread.lock' object); create it in the function's open(), which runs in the worker, or where it is "
        "used",
        runtimes=["spark"],
    ),
    Trial("a lock in a closure, in this process", _holds_a_lock, gives=[1], runtimes=["local"]),
    Trial(
        "a client with a lock in a function object",
        _has_a_client,
        error=UsageError,
        says="operator 'asks' cannot go to Spark's workers: its self.client.lock is a _thread.lock (cannot pickle "
        "'_thread.lock' object); create it in the function's open(), which runs in the worker, or where it is used",
        runtimes=["spark"],
    ),
    Trial(
        "a DataFrame in a closure",
        _sees_a_session,
        error=UsageError,
        says="operator 'Map' cannot go to Spark's workers: its closure variable 'numbers' is a "
        "pyspark.sql.classic.dataframe.DataFrame, which lives in the program's own process only; collect what the "
        "function needs before the job starts, or make a stream of it with from_dataframe",
        runtimes=["spark"],
    ),
    Trial(
        "an exception that cannot be pickled",
        _raises_what_cannot_be_pickled,
        error=UserFunctionError,
        says="tests.trials.test_runtime_errors.HasLockError: the server hung up in operator 'ask' on element 1",
    ),
    Trial(
        "os._exit in a function of a batch query",
        _ends_its_process,
        error=JobExecutionError,
        says=f"the Python worker that ran subtask 1 of operators 'exits', 'to text' died: {KILLED}",
        runtimes=["spark"],
    ),
    Trial(
        "a worker of a streaming query that is killed",
        _is_killed,
        error=JobExecutionError,
        says="the Python worker that ran subtask 0 of operators 'Source: Collection Source', 'is killed' died: "
        f"{KILLED}",
        runtimes=["spark"],
    ),
    Trial(
        "a function that crashes in native code",
        _crashes,
        error=JobExecutionError,
        says="the Python worker that ran subtask 0 of operators 'Source: Collection Source', 'crashes' died: "
        "Fatal Python error: Segmentation fault",
        runtimes=["spark"],
    ),
    Trial(
        "JAVA_HOME without a Java",
        _in_a_program_with(JAVA_HOME="/nowhere"),
        error=JobExecutionError,
        says="windrow.errors.JobExecutionError: Spark needs Java 17 or newer, and none was found: JAVA_HOME is "
        "'/nowhere', and there is no program '/nowhere/bin/java'; install a Java 17 or 21 (Debian and Ubuntu: "
        "openjdk-17-jre-headless) or let JAVA_HOME name one; 'windrow doctor' checks all that is needed",
        runtimes=["local"],
    ),
    Trial(
        "PYSPARK_PYTHON that is not there",
        _in_a_program_with(PYSPARK_PYTHON="/nowhere/python3"),
        error=JobExecutionError,
        says="windrow.errors.JobExecutionError: PYSPARK_PYTHON is '/nowhere/python3', and there is no such program; "
        f"let PYSPARK_PYTHON name this program's own Python ({sys.executable}), or leave it unset",
        runtimes=["local"],
    ),
    Trial(
        "SPARK_HOME without a Spark",
        _in_a_program_with(SPARK_HOME="/nowhere"),
        error=JobExecutionError,
        says="windrow.errors.JobExecutionError: SPARK_HOME is '/nowhere', and there is no bin/spark-submit in it; "
        "unset SPARK_HOME, and the Spark that came with PySpark is started",
        runtimes=["local"],
    ),
    Trial(
        "a sink without a name that raises",
        _raises_in_a_sink,
        error=UserFunctionError,
        says="ZeroDivisionError: division by zero in operator 'Sink: Unnamed' on element 0",
    ),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_what_the_runtime_says(trial, env, tmp_path):
    """What cannot run is refused in words, with operator and remedy; no Java stack."""
    play(trial, env, tmp_path)
