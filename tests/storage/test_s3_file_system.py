"""Uploads that are completed at the commit."""

import dataclasses
import errno
import uuid

import pytest
import s3fs

from windrow.storage import s3_file_system
from windrow.storage.file_systems import file_system_of

pytestmark = pytest.mark.hadoop


@pytest.fixture
def base(store):
    """A folder that no other test has."""
    return f"s3://windrow/{uuid.uuid4().hex}"


@pytest.fixture
def files(base):
    return file_system_of(base)


def uploads(base):
    """The names below a folder of all uploads that are not completed."""
    prefix = base.removeprefix("s3://windrow/") + "/"
    found = s3fs.S3FileSystem().call_s3("list_multipart_uploads", Bucket="windrow", Prefix=prefix)
    return sorted(each["Key"].removeprefix(prefix) for each in found.get("Uploads", ()))


def begun(base, name, data=b"data"):
    pending = file_system_of(base).begin(f"{base}/.inprogress/{name}", f"{base}/{name}")
    pending.file.write(data)
    return pending


def test_a_file_is_sent_in_parts(base, files, monkeypatch):
    """Each as long as a part, but for the last one."""
    monkeypatch.setattr(s3_file_system, "PART_SIZE", 5 << 20)
    data = bytes(range(256)) * (45 << 10)
    pending = files.begin(f"{base}/hidden", f"{base}/parts")
    for start in range(0, len(data), 3_000_000):
        assert pending.file.write(memoryview(data)[start : start + 3_000_000]) > 0
    assert pending.file.tell() == len(data)
    committable = pending.close_for_commit()
    assert len(committable.tags) == 3
    files.commit(committable, f"{base}/parts")
    assert files.read(f"{base}/parts") == data


def test_what_dead_attempts_have_begun_is_aborted_with_the_commit_of_the_files(base, files):
    """Uploads of other files, which may be another sink's, go on."""
    for name in ("a", "a", "b", "below/a"):
        begun(base, name)
    pending = begun(base, "a")
    files.commit(pending.close_for_commit(), f"{base}/a")
    files.settle(base, [f"{base}/a"])
    assert uploads(base) == ["b", "below/a"]
    files.settle(base, [f"{base}/b", f"{base}/below/a"])
    assert uploads(base) == []
    files.settle(base, [])


def test_what_is_discarded_is_aborted(base, files):
    """Nobody pays for its parts."""
    pending = begun(base, "a")
    assert uploads(base) == ["a"]
    pending.discard()
    assert uploads(base) == []


def test_uploads_are_found_at_the_root_of_a_bucket(base, files):
    """There nothing stands in front of the names."""
    begun(base, "a")
    files.settle("s3://windrow", [f"{base}/a"])
    assert uploads(base) == []


def test_a_file_of_an_earlier_run_is_no_commit_of_this_one(base, files, monkeypatch):
    """An upload that was removed meanwhile is missed, though there is a file of that name and length."""
    earlier = begun(base, "same")
    files.commit(earlier.close_for_commit(), f"{base}/same")
    lost = begun(base, "same").close_for_commit()
    call = s3fs.S3FileSystem.call_s3

    def no_upload(self, method, **arguments):
        if method == "complete_multipart_upload":
            raise FileNotFoundError("The specified upload does not exist.")
        return call(self, method, **arguments)

    monkeypatch.setattr(s3fs.S3FileSystem, "call_s3", no_upload)
    files.commit(lost, f"{base}/same")  # as old as the upload: an earlier call has completed it
    with pytest.raises(FileNotFoundError):
        files.commit(dataclasses.replace(lost, begun=lost.begun + 60), f"{base}/same")
    with pytest.raises(FileNotFoundError):
        files.commit(dataclasses.replace(lost, size=lost.size + 1), f"{base}/same")
    with pytest.raises(FileNotFoundError):
        files.commit(lost, f"{base}/none")


@pytest.mark.parametrize("error", [PermissionError("Access Denied"), OSError(errno.ENOSYS, "NotImplemented")])
def test_who_may_not_look_at_uploads_may_write(base, files, monkeypatch, error):
    """Or cannot: then they stay until the bucket's rules remove them. Another error is one."""
    call, said = s3fs.S3FileSystem.call_s3, [error]

    def refused(self, method, **arguments):
        if method == "list_multipart_uploads":
            raise said[0]
        return call(self, method, **arguments)

    pending = begun(base, "a")
    files.commit(pending.close_for_commit(), f"{base}/a")
    monkeypatch.setattr(s3fs.S3FileSystem, "call_s3", refused)
    files.settle(base, [f"{base}/a"])
    assert files.read(f"{base}/a") == b"data"
    said[0] = OSError(errno.EIO, "it does not answer")
    with pytest.raises(OSError, match="it does not answer"):
        files.settle(base, [f"{base}/a"])
