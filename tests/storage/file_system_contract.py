"""What every file system does for sources and sinks: functions that take a file system and an empty folder in it."""

from __future__ import annotations

import time
from contextlib import suppress

from tests.storage.raising import raised
from windrow.storage.file_system import FileSystem


def a_file_is_written_and_written_again(files: FileSystem, folder: str) -> None:
    """With its folders; nothing else is left of it."""
    for data in (b"first", b"", b"\x00\n" * 3_000_000):
        files.write(f"{folder}/a/b%20 c/d", data)
        assert files.read(f"{folder}/a/b%20 c/d") == data
    assert files.names(f"{folder}/a/b%20 c") == ["d"]


def what_is_not_there_is_said(files: FileSystem, folder: str) -> None:
    """By the error for it, or by nothing."""
    files.write(f"{folder}/file", b"data")
    other = f"{folder}/other"
    for call in (files.status, files.list_status, files.read):
        assert raised(FileNotFoundError, lambda call=call: call(other))
    assert not files.is_there(other)
    assert files.names(other) == []
    files.remove(other)
    assert files.names(folder) == ["file"]


def files_and_folders_are_told_apart(files: FileSystem, folder: str) -> None:
    """And listed, each with its path and the size of a file."""
    for name in ("one", "two/three", "two/four/five"):
        files.write(f"{folder}/{name}", name.encode())
    found = sorted(files.list_status(folder))
    assert [each[:3] for each in found] == [(f"{folder}/one", 3, False), (f"{folder}/two", 0, True)]
    assert abs(found[0].modification_time - time.time() * 1000) < 600_000  # another machine may have another clock
    assert found == [files.status(f"{folder}/one"), files.status(f"{folder}/two")]
    assert sorted(files.names(f"{folder}/two")) == ["four", "three"]
    assert [files.status(f"{folder}/{name}").name for name in ("one", "two/three")] == ["one", "three"]


def a_file_is_read_from_any_byte_on(files: FileSystem, folder: str) -> None:
    """To its end, or not as far."""
    files.write(f"{folder}/a", bytes(range(256)) * 100)
    with files.open(f"{folder}/a") as file:
        file.seek(25_598)
        assert file.read(10) == b"\xfe\xff"
        assert file.read(10) == b""
        file.seek(300)
        assert (file.read(2), file.tell(), file.read()[:2]) == (bytes([44, 45]), 302, bytes([46, 47]))


def nobody_sees_a_file_before_its_commit(files: FileSystem, folder: str) -> None:
    """Then it is there with all its bytes, and nothing of it is where it was hidden."""
    data = b"0123456789" * 2_000_000
    pending = files.begin(f"{folder}/hidden/a", f"{folder}/below/a")
    for start in range(0, len(data), 7_000_000):
        pending.file.write(data[start : start + 7_000_000])
    committable = pending.close_for_commit()
    assert files.names(f"{folder}/below") == []
    files.commit(committable, f"{folder}/below/a")
    assert files.read(f"{folder}/below/a") == data
    assert files.names(f"{folder}/hidden") == []


def a_commit_replaces_what_has_the_name(files: FileSystem, folder: str) -> None:
    """A batch that is run again writes the same names."""
    for data in (b"first", b""):
        pending = files.begin(f"{folder}/hidden/{len(data)}", f"{folder}/a")
        pending.file.write(data)
        files.commit(pending.close_for_commit(), f"{folder}/a")
    assert files.read(f"{folder}/a") == b""


def a_second_commit_says_that_nothing_is_pending(files: FileSystem, folder: str) -> None:
    """Or does the same again; in any case the file stays."""
    pending = files.begin(f"{folder}/hidden/a", f"{folder}/a")
    pending.file.write(b"data")
    committable = pending.close_for_commit()
    files.commit(committable, f"{folder}/a")
    with suppress(FileNotFoundError):
        files.commit(committable, f"{folder}/a")
    files.settle(folder, [f"{folder}/a"])
    assert files.read(f"{folder}/a") == b"data"


def what_is_discarded_is_gone(files: FileSystem, folder: str) -> None:
    """Whether it was closed or not, and if it is discarded again."""
    for closed in (False, True):
        pending = files.begin(f"{folder}/hidden/a", f"{folder}/a")
        pending.file.write(b"data")
        if closed:
            pending.close_for_commit()
        pending.discard()
        pending.discard()
    assert files.names(f"{folder}/hidden") == []
    assert not files.is_there(f"{folder}/a")


CONTRACT = [
    a_file_is_written_and_written_again,
    what_is_not_there_is_said,
    files_and_folders_are_told_apart,
    a_file_is_read_from_any_byte_on,
    nobody_sees_a_file_before_its_commit,
    a_commit_replaces_what_has_the_name,
    a_second_commit_says_that_nothing_is_pending,
    what_is_discarded_is_gone,
]
