"""Records of jobs as files."""

import json
import os

import pytest

from tests.ui.records import NOON, batch, windowed
from windrow.errors import ConfigurationError
from windrow.runtime.monitor.history_file import (
    FILES_KEPT,
    SUFFIX,
    HistoryFile,
    beside,
    fetch_histories,
    history_files,
    put_copy,
    read_history,
)
from windrow.runtime.monitor.record import JobRecord
from windrow.storage.local_folder import LocalFolder


def written(folder, batches, keep=3):
    record, file = JobRecord(keep), HistoryFile(folder, "orders", keep)
    for entry in [windowed(), *(batch(n, NOON + n, {"orders": {"records_out": {"0": n}}}) for n in range(batches))]:
        record.add(entry)
        file.write([entry], record)
    file.close()
    return record, file.path


def test_what_is_written_is_read(tmp_path):
    """The record out of the file is the one that was written."""
    record, path = written(tmp_path, 2)
    *entries, last = read_history(path).entries()
    again = list(record.entries())
    assert [entry for entry in [*entries, last] if entry["type"] != "state"] == again


def test_a_job_whose_end_nobody_has_written_is_suspended(tmp_path):
    """Its program was killed; it ended when its last batch did, as far as anybody knows."""
    _, path = written(tmp_path, 2)
    record = read_history(path)
    assert (record.state, record.ended) == ("SUSPENDED", NOON + 1)


def test_a_file_stays_short(tmp_path):
    """It never has twice the batches that are to be kept, and always the last ones."""
    record, path = written(tmp_path, 100)
    lines = path.read_text().splitlines()
    assert len(lines) <= 2 + 6
    again = read_history(path)
    assert again.vertices == record.vertices
    assert again.batches[-1]["batch"] == 99


def test_a_line_that_was_not_written_to_its_end_does_not_count(tmp_path):
    """A program that was killed leaves half a line."""
    record, path = written(tmp_path, 2)
    with path.open("a") as file:
        file.write('{"type":"batch","ba')
    assert read_history(path).vertices == record.vertices


@pytest.mark.parametrize("text", ["", "hello\n", "[]\n", '{"type":"job","form":99}\n'])
def test_another_file_is_refused(tmp_path, text):
    """What has no job at its beginning, or one of another form, is named."""
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=r"notes\.txt"):
        read_history(path)


def test_files_are_found_in_folders_and_beside_checkpoints(tmp_path):
    """A person gives what they have: the file, the folder, or the checkpoint directory."""
    checkpoint = tmp_path / "trips"
    _, path = written(beside(checkpoint), 1)
    assert history_files(path) == history_files(path.parent) == history_files(checkpoint) == [path]
    with pytest.raises(ConfigurationError, match="no history"):
        history_files(tmp_path / "elsewhere")


def test_old_files_go(tmp_path):
    """A folder keeps those of the last jobs."""
    for number in range(FILES_KEPT + 5):
        path = tmp_path / f"{number}{SUFFIX}"
        path.write_text("")
        os.utime(path, (number, number))
    written(tmp_path, 1)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == FILES_KEPT
    assert f"5{SUFFIX}" not in names
    assert f"6{SUFFIX}" in names


def test_a_file_that_another_program_removes_meanwhile_is_passed_over(tmp_path):
    """Several jobs start at once, and each of them makes room."""
    (tmp_path / f"gone{SUFFIX}").symlink_to(tmp_path / "nowhere")
    _, path = written(tmp_path, 1)
    assert history_files(tmp_path) == [path]


def test_nobody_else_reads_it(tmp_path):
    """Elements that have failed are in it, and settings; also when it was written anew."""
    umask = os.umask(0o022)
    try:
        for batches in (1, 100):
            _, path = written(tmp_path / str(batches) / "orders.history", batches)
            assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    finally:
        os.umask(umask)


def test_the_file_of_a_job_that_runs_stays(tmp_path):
    """However many jobs begin meanwhile; one whose program was killed goes, and one that has ended."""
    job, ended = {**windowed(), "pid": os.getpid()}, {"type": "state", "state": "FINISHED", "at": NOON}
    lines = {"runs": [job], "ended": [job, ended], "killed": [{**job, "pid": 999_999_999}]}
    for name, entries in lines.items():
        (tmp_path / f"{name}{SUFFIX}").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        os.utime(tmp_path / f"{name}{SUFFIX}", (1, 1))
    for number in range(FILES_KEPT):
        (tmp_path / f"{number}{SUFFIX}").write_text("")
    written(tmp_path, 1)
    assert {name for name in lines if (tmp_path / f"{name}{SUFFIX}").exists()} == {"runs"}


def test_a_folder_elsewhere_keeps_the_last_copies(tmp_path):
    """A copy has all that the file has; the oldest one by name goes when there are too many."""
    elsewhere = LocalFolder(tmp_path / "elsewhere")
    for number in range(FILES_KEPT + 2):
        file = tmp_path / f"2026-{number:02}{SUFFIX}"
        file.write_text(f"{number}\n")
        put_copy(file, elsewhere)
    put_copy(file, elsewhere)
    assert sorted(elsewhere.names()) == [f"2026-{number:02}{SUFFIX}" for number in range(2, FILES_KEPT + 2)]
    assert elsewhere.read(file.name) == b"21\n"


@pytest.mark.parametrize("place", ["orders.history", "orders", f"orders.history/one{SUFFIX}"])
def test_histories_elsewhere_are_fetched(place, tmp_path):
    """A folder's, a checkpoint directory's, or one file; what is no history stays where it is."""
    written(tmp_path / "orders.history", 2)[1].rename(tmp_path / "orders.history" / f"one{SUFFIX}")
    (tmp_path / "orders.history" / "notes").write_text("")
    (tmp_path / "copies").mkdir()
    fetch_histories(LocalFolder, f"{tmp_path}/{place}/", tmp_path / "copies")
    (copy,) = (tmp_path / "copies").iterdir()
    assert copy.read_bytes() == (tmp_path / "orders.history" / f"one{SUFFIX}").read_bytes()


@pytest.mark.parametrize("place", ["orders", f"orders/one{SUFFIX}"])
def test_no_history_elsewhere_is_an_error(place, tmp_path):
    """It names the place, and what may stand there."""
    (tmp_path / "copies").mkdir()
    with pytest.raises(ConfigurationError, match=f"no history of a job at '{tmp_path}/{place}': give a file that ends"):
        fetch_histories(LocalFolder, f"{tmp_path}/{place}", tmp_path / "copies")
