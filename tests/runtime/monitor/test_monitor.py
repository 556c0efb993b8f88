"""A monitor makes entries of what a runtime tells it."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from threading import Thread

import pytest

from tests.runtime.monitor.programs import Silent, wait_until
from tests.ui.records import NOON, windowed
from windrow.common.accumulators import ListAccumulator
from windrow.common.job_status import JobStatus
from windrow.errors import UsageError
from windrow.runtime.monitor.monitor import FinishedBatch, JobMonitor
from windrow.runtime.stage.task_metrics import RECORDS_BY_SPLIT, RECORDS_OUT_BY_SUBTASK, SPLITS
from windrow.runtime.stage.totals import AccumulatorTotal, SplitCounts, Totals


def totals(records: int, **splits: int) -> Totals:
    of_source = {
        RECORDS_OUT_BY_SUBTASK: Counter({0: records}),
        RECORDS_BY_SPLIT: SplitCounts({0: Counter(splits)}),
        SPLITS: {0: dict.fromkeys(splits, (NOON, False, False))},
    }
    return Totals(measured={"orders": of_source})


def test_every_batch_is_in_the_record_when_the_job_ends():
    """However quickly they came: those that did are one entry."""
    monitor = JobMonitor(windowed())
    monitor.start()
    for number in range(500):
        monitor.batch(FinishedBatch(number, NOON + number, NOON + number + 1, totals(number)))
    monitor.end(JobStatus.FINISHED)
    with monitor.reading() as record:
        assert sum(batch["batches"] for batch in record.batches) == 500
        assert record.batches[-1]["batch"] == 499
        assert record.vertices["orders"]["records_out"] == {"0": 499}
        assert [state["state"] for state in record.states] == ["RUNNING", "FINISHED"]


def test_a_split_had_records_last_when_its_count_rose():
    """One that has none keeps its time; one that is gone is forgotten."""
    monitor = JobMonitor(windowed())
    for number, counted in enumerate([{"a": 1, "b": 1}, {"a": 2, "b": 1}, {"a": 3}]):
        monitor.batch(FinishedBatch(number, NOON, NOON + number, totals(number, **counted)))
        monitor._take_finished()
        with monitor.reading() as record:
            last = record.vertices["orders"]["last_by_split"]
        assert last == [{"a": NOON, "b": NOON}, {"a": NOON + 1, "b": NOON}, {"a": NOON + 2}][number]


def test_a_batch_that_takes_long_is_looked_at_in_the_middle():
    """Where the runtime knows what was counted."""
    monitor = JobMonitor(windowed())
    monitor.start(lambda: totals(7), lambda: {"tasks": 3})

    def seen() -> bool:
        with monitor.reading() as record:
            return bool(record.vertices) and record.progress == {"tasks": 3}

    wait_until(seen)
    monitor.end(JobStatus.FAILED)
    with monitor.reading() as record:
        assert record.vertices["orders"]["records_out"] == {"0": 7}
        assert record.progress == {"tasks": 3}
        assert {batch["batch"] for batch in record.batches} == {None}


def test_a_function_that_fails_while_it_is_looked_at_ends_nothing():
    """The job itself comes to that."""

    def fails() -> Totals:
        raise UsageError("an accumulator has two types")

    monitor = JobMonitor(windowed())
    monitor._live = fails
    monitor._look()
    monitor.end(JobStatus.FINISHED)
    with monitor.reading() as record:
        assert record.state == "FINISHED"
        assert not record.batches


@pytest.mark.parametrize("error", [OSError("no space left"), TypeError("no space left")])
def test_a_file_that_cannot_be_written_does_not_end_the_job(caplog, error):
    """It is said once, and no more is written."""

    class Full:
        path = "/full"

        def text_of(self, entries, record):
            return "", False

        def put(self, text, whole):
            raise error

    monitor = JobMonitor(windowed(), file=Full())
    for _ in range(2):
        monitor.state(JobStatus.RUNNING)
        monitor._write()
        monitor.state(JobStatus.RESTARTING)
    assert [record.getMessage() for record in caplog.records] == [
        "the history file /full cannot be written any more: no space left"
    ]


def test_a_metric_that_cannot_be_shown_does_not_end_the_watch():
    """What else was counted in that batch is there, and so is the end."""
    counted = totals(7)
    counted.metrics["orders"] = {"odd": {0: Silent()}, "even": 2}
    monitor = JobMonitor(windowed())
    monitor.start()
    monitor.batch(FinishedBatch(0, NOON, NOON + 1, counted))
    monitor.end(JobStatus.FINISHED)
    with monitor.reading() as record:
        assert record.state == "FINISHED"
        assert record.vertices["orders"]["records_out"] == {"0": 7}
        assert "Silent" in record.vertices["orders"]["metrics"]["odd"]
        assert record.vertices["orders"]["metrics"]["even"] == "2"


def test_what_goes_wrong_in_the_watch_is_said_once_and_it_goes_on(caplog):
    """A fault of the watch is none of the job: its end is told, and taken."""

    class Broken(Totals):
        @property
        def measured(self):
            raise ZeroDivisionError("a fault of ours")

        @measured.setter
        def measured(self, value):
            pass

    monitor = JobMonitor(windowed())
    for number in range(2):
        monitor.batch(FinishedBatch(number, NOON, NOON + 1, Broken()))
        with monitor._going_on():
            monitor._take_finished()
    monitor.batch(FinishedBatch(2, NOON, NOON + 1, Broken()))
    monitor.end(JobStatus.FINISHED)
    assert [record.getMessage() for record in caplog.records] == [
        "the record of job 'orders' is not complete, the job goes on: ZeroDivisionError: a fault of ours"
    ]
    with monitor.reading() as record:
        assert record.state == "FINISHED"


@pytest.mark.timeout(20)
def test_a_job_of_very_many_splits_is_looked_at_in_one_pass():
    """Each split is taken once, and not all of them for each."""
    names = [f"split-{number}" for number in range(30_000)]
    monitor = JobMonitor(windowed(), batches=1)
    for number in range(2):
        counted = totals(number, **dict.fromkeys(names, number + 1))
        monitor.batch(FinishedBatch(number, NOON, NOON + number, counted))
        monitor._take_finished()
    with monitor.reading() as record:
        assert set(record.vertices["orders"]["last_by_split"].values()) == {NOON + 1}


def test_a_state_behind_the_last_one_is_none():
    """Somebody cancels a job that has just ended."""
    monitor = JobMonitor(windowed())
    monitor.end(JobStatus.FINISHED)
    monitor.state(JobStatus.CANCELLING)
    with monitor.reading() as record:
        assert record.state == "FINISHED"


def test_subtasks_that_are_there_no_more_are_not_looked_at():
    """A job that goes on with fewer of them has the totals of before."""
    counted = totals(7)
    counted.measured["orders"][SPLITS] = {n: {f"orders-{n}": (NOON, False, False)} for n in range(4)}
    monitor = JobMonitor(windowed())
    monitor.batch(FinishedBatch(0, NOON, NOON + 1, counted))
    monitor.end(JobStatus.FINISHED)
    with monitor.reading() as record:
        assert set(record.vertices["orders"]["splits"]) == {"0", "1"}


def test_a_subtask_that_counts_from_its_checkpoint_has_had_records():
    """Its count falls when the job starts again, and is not what it was."""
    monitor = JobMonitor(windowed())
    for number, count in enumerate((1000, 10)):
        monitor.batch(FinishedBatch(number, NOON, NOON + number, totals(count)))
        monitor._take_finished()
    with monitor.reading() as record:
        assert record.vertices["orders"]["last"] == {"0": NOON + 1}


def test_nothing_of_the_run_is_kept_behind_its_end():
    """The record is shown for long; the run has the graph, and maybe Java's objects."""

    class Run:
        def live(self):
            return Totals()

    run = Run()
    gone = weakref.ref(run)
    monitor = JobMonitor(windowed())
    monitor.start(run.live)
    monitor.end(JobStatus.FINISHED)
    del run
    gc.collect()
    assert gone() is None


def test_what_a_program_gathers_is_kept_in_a_few_characters():
    """An accumulator may be a list of a million elements, and is in an entry each second."""
    gathered = ListAccumulator()
    for number in range(10_000):
        gathered.add(number)
    counted = totals(7)
    counted.accumulators["all"] = AccumulatorTotal(gathered, "orders")
    counted.metrics["orders"] = {"text": {0: "a" * 10_000}}
    monitor = JobMonitor(windowed())
    monitor.batch(FinishedBatch(0, NOON, NOON + 1, counted))
    monitor.end(JobStatus.FINISHED)
    with monitor.reading() as record:
        (kind, value) = record.accumulators["all"]
        assert (kind, value[:12]) == ("ListAccumulator", "[0, 1, 2, 3,")
        assert len(value) <= 200
        assert len(record.vertices["orders"]["metrics"]["text"]) <= 250


def test_who_looks_at_a_job_does_not_wait_for_the_disk():
    """A file may have tens of megabytes, and a disk may be slow."""
    looked = []

    class Slow:
        path = "/slow"

        def text_of(self, entries, record):
            return "", False

        def put(self, text, whole):
            looker = Thread(target=look, daemon=True)
            looker.start()
            looker.join(30)

        def close(self):
            pass

    def look():
        with monitor.reading() as record:
            looked.append(record.job["name"])

    monitor = JobMonitor(windowed(), file=Slow())
    monitor._write()
    assert looked == ["orders"]
