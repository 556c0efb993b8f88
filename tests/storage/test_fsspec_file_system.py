"""What packages raise, and what becomes of it."""

import errno
import socket

import pytest
import s3fs
from fsspec.implementations.memory import MemoryFileSystem

from windrow.storage.file_systems import file_system_of
from windrow.storage.fsspec_file_system import FsspecFileSystem, as_os_errors


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


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


def test_a_rename_that_did_nothing_is_found_out(monkeypatch):
    """WebHDFS answers that it did nothing, and fsspec does not listen."""
    files = FsspecFileSystem("memory")
    files._puts = False
    pending = files.begin("memory://rename/hidden", "memory://rename/a")
    pending.file.write(b"data")
    committable = pending.close_for_commit()
    monkeypatch.setattr(MemoryFileSystem, "mv", lambda *_: None)
    with pytest.raises(OSError, match="memory://rename/hidden cannot be renamed to it"):
        files.commit(committable, "memory://rename/a")
