"""Uploads that are completed at the commit."""

import dataclasses
import errno

import pytest
import s3fs

from windrow.storage import s3_file_system
from windrow.storage.file_systems import file_system_of

pytestmark = pytest.mark.hadoop
BASE = "s3://windrow/uploads"


@pytest.fixture
def files(store):
    return file_system_of(BASE)


def uploads():
    """The keys of all uploads that are not completed."""
    found = s3fs.S3FileSystem().call_s3("list_multipart_uploads", Bucket="windrow", Prefix="uploads/")
    return sorted(each["Key"].removeprefix("uploads/") for each in found.get("Uploads", ()))


def begun(files, name, data=b"data"):
    pending = files.begin(f"{BASE}/.inprogress/{name}", f"{BASE}/{name}")
    pending.file.write(data)
    return pending


def test_a_file_is_sent_in_parts(files, monkeypatch):
    """Each as long as a part, but for the last one."""
    monkeypatch.setattr(s3_file_system, "PART_SIZE", 5 << 20)
    data = bytes(range(256)) * (45 << 10)
    pending = files.begin(f"{BASE}/hidden", f"{BASE}/parts")
    for start in range(0, len(data), 3_000_000):
        assert pending.file.write(memoryview(data)[start : start + 3_000_000]) > 0
    assert pending.file.tell() == len(data)
    committable = pending.close_for_commit()
    assert len(committable.tags) == 3
    files.commit(committable, f"{BASE}/parts")
    assert files.read(f"{BASE}/parts") == data


def test_what_dead_attempts_have_begun_is_aborted_with_the_commit_of_the_files(files):
    """Uploads of other files, which may be another sink's, go on."""
    for name in ("a", "a", "b", "below/a"):
        begun(files, name)
    pending = begun(files, "a")
    files.commit(pending.close_for_commit(), f"{BASE}/a")
    files.settle(BASE, [f"{BASE}/a"])
    assert uploads() == ["b", "below/a"]
    files.settle(BASE, [f"{BASE}/b", f"{BASE}/below/a"])
    assert uploads() == []
    files.settle(BASE, [])


def test_what_is_discarded_is_aborted(files):
    """Nobody pays for its parts."""
    pending = begun(files, "a")
    assert uploads() == ["a"]
    pending.discard()
    assert uploads() == []


def test_uploads_are_found_at_the_root_of_a_bucket(files):
    """There nothing stands in front of the names."""
    begun(files, "a")
    files.settle("s3://windrow", [f"{BASE}/a"])
    assert uploads() == []


def test_a_file_of_an_earlier_run_is_no_commit_of_this_one(files, monkeypatch):
    """An upload that was removed meanwhile is missed, though there is a file of that name and length."""
    earlier = begun(files, "same")
    files.commit(earlier.close_for_commit(), f"{BASE}/same")
    lost = begun(files, "same").close_for_commit()
    call = s3fs.S3FileSystem.call_s3

    def no_upload(self, method, **arguments):
        if method == "complete_multipart_upload":
            raise FileNotFoundError("The specified upload does not exist.")
        return call(self, method, **arguments)

    monkeypatch.setattr(s3fs.S3FileSystem, "call_s3", no_upload)
    files.commit(lost, f"{BASE}/same")  # as old as the upload: an earlier call has completed it
    with pytest.raises(FileNotFoundError):
        files.commit(dataclasses.replace(lost, begun=lost.begun + 60), f"{BASE}/same")
    with pytest.raises(FileNotFoundError):
        files.commit(dataclasses.replace(lost, size=lost.size + 1), f"{BASE}/same")
    with pytest.raises(FileNotFoundError):
        files.commit(lost, f"{BASE}/none")


@pytest.mark.parametrize("error", [PermissionError("Access Denied"), OSError(errno.ENOSYS, "NotImplemented")])
def test_who_may_not_look_at_uploads_may_write(files, monkeypatch, error):
    """Or cannot: then they stay until the bucket's rules remove them. Another error is one."""
    call, said = s3fs.S3FileSystem.call_s3, [error]

    def refused(self, method, **arguments):
        if method == "list_multipart_uploads":
            raise said[0]
        return call(self, method, **arguments)

    pending = begun(files, "a")
    files.commit(pending.close_for_commit(), f"{BASE}/a")
    monkeypatch.setattr(s3fs.S3FileSystem, "call_s3", refused)
    files.settle(BASE, [f"{BASE}/a"])
    assert files.read(f"{BASE}/a") == b"data"
    said[0] = OSError(errno.EIO, "it does not answer")
    with pytest.raises(OSError, match="it does not answer"):
        files.settle(BASE, [f"{BASE}/a"])
