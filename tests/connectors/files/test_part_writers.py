"""Writers of files in progress."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from windrow.connectors.files.bulk import BulkWriter, BulkWriterFactory
from windrow.connectors.files.part_writers import BulkBucketWriter, PartFile, RowBucketWriter
from windrow.storage.local_file_system import LocalFileSystem


class Parts:
    """Files 0, 1, ... in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts: list[PartFile] = []

    def next(self) -> PartFile:
        name = str(len(self.parts))
        self.parts.append(PartFile(LocalFileSystem().begin(str(self.folder / name), ""), name))
        return self.parts[-1]

    def contents(self) -> list[bytes]:
        return [(self.folder / part.move[1]).read_bytes() for part in self.parts]


@pytest.fixture
def parts(tmp_path) -> Parts:
    return Parts(tmp_path)


def test_a_new_file_begins_when_one_has_reached_the_size(parts):
    """As in Flink a file is looked at before each element, so it may be longer than the size by one element."""
    writer = RowBucketWriter(parts.next, str.encode, 4)
    writer.write(["aaa", "bbb", "c"])
    writer.write(["dddd", "ee"])
    writer.finish()
    assert parts.contents() == [b"aaabbb", b"cdddd", b"ee"]
    assert parts.parts[0].file.closed


def test_without_a_size_there_is_one_file(parts):
    """However much is written."""
    writer = RowBucketWriter(parts.next, str.encode, None)
    for _ in range(3):
        writer.write(["a" * 1000])
    writer.finish()
    assert parts.contents() == [b"a" * 3000]


class Sum(BulkWriter):
    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.sum = 0

    def add_elements(self, elements: Sequence[Any]) -> None:
        self.sum += sum(elements)

    def finish(self) -> None:
        self.file.write(b"%d" % self.sum)


class SumFactory(BulkWriterFactory):
    def create(self, file: BinaryIO) -> BulkWriter:
        return Sum(file)


def test_a_bulk_writer_of_the_users_own_writes_a_file_as_a_whole(parts):
    """It is given the elements, and told when there are no more."""
    writer = BulkBucketWriter(parts.next, SumFactory())
    writer.write([1, 2])
    writer.write([3])
    writer.finish()
    assert parts.contents() == [b"6"]


def test_a_discarded_file_is_gone(parts):
    """Whether it was closed or not, and if it is discarded again."""
    part = parts.next()
    part.file.write(b"x")
    part.discard()
    part.discard()
    assert list(parts.folder.iterdir()) == []
