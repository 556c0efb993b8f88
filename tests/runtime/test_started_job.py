"""Jobs that the program waits for, while somebody else looks at them."""

from __future__ import annotations

import tempfile
from contextlib import nullcontext
from dataclasses import replace
from signal import SIGINT, pthread_kill
from threading import Event, Thread, main_thread

import pytest

from tests.runtime.monitor.programs import Silent, environment, orders, wait_until
from windrow.common.job_id import JobID
from windrow.common.job_status import JobStatus
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import MapFunction
from windrow.errors import ConfigurationError, JobExecutionError
from windrow.runtime import submit
from windrow.runtime.stage.totals import Totals
from windrow.runtime.started_job import StartedJob
from windrow.runtime.submit import run
from windrow.ui.job_ui import close_pages


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    """Histories go to a folder of the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_a_job_that_is_waited_for_can_be_cancelled_from_elsewhere():
    """As from its page: execute raises that it was cancelled."""
    env = environment("local", windrow__ui__history="0")
    orders(env, quiet=True).sink_to(DiscardingSink())
    started = []

    class View:
        def begin(self, monitor):
            return None

        def started(self, job):
            started.append(job)

        def following(self, monitor):
            return nullcontext()

    job, settings = env._take_job("orders"), replace(env._submit_settings(), view=View())

    def cancel() -> None:
        wait_until(lambda: started)
        started[0].cancel()

    canceller = Thread(target=cancel)
    canceller.start()
    with pytest.raises(JobExecutionError, match="was cancelled"):
        run(job, settings)
    canceller.join()
    with started[0].monitor.reading() as record:
        assert record.state == "CANCELED"


def test_a_job_runs_where_no_page_can_be_opened(monkeypatch, caplog):
    """Somebody may not be allowed to listen; with a port of one's own it is an error."""

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("windrow.ui.server._Server.__init__", refused)
    env = environment("local", windrow__ui__history="0")
    env.from_collection([1]).sink_to(DiscardingSink())
    client = env.execute_async("numbers")
    client.get_job_execution_result().result()
    assert client.get_web_interface_url() is None
    (record,) = caplog.records
    assert "the job has no page" in record.getMessage()

    env = environment("local", windrow__ui__history="0", windrow__ui__port="8081")
    env.from_collection([1]).sink_to(DiscardingSink())
    with pytest.raises(ConfigurationError, match=r"windrow\.ui\.port 8081: Permission denied"):
        env.execute("numbers")


def test_the_address_of_the_page_is_said_and_in_the_client(capfd):
    """On standard error; standard output is the program's own."""
    env = environment("local", windrow__ui__history="0")
    env.from_collection([1]).sink_to(DiscardingSink())
    try:
        client = env.execute_async("numbers")
        client.get_job_execution_result().result()
        url = client.get_web_interface_url()
        out, err = capfd.readouterr()
        assert out == ""
        assert err == f"job 'numbers': {url}\n"
        assert url.startswith("http://127.0.0.1:")
        assert url.endswith(f"#/jobs/{client.get_job_id()}")
        with client._job.monitor.reading() as record:
            assert "token" not in record.page
            assert url.startswith(f"{record.page}?token=")
    finally:
        close_pages()


class Gauging(MapFunction):
    """Registers a gauge whose value cannot be shown."""

    def open(self, runtime_context):
        runtime_context.get_metrics_group().gauge("odd", Silent)

    def map(self, value):
        return value


@pytest.mark.parametrize("asynchronous", [False, True])
def test_what_cannot_be_shown_does_not_change_how_a_job_ends(asynchronous):
    """The program has its result, though a metric of its own cannot be written on a page."""
    env = environment("local", windrow__ui__enabled="false", windrow__ui__history="5")
    env.from_collection([1, 2]).map(Gauging()).sink_to(DiscardingSink())
    if asynchronous:
        client = env.execute_async("odd")
        client.get_job_execution_result().result()
        assert client.get_job_status().result() is JobStatus.FINISHED
    else:
        env.execute("odd")


class EndsBadly:
    """A monitor with a fault."""

    def end(self, state):
        raise ZeroDivisionError("a fault of ours")


def test_a_fault_of_the_monitor_is_no_end_of_the_job(caplog):
    """The result is set whatever becomes of the watch."""

    class Run:
        def wait(self):
            return Totals()

    env = environment("local")
    env.from_collection([1]).sink_to(DiscardingSink())
    started = StartedJob(env._take_job("numbers"), Run(), JobID(), monitor=EndsBadly())
    started.wait()
    assert started.result.result(0) is not None
    assert "the record of job 'numbers' has no end" in caplog.text


class Interrupted:
    """A run whose program gets Ctrl-C while it waits; with ``again`` once more while the run is being cancelled."""

    def __init__(self, *, again: bool = False) -> None:
        self.cancelled = Event()
        self._again = again

    def wait(self):
        raise KeyboardInterrupt

    def cancel(self):
        if self._again:
            pthread_kill(main_thread().ident, SIGINT)
            wait_until(lambda: not self._again)
        self.cancelled.set()

    def go_on(self):
        self._again = False


class Noting:
    """A monitor that notes what it is told, and whether the run was cancelled before."""

    def __init__(self, run):
        self._run = run
        self.told = []

    def end(self, state):
        self.told.append((state, self._run.cancelled.is_set()))


def a_graph():
    env = environment("local")
    env.from_collection([1]).sink_to(DiscardingSink())
    return env._take_job("numbers")


def test_ctrl_c_cancels_the_job_and_then_tells_who_watches():
    """The client and the page say the same of it."""
    interrupted = Interrupted()
    started = StartedJob(a_graph(), interrupted, JobID(), monitor=Noting(interrupted))
    started.wait()
    assert started.monitor.told == [(JobStatus.CANCELED, True)]
    assert started.status() is JobStatus.CANCELED
    assert isinstance(started.result.exception(), KeyboardInterrupt)


def test_a_second_ctrl_c_ends_the_waiting_and_leaves_no_job_behind():
    """The person has no patience; the job is stopped all the same."""
    interrupted = Interrupted(again=True)
    started = StartedJob(a_graph(), interrupted, JobID(), monitor=Noting(interrupted))
    with pytest.raises(KeyboardInterrupt):
        started.wait()
    assert [state for state, _ in started.monitor.told] == [JobStatus.CANCELED]
    assert started.status() is JobStatus.CANCELED
    interrupted.go_on()
    assert interrupted.cancelled.wait(30)


def test_ctrl_c_while_a_job_starts_is_no_failure(monkeypatch):
    """Nothing has failed, and no traceback is in its record."""
    watched = []

    def interrupts(job, settings, monitor):
        watched.append(monitor)
        raise KeyboardInterrupt

    monkeypatch.setattr(submit, "start", interrupts)
    env = environment("local", windrow__ui__enabled="false", windrow__ui__history="5")
    settings = env._submit_settings()
    with pytest.raises(KeyboardInterrupt):
        run(a_graph(), settings)
    with watched[0].reading() as record:
        assert (record.state, record.failures) == ("CANCELED", [])


def test_a_savepoint_with_which_a_job_stops_is_told_before_its_end():
    """Else it would be missing in the history, which ends with the job."""
    told = []
    is_over = Event()

    class Run:
        makes_savepoints = True

        def wait(self):
            is_over.wait(30)
            return Totals()

        def stop_with_savepoint(self, directory, *, drain):
            is_over.set()
            Event().wait(0.2)  # long enough for a job's end that would not wait
            return f"{directory}/savepoint"

    class Monitor:
        def end(self, state):
            told.append(state)

        def savepoint(self, path, started, *, drained):
            told.append(path)

    started = StartedJob(a_graph(), Run(), JobID(), monitor=Monitor())
    waiter = Thread(target=started.wait)
    waiter.start()
    assert started.stop_with_savepoint("/savepoints", drain=True) == "/savepoints/savepoint"
    waiter.join()
    assert told == ["/savepoints/savepoint", JobStatus.FINISHED]
