"""What a checkpoint remembers beside Spark's own."""

import json

import pytest

from windrow.common import Configuration, Time, WatermarkStrategy
from windrow.common.accumulators import IntCounter
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.window import CountEvictor, CountTrigger, TumblingEventTimeWindows
from windrow.errors import CheckpointError
from windrow.runtime.spark.checkpoint import Checkpoint
from windrow.runtime.spark.pieces import Piece, PiecePlan
from windrow.runtime.stage.totals import AccumulatorTotal, Totals


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


def plan(payload=b"a"):
    return PiecePlan([Piece(0, 0, [payload], ends=True)], [], 1, 100, True)


def refused():
    raise AssertionError


def test_the_same_program_fits(tmp_path):
    """Started again and again, with the number of partitions that the checkpoint began with."""
    assert Checkpoint(str(tmp_path / "a" / "b"), job(), 2).partitions == 2
    assert Checkpoint(str(tmp_path / "a" / "b"), job(), 4).partitions == 2


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"uid": "totals"}, r"operators .*'sums'.*'totals'"),
        ({"second": True}, r"operators .*'total'"),
        ({"timed": "other times"}, r"operators .*'other times'"),
        ({"mapped": True}, r"operators .*'mapped'"),
        ({"parallelism": 3}, r"operators .*'sums'.*2.*'sums'.*3"),
        ({"max_parallelism": 16}, r"max parallelism is 8, this program's is 16"),
    ],
    ids=["uid", "another level", "uid in a chain", "another operator in a chain", "parallelism", "max parallelism"],
)
def test_a_program_that_does_not_fit_is_refused(tmp_path, changes, said):
    """With what differs, by the names of operators, and what to do; the checkpoint is left as it was."""
    Checkpoint(str(tmp_path), job(), 2)
    with pytest.raises(CheckpointError, match=said) as raised:
        Checkpoint(str(tmp_path), job(**changes), 2)
    assert str(tmp_path) in str(raised.value)
    assert "same uid()" in str(raised.value)
    Checkpoint(str(tmp_path), job(), 2)


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"partitions', b"\xff\xfe"])
def test_a_damaged_layout_is_named(tmp_path, content):
    """Whatever the file holds in place of the layout, the error says which file it is."""
    Checkpoint(str(tmp_path), job(), 2)
    (tmp_path / "windrow.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(CheckpointError, match=r"windrow\.json cannot be read .* it is damaged"):
        Checkpoint(str(tmp_path), job(), 2)


@pytest.mark.parametrize("partitions", [None, "two"])
def test_a_layout_without_its_partitions_is_damaged(tmp_path, partitions):
    """The rest of it may fit."""
    Checkpoint(str(tmp_path), job(), 2)
    stored = json.loads((tmp_path / "windrow.json").read_text())
    stored["partitions"] = partitions
    (tmp_path / "windrow.json").write_text(json.dumps(stored))
    with pytest.raises(CheckpointError, match=r"windrow\.json cannot be read .* it is damaged"):
        Checkpoint(str(tmp_path), job(), 2)


def test_windows_that_keep_another_thing_are_refused(tmp_path):
    """By the operator's name, with what was kept and what would be; what may change is taken."""
    Checkpoint(str(tmp_path), window_job(), 2)
    Checkpoint(str(tmp_path), window_job(lambda windows: windows.allowed_lateness(5).trigger(CountTrigger.of(3))), 2)
    said = (
        r"operator 'sums' has kept reduced values in TimeWindows of event time, and in this program it keeps elements "
        r"with timestamps in TimeWindows of event time; .* another checkpoint directory"
    )
    with pytest.raises(CheckpointError, match=said):
        Checkpoint(str(tmp_path), window_job(lambda windows: windows.evictor(CountEvictor.of(3))), 2)


def test_a_checkpoint_of_another_format_is_refused(tmp_path):
    """One that an older or newer Windrow has written."""
    Checkpoint(str(tmp_path), job(), 2)
    stored = json.loads((tmp_path / "windrow.json").read_text())
    (tmp_path / "windrow.json").write_text(json.dumps({**stored, "version": 99}))
    with pytest.raises(CheckpointError, match="format is 99, this program's is 3"):
        Checkpoint(str(tmp_path), job(), 2)


def test_sources_stay_as_they_were_planned_at_first(tmp_path):
    """A second start does not plan; forgetting the plan makes the next one do."""
    assert Checkpoint(str(tmp_path), job(), 2).plan(plan) == plan()
    again = Checkpoint(str(tmp_path), job(), 2)
    assert again.plan(refused) == plan()
    again.forget_plan()
    assert again.plan(lambda: plan(b"b")) == plan(b"b")


@pytest.mark.parametrize("content", [b"", b"garbage", b"\x80\x05."])
def test_a_damaged_plan_is_named(tmp_path, content):
    """It is not planned anew: the splits already read would be others."""
    checkpoint = Checkpoint(str(tmp_path), job(), 2)
    checkpoint.plan(plan)
    (tmp_path / "sources.pickle").write_bytes(content)
    with pytest.raises(CheckpointError, match=r"sources\.pickle cannot be read .* it is damaged"):
        checkpoint.plan(refused)


def test_a_job_has_finished_when_the_batch_with_the_end_is_committed(tmp_path):
    """Also if the process died before it could say so; an end that is only planned is none."""
    checkpoint = Checkpoint(str(tmp_path), job(), 2)
    for folder in ("commits", "offsets"):
        (tmp_path / "spark" / folder).mkdir(parents=True)
    for batch, end in ((0, 0), (9, 0), (10, 1)):
        offset = json.dumps({"split": batch, "tick": 0, "end": end})
        (tmp_path / "spark" / "offsets" / str(batch)).write_text(f'v1\n{{"batch": 1}}\n{offset}')
    for batch in (0, 9):
        (tmp_path / "spark" / "commits" / str(batch)).write_text("v1\n{}")
    assert not checkpoint.finished
    assert (checkpoint.committed(9), checkpoint.committed(10)) == (True, False)
    (tmp_path / "spark" / "commits" / "10").write_text("v1\n{}")
    assert checkpoint.finished


def test_a_checkpoint_may_say_that_its_job_has_finished(tmp_path):
    """For whoever starts it next."""
    Checkpoint(str(tmp_path), job(), 2).mark_finished()
    assert Checkpoint(str(tmp_path), job(), 2).finished


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


def totals(number):
    return Totals(accumulators={"n": AccumulatorTotal(IntCounter(number), "map")})


def test_totals_are_kept_for_the_last_two_batches(tmp_path):
    """A batch begins with what the one before it left: the last one may have to be run again."""
    checkpoint = Checkpoint(str(tmp_path), job(), 2)
    assert checkpoint.totals_before(0) == Totals()
    for batch in range(4):
        checkpoint.write_totals(batch, totals(batch))
    again = Checkpoint(str(tmp_path), job(), 2)
    assert [again.totals_before(batch).accumulator_results() for batch in (3, 4)] == [{"n": 2}, {"n": 3}]
    assert len(list(tmp_path.glob("*totals*"))) == 2
    commits = tmp_path / "spark" / "commits"
    commits.mkdir(parents=True)
    (commits / "2").touch()
    assert again.last_totals().accumulator_results() == {"n": 2}


@pytest.mark.parametrize("content", [None, b"", b"no pickle"])
def test_totals_that_cannot_be_read_are_damaged(tmp_path, content):
    """The error names the file; nothing is counted from the start behind the user's back."""
    checkpoint = Checkpoint(str(tmp_path), job(), 2)
    if content is not None:
        (tmp_path / "totals.4.pickle").write_bytes(content)
    with pytest.raises(CheckpointError, match=r"totals\.4\.pickle cannot be read .* it is damaged"):
        checkpoint.totals_before(5)
