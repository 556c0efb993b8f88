"""Keeps what is to be sent to a database when a batch ends: in memory, and in a file where it is much."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator
from typing import Any

#: Bytes in memory.
_MEMORY = 32 << 20

#: The values of a row, in the order of the placeholders.
Values = tuple[Any, ...]


class Spool:
    """Rows that can be read again and again, until they are closed."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_MEMORY)  # noqa: SIM115  (closed by close)
        self.rows = 0

    def add(self, rows: list[Values]) -> None:
        """Take more rows."""
        pickle.dump(rows, self._file, protocol=5)
        self.rows += len(rows)

    def pieces(self, size: int) -> Iterator[list[Values]]:
        """All rows from the first on, ``size`` at a time."""
        self._file.seek(0)
        piece: list[Values] = []
        read = 0
        while read < self.rows:
            rows = pickle.load(self._file)
            read += len(rows)
            piece += rows
            while len(piece) >= size:
                yield piece[:size]
                piece = piece[size:]
        if piece:
            yield piece

    def close(self) -> None:
        """Forget the rows."""
        self._file.close()
