"""A job's attempts: what is tried again, when, and what ends it."""

from threading import Event, Thread

import pytest

from windrow.common import Configuration, Encoder, JobStatus, RestartStrategies
from windrow.connectors.files.sink import FileSink
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import CheckpointError, ConfigurationError, JobExecutionError, UserFunctionError
from windrow.runtime.restarts.backoff import FixedDelay, NoRestart
from windrow.runtime.restarts.run import RestartingRun
from windrow.runtime.stage.totals import Totals


class Attempt:
    """A run that ends as it is told."""

    def __init__(self, ends):
        self.totals = Totals()
        self._ends = ends
        self.cancelled = False

    def wait(self):
        if isinstance(self._ends, Exception):
            raise self._ends
        return self.totals

    def cancel(self):
        self.cancelled = True

    def trigger_savepoint(self, directory):
        return f"{directory}/savepoint"


def _run(*ends, attempts=5, pause=None):
    """A job whose attempts end so, one after the other; and the pauses that were made."""
    pauses = []
    waiting = iter(ends)

    def attempt():
        end = next(waiting)
        if isinstance(end, type):
            raise end("does not start")
        return Attempt(end)

    run = RestartingRun(
        "job", attempt, FixedDelay(attempts, 70), pause=pause or (lambda _, millis: pauses.append(millis)), clock=int
    )
    return run, pauses


def test_a_job_that_fails_is_started_again(caplog):
    """Each restart is a line in the log: which one it is, why, and how long until then."""
    run, pauses = _run(ValueError("first"), ValueError("second"), None)
    run.wait()
    assert pauses == [70, 70]
    assert caplog.messages == [
        "job 'job' failed (ValueError: first); restart 1 begins in 70 ms",
        "job 'job' failed (ValueError: second); restart 2 begins in 70 ms",
    ]


def test_the_last_failure_is_raised(caplog):
    """When no more attempts are made, what ended the last one ends the job."""
    run, pauses = _run(ValueError("first"), ValueError("second"), attempts=1)
    with pytest.raises(ValueError, match="second"):
        run.wait()
    assert pauses == [70]
    assert caplog.messages[-1] == "job 'job' failed again after 1 restarts, and stays so"


def test_an_attempt_that_does_not_start_is_one_that_has_failed():
    """Only the first start raises where the job is submitted."""
    run, pauses = _run(ValueError("first"), OSError, None)
    run.wait()
    assert pauses == [70, 70]
    with pytest.raises(OSError, match="does not start"):
        _run(OSError)


@pytest.mark.parametrize("error", [CheckpointError("gone"), ConfigurationError("wrong")])
def test_what_another_attempt_cannot_mend_is_raised_at_once(error):
    """A program that does not fit its checkpoint will not fit it later."""
    run, pauses = _run(error, None)
    with pytest.raises(type(error)):
        run.wait()
    assert pauses == []


def test_cancelling_ends_the_waiting():
    """A job that waits for its next attempt is over at once when it is cancelled."""
    waits = Event()

    def pause(stopped, _):
        waits.set()
        assert stopped.wait(60)

    run, _ = _run(ValueError("first"), pause=pause)
    thread = Thread(target=run.wait)
    thread.start()
    assert waits.wait(60)
    assert run.restarting
    with pytest.raises(JobExecutionError, match="waits to be started again"):
        run.trigger_savepoint("/tmp")
    run.cancel()
    thread.join(60)
    assert not thread.is_alive()


def test_cancelling_stops_the_attempt_that_runs():
    """And what it then ends with is no failure to start again from."""
    run, pauses = _run(ValueError("stopped"), None)
    attempt = run._run
    run.cancel()
    assert attempt.cancelled
    with pytest.raises(ValueError, match="stopped"):
        run.wait()
    assert pauses == []


def test_an_interrupt_ends_the_waiting():
    """Ctrl-C in a pause is the program's, and no failure of the job."""

    def pause(_, __):
        raise KeyboardInterrupt

    run, _ = _run(ValueError("first"), None, pause=pause)
    with pytest.raises(KeyboardInterrupt):
        run.wait()


def test_a_temporary_folder_goes_when_the_job_is_over(tmp_path):
    """It outlives attempts, not the job."""
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    run = RestartingRun("job", lambda: Attempt(None), NoRestart(), temporary=str(folder))
    assert folder.exists()
    run.wait()
    assert not folder.exists()


def test_a_job_that_waits_is_restarting():
    """A client sees where the job stands, and cancels it there."""
    env = StreamExecutionEnvironment.create_local_environment()
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(1, 600_000))
    env.from_collection([1]).map(lambda n: 1 / (n - 1)).print()
    client = env.execute_async()
    while client.get_job_status().result() is JobStatus.RUNNING:
        pass
    assert client.get_job_status().result() is JobStatus.RESTARTING
    client.cancel().result()
    assert client.get_job_status().result() is JobStatus.CANCELED


def _results(folder):
    return sorted(int(line) for file in folder.rglob("part-*") for line in file.read_text().splitlines())


def test_results_are_exactly_once_over_restarts(env, tmp_path, runtime, caplog):
    """A function that fails twice and then goes on: on Spark from the checkpoint, on the local runtime anew."""
    seen = tmp_path / "seen"

    def fails_twice(number):
        with seen.open("a") as file:
            file.write(f"{number}\n")
        if number == 150 and seen.read_text().split().count("150") < 3:
            raise ValueError("not yet")
        return 1, number

    env.configure(
        Configuration.from_dict(
            {
                "execution.checkpointing.dir": str(tmp_path / "checkpoint"),
                "restart-strategy.type": "fixed-delay",
                "restart-strategy.fixed-delay.attempts": "2",
                "restart-strategy.fixed-delay.delay": "1 ms",
                "windrow.source.elements-per-split": "50",
                "windrow.source.splits-per-batch": "1",
            }
        )
    ).set_parallelism(1)
    sums = env.from_collection(range(200)).map(fails_twice).key_by(lambda pair: pair[0])
    sums = sums.reduce(lambda a, b: (1, a[1] + b[1])).map(lambda pair: str(pair[1]))
    sums.sink_to(FileSink.for_row_format(str(tmp_path / "out"), Encoder.simple_string_encoder()).build())

    env.execute("sums")

    assert _results(tmp_path / "out") == [n * (n + 1) // 2 for n in range(200)]
    restarts = [message for message in caplog.messages if "restart" in message]
    assert len(restarts) == 2
    assert restarts[0].startswith("job 'sums' failed (UserFunctionError: ValueError: not yet in operator 'Map'")
    assert seen.read_text().split().count("0") == (1 if runtime == "spark" else 3)


@pytest.mark.spark
def test_checkpoints_without_a_directory_outlive_a_failure(spark_session, tmp_path):
    """As in Flink's job manager: a job goes on from where it was, in the same program, and leaves nothing behind."""
    seen = tmp_path / "seen"

    def fails_once(number):
        with seen.open("a") as file:
            file.write(f"{number}\n")
        if number == 15 and seen.read_text().split().count("15") < 2:
            raise ValueError("not yet")
        return 1, number

    env = StreamExecutionEnvironment.get_execution_environment(spark_session).set_parallelism(1)
    settings = {"windrow.source.elements-per-split": "5", "windrow.source.splits-per-batch": "1"}
    env.configure(Configuration.from_dict(settings)).enable_checkpointing(100)
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(1, 0))
    sums = env.from_collection(range(20)).map(fails_once).key_by(lambda pair: pair[0])
    sums = sums.reduce(lambda a, b: (1, a[1] + b[1]))

    results = sums.map(lambda pair: pair[1]).execute_and_collect(limit=99)

    assert results == [n * (n + 1) // 2 for n in range(20)]
    assert seen.read_text().split().count("0") == 1


def test_a_job_without_a_strategy_stays_failed(env, tmp_path):
    """Unlike Flink with checkpoints, nothing is restarted that nobody asked for."""
    calls = tmp_path / "calls"

    def fails(number):
        with calls.open("a") as file:
            file.write("x")
        raise ValueError(number)

    env.from_collection([1]).map(fails).print()
    with pytest.raises(UserFunctionError):
        env.execute()
    assert len(calls.read_text()) == 1
