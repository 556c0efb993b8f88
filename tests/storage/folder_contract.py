"""What every folder does, on whatever file system: functions that take an empty one."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from tests.storage.raising import raised
from windrow.storage.folder import Folder


def a_file_is_written_and_written_again(folder: Folder) -> None:
    """With its folders; nothing else is left of it."""
    for data in (b"first", b"", b"\x00\n" * 1_000_000):
        folder.write("a/b%20 c/d", data)
        assert folder.read("a/b%20 c/d") == data
    assert list(folder.files()) == ["a/b%20 c/d"]


def what_is_not_there_is_said(folder: Folder) -> None:
    """By the error for it, or by nothing."""
    folder.write("file", b"")
    for name in ("other", "other/below"):
        assert raised(FileNotFoundError, lambda name=name: folder.read(name))
        assert raised(FileNotFoundError, lambda name=name: folder.modified(name))
        assert (folder.exists(name), folder.is_folder(name), folder.names(name)) == (False, False, [])
        folder.remove(name)
    assert raised(FileNotFoundError, lambda: folder.move("other", "new"))
    assert folder.names() == ["file"]


def files_and_folders_are_told_apart(folder: Folder) -> None:
    """And listed, each by the last part of its name."""
    for name in ("one", "two/three", "two/four/five"):
        folder.write(name, name.encode())
    assert sorted(folder.names()) == ["one", "two"]
    assert sorted(folder.names("two")) == ["four", "three"]
    assert [folder.is_folder(name) for name in ("one", "two", "two/four", "two/three")] == [False, True, True, False]
    assert all(folder.exists(name) for name in ("one", "two", "two/four", "two/four/five"))
    assert list(folder.files()) == ["one", "two/four/five", "two/three"]
    assert list(folder.files("two")) == ["two/four/five", "two/three"]
    below = folder.below("two")
    assert (below.read("three"), below.location) == (b"two/three", f"{folder.location}/two")


def what_is_removed_is_gone(folder: Folder) -> None:
    """A folder with all that is in it."""
    for name in ("one", "two/three", "two/four/five", "twofold"):
        folder.write(name, b"")
    folder.remove("one")
    folder.remove("two")
    assert list(folder.files()) == ["twofold"]


def a_file_is_created_once(folder: Folder) -> None:
    """The second time says that it is there, and changes nothing."""
    folder.create("a/b", b"first")
    assert raised(FileExistsError, lambda: folder.create("a/b", b"second"))
    assert folder.read("a/b") == b"first"
    assert list(folder.files()) == ["a/b"]


def of_many_one_creates(folder: Folder) -> None:
    """Whoever is told so finds their own bytes in the file."""

    def create(number: int) -> int | None:
        try:
            folder.create("contended", str(number).encode())
        except FileExistsError:
            return None
        return number

    with ThreadPoolExecutor(8) as pool:
        created = [number for number in pool.map(create, range(8)) if number is not None]
    assert created == [int(folder.read("contended"))]
    assert list(folder.files()) == ["contended"]


def a_file_moves(folder: Folder) -> None:
    """Then it has the new name alone."""
    folder.write("a", b"data")
    folder.move("a", "b")
    assert (folder.names(), folder.read("b")) == (["b"], b"data")


def a_file_is_touched(folder: Folder) -> None:
    """It is no older then, and what is in it stays."""
    folder.write("a", b"data")
    before = folder.modified("a")
    folder.touch("a", b"data")
    assert folder.modified("a") >= before > 1_000_000_000
    assert folder.read("a") == b"data"


CONTRACT = [
    a_file_is_written_and_written_again,
    what_is_not_there_is_said,
    files_and_folders_are_told_apart,
    what_is_removed_is_gone,
    a_file_is_created_once,
    of_many_one_creates,
    a_file_moves,
    a_file_is_touched,
]


def check_all(folder: Folder) -> None:
    """Check a file system, each point in a folder of its own, and print what was checked."""
    for point in CONTRACT:
        each = folder.below(point.__name__)
        each.make()
        point(each)
        print(f"{point.__name__}: kept", file=sys.stdout, flush=True)
