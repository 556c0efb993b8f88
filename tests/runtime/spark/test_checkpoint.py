"""What a checkpoint remembers beside Spark's own."""

import errno
import json
import os
import shutil

import pytest

from tests.datastream.streams.restarts import ListSink
from tests.runtime.spark.fake_checkpoint import begun, plan, write_spark_half
from windrow.common import Configuration, Time, WatermarkStrategy
from windrow.common.accumulators import IntCounter
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.window import CountEvictor, CountTrigger, TumblingEventTimeWindows
from windrow.errors import CheckpointError, ConfigurationError, JobExecutionError, UserFunctionError
from windrow.runtime.spark.checkpoint import Checkpoint
from windrow.runtime.stage.totals import AccumulatorTotal, Totals
from windrow.storage.local_folder import LocalFolder


def job(uid="sums", parallelism=2, max_parallelism=8, *, second=False, timed="times", mapped=False, env=None):
    """A window behind a source, with what may differ between two versions of a program."""
    env = env or StreamExecutionEnvironment.get_execution_environment(Configuration())
    env.set_parallelism(parallelism).set_max_parallelism(max_parallelism)
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda number, _: number)
    stream = env.from_collection(list(range(20))).uid("numbers")
    if mapped:
        stream = stream.map(lambda number: number).uid("mapped")
    stream = stream.assign_timestamps_and_watermarks(strategy).uid(timed)
    keyed = stream.key_by(lambda number: number % 2)
    sums = keyed.window(TumblingEventTimeWindows.of(Time.milliseconds(5))).reduce(lambda a, b: a + b).uid(uid)
    if second:
        sums = sums.key_by(lambda number: 0).reduce(lambda a, b: a + b).uid("total")
    sums.print()
    return env._plan(env._program.sinks())


def window_job(changed=lambda windows: windows):
    """A window, which may be changed."""
    env = StreamExecutionEnvironment.get_execution_environment(Configuration())
    windows = env.from_collection([1]).uid("in").key_by(lambda number: 0).window(TumblingEventTimeWindows.of(5))
    changed(windows).reduce(max).uid("sums").print()
    return env._plan(env._program.sinks())


def refused():
    raise AssertionError


def test_the_same_program_fits(tmp_path):
    """Started again and again, with the number of partitions that the checkpoint began with."""
    assert Checkpoint(LocalFolder(tmp_path / "a" / "b"), job(), 2).partitions == 2
    assert Checkpoint(LocalFolder(tmp_path / "a" / "b"), job(), 4).partitions == 2


@pytest.mark.parametrize(
    "changes",
    [{"uid": "totals"}, {"second": True}, {"timed": "other"}, {"mapped": True}, {"parallelism": 3}],
    ids=["uid", "another level", "uid in a chain", "another operator in a chain", "parallelism"],
)
def test_a_program_that_does_not_fit_is_refused(tmp_path, changes):
    """And the checkpoint is left as it was; what differs is said as ``test_layout.py`` has it."""
    Checkpoint(LocalFolder(tmp_path), job(), 2)
    with pytest.raises(CheckpointError, match=f"checkpoint {tmp_path} does not fit this program: operator '"):
        Checkpoint(LocalFolder(tmp_path), job(**changes), 2)
    Checkpoint(LocalFolder(tmp_path), job(), 2)


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"partitions', b"\xff\xfe"])
def test_a_damaged_layout_is_named(tmp_path, content):
    """Whatever the file holds in place of the layout, the error says which file it is."""
    Checkpoint(LocalFolder(tmp_path), job(), 2)
    (tmp_path / "windrow.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(CheckpointError, match=r"windrow\.json cannot be read .* it is damaged"):
        Checkpoint(LocalFolder(tmp_path), job(), 2)


@pytest.mark.parametrize("partitions", [None, "two"])
def test_a_layout_without_its_partitions_is_damaged(tmp_path, partitions):
    """The rest of it may fit."""
    Checkpoint(LocalFolder(tmp_path), job(), 2)
    stored = json.loads((tmp_path / "windrow.json").read_text())
    stored["partitions"] = partitions
    (tmp_path / "windrow.json").write_text(json.dumps(stored))
    with pytest.raises(CheckpointError, match=r"windrow\.json cannot be read .* it is damaged"):
        Checkpoint(LocalFolder(tmp_path), job(), 2)


def test_windows_that_keep_another_thing_are_refused(tmp_path):
    """By the operator's name, with what was kept and what would be; what may change is taken."""
    Checkpoint(LocalFolder(tmp_path), window_job(), 2)
    Checkpoint(
        LocalFolder(tmp_path), window_job(lambda windows: windows.allowed_lateness(5).trigger(CountTrigger.of(3))), 2
    )
    said = (
        r"operator 'sums' has kept reduced values in TimeWindows of event time, and in this program it keeps elements "
        r"with timestamps in TimeWindows of event time; .* another checkpoint directory"
    )
    with pytest.raises(CheckpointError, match=said):
        Checkpoint(LocalFolder(tmp_path), window_job(lambda windows: windows.evictor(CountEvictor.of(3))), 2)


def test_a_checkpoint_of_another_format_is_refused(tmp_path):
    """One that an older or newer Windrow has written."""
    Checkpoint(LocalFolder(tmp_path), job(), 2)
    stored = json.loads((tmp_path / "windrow.json").read_text())
    (tmp_path / "windrow.json").write_text(json.dumps({**stored, "version": 99}))
    with pytest.raises(CheckpointError, match=r"format 99, of another version of Windrow, and this one reads \d"):
        Checkpoint(LocalFolder(tmp_path), job(), 2)


def test_a_checkpoint_of_the_format_before_becomes_one_of_this(tmp_path):
    """It is read, and from then on refused by the version that has begun it."""
    Checkpoint(LocalFolder(tmp_path), job(), 2)
    layout = json.loads((tmp_path / "windrow.json").read_text())
    (tmp_path / "windrow.json").write_text(json.dumps({**layout, "version": 5}))
    Checkpoint(LocalFolder(tmp_path), job(), 2)
    assert json.loads((tmp_path / "windrow.json").read_text()) == layout


def test_state_files_keep_the_format_that_they_began_with(tmp_path):
    """A checkpoint that does not say which it is has the first."""
    assert [Checkpoint(LocalFolder(tmp_path), job(), 2).state_format for _ in range(2)] == [2, 2]
    layout = json.loads((tmp_path / "windrow.json").read_text())
    del layout["state_format"]
    (tmp_path / "windrow.json").write_text(json.dumps(layout))
    assert [Checkpoint(LocalFolder(tmp_path), job(), 2).state_format for _ in range(2)] == [1, 1]


def test_sources_stay_as_they_were_planned_at_first(tmp_path):
    """A second start does not plan; forgetting the plan makes the next one do."""
    assert Checkpoint(LocalFolder(tmp_path), job(), 2).plan(plan) == plan()
    again = Checkpoint(LocalFolder(tmp_path), job(), 2)
    assert again.plan(refused) == plan()
    again.forget_plan()
    assert again.plan(lambda: plan(b"b")) == plan(b"b")


@pytest.mark.parametrize("content", [b"", b"garbage", b"\x80\x05."])
def test_a_damaged_plan_is_named(tmp_path, content):
    """It is not planned anew: the splits already read would be others."""
    checkpoint = Checkpoint(LocalFolder(tmp_path), job(), 2)
    checkpoint.plan(plan)
    (tmp_path / "sources.pickle").write_bytes(content)
    with pytest.raises(CheckpointError, match=r"sources\.pickle cannot be read .* it is damaged"):
        checkpoint.plan(refused)


def test_a_job_has_finished_when_the_batch_with_the_end_is_committed(tmp_path):
    """Also if the process died before it could say so; an end that is only planned is none."""
    checkpoint = begun(tmp_path, job(), batches=11, committed=10, offsets={10: {"end": 1}})
    assert not checkpoint.finished
    assert (checkpoint.spark.is_committed(9), checkpoint.spark.is_committed(10)) == (True, False)
    (tmp_path / "spark" / "commits" / "10").write_text("v1\n{}")
    assert checkpoint.finished


@pytest.mark.parametrize("end", [1, 17])
def test_the_end_of_another_source_is_not_the_jobs(tmp_path, end):
    """Offsets of sources that Windrow does not know may have a field of the same name."""
    begun(tmp_path, job())
    write_spark_half(tmp_path / "spark", 3, others=[json.dumps({"end": end}), f'{{"end":{end}}}'])
    assert not Checkpoint(LocalFolder(tmp_path), job(), 2).finished


@pytest.mark.parametrize(
    ("gone", "says"),
    [
        ("windrow.json", "which operators the state belongs to"),
        ("sources.pickle", "what sources were to read when the job first started"),
        ("totals.2.pickle", "what was counted so far"),
        ("reads", "what a batch has read"),
        ("decisions/source-0/1", "what a source's enumerator has decided"),
        ("spark/metadata", "which of Spark's queries this is"),
        ("spark/offsets", "what each batch was to read"),
        ("spark/commits", "which batches are done"),
        ("spark/state/1", "what operators remember"),
        ("spark", "what each batch was to read"),
    ],
)
def test_what_is_gone_is_named_before_anything_is_read_twice(tmp_path, gone, says):
    """Windrow's files and Spark's belong together: without one of them the job does not start, and writes nothing."""
    begun(tmp_path, job(), offsets={batch: {"read": batch + 1, "decided source-0": 2} for batch in range(3)})
    for name in ("reads/0/2", "decisions/source-0/0", "decisions/source-0/1"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    Checkpoint(LocalFolder(tmp_path), job(), 2)
    path = tmp_path / gone
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    left = sorted(tmp_path.rglob("*"))
    with pytest.raises(CheckpointError, match="is gone") as raised:
        Checkpoint(LocalFolder(tmp_path), job(), 2)
    assert f"{tmp_path}/{gone}" in str(raised.value)
    assert f"it says {says}; bring it back from a copy" in str(raised.value)
    assert sorted(tmp_path.rglob("*")) == left


def test_decisions_that_were_taken_before_the_last_committed_batch_are_not_needed(tmp_path):
    """They are removed when Spark has committed the batch that took them."""
    taken = {batch: {"read": 1, "decided source-0": decided} for batch, decided in enumerate((1, 3, 4))}
    begun(tmp_path, job(), batches=3, committed=2, offsets=taken)
    for name in ("reads/0/2", "decisions/source-0/3"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    Checkpoint(LocalFolder(tmp_path), job(), 2)
    (tmp_path / "decisions" / "source-0" / "3").unlink()
    with pytest.raises(CheckpointError, match="decisions/source-0/3 is gone"):
        Checkpoint(LocalFolder(tmp_path), job(), 2)


def test_a_job_that_died_before_its_first_batch_begins_anew(tmp_path):
    """Nothing has been read: its layout and its plan are all there is."""
    Checkpoint(LocalFolder(tmp_path), job(), 2).plan(plan)
    (tmp_path / "spark").mkdir()
    (tmp_path / "spark" / "metadata").write_text('{"id":"8c95a6a1"}')
    assert Checkpoint(LocalFolder(tmp_path), job(), 2).plan(refused) == plan()
    (tmp_path / "sources.pickle").unlink()
    assert Checkpoint(LocalFolder(tmp_path), job(), 2).plan(lambda: plan(b"b")) == plan(b"b")


@pytest.mark.parametrize("below", [".", "checkpoint"])
def test_a_directory_that_cannot_be_made_is_named(tmp_path, below):
    """With what stands in its way, and the setting."""
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match=r"checkpointing\.dir.* cannot be made: .*/file: it is a file"):
        Checkpoint(LocalFolder(tmp_path / "file" / below), job(), 2)


def test_a_full_disk_is_named_and_leaves_no_half_of_a_file(tmp_path, monkeypatch):
    """The error says which file could not be written."""
    checkpoint = Checkpoint(LocalFolder(tmp_path), job(), 2)

    def fsync(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(CheckpointError, match=r"totals\.0\.pickle cannot be written: No space left on device"):
        checkpoint.write_totals(0, Totals())
    assert [file.name for file in tmp_path.iterdir()] == ["windrow.json"]


def test_a_checkpoint_may_say_that_its_job_has_finished(tmp_path):
    """For whoever starts it next."""
    Checkpoint(LocalFolder(tmp_path), job(), 2).mark_finished()
    assert Checkpoint(LocalFolder(tmp_path), job(), 2).finished


@pytest.mark.slow
@pytest.mark.spark
def test_a_finished_job_says_so_and_runs_nothing(on_spark, tmp_path, capsys, caplog):
    """Started again it returns at once, with a warning; so it does if the process died right behind the end."""

    def run():
        env = on_spark({"execution.checkpointing.dir": str(tmp_path), "pipeline.name": "sums"})
        job(env=env)
        env.execute()
        return capsys.readouterr().out

    assert sorted(map(int, run().split())) == [4, 6, 14, 21, 24, 34, 36, 51]
    for _ in range(2):
        assert run() == ""
        assert "job 'sums' has finished" in caplog.records[-1].getMessage()
        (tmp_path / "finished").unlink(missing_ok=True)


@pytest.mark.slow
@pytest.mark.spark
def test_both_halves_are_where_the_path_says_whatever_sparks_own_file_system_is(spark_session, tmp_path):
    """With another ``fs.defaultFS`` a plain path means the local file system all the same, and the job ends."""
    (tmp_path / "elsewhere").mkdir()
    session = spark_session.newSession()
    session.conf.set("fs.defaultFS", "viewfs://other/")
    session.conf.set("fs.viewfs.mounttable.other.link./elsewhere", f"file://{tmp_path}/elsewhere")
    settings = {"windrow.runtime": "spark", "execution.checkpointing.dir": str(tmp_path / "checkpoint")}
    env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings), session)
    job(env=env)
    env.execute()
    assert {"finished", "spark", "windrow.json"} <= {file.name for file in (tmp_path / "checkpoint").iterdir()}
    assert list((tmp_path / "elsewhere").iterdir()) == []


def totals(number):
    return Totals(accumulators={"n": AccumulatorTotal(IntCounter(number), "map")})


def test_totals_are_kept_for_the_last_two_batches(tmp_path):
    """A batch begins with what the one before it left: the last one may have to be run again."""
    checkpoint = begun(tmp_path, job(), batches=4, committed=3)
    assert checkpoint.totals_before(0) == Totals()
    for batch in range(4):
        checkpoint.write_totals(batch, totals(batch))
    again = Checkpoint(LocalFolder(tmp_path), job(), 2)
    assert [again.totals_before(batch).accumulator_results() for batch in (3, 4)] == [{"n": 2}, {"n": 3}]
    assert len(list(tmp_path.glob("*totals*"))) == 2
    assert again.last_totals().accumulator_results() == {"n": 2}


@pytest.mark.parametrize("content", [None, b"", b"no pickle"])
def test_totals_that_cannot_be_read_are_damaged(tmp_path, content):
    """The error names the file; nothing is counted from the start behind the user's back."""
    checkpoint = Checkpoint(LocalFolder(tmp_path), job(), 2)
    if content is not None:
        (tmp_path / "totals.4.pickle").write_bytes(content)
    with pytest.raises(CheckpointError, match=r"totals\.4\.pickle cannot be read .* it is damaged"):
        checkpoint.totals_before(5)


class Silent(LocalFolder):
    """A folder whose file system does not answer for files of some name."""

    silent = None

    def read(self, name):
        if name == self.silent:
            raise OSError(errno.EIO, "java.net.ConnectException: connection refused", self.place(name))
        return super().read(name)

    def below(self, name):
        folder = Silent(self.path / name)
        folder.silent = (self.silent or "").removeprefix(f"{name}/")
        return folder


@pytest.mark.parametrize(
    "name", ["windrow.json", "sources.pickle", "totals.2.pickle", "spark/offsets/2", "spark/commits/2"]
)
def test_what_cannot_be_read_now_is_not_called_damaged(tmp_path, name, monkeypatch):
    """Nobody removes a checkpoint whose file system is down, and the job may be started again."""
    begun(tmp_path, job())
    monkeypatch.setattr(Silent, "silent", name)

    def start():
        checkpoint = Checkpoint(Silent(tmp_path), job(), 2)
        checkpoint.plan(refused)
        checkpoint.last_totals()

    with pytest.raises(JobExecutionError, match=rf"{name} cannot be read now: java\.net\.ConnectException"):
        start()


def test_a_start_from_a_savepoint_that_died_is_no_checkpoint(tmp_path):
    """Whoever starts the job without naming the savepoint does not begin on a part of it."""
    (tmp_path / ".from-savepoint").touch()
    (tmp_path / "ended_channels.json").write_text("[]")
    with pytest.raises(CheckpointError, match=r"windrow\.json is gone"):
        Checkpoint(LocalFolder(tmp_path), job(), 2)


def test_what_dead_writers_have_left_is_removed(tmp_path):
    """Where readers and enumerators write, too."""
    checkpoint = Checkpoint(LocalFolder(tmp_path), job(), 2)
    for folder in (".", "reads/0", "decisions/source-0"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / ".1.0123abcd.partial").touch()
    checkpoint.remove_leftovers()
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["windrow.json"]


@pytest.mark.spark
def test_a_job_that_was_killed_as_it_planned_its_first_batch_begins_again(on_spark, tmp_path):
    """What Spark was about to write is removed: it begins no query beside that."""
    folder = tmp_path / "checkpoint"
    settings = {"execution.checkpointing.dir": str(folder)}
    env, first = on_spark(settings), ListSink()
    env.from_collection([1, 2]).uid("numbers").map(fail_for_ever).uid("map").sink_to(first)
    with pytest.raises(UserFunctionError):
        env.execute()
    for log in ("offsets", "commits"):
        for file in (folder / "spark" / log).iterdir():
            file.unlink()
        (folder / "spark" / log / ".0.a18b9563-6835-45a4-9fc4-89f5b1a07d98.tmp").touch()
    shutil.rmtree(folder / "spark" / "state", ignore_errors=True)
    env, second = on_spark(settings), ListSink()
    env.from_collection([1, 2]).uid("numbers").map(str).uid("map").sink_to(second)
    env.execute()
    assert sorted(second.elements) == ["1", "2"]


def fail_for_ever(_):
    raise ValueError("here")
