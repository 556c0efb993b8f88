"""What the runtimes and their environment say when something is wrong."""

import threading

import pytest

from tests.trials.trial import Trial, play, rows
from windrow.datastream import MapFunction
from windrow.errors import UsageError, UserFunctionError

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
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_what_the_runtime_says(trial, env, tmp_path):
    """What cannot run is refused in words, with operator and remedy; no Java stack."""
    play(trial, env, tmp_path)
