"""Whole lines of a region of a file, as bytes; compressed files are read as one region."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import BinaryIO, NamedTuple

from windrow.connectors.files.compression import DAMAGED, is_compressed, open_file
from windrow.connectors.files.split import FileSourceSplit
from windrow.errors import JobExecutionError

BYTES_PER_BLOCK = 1 << 20
_SEARCHED = 1 << 16


class LineBlock(NamedTuple):
    """Some whole lines, of which the file's last one may lack its end."""

    #: Of the first line in the file, decompressed.
    offset: int
    data: bytes


@contextlib.contextmanager
def reading(path: str) -> Iterator[None]:
    """Say what it means that a file which was there when the job was planned cannot be read."""
    try:
        yield
    except FileNotFoundError:
        msg = (
            f"the source cannot find {path}, which was there when the job was planned: either it was removed, "
            "or it is not on every machine that reads (put files on a file system that all of them share)"
        )
        raise JobExecutionError(msg) from None
    except DAMAGED as error:
        msg = f"the source cannot read {path}: {type(error).__name__}: {error}"
        raise JobExecutionError(msg) from error


#: How many of the bytes are whole lines.
Cut = Callable[[bytes], int]


def behind_last_line(data: bytes) -> int:
    """The bytes up to the last line feed."""
    return data.rfind(b"\n") + 1


def line_blocks(split: FileSourceSplit, cut: Cut = behind_last_line) -> Iterator[LineBlock]:
    """The region's lines from its position on, a megabyte at a time. A block follows from its offset alone.

    Args:
        split: The region.
        cut: Where a block may end.

    Raises:
        JobExecutionError: the file is gone, damaged, or shorter than it was.
    """
    with reading(split.path), open_file(split.path) as file:
        compressed = is_compressed(split.path)
        if compressed:
            start, stop = 0, None if split.offset == 0 else 0
        else:
            stop = line_start(file, split.stop, split)  # first: where reading begins is read ahead then
            start = line_start(file, split.offset, split)
        if split.position is not None:
            start = max(start, split.position.offset)
        _go_to(file, start)
        yield from _blocks(file, start, stop if stop is None else max(start, stop), split.path, cut)


def raw_blocks(split: FileSourceSplit) -> Iterator[bytes]:
    """All of a file for the region with its byte 0, nothing for others: cut anywhere.

    Raises:
        JobExecutionError: as for :func:`line_blocks`.
    """
    left = None if is_compressed(split.path) else split.file_size
    with reading(split.path), open_file(split.path) as file:
        while split.offset == 0 and left != 0:
            data = file.read(BYTES_PER_BLOCK if left is None else min(BYTES_PER_BLOCK, left))
            if left is not None:
                left -= len(data)
            if not data and left is None:
                return
            if not data:
                raise _shorter(split.path)
            yield data


def line_regions(path: str, size: int, target: int) -> list[tuple[int, int]]:
    """A file of lines as regions of about ``target`` bytes; a compressed one stays whole."""
    count = 1 if is_compressed(path) else max(1, round(size / target))
    cuts = [size * number // count for number in range(count + 1)]
    return [(start, stop - start) for start, stop in pairwise(cuts)]


def line_sub_splits(split: FileSourceSplit, elements: int) -> list[FileSourceSplit]:
    """A region as several of at most ``elements`` lines; one of a compressed file stays whole."""
    if is_compressed(split.path):
        return [split]
    cuts = []
    lines = 0
    with reading(split.path), open_file(split.path) as file:
        offset = line_start(file, split.offset, split)
        stop = line_start(file, split.stop, split)
        file.seek(offset)
        for line in file:
            if offset >= stop:
                break
            if lines and lines % elements == 0:
                cuts.append(offset)
            offset += len(line)
            lines += 1
    ends = [split.offset, *cuts, split.stop]
    return [replace(split, offset=a, length=b - a) for a, b in pairwise(ends)]


def line_number(path: str, offset: int) -> int:
    """The number, from 1, of the line that begins at ``offset`` of the (decompressed) file."""
    number = 1
    with open_file(path) as file:
        while offset > 0 and (data := file.read(min(offset, BYTES_PER_BLOCK))):
            number += data.count(b"\n")
            offset -= len(data)
    return number


def line_start(file: BinaryIO, offset: int, split: FileSourceSplit) -> int:
    """The first byte at or behind ``offset`` that begins a line; the file's end, if there is none."""
    if offset <= 0 or offset >= split.file_size:
        return min(max(offset, 0), split.file_size)
    file.seek(offset - 1)
    position = offset - 1
    while position < split.file_size and (data := file.read(_SEARCHED)):
        found = data.find(b"\n")
        if found >= 0:
            return min(position + found + 1, split.file_size)
        position += len(data)
    return split.file_size


def _go_to(file: BinaryIO, offset: int) -> None:
    if file.seekable():
        file.seek(offset)
        return
    while offset > 0 and (data := file.read(min(offset, BYTES_PER_BLOCK))):
        offset -= len(data)


def _blocks(file: BinaryIO, offset: int, stop: int | None, path: str, cut: Cut) -> Iterator[LineBlock]:
    rest = b""
    end = offset  # of what is read
    size = BYTES_PER_BLOCK
    while True:
        while len(rest) < size and end != stop:
            wanted = size - len(rest)
            data = file.read(wanted if stop is None else min(wanted, stop - end))
            if not data:
                if stop is not None:
                    raise _shorter(path)
                stop = end
            end += len(data)
            rest += data
        # No more than the size, though there may be more: where the block ends must not depend on what was before it.
        whole = cut(rest[:size])
        if whole:
            yield LineBlock(offset, rest[:whole])
            offset, rest, size = offset + whole, rest[whole:], BYTES_PER_BLOCK
        elif len(rest) >= size:
            size *= 2
        else:
            break
    if rest:
        yield LineBlock(offset, rest)


def _shorter(path: str) -> JobExecutionError:
    return JobExecutionError(f"the source cannot read {path}: it has become shorter since the job was planned")
