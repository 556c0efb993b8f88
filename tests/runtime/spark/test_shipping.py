"""How a job gets to the workers."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import pytest

from windrow.common import Configuration
from windrow.connectors.discarding import DiscardingSink
from windrow.connectors.interfaces import DriverSink
from windrow.connectors.iterator_source import Parts
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import UserFunctionError
from windrow.runtime.spark import shipping
from windrow.runtime.spark.shipping import ShippedJob


class NotToBePickled(DriverSink):
    """A sink that belongs to the program's process."""

    def deliver(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        """Take nothing."""

    def __reduce__(self):
        raise AssertionError


class Host:
    """What is kept for a run."""

    closed = 0

    def close(self):
        self.closed += 1


@pytest.fixture(autouse=True)
def kept(monkeypatch):
    """A process that keeps nothing yet."""
    kept = {}
    monkeypatch.setattr(shipping, "_KEPT", kept)
    return kept


@pytest.fixture
def job():
    env = StreamExecutionEnvironment.get_execution_environment(Configuration()).set_parallelism(3)
    stream = env.from_collection([b"x" * 100_000]).map(lambda value: value[:1])
    stream.sink_to(NotToBePickled())
    stream.sink_to(DiscardingSink())
    return env._plan(env._program.sinks(), "job")


def run(name):
    return ShippedJob(name, b"", 1)


def test_only_what_workers_need_goes_to_them(job):
    """Sources' data and sinks of the program's process stay; the job itself is not changed."""
    shipped = ShippedJob.of(job, uuid4().hex, 3)
    assert len(shipped.data) < 50_000
    arrived = shipped.job()
    assert [type(entry.source) for entry in arrived.levels[0]] == [Parts]
    assert [type(entry.sink) for entry in arrived.sinks] == [type(None), DiscardingSink]
    assert [type(entry.sink) for entry in job.sinks] == [NotToBePickled, DiscardingSink]
    assert job.levels[0][0].source is not None


def test_what_is_in_a_job_is_not_in_its_text(job):
    """Sinks may have passwords, and Spark shows and logs the texts of what it is given."""
    assert len(repr(ShippedJob.of(job, uuid4().hex, 3))) < 500


def test_functions_arrive_with_their_code(job):
    """A lambda works where it arrives."""
    (entry,) = ShippedJob.of(job, uuid4().hex, 3).job().levels[0]
    ((_, mapped),) = entry.node.takers
    assert mapped.name == "Map"
    assert mapped.factory is not None


def test_a_job_is_read_once_per_process(job):
    """Every later task of the run gets the same graph."""
    shipped = ShippedJob.of(job, uuid4().hex, 3)
    again = ShippedJob(shipped.run, shipped.data, 3)
    assert shipped.job() is again.job()


def test_what_is_kept_is_made_once_per_run():
    """A name means another thing in another run."""
    first = run("a").keep("host", Host)
    assert run("a").keep("host", Host) is first
    assert run("b").keep("host", Host) is not first


def test_old_runs_are_forgotten_and_closed(kept):
    """A worker process that serves many jobs keeps the newest eight."""
    hosts = [run(str(number)).keep("host", Host) for number in range(10)]
    assert [host.closed for host in hosts] == [1, 1] + [0] * 8
    assert len(kept) == 8
    assert run("9").keep("host", Host) is hosts[9]


def test_what_has_failed_is_forgotten_and_closed(kept):
    """The next attempt makes a new one; what is not kept cannot be forgotten."""
    host = run("a").keep(1, Host)
    other = run("a").keep(2, Host)
    run("a").forget(1)
    run("a").forget(1)
    assert (host.closed, other.closed, len(kept)) == (1, 0, 1)
    assert run("a").keep(1, Host) is not host


def test_an_old_run_that_cannot_be_closed_does_not_hurt_a_new_one(kept, caplog):
    """It is a warning in the worker's log: what fails is a function of a job that is over."""

    class Broken:
        def close(self):
            raise UserFunctionError("operator", "element", "in close")

    run("old").keep("host", Broken)
    for number in range(8):
        run(str(number)).keep("host", Host)
    assert len(kept) == 8
    assert [record.getMessage() for record in caplog.records] == ["a run that is over could not be closed in a worker"]
