"""Copies of checkpoint directories."""

import json
import os

import pytest

from windrow.errors import CheckpointError, ConfigurationError
from windrow.runtime.spark.lease import Lease
from windrow.runtime.spark.savepoint import copy_checkpoint, new_savepoint, start_from
from windrow.storage.local_folder import LocalFolder


@pytest.fixture
def checkpoint(tmp_path):
    """A checkpoint as Spark and Windrow write it, in small."""
    directory = tmp_path / "checkpoint"
    state = directory / "spark" / "state" / "0" / "_metadata" / "v2"
    state.mkdir(parents=True)
    (state / "0").write_text(f'v2\n{{"paths":["file:{directory}/spark/state/0/_stateSchema/default/0_a"]}}')
    (state / ".0.crc").write_bytes(b"crc")
    (directory / "spark" / "metadata").write_text('{"id":"one"}')
    (directory / "spark" / ".metadata.crc").write_bytes(b"crc")
    (directory / "windrow.json").write_text("{}")
    (directory / "drain").touch()
    (directory / ".totals.0.pickle.0123abcd.partial").touch()
    return directory


def test_a_savepoint_is_a_query_of_its_own(checkpoint, tmp_path):
    """Spark's identity is new, and what it keeps by whole paths is found in the copy; nothing drains it."""
    target = tmp_path / "savepoints" / new_savepoint()
    lease = Lease(LocalFolder(checkpoint), "the job")
    copy_checkpoint(LocalFolder(checkpoint), LocalFolder(target))
    lease.release()
    assert target.name.startswith("savepoint-")
    assert json.loads((target / "spark" / "metadata").read_text())["id"] != "one"
    schema = (target / "spark" / "state" / "0" / "_metadata" / "v2" / "0").read_text()
    assert f"file:{target}/spark/state/0/_stateSchema/default/0_a" in schema
    assert not list(target.rglob("*.crc"))
    assert sorted(os.listdir(target)) == ["spark", "windrow.json"]
    assert [each.name for each in target.parent.iterdir()] == [target.name]


def test_all_of_a_savepoint_outlasts_a_loss_of_power(checkpoint, tmp_path, monkeypatch):
    """What is made another query's own is synced behind that, as what is copied is."""
    synced = {}

    def note(descriptor, fsync=os.fsync):
        state = os.fstat(descriptor)
        synced[state.st_ino] = state.st_mtime_ns
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    target = tmp_path / "savepoints" / new_savepoint()
    copy_checkpoint(LocalFolder(checkpoint), LocalFolder(target))
    states = {path: path.stat() for path in target.rglob("*") if path.is_file()}
    assert {path: synced.get(state.st_ino) for path, state in states.items()} == {
        path: state.st_mtime_ns for path, state in states.items()
    }


def test_a_job_begins_once_from_a_savepoint(checkpoint, tmp_path):
    """Started again, it goes on from its own checkpoint."""
    own = tmp_path / "own"
    own.mkdir()
    lease = Lease(LocalFolder(own), "the job")  # no reason to call the directory not empty
    start_from(LocalFolder(checkpoint), LocalFolder(own))
    lease.release()
    assert sorted(os.listdir(own)) == ["spark", "windrow.json"]
    schema = (own / "spark" / "state" / "0" / "_metadata" / "v2" / "0").read_text()
    assert f"file:{own}/spark/state/0/_stateSchema/default/0_a" in schema
    (own / "windrow.json").write_text('{"mine": 1}')
    start_from(LocalFolder(checkpoint), LocalFolder(own))
    assert (own / "windrow.json").read_text() == '{"mine": 1}'


def test_a_start_that_died_in_the_middle_is_begun_again(checkpoint, tmp_path, monkeypatch):
    """Until all has arrived the directory is no checkpoint: nothing begins in it but the same start."""
    own = tmp_path / "own"

    class Died(BaseException):
        pass

    def write(folder, name, data, write_file=LocalFolder.write):
        if name == "windrow.json":
            raise Died
        write_file(folder, name, data)

    with monkeypatch.context() as patched:
        patched.setattr(LocalFolder, "write", write)
        with pytest.raises(Died):
            start_from(LocalFolder(checkpoint), LocalFolder(own))
    assert sorted(os.listdir(own)) == [".from-savepoint", "spark"]
    start_from(LocalFolder(checkpoint), LocalFolder(own))
    assert sorted(os.listdir(own)) == ["spark", "windrow.json"]


def test_the_checkpoint_of_a_job_that_runs_is_no_savepoint(checkpoint, tmp_path):
    """What is copied while it is written does not fit together."""
    lease = Lease(LocalFolder(checkpoint), "the job")
    with pytest.raises(CheckpointError, match=r"is the checkpoint of job 'the job' .*, which runs"):
        start_from(LocalFolder(checkpoint), LocalFolder(tmp_path / "own"))
    lease.release()


def test_where_there_is_no_savepoint_or_something_else_nothing_is_copied(checkpoint, tmp_path):
    """Both are named."""
    with pytest.raises(CheckpointError, match="nothing is no savepoint"):
        start_from(LocalFolder(tmp_path / "nothing"), LocalFolder(tmp_path / "own"))
    other = tmp_path / "other"
    other.mkdir()
    (other / "file").touch()
    with pytest.raises(ConfigurationError, match="other is no checkpoint and not empty"):
        start_from(LocalFolder(checkpoint), LocalFolder(other))


def test_a_copy_that_fails_leaves_nothing(checkpoint, tmp_path):
    """The directory is there as a whole or not at all."""
    (checkpoint / "spark" / "metadata").write_text("no json")
    with pytest.raises(ValueError, match="Expecting value"):
        copy_checkpoint(LocalFolder(checkpoint), LocalFolder(tmp_path / "savepoints" / "savepoint-1"))
    assert list((tmp_path / "savepoints").iterdir()) == []
