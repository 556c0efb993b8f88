"""Whole lines of a region of a file."""

import gzip
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from windrow.connectors.files import lines
from windrow.connectors.files.enumerators import whole_file
from windrow.connectors.files.lines import line_blocks, line_number, line_regions
from windrow.connectors.files.split import FilePosition, FileSourceSplit
from windrow.errors import JobExecutionError

CONTENT = st.lists(st.sampled_from([b"a", b"bb", b"\n", b"\r\n", b"\xc3\xa4"]), max_size=40).map(b"".join)
TOGETHER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "a.txt"


def read(*splits: FileSourceSplit) -> bytes:
    return b"".join(block.data for split in splits for block in line_blocks(split))


@TOGETHER
@given(content=CONTENT, data=st.data())
def test_regions_that_follow_one_another_are_the_file(file, content, data):
    """Wherever it is cut, every line is in one region, and whole."""
    file.write_bytes(content)
    size = len(content)
    cuts = sorted(data.draw(st.lists(st.integers(0, size), max_size=5)))
    regions = [FileSourceSplit(str(file), start, stop - start, size) for start, stop in pairwise([0, *cuts, size])]
    assert read(*regions) == content
    for region in regions:
        part = read(region)
        assert part.endswith(b"\n") or content.endswith(part)


@TOGETHER
@given(content=CONTENT, size=st.integers(1, 12))
@example(content=b"aaabbbb\r\nbb\r\n\n", size=3)
def test_reading_goes_on_at_every_block(file, content, size):
    """From a block's offset on come the same blocks as came when the file was read from its beginning."""
    file.write_bytes(content)
    whole = whole_file(str(file))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "BYTES_PER_BLOCK", size)
        blocks = list(line_blocks(whole))
        for index, block in enumerate(blocks):
            rest = FileSourceSplit(str(file), 0, len(content), len(content), FilePosition(block.offset))
            assert list(line_blocks(rest)) == blocks[index:]
    assert b"".join(block.data for block in blocks) == content
    assert all(block.data.endswith(b"\n") for block in blocks[:-1])


def test_a_compressed_file_is_read_by_the_region_with_its_first_byte(tmp_path):
    """Wherever it is cut; and it goes on at a block's offset, decompressed."""
    file = tmp_path / "a.gz"
    file.write_bytes(gzip.compress(b"one\ntwo\n"))
    size = file.stat().st_size
    first, second = FileSourceSplit(str(file), 0, 5, size), FileSourceSplit(str(file), 5, size - 5, size)
    assert read(first) == b"one\ntwo\n"
    assert read(second) == b""
    assert read(FileSourceSplit(str(file), 0, size, size, FilePosition(4))) == b"two\n"
    assert line_regions(str(file), 1 << 30, 1 << 20) == [(0, 1 << 30)]


@pytest.mark.parametrize(("size", "count"), [(0, 1), (100, 1), (149, 1), (151, 2), (1000, 10)])
def test_regions_are_about_as_long_as_wanted(size, count):
    """Neither a tiny rest nor a gap is left."""
    regions = line_regions("a.txt", size, 100)
    assert len(regions) == count
    assert sum(length for _, length in regions) == size
    assert [start for start, _ in regions[1:]] == [start + length for start, length in regions[:-1]]


def test_lines_are_numbered_from_one(file):
    """By the line feeds before them."""
    file.write_bytes(b"a\nb\n\nc")
    assert [line_number(str(file), offset) for offset in (0, 2, 4, 5)] == [1, 2, 3, 4]


def test_a_region_of_a_file_that_has_shrunk_is_an_error(file):
    """Nothing is left out silently."""
    file.write_bytes(b"one\ntwo\nthree\n")
    whole = whole_file(str(file))
    file.write_bytes(b"one\n")
    with pytest.raises(JobExecutionError, match="has become shorter"):
        read(whole)
