"""Keeps what is to be sent when a batch ends: in memory, and in a file where it is much."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from windrow.connectors.interfaces import WriterContext

#: Bytes in memory.
_MEMORY = 32 << 20
_CHECKSUM_LIMIT = 1 << 62

#: What is sent: the values of a row in the order of a statement's placeholders, or the parts of a record.
Values = tuple[Any, ...]


class Contents(NamedTuple):
    """Tells the rows of one batch from others."""

    rows: int
    #: Does not depend on their order.
    checksum: int


class Written(NamedTuple):
    """The batch that a partition of a sink has written last."""

    #: The last batch.
    batch: int
    contents: Contents

    def differing(
        self, name: str, context: WriterContext, contents: Contents, what: str, where: str = ""
    ) -> str | None:
        """Describe how a batch that was run again differs from what is there already; None: it gave the same.

        Args:
            name: The sink's.
            context: Of the batch's writer.
            contents: What the batch has given now.
            what: What that is, in the plural.
            where: Where those of before are.
        """
        if self.contents == contents:
            return None
        return (
            f"{name}: batch {context.batch} was run again and gave other {what} in partition {context.partition} "
            f"({contents.rows}, and {self.contents.rows} before): those of the first run stay{where}; a function in "
            "front of the sink gives other results for the same elements (it draws random numbers, say)"
        )


class Spool:
    """Rows that can be read again and again, until they are closed.

    Args:
        checks: Whether there is to be a checksum of them.

    Example:
        >>> spool = Spool()
        >>> spool.add([(1, "a"), (2, "b"), (3, "c")])
        >>> list(spool.batches(2))
        [[(1, 'a'), (2, 'b')], [(3, 'c')]]
        >>> spool.close()
    """

    def __init__(self, *, checks: bool = True) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_MEMORY)  # noqa: SIM115  (closed by close)
        self._checks = checks
        self._checksum = 0
        self.rows = 0

    @property
    def contents(self) -> Contents:
        """The number of rows and their checksum, which tell them from others."""
        return Contents(self.rows, self._checksum % _CHECKSUM_LIMIT)

    def add(self, rows: list[Values]) -> None:
        """Take more rows."""
        pickle.dump(rows, self._file, protocol=5)
        self.rows += len(rows)
        if self._checks:
            self._checksum += _checksum(rows)

    def batches(self, size: int) -> Iterator[list[Values]]:
        """All rows from the first on, ``size`` at a time."""
        self._file.seek(0)
        batch: list[Values] = []
        read = 0
        while read < self.rows:
            rows = pickle.load(self._file)
            read += len(rows)
            batch += rows
            while len(batch) >= size:
                yield batch[:size]
                batch = batch[size:]
        if batch:
            yield batch

    def close(self) -> None:
        """Forget the rows."""
        self._file.close()


def _checksum(rows: Sequence[Values]) -> int:
    return sum(crc32(repr(row).encode("utf-8", "surrogatepass")) for row in rows)
