"""A region of a file, and how far it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from windrow.connectors.source.split import SourceSplit


class FilePosition(NamedTuple):
    """Says where reading goes on: a place that the format can begin at, and how many elements behind it are read.

    Flink's ``CheckpointedPosition``.
    """

    #: A byte for formats of lines, the number of a row group for Parquet.
    offset: int
    skip: int = 0


@dataclass(frozen=True)
class FileSourceSplit(SourceSplit):
    """A region of a file: what begins in its bytes from ``offset`` to below ``offset + length``.

    Flink's ``FileSourceSplit``. A line, or a row group, belongs to the region that holds its first byte, so regions
    that follow one another read every element once, wherever they are cut. Of a file that cannot be cut (compressed
    lines, say) the region with byte 0 reads all.

    Args:
        path: The file's absolute path.
        offset: The region's first byte.
        length: How many bytes it has.
        file_size: The file's size when it was found: what is appended later is not read.
        position: Where reading goes on; None: at the region's beginning.
        limit: How many elements are read at most, from the position on; None: all.
        modification_time: When the file was changed last, as it was found, in milliseconds since 1970; 0: not known.

    Example:
        >>> FileSourceSplit("/data/a.csv", 0, 100, 200).split_id()
        '/data/a.csv 0+100'
    """

    path: str
    offset: int
    length: int
    file_size: int
    position: FilePosition | None = None
    limit: int | None = None
    modification_time: int = 0

    def split_id(self) -> str:
        return f"{self.path} {self.offset}+{self.length}"

    @property
    def stop(self) -> int:
        """The first byte behind the region."""
        return self.offset + self.length
