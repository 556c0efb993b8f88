"""Steps on disk."""

import errno
import os

import pytest

from windrow.storage import disk


def full(monkeypatch):
    """Let the disk be full when a file is to be synced."""

    def fsync(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    """Until the last step the file is as it was, and nothing of the attempt is left."""
    file = tmp_path / "a"
    disk.write(file, b"before")

    def crash(source, target):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(disk, "rename", crash)
        with pytest.raises(KeyboardInterrupt):
            disk.write(file, b"after")
    assert file.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["a"]
    disk.write(file, b"after")
    assert file.read_bytes() == b"after"


@pytest.mark.parametrize("write", [disk.write, disk.create])
def test_a_full_disk_leaves_no_hidden_file(tmp_path, monkeypatch, write):
    """What was written of the file is removed, and the error is the disk's."""
    full(monkeypatch)
    with pytest.raises(OSError, match="No space left on device"):
        write(tmp_path / "a", b"data")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("write", [disk.write, disk.create])
def test_a_file_is_synced_before_it_has_its_name_and_the_folder_after(tmp_path, monkeypatch, write):
    """Whoever sees the name finds all bytes behind it, also after a loss of power."""
    synced = []

    def fsync(descriptor):
        synced.append((os.path.basename(os.readlink(f"/proc/self/fd/{descriptor}")), os.path.exists(tmp_path / "a")))

    monkeypatch.setattr(os, "fsync", fsync)
    write(tmp_path / "a", b"data")
    (hidden, named_before), folder = synced
    assert disk.is_partial(hidden)
    assert not named_before
    assert folder == (tmp_path.name, True)


def test_of_several_who_create_a_file_one_can(tmp_path):
    """The file stays as the first one has written it."""
    disk.create(tmp_path / "a", b"first")
    with pytest.raises(FileExistsError):
        disk.create(tmp_path / "a", b"second")
    assert (tmp_path / "a").read_bytes() == b"first"
    assert os.listdir(tmp_path) == ["a"]


def test_what_somebody_has_begun_to_write_is_known_by_its_name():
    """Other files are not, hidden ones too."""
    names = (".a.0123abcd.partial", ".a.crc", "a.0123abcd.partial", ".b.partial", "b")
    assert [name for name in names if disk.is_partial(name)] == [".a.0123abcd.partial"]


def test_a_file_is_removed_if_it_is_there(tmp_path):
    """Removing it again is no error."""
    (tmp_path / "a").touch()
    disk.remove(tmp_path / "a")
    disk.remove(tmp_path / "a")
    assert not (tmp_path / "a").exists()


def test_a_folder_can_be_synced(tmp_path):
    """An existing folder is no error, a missing one is."""
    disk.sync(tmp_path)
    with pytest.raises(FileNotFoundError):
        disk.sync(tmp_path / "a")


def test_a_folder_is_made_with_those_above_it(tmp_path):
    """Making it again is no error; a file in its way is, and it is named."""
    disk.make_folder(tmp_path / "a" / "b")
    disk.make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError) as raised:
        disk.make_folder(tmp_path / "file" / "a")
    assert raised.value.filename == str(tmp_path / "file")
