"""Avro's files as records: a region is some blocks."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import BinaryIO

from windrow.common.basic_types import TypeInformation
from windrow.connectors.avro.schema import AvroSchema, avro
from windrow.connectors.avro.type_info import GenericRecordAvroTypeInfo
from windrow.connectors.files.file_format import BulkFormat, FileBatch
from windrow.connectors.files.lines import reading
from windrow.connectors.files.split import FileSourceSplit
from windrow.errors import JobExecutionError, WindrowError
from windrow.storage.file_systems import file_system_of

#: Blocks end with the 16 bytes that the file's header ends with.
_MARKER = 16
_SEARCHED = 1 << 16


@dataclass(frozen=True)
class AvroFormat(BulkFormat):
    """Records as dicts; made, and described, by ``AvroReaders.for_generic_record`` and ``AvroInputFormat``."""

    schema: AvroSchema | None

    @property
    def produced_type(self) -> TypeInformation | None:  # type: ignore[override]
        return None if self.schema is None else GenericRecordAvroTypeInfo(self.schema)

    def read(self, split: FileSourceSplit) -> Iterator[FileBatch]:
        wanted = None if self.schema is None else self.schema.parsed
        with reading(split.path), file_system_of(split.path).open(split.path) as file, _named(split.path):
            header = _header(file)
            if split.position is not None and split.position.offset >= 0:
                begin: int | None = split.position.offset
            else:
                begin = _first_block(file, header, split)
            while begin is not None and begin - _MARKER < split.stop:
                file.seek(begin)
                blocks = avro().block_reader(_Joined(header, file), reader_schema=wanted)
                for block in blocks:
                    # Positions are in the header and the blocks from here on.
                    start = begin - len(header) + block.offset
                    if start - _MARKER >= split.stop:
                        break
                    yield FileBatch(start, list(block))
                begin = None

    def regions(self, path: str, size: int, target: int) -> list[tuple[int, int]]:
        count = max(1, round(size / target))
        cuts = [size * number // count for number in range(count + 1)]
        return [(start, stop - start) for start, stop in pairwise(cuts)]


class _Joined(io.RawIOBase):
    """The header, and then a file from where it stands."""

    def __init__(self, header: bytes, file: BinaryIO) -> None:
        self._header = header
        self._file = file
        self._position = 0

    def read(self, size: int = -1) -> bytes:
        left = self._header[self._position : None if size < 0 else self._position + size]
        if len(left) == size:
            self._position += size
            return left
        data = left + self._file.read(-1 if size < 0 else size - len(left))
        self._position += len(data)
        return data

    def tell(self) -> int:
        return self._position


def _header(file: BinaryIO) -> bytes:
    """The bytes before the first block."""
    avro().block_reader(file)
    length = file.tell()
    file.seek(0)
    return file.read(length)


def _first_block(file: BinaryIO, header: bytes, split: FileSourceSplit) -> int | None:
    """Find where the region's first block begins: behind the first marker that begins in it; None: there is none."""
    marker = header[-_MARKER:]
    position = max(split.offset, len(header) - _MARKER)
    file.seek(position)
    rest = b""
    while position < split.stop:
        data = file.read(_SEARCHED)
        rest += data
        found = rest.find(marker)
        if found >= 0:
            return position + found + _MARKER if position + found < split.stop else None
        if not data:
            return None
        kept = min(len(rest), _MARKER - 1)
        position += len(rest) - kept
        rest = rest[len(rest) - kept :]
    return None


@contextlib.contextmanager
def _named(path: str) -> Generator[None]:
    """Errors of fastavro's name the file; it has several kinds, with no common base."""
    try:
        yield
    except (WindrowError, OSError, GeneratorExit):
        raise
    except Exception as error:
        msg = f"the source cannot read {path} as Avro: {type(error).__name__}: {error}"
        raise JobExecutionError(msg) from error
