"""The sink of files."""

import errno
import os
import pickle
from pathlib import Path

import pytest

from windrow.common import Encoder
from windrow.connectors.files import sink as sink_module
from windrow.connectors.files.buckets import BucketAssigner
from windrow.connectors.files.part_files import OutputFileConfig
from windrow.connectors.files.sink import FileSink
from windrow.connectors.interfaces import WriterContext
from windrow.errors import ConfigurationError, JobExecutionError

ENCODER = Encoder.simple_string_encoder()
FLAT = BucketAssigner.base_path_bucket_assigner()


def names_in(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


@pytest.fixture
def sink(tmp_path) -> FileSink:
    return FileSink.for_row_format(tmp_path, ENCODER).with_bucket_assigner(FLAT).build()


def test_nobody_sees_a_file_before_the_commit(sink, tmp_path):
    """Until then it is hidden, in a hidden folder."""
    writer = sink.create_writer(WriterContext(2, 5))
    writer.write(["a", "b"], [0, 0])
    committable = writer.prepare_commit()
    (hidden,) = names_in(tmp_path)
    assert hidden.startswith(".inprogress/.part-2-5-0.inprogress.")
    sink.commit(2, [committable])
    assert "part-2-5-0" in names_in(tmp_path)
    assert (tmp_path / "part-2-5-0").read_text() == "a\nb\n"


def test_a_failed_task_leaves_nothing(sink, tmp_path):
    """It may fail while it writes, and after."""
    for ended in (False, True):
        writer = sink.create_writer(WriterContext(0, 0))
        writer.write(["a"], [0])
        if ended:
            writer.prepare_commit()
        writer.abort()
    assert names_in(tmp_path) == []


def test_two_attempts_at_a_task_may_run_at_the_same_time(sink, tmp_path):
    """Spark may start a task a second time while the first attempt is still running; one of them is committed."""
    first, second = (sink.create_writer(WriterContext(0, 0)) for _ in range(2))
    first.write(["half"], [0])
    second.write(["half", "whole"], [0, 0])
    sink.commit(0, [second.prepare_commit()])
    first.write(["of it"], [0])
    assert (tmp_path / "part-0-0-0").read_text() == "half\nwhole\n"
    first.abort()  # Spark ends it
    assert names_in(tmp_path) == [".inprogress/.part-0.names", "part-0-0-0"]


def test_elements_go_to_the_folder_of_the_time_at_which_they_are_written(tmp_path, monkeypatch):
    """Each folder has files of its own, which begin at number 0."""
    hours = BucketAssigner.date_time_bucket_assigner("HH", "UTC")
    sink = FileSink.for_row_format(tmp_path, ENCODER).with_bucket_assigner(hours).build()
    writer = sink.create_writer(WriterContext(0, 0))
    for hour, element in ((0, "a"), (1, "b"), (0, "c")):
        monkeypatch.setattr(sink_module.time, "time", lambda hour=hour: hour * 3600.0)
        writer.write([element], [0])
    sink.commit(0, [writer.prepare_commit()])
    assert (tmp_path / "00" / "part-0-0-0").read_text() == "a\nc\n"
    assert (tmp_path / "01" / "part-0-0-0").read_text() == "b\n"


def test_a_sink_pickles(sink, tmp_path):
    """It goes to the workers; the folder is the one that the program meant."""
    writer = pickle.loads(pickle.dumps(sink)).create_writer(WriterContext(0, 0))
    writer.write(["a"], [0])
    sink.commit(0, [writer.prepare_commit()])
    assert (tmp_path / "part-0-0-0").read_text() == "a\n"


def test_sinks_with_different_prefixes_share_a_folder(tmp_path):
    """Neither touches the other's files."""
    for prefix in ("on-time", "late"):
        names = OutputFileConfig.builder().with_part_prefix(prefix).build()
        sink = (
            FileSink.for_row_format(tmp_path, ENCODER).with_bucket_assigner(FLAT).with_output_file_config(names).build()
        )
        writer = sink.create_writer(WriterContext(0, 0))
        writer.write([prefix], [0])
        sink.commit(0, [writer.prepare_commit()])
    assert [name for name in names_in(tmp_path) if "/" not in name] == ["late-0-0-0", "on-time-0-0-0"]


def test_two_sinks_of_a_job_must_not_write_the_same_files(env, sink):
    """Each would take the other's files for its own of a dead attempt."""
    stream = env.from_collection([1, 2])
    stream.sink_to(sink)
    stream.map(lambda n: n + 1).sink_to(sink)
    with pytest.raises(ConfigurationError, match=r"both write .*part-\*.*different folders or prefixes"):
        env.execute()


@pytest.mark.parametrize("below", [".", "results"])
def test_a_file_in_the_place_of_the_folder_is_named_at_once(tmp_path, below):
    """Nothing could be written below it."""
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match=r"base_path of a FileSink is a folder; got .*, and .*/file is a file"):
        FileSink.for_row_format(tmp_path / "file" / below, ENCODER)


def test_a_full_disk_is_named_and_leaves_no_hidden_file(sink, tmp_path, monkeypatch):
    """In a task, which then is aborted, and in a commit, which may be tried again."""

    def fsync(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    writer = sink.create_writer(WriterContext(0, 0))
    writer.write(["a"], [0])
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fsync)
        with pytest.raises(JobExecutionError, match=r"FileSink: .* cannot be written: No space left on device; mend"):
            writer.prepare_commit()
        writer.abort()
    assert names_in(tmp_path) == []
    writer = sink.create_writer(WriterContext(0, 0))
    writer.write(["a"], [0])
    committable = writer.prepare_commit()
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fsync)
        with pytest.raises(JobExecutionError, match=r"FileSink: .* cannot be written: No space left on device; mend"):
            sink.commit(0, [committable])
    sink.commit(0, [committable])
    assert names_in(tmp_path) == [".inprogress/.part-0.names", "part-0-0-0"]


def write_batch(sink, batch, elements):
    writer = sink.create_writer(WriterContext(batch, 0))
    writer.write(elements, [0] * len(elements))
    sink.commit(batch, [writer.prepare_commit()])


def test_committed_files_that_are_deleted_stay_deleted(sink, tmp_path):
    """The sink does not look at them; only the last batch writes its files again, when it is run again."""
    write_batch(sink, 0, ["a"])
    write_batch(sink, 1, ["b"])
    for file in tmp_path.glob("part-*"):
        file.unlink()
    write_batch(sink, 1, ["b"])
    write_batch(sink, 2, ["c"])
    assert sorted(file.name for file in tmp_path.glob("part-*")) == ["part-1-0-0", "part-2-0-0"]


def test_without_its_list_of_names_another_run_is_not_refused(sink, tmp_path):
    """The list is all that says how far a run has come."""
    write_batch(sink, 3, ["a"])
    with pytest.raises(JobExecutionError, match="holds results of another run, up to its batch 3"):
        write_batch(sink, 0, ["b"])
    (tmp_path / ".inprogress" / ".part-3.names").unlink()
    write_batch(sink, 0, ["b"])
    assert sorted(file.name for file in tmp_path.glob("part-*")) == ["part-0-0-0", "part-3-0-0"]


def test_a_file_in_progress_that_is_gone_ends_the_job(sink, tmp_path):
    """Its batch is not committed without it."""
    writer = sink.create_writer(WriterContext(0, 0))
    writer.write(["a"], [0])
    committable = writer.prepare_commit()
    next((tmp_path / ".inprogress").glob("*.inprogress.*")).unlink()
    with pytest.raises(JobExecutionError, match="has vanished before its batch was committed"):
        sink.commit(0, [committable])
