"""Sources that assign all their splits when the job starts, in one batch query."""

import time
from dataclasses import dataclass
from pathlib import Path
from threading import current_thread

import pytest

from tests.runtime.sources.running import Shown, job_of
from tests.runtime.sources.scripted import Nothing, Say, Script, ScriptedEnumerator, ScriptedSource
from tests.runtime.sources.test_programs import HOUR, TIMES, BrokenReader, count_windows, counted, split
from windrow.common import Duration
from windrow.connectors.number_sequence import NumberSequenceSource
from windrow.elements.codec import loads
from windrow.errors import UsageError, UserFunctionError
from windrow.runtime.spark.batch_enumerators import BatchEnumerators, fits_one_query

SPLITS = [
    split("ahead", range(HOUR, HOUR + 2000, 10)),
    split("behind", range(0, 4000, 10)),
    Script("with gaps", [("with gaps", at) if at % 3 else Nothing for at in range(200)]),
]
NOTHING_LEFT_OUT = counted(*SPLITS[:2], split("with gaps", [at for at in range(200) if at % 3]))


@dataclass
class Assigning(ScriptedSource):
    """Finds its splits in another thread, a while after the start; leaves what it hears in a file."""

    says_so: bool = True
    file: Path | None = None

    def create_enumerator(self, enum_context):
        return AssigningEnumerator(enum_context, self, list(self.splits))


class AssigningEnumerator(ScriptedEnumerator):
    def start(self):
        self._context.call_async(lambda: time.sleep(0.05), self.found)

    def add_reader(self, subtask_id):
        """Splits are not found yet."""

    def found(self, result, error):
        assert error is None
        for subtask in self._context.registered_readers():
            super().add_reader(subtask)

    def handle_source_event(self, subtask_id, source_event):
        with self._source.file.open("a") as file:
            file.write(f"{source_event.text} from {subtask_id}\n")

    def close(self):
        if self._source.file is not None:
            with self._source.file.open("a") as file:
                file.write(f"closed by {current_thread().name}\n")


def fits(source, strategy=TIMES, **settings):
    job, _ = job_of(source, strategy, 2, **settings)
    return fits_one_query(job)


def test_a_bounded_source_that_assigns_at_the_start_fits_one_query():
    """So do planned sources; not one that does not say so, or has no end."""
    assert fits(ScriptedSource([], says_so=True))
    assert fits(NumberSequenceSource(0, 9))
    assert not fits(ScriptedSource([]))
    assert not fits(ScriptedSource([], is_bounded=False, says_so=True))


def test_readers_that_wait_for_each_other_need_batches():
    """Alignment is told between batches; in BATCH mode there is none."""
    aligned = TIMES.with_watermark_alignment("group", Duration.of_seconds(1), Duration.of_millis(100))
    assert not fits(ScriptedSource([], says_so=True), aligned)
    assert fits(ScriptedSource([], says_so=True), aligned, **{"execution.runtime-mode": "BATCH"})


def test_timers_that_follow_the_clock_need_batches(monkeypatch):
    """In one query the clock stands still; planned sources are read so quickly that it is left so."""
    job, _ = job_of(ScriptedSource([], says_so=True))
    planned, _ = job_of(NumberSequenceSource(0, 9))
    monkeypatch.setattr("windrow.graph.job_graph.Entry.ticked", lambda *_, **__: True)
    assert not fits_one_query(job)
    assert fits_one_query(planned)


def test_all_that_was_decided_goes_to_the_readers():
    """Splits, and that there are no more: once the enumerator has found them."""
    job, _ = job_of(Assigning(SPLITS), TIMES, 2)
    with BatchEnumerators.started(job) as enumerators:
        (by_reader,) = enumerators.assignments().values()
    for sent in by_reader.values():
        kinds = [type(message).__name__ for payload in sent for message in loads(payload)]
        assert kinds == ["AddSplits", "NoMoreSplits"]


class FailsToFind(Assigning):
    def create_enumerator(self, enum_context):
        enumerator = AssigningEnumerator(enum_context, self, list(self.splits))
        enumerator.found = lambda result, error: 1 // 0
        return enumerator


def test_an_enumerator_that_fails_meanwhile_is_the_jobs_error(tmp_path):
    """Nobody waits for what it does not decide any more; it is closed."""
    file = tmp_path / "heard"
    job, _ = job_of(FailsToFind(SPLITS, file=file))
    with pytest.raises(UserFunctionError, match="ZeroDivisionError"), BatchEnumerators.started(job) as enumerators:
        enumerators.assignments()
    assert file.read_text().startswith("closed by windrow-enumerator")


@pytest.mark.spark
def test_one_batch_query_gives_what_the_local_runtime_gives(env):
    """Splits hours apart, with polls that find nothing: nothing is late."""
    shown = count_windows(env, Assigning(SPLITS, portion=7))
    result = env.execute()
    assert sorted(shown.values) == NOTHING_LEFT_OUT
    assert not any(result.get_dropped().values())


@pytest.mark.spark
def test_the_enumerator_hears_its_readers_behind_the_query(on_spark, tmp_path):
    """Their events, then its close; and there is nothing to make a savepoint of."""
    file = tmp_path / "heard"
    env = on_spark({})
    source = Assigning([Script("a", [Say("hello"), ("a", 1)]), Script("b", [("b", 2)])], file=file)
    shown = Shown()
    env.from_source(source, TIMES, "scripted").sink_to(shown)
    client = env.execute_async()
    with pytest.raises(UsageError, match="is one batch query, which has no state between batches"):
        client.trigger_savepoint(str(tmp_path / "savepoint")).result()
    client.get_job_execution_result().result()
    assert sorted(shown.values) == ["a", "b"]
    said, closed = file.read_text().splitlines()
    assert said == "hello from 0"
    assert closed.startswith("closed by windrow-enumerator")


@pytest.mark.spark
def test_a_job_with_a_checkpoint_is_a_streaming_query(on_spark, tmp_path):
    """It goes on where it was; so it is not read at one go."""
    env = on_spark({"execution.checkpointing.dir": str(tmp_path / "checkpoint")})
    shown = count_windows(env, Assigning(SPLITS, portion=7))
    env.execute()
    assert sorted(shown.values) == NOTHING_LEFT_OUT
    assert (tmp_path / "checkpoint").exists()


@dataclass
class BreaksOff(Assigning):
    where: str = "poll_next"

    def create_reader(self, reader_context):
        return BrokenReader(reader_context, self)


@pytest.mark.spark
def test_an_error_of_a_reader_is_the_jobs_error(on_spark):
    """As the user wrote it, whatever query it was in."""
    env = on_spark({})
    count_windows(env, BreaksOff([split("a", range(50))], portion=5))
    with pytest.raises(UserFunctionError, match="ValueError: broken poll_next"):
        env.execute()
