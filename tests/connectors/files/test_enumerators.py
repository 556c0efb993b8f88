"""Finding files, and cutting them into regions."""

import errno
import os
from itertools import pairwise

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from windrow.connectors.files import enumerators
from windrow.connectors.files.enumerators import FileEnumeratorProvider, whole_file
from windrow.connectors.files.file_format import StreamFormat
from windrow.errors import ConfigurationError, JobExecutionError

LINES = StreamFormat.text_line_format()
SPLITTABLE = FileEnumeratorProvider.default_splittable_file_enumerator().create().for_format(LINES)
WHOLE = FileEnumeratorProvider.default_non_splittable_file_enumerator().create().for_format(LINES)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A file of 100 bytes, one of 10 in a folder, a compressed one, and hidden ones; regions have at least 10 bytes."""
    monkeypatch.setattr(enumerators, "SMALLEST_REGION", 10)
    (tmp_path / "b").mkdir()
    for name, size in (("a", 100), ("b/c", 10), ("d.gz", 100), (".hidden", 5), ("_started", 5)):
        (tmp_path / name).write_bytes(b"x" * size)
    return tmp_path


def found(enumerator, folder, readers):
    splits = enumerator.enumerate_splits([folder], readers)
    return [(os.path.relpath(split.path, folder), split.offset, split.length) for split in splits]


def test_long_files_are_cut_for_several_readers(folder):
    """Into about four regions for each reader, over all files; compressed and small ones stay whole."""
    (folder / "d.gz").unlink()
    assert found(SPLITTABLE, folder, 1) == [("a", 0, 100), ("b/c", 0, 10)]
    cuts = [100 * number // 8 for number in range(9)]
    eighths = [("a", start, stop - start) for start, stop in pairwise(cuts)]
    assert found(SPLITTABLE, folder, 2) == [*eighths, ("b/c", 0, 10)]
    (folder / "d.gz").write_bytes(b"x" * 100)
    assert found(SPLITTABLE, folder, 2)[-1] == ("d.gz", 0, 100)


def test_regions_have_bounds(folder, monkeypatch):
    """None is tiny because there are many readers, none huge because there is one."""
    assert all(length >= 10 for _, _, length in found(SPLITTABLE, folder, 1000))
    monkeypatch.setattr(enumerators, "LARGEST_REGION", 50)
    assert found(SPLITTABLE, folder, 1)[:2] == [("a", 0, 50), ("a", 50, 50)]


def test_files_stay_whole_if_that_is_wanted(folder):
    """However long they are, and however many readers there are."""
    assert found(WHOLE, folder, 8) == [("a", 0, 100), ("b/c", 0, 10), ("d.gz", 0, 100)]


def test_files_that_were_seen_are_left_out(folder):
    """A source that monitors its paths has no use for them."""
    seen = SPLITTABLE.without(frozenset({str(folder / "a"), str(folder / "d.gz")}))
    assert found(seen, folder, 2) == [("b/c", 0, 10)]


def test_a_path_that_is_gone_is_an_error(folder):
    """Not an empty source."""
    with pytest.raises(ConfigurationError, match="there is no file or folder"):
        SPLITTABLE.enumerate_splits([folder / "nowhere"], 1)


def test_a_file_that_goes_while_it_is_looked_at_is_left_out(folder):
    """Between being listed and being asked for its size, as a link is that leads nowhere."""
    (folder / "gone").symlink_to(folder / "nowhere")
    assert [name for name, *_ in found(WHOLE, folder, 1)] == ["a", "b/c", "d.gz"]


def test_a_folder_that_cannot_be_looked_at_ends_the_job(folder, monkeypatch):
    """The error names it: an object store that does not answer is no empty one."""

    def refused(path):
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refused)
    with pytest.raises(JobExecutionError, match=f"FileSource: {folder} cannot be looked at: Permission denied"):
        SPLITTABLE.enumerate_splits([folder], 1)


def test_a_whole_file_is_a_region(folder):
    """What enumerators of one's own return."""
    split = whole_file(str(folder / "a"))
    assert (split.offset, split.length, split.stop, split.file_size) == (0, 100, 100, 100)


@pytest.mark.parametrize("words", ["my-bucket/in", "NoSuchKey"])
def test_a_followed_folder_of_an_object_store_need_not_be_there(monkeypatch, words):
    """It is there when a file is in it, whatever its bucket is called; a bucket that is not there is an error."""

    def missing(self, place):
        raise FileNotFoundError(words)

    monkeypatch.setattr(MemoryFileSystem, "info", missing)
    assert SPLITTABLE.without(frozenset()).enumerate_splits(["memory://my-bucket/in"], 1) == []
    with pytest.raises(ConfigurationError, match=r"there is no file or folder memory://my-bucket/in$"):
        SPLITTABLE.enumerate_splits(["memory://my-bucket/in"], 1)
    words = "The specified bucket does not exist"
    with pytest.raises(ConfigurationError, match=r"/in: No such file .*The specified bucket does not"):
        SPLITTABLE.without(frozenset()).enumerate_splits(["memory://my-bucket/in"], 1)
