"""What packages raise, and what becomes of it."""

import datetime as dt
import errno

import pytest
import s3fs
from fsspec.implementations.memory import MemoryFileSystem

from tests.free_ports import free_port
from windrow.storage.file_systems import file_system_of
from windrow.storage.fsspec_file_system import _modification_time, as_os_errors, behind_authority


def test_a_server_that_does_not_answer_is_an_error_of_the_system():
    """It names the file; a file that cannot be asked for is not called one that is not there."""
    place = f"webhdfs://127.0.0.1:{free_port()}/a"
    files = file_system_of(place)
    for call in (files.status, files.read, files.list_status, files.names, files.is_there, files.remove):
        with pytest.raises(OSError, match="Connection refused") as raised:
            call(place)
        assert (raised.value.errno, raised.value.filename) == (errno.EIO, place)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (FileNotFoundError("no such key"), FileNotFoundError, "No such file or directory"),
        (PermissionError("Access Denied"), PermissionError, "Access Denied"),
        (RuntimeError("standby"), OSError, "RuntimeError: standby"),
        (OSError(errno.ENOSPC, "full\nat java"), OSError, "full"),
    ],
)
def test_errors_of_packages_become_those_of_the_system(error, kind, words):
    """Each with the file's name, and the first line of what was said."""
    with pytest.raises(OSError, match=words) as raised, as_os_errors("s3://b/a"):
        raise error
    assert type(raised.value) is kind
    assert (raised.value.strerror, raised.value.filename) == (words, "s3://b/a")


def test_where_libhdfs_is_missing_the_way_without_it_is_named():
    """Arrow says first that it cannot load it."""
    words = r"libjvm; hdfs: needs .*, webhdfs://<name node>:<HTTP port>/<path> needs none"
    with pytest.raises(OSError, match=words), as_os_errors("hdfs://h/a", "hdfs"):
        raise OSError("Unable to load libjvm\ndlopen(/usr/lib) failed")


@pytest.mark.hadoop
def test_an_object_that_stands_for_its_folder_is_not_in_it(store):
    """Consoles make one where they make a folder."""
    files = file_system_of("s3://windrow/folder")
    s3fs.S3FileSystem().call_s3("put_object", Bucket="windrow", Key="folder/", Body=b"")
    files.write("s3://windrow/folder/a", b"data")
    assert files.names("s3://windrow/folder") == ["a"]


def test_a_copy_that_is_not_whole_is_found_out(monkeypatch):
    """The hidden file stays, and the commit can be tried again."""
    files = file_system_of("memory://copy/a")
    pending = files.begin("memory://copy/hidden", "memory://copy/a")
    pending.file.write(b"data")
    committable = pending.close_for_commit()
    with monkeypatch.context() as patched:
        patched.setattr(MemoryFileSystem, "cp_file", lambda self, _, target: self.pipe_file(target, b"da"))
        with pytest.raises(OSError, match="it is not what memory://copy/hidden was, which stays"):
            files.commit(committable, "memory://copy/a")
    files.commit(committable, "memory://copy/a")
    assert files.read("memory://copy/a") == b"data"


def test_a_file_of_unknown_length_is_no_empty_one(monkeypatch):
    """It cannot be cut into regions."""
    monkeypatch.setattr(MemoryFileSystem, "info", lambda *_: {"name": "a", "type": "file", "size": None})
    with pytest.raises(OSError, match="its size is not known"):
        file_system_of("memory://a/b").status("memory://a/b")


@pytest.mark.hadoop
def test_a_bucket_that_is_not_there_is_said(store):
    """And not only that the file is not."""
    with pytest.raises(FileNotFoundError, match="The specified bucket does not exist"):
        file_system_of("s3://other/a").list_status("s3://other/a")


@pytest.mark.hadoop
def test_names_that_begin_with_a_slash_are_not_passed_over(store):
    """They are keys of S3, and no paths."""
    s3fs.S3FileSystem().call_s3("put_object", Bucket="windrow", Key="slashes//a", Body=b"data")
    with pytest.raises(OSError, match="it has names that begin with a slash"):
        file_system_of("s3://windrow/slashes").list_status("s3://windrow/slashes")


@pytest.mark.hadoop
def test_lines_are_read_quickly(store):
    """Line by line, and not byte by byte from the package."""
    files = file_system_of("s3://windrow/lines")
    files.write("s3://windrow/lines/a", b"line\n" * 200_000)
    reads = []
    with files.open("s3://windrow/lines/a") as file:
        raw = file.raw._file
        read, raw.read = raw.read, lambda size: reads.append(size) or read(size)
        assert sum(1 for _ in file) == 200_000
    assert len(reads) < 10


def test_the_path_behind_a_host_is_taken_as_it_is():
    """Characters that mean something in other URIs are names in HDFS."""
    path = "webhdfs://root@h:1/a b/c?d#e%20/f"
    assert behind_authority(path) == "/a b/c?d#e%20/f"
    assert behind_authority("webhdfs://h:1") == "/"


@pytest.mark.parametrize(
    "found",
    [
        {"LastModified": dt.datetime(1970, 1, 1, 0, 0, 1, 500_000, dt.UTC)},
        {"last_modified": dt.datetime(1970, 1, 1, 0, 0, 1, 500_000)},
        {"modificationTime": 1500},
        {"mtime": 1.5},
        {"updated": "1970-01-01T00:00:01.500Z"},
    ],
)
def test_the_time_of_change_has_other_names_in_other_packages(found):
    """And other forms; without any of them it is 0."""
    assert _modification_time(found) == 1500
    assert _modification_time({"size": 3}) == 0
