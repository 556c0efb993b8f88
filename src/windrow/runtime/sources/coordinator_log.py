"""Keeps what an enumerator has decided, in order, for those who plan batches.

An entry holds what goes to readers and the enumerator's state behind it, so what a reader was promised and what the
enumerator remembers cannot fall apart. Entries are written once; how many of them a batch takes is in its offset.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from windrow.elements.stored import dumps_with_code, loads
from windrow.runtime.checkpoint_files import DECISIONS, reading, writing
from windrow.storage.folder import Files


@dataclass(frozen=True)
class LogEntry:
    """One decision."""

    #: By the reader's subtask, pickled: who plans batches passes them on unread.
    messages: dict[int, bytes] = field(default_factory=dict)
    #: The enumerator's checkpoint as its serializer has written it, and the serializer's version.
    snapshot: bytes = b""
    version: int = 0
    #: The last batch whose readers' messages the enumerator has seen; -1: none.
    batch: int = -1
    #: The readers that have read all they will ever read.
    finished: frozenset[int] = frozenset()
    #: The readers that were told that no more splits come.
    complete: frozenset[int] = frozenset()


class CoordinatorLog(Protocol):
    """Entries from 0 on."""

    def append(self, entry: LogEntry) -> None: ...

    def last(self) -> LogEntry | None:
        """The newest entry; None: there is none."""

    def count(self, known: int = 0) -> int:
        """Count the entries; there are known to be ``known``."""

    def entries(self, start: int, end: int) -> list[LogEntry]:
        """The entries from ``start`` to before ``end``."""

    def prune(self, start: int) -> None:
        """Remove entries before the one before ``start``: they were taken, and nobody asks for them any more."""


class MemoryLog:
    """A log for a job that never starts again."""

    def __init__(self) -> None:
        self._entries: dict[int, LogEntry] = {}
        self._count = 0

    def append(self, entry: LogEntry) -> None:
        self._entries[self._count] = entry
        self._count += 1

    def last(self) -> LogEntry | None:
        return self._entries.get(self._count - 1)

    def count(self, known: int = 0) -> int:
        return self._count

    def entries(self, start: int, end: int) -> list[LogEntry]:
        return [self._entries[number] for number in range(start, end)]

    def prune(self, start: int) -> None:
        self._entries = {
            number: entry for number, entry in self._entries.items() if number >= min(start, self._count) - 1
        }


class FileLog:
    """A log in files, one for each entry.

    Args:
        files: Those of the checkpoint.
        name: That of the log among others.
    """

    def __init__(self, files: Files, name: str) -> None:
        self._files = files
        self._folder = f"{DECISIONS}/{name}"

    def append(self, entry: LogEntry) -> None:
        name = self._name(self.count(self._newest() + 1))
        with writing(self._files.place(name)):
            self._files.write(name, dumps_with_code(entry))

    def last(self) -> LogEntry | None:
        newest = self._newest()
        return None if newest < 0 else self._read(newest)

    def count(self, known: int = 0) -> int:
        while self._files.exists(self._name(known)):
            known += 1
        return known

    def entries(self, start: int, end: int) -> list[LogEntry]:
        return [self._read(number) for number in range(start, end)]

    def prune(self, start: int) -> None:
        numbers = self._numbers()
        first = min(start - 1, max(numbers, default=0))
        for number in numbers:
            if number < first:
                self._files.remove(self._name(number))

    def _newest(self) -> int:
        return max(self._numbers(), default=-1)

    def _numbers(self) -> list[int]:
        return [int(name) for name in self._files.names(self._folder) if name.isdigit()]

    def _read(self, number: int) -> LogEntry:
        name = self._name(number)
        with reading(self._files.place(name), DECISIONS):
            entry: LogEntry = loads(self._files.read(name))
        return entry

    def _name(self, number: int) -> str:
        return f"{self._folder}/{number}"
