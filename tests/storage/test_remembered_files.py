"""Files that only one process writes."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from windrow.storage.local_folder import LocalFolder
from windrow.storage.remembered_files import RememberedFiles


class Watched(LocalFolder):
    """A folder that notes what it is asked."""

    def __init__(self, path):
        super().__init__(path)
        self.asked = []

    def read(self, name):
        self.asked.append(name)
        return super().read(name)

    def exists(self, name):
        self.asked.append(name)
        return super().exists(name)

    def write(self, name, data):
        if name.endswith("fails"):
            raise OSError(28, "No space left on device")
        super().write(name, data)

    def create(self, name, data):
        self.write(name, data)


@pytest.fixture
def folder(tmp_path):
    folder = Watched(tmp_path)
    for name in ("reads/0/1", "reads/0/2", "drain", "other"):
        folder.write(name, name.encode())
    return folder


def test_what_was_there_is_known_and_read_once(folder):
    """From then on it is in memory."""
    files = RememberedFiles(folder, ["reads", "drain", "decisions"])
    folder.asked.clear()
    assert sorted(files.names("reads/0")) == ["1", "2"]
    assert sorted(files.names()) == ["drain", "reads"]
    assert [files.exists(name) for name in ("reads", "reads/0", "reads/0/1", "reads/0/3", "drain", "rea")] == [
        True,
        True,
        True,
        False,
        True,
        False,
    ]
    assert [files.read("reads/0/1") for _ in range(3)] == [b"reads/0/1"] * 3
    assert folder.asked == ["reads/0/1"]


def test_what_is_changed_is_changed_in_the_folder_first(folder):
    """Whoever has written may tell others."""
    files = RememberedFiles(folder, ["reads", "drain"])
    files.write("reads/1/1", b"new")
    files.create("reads/1/2", b"created")
    files.remove("reads/0")
    files.remove("drain")
    assert sorted(folder.files()) == ["other", "reads/1/1", "reads/1/2"]
    assert (files.read("reads/1/1"), files.read("reads/1/2"), files.names()) == (b"new", b"created", ["reads"])
    for gone in ("reads/0/1", "drain"):
        with pytest.raises(FileNotFoundError):
            files.read(gone)


def test_of_many_one_creates(folder):
    """Whatever the file system can do."""
    files = RememberedFiles(folder, ["reads"])

    def create(number):
        try:
            files.create("reads/5/5", b"%d" % number)
        except FileExistsError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(create, range(50))) == 1


def test_what_could_not_be_written_is_not_there(folder):
    """And may be written by who comes next."""
    files = RememberedFiles(folder, ["reads"])
    for write in (files.write, files.create, files.create):
        with pytest.raises(OSError, match="No space left"):
            write("reads/9/fails", b"")
        assert not files.exists("reads/9")
