"""What keeps a function from going to the workers is found and named."""

import threading
from functools import partial
from uuid import uuid4

import pytest

from windrow.common import Configuration
from windrow.connectors.collection import CollectionSplit
from windrow.datastream import MapFunction, StreamExecutionEnvironment
from windrow.elements.batch import Batch
from windrow.errors import UsageError
from windrow.runtime.spark.captured import find, unpicklable_element_error
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.stage.chunk import Chunk, ChunkRow

LOCK = threading.Lock()


class Client:
    __slots__ = ("lock",)

    def __init__(self):
        self.lock = threading.Lock()


class Asks(MapFunction):
    def __init__(self):
        self.clients = {"a": [1, Client()]}

    def map(self, value):
        return value


def closure():
    lock = threading.Lock()
    return lambda value: (lock, value)


def nested():
    lock = threading.Lock()

    def inner():
        return lock

    return lambda value: inner()


def with_attribute():
    function = lambda value: value  # noqa: E731
    function.lock = threading.Lock()
    return function


def in_class():
    class Local(MapFunction):
        lock = threading.Lock()

        def map(self, value):
            return value

    return Local()


def default(given):
    return lambda value, lock=given: (lock, value)


def keyword(given):
    return lambda value, *, lock=given: (lock, value)


def of_main(code):
    """A function as the main program defines it: it goes with the globals that it uses."""
    names = {"__name__": "__main__", "LOCK": LOCK, "threading": threading}
    exec(code, names)
    return names["function"]


@pytest.mark.parametrize(
    ("make", "path"),
    [
        (closure, "closure variable 'lock'"),
        (nested, "closure variable 'inner': closure variable 'lock'"),
        (with_attribute, "attribute 'lock' of the function"),
        (lambda: default(threading.Lock()), "default of parameter 'lock'"),
        (lambda: keyword(threading.Lock()), "default of parameter 'lock'"),
        (lambda: of_main("function = lambda value: LOCK.locked()"), "global variable 'LOCK'"),
        (lambda: of_main("function = lambda value: [LOCK for _ in value]"), "global variable 'LOCK'"),
        (Asks, "self.clients['a'][1].lock"),
        (lambda: Asks().map, "self.clients['a'][1].lock"),
        (in_class, "Local.lock"),
        (lambda: partial(closure(), 1), "closure variable 'lock'"),
    ],
)
def test_the_way_to_it_is_said(make, path):
    """As the user would write it."""
    found = find(make())
    assert found is not None
    assert (found.path, type(found.value)) == (path, type(LOCK))
    assert found.reason == "cannot pickle '_thread.lock' object"


def test_what_can_be_pickled_is_fine():
    """Also what goes with its code, and what refers to itself."""
    cyclic = {}
    cyclic["self"] = cyclic
    assert find(lambda value: cyclic) is None


def test_a_cycle_around_it_is_no_trap():
    """The search goes no way twice."""
    cyclic = {"lock": threading.Lock()}
    cyclic["again"] = cyclic
    assert find(lambda value: cyclic).path == "closure variable 'cyclic'['lock']"


def planned(add):
    configuration = Configuration().set_string("windrow.runtime", "local")
    env = StreamExecutionEnvironment.get_execution_environment(configuration)
    add(env)
    return env._plan(env._program.sinks(), "job")


def test_the_operator_is_named():
    """Before anything runs, with the variable and what to do."""
    job = planned(lambda env: env.from_collection([1]).map(str).map(closure()).name("locks").print())
    with pytest.raises(UsageError) as raised:
        ShippedJob.of(job, uuid4().hex, 1)
    assert str(raised.value) == (
        "operator 'locks' cannot go to Spark's workers: its closure variable 'lock' is a _thread.lock (cannot pickle "
        "'_thread.lock' object); create it in the function's open(), which runs in the worker, or where it is used"
    )
    assert raised.value.__suppress_context__


def test_an_element_of_a_source_is_named():
    """A collection whose elements cannot go to the workers."""
    job = planned(lambda env: env.from_collection([1]).print())
    with pytest.raises(UsageError, match=r"^source 'Source: Collection Source' has made the element <unlocked"):
        ShippedJob.of(job, uuid4().hex, 1).dump_part(job.levels[0][0], CollectionSplit([1, threading.Lock()]))


def test_the_operator_that_made_an_element_is_named():
    """Where it would have to go to another worker."""
    job = planned(lambda env: env.from_collection([1]).map(str).name("opens").rebalance().map(str).print())
    edges = [edge for entry in job.levels[1] for edge in entry.edges]
    row = ChunkRow(1, 0, 0, 0, edges[0].id, 0, 0, 0, Chunk(Batch([1, iter(LOCK.locked, 1)], [0, 0])))
    with pytest.raises(UsageError, match=r"^operator 'opens' has made the element <callable_iterator"):
        ShippedJob.of(job, uuid4().hex, 1).encode(row, 0)


def test_elements_that_can_be_pickled_are_fine():
    """Then it was something else."""
    assert unpicklable_element_error("source", [1, "a"]) is None
