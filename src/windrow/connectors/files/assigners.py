"""Choose the region of a file that is read next, and who reads it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Sequence

from windrow.connectors.files.split import FileSourceSplit


class FileSplitAssigner(ABC):
    """Holds the regions that nobody reads yet (Flink's ``FileSplitAssigner``); derive from it to choose the order.

    Example:
        >>> class LargestFirst(FileSplitAssigner):
        ...     def __init__(self, splits):
        ...         self.splits = list(splits)
        ...     def get_next(self, hostname):
        ...         self.splits.sort(key=lambda split: split.length)
        ...         return self.splits.pop() if self.splits else None
        ...     def add_splits(self, splits):
        ...         self.splits.extend(splits)
        ...     def remaining_splits(self):
        ...         return self.splits
        >>> splits = [FileSourceSplit("/a", 0, 5, 5), FileSourceSplit("/b", 0, 7, 7)]
        >>> LargestFirst(splits).get_next(None).path
        '/b'
    """

    @abstractmethod
    def get_next(self, hostname: str | None) -> FileSourceSplit | None:
        """The region that a reader on the host is to read next; None: there is none now.

        Args:
            hostname: Where the reader runs; None where that is not known.
        """

    @abstractmethod
    def add_splits(self, splits: Sequence[FileSourceSplit]) -> None:
        """Take regions that were found, or that a reader has not come to."""

    @abstractmethod
    def remaining_splits(self) -> Sequence[FileSourceSplit]:
        """The regions that nobody reads yet; they go into checkpoints."""


class InOrderSplitAssigner(FileSplitAssigner):
    """The regions in the order in which they were found."""

    def __init__(self, splits: Iterable[FileSourceSplit]) -> None:
        self._splits = deque(splits)

    def get_next(self, hostname: str | None) -> FileSourceSplit | None:
        return self._splits.popleft() if self._splits else None

    def add_splits(self, splits: Sequence[FileSourceSplit]) -> None:
        self._splits.extend(splits)

    def remaining_splits(self) -> Sequence[FileSourceSplit]:
        return list(self._splits)


class FileSplitAssignerProvider(ABC):
    """Makes a source's assigner (Flink's ``FileSplitAssigner.Provider``); must pickle."""

    @abstractmethod
    def create(self, initial_splits: Sequence[FileSourceSplit]) -> FileSplitAssigner:
        """An assigner that holds ``initial_splits``."""

    @staticmethod
    def locality_aware_split_assigner() -> FileSplitAssignerProvider:
        """In the order in which regions were found: the file systems read here are as near to all readers."""
        return _InOrder()


class _InOrder(FileSplitAssignerProvider):
    def create(self, initial_splits: Sequence[FileSourceSplit]) -> FileSplitAssigner:
        return InOrderSplitAssigner(initial_splits)


def dealt(assigner: FileSplitAssigner, readers: int) -> list[list[FileSourceSplit]]:
    """All that an assigner holds, each region for the reader that has the fewest bytes to read so far."""
    hands: list[list[FileSourceSplit]] = [[] for _ in range(readers)]
    sizes = [0] * readers
    while (split := assigner.get_next(None)) is not None:
        reader = sizes.index(min(sizes))
        hands[reader].append(split)
        sizes[reader] += max(split.length, 1)
    return hands
